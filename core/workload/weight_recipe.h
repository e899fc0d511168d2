// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/network.h"
#include "core/workload/parameters.h"

#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// How a checkpoint stores what the network preset describes, as its name or a table says: "AWQ", "nf4-dq", "Q4_K_M".
struct WeightRecipe
{
    std::string name;              ///< such as "int4" or "Q4_K_M"; empty: as the preset stores it
    bool asStored = true;          ///< the preset's own formats
    double linear = 2.0;           ///< bytes of an element of the linear layers, scales included
    double promoted = 2.0;         ///< of value and down projections, of which GGUF mixes store some in more bits
    double head = 2.0;             ///< of the head, and of an embedding that serves as one
    bool attention = true;         ///< the recipe reaches attention too; else it keeps 16 bit
    bool ends = false;             ///< it reaches embedding and head too, as GGUF files do
    double spread = 0.003;         ///< relative uncertainty of the weights, at 80 %
};

/// The recipe that words of a table name; the first text that names one counts.
///
///     int4 with groups of 128 and zeros 0.5195 · nf4 0.5625, doubly quantised 0.516 · nvfp4 0.5625 · mxfp4 0.53125
///     fp8, int8 1 · bfp8 1.0625 · GGUF: mean of the mix · bf16, fp16 2 · fp32 4
///
/// returns  as stored when no text names a format, or names the one the preset stores
/// source   fieldMemory §2; means of GGUF mixes: sizes of published files over their element counts
[[nodiscard]] WeightRecipe weightRecipe(const Network& network, std::string_view dtype, std::string_view quantization,
                                        std::string_view modelName);

/// Bytes of an element of a GGUF file whose mix is called so ("Q4_K_M", "IQ4_XS", "F16"); nothing when unknown.
[[nodiscard]] std::optional<double> ggufBytes(std::string_view mix);

/// How weights are spread over devices.
struct WeightSplit
{
    int tensorParallel = 1;
    int stages = 1;
    int expertParallel = 1;        ///< devices the experts are spread over besides the tensor-parallel group
    bool embeddingOnHost = false;  ///< llama.cpp looks the input embedding up on the host
    bool separateHead = false;     ///< a head that is the embedding is stored once more (TensorRT-LLM)
    bool paddedExperts = false;    ///< mxfp4 kernels pad widths of experts to their tiles
    bool marlinTiles = false;      ///< those of devices without fp8 matrix units
};

/// Bytes of weights on the fullest device, rotary table included.
///
/// source   fieldMemory §2
[[nodiscard]] Bytes recipeWeights(const Network& network, const WeightRecipe& recipe, const WeightSplit& split);

} // namespace ridgepoint
