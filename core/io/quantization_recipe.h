// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json_reader.h"
#include "core/io/name_pattern.h"
#include "core/workload/network.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

/// Which modules of a checkpoint are stored in how many bits.
///
/// Embedding, norms, routers and biases keep 16 bits whatever a recipe says, as in the checkpoints and engines; so does
/// the head unless the recipe names it.
struct QuantizationRecipe
{
    struct Rule
    {
        bool everything = false; ///< all linear layers
        std::vector<NamePattern> targets; ///< or those
        Format weights = Format::bf16;
    };

    std::string method; ///< as the checkpoint names it
    std::vector<Rule> rules; ///< the first that fits a module counts
    std::vector<NamePattern> ignored; ///< modules that no rule reaches
    bool expertsOnly = false; ///< the method knows no other modules
    std::optional<Format> head; ///< set when the recipe names the head
    Format activations = Format::bf16;
    std::optional<Format> kv;
    std::string pointer; ///< where the recipe stands
    std::string file;
};

/// The recipe inside a config.json: its "quantization_config" object.
///
/// fails    for methods, bit widths, group sizes and fields it does not know (through `mistakes`); then returns nothing
[[nodiscard]] std::optional<QuantizationRecipe>
readQuantizationConfig(const nlohmann::json& object, const std::string& pointer, JsonMistakes& mistakes);

/// The recipe of a ModelOpt hf_quant_config.json.
[[nodiscard]] std::optional<QuantizationRecipe> readQuantizationFile(const nlohmann::json& document,
                                                                     JsonMistakes& mistakes);

} // namespace ridgepoint
