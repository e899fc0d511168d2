// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/network.h"
#include "core/workload/op.h"

#include <optional>
#include <vector>

namespace ridgepoint {

/// What a step works on, on one replica (one micro-batch of it when there are pipeline stages); where attention is data
/// parallel, on the fullest of its groups.
struct StepShape
{
    double decodeSequences = 0;    ///< each writes one token
    double decodeContext = 0;      ///< tokens each sees, its own included
    double prefillTokens = 0;      ///< prompt tokens of all chunks in the step
    double prefillSequences = 0;   ///< prompts they belong to
    double prefillContext = 0;     ///< tokens the last query of a chunk sees
    double headTokens = 0;         ///< rows that need logits
    double decodeQueries = 1;      ///< tokens each decoding sequence reads: more than one when it verifies drafts
    double groupTokens = 0;        ///< tokens of all attention ranks together; 0: there is one rank

    [[nodiscard]] double tokens() const { return decodeSequences * decodeQueries + prefillTokens; }
};

/// How a replica is cut.
struct Split
{
    int tensorParallel = 1;
    int stages = 1;
    bool acrossNodes = false;      ///< some stages lie on another node than the one before
    int expertParallel = 1;        ///< parts the experts are dealt to
    int attentionData = 1;         ///< attention groups that share the experts
    double expertImbalance = 1.1;  ///< load of the fullest part of the experts over the mean
};

/// The arithmetic a device has, and what the precision knobs choose.
struct ResolvedPrecision
{
    std::optional<Format> weights;   ///< replaces the checkpoint's own; empty: as in the checkpoint
    Format activations = Format::bf16;
    Format kv = Format::bf16;
    bool hasBf16 = true;
    bool hasFp8 = true;
    bool hasInt8 = true;
    bool hasFp4 = true;
};

/// How a layer's weights are stored once the weight knob acts on it. A checkpoint that is quantised keeps its
/// exceptions: only what it quantises changes. One that is not gets the usual recipe: all linear layers but the router.
[[nodiscard]] LayerFormats formatsInUse(const Network& network, const LayerGroup& group,
                                        const std::optional<Format>& weights);

/// How the head is stored. GGUF recipes quantise it too, no further than to q6_k; others leave it as the checkpoint has it.
[[nodiscard]] Format headFormatInUse(const Network& network, const std::optional<Format>& weights);

/// The arithmetic a product of these formats runs in on a device: the formats' own where both sides allow it and the
/// device has it, else 16 bit with weights unpacked on the way.
[[nodiscard]] Math mathOf(Format weight, const ResolvedPrecision& precision);

/// Distinct experts a step touches.
///
///     A = E (1 - (1 + x/s)^-s),  x = tokens topK / E,  s = 2: popularity is gamma distributed
///
/// returns  count, between min(topK, E) for one token and E
/// source   e2eData, serving analysis §3.2
[[nodiscard]] double distinctExperts(double tokens, int topK, int experts);

/// Query-key pairs of one sequence: the sum over queries i = 1..q of min(context - q + i, window); window 0: no limit.
[[nodiscard]] double causalPairs(double queries, double context, double window);

/// The operators of one step on one device of the slowest pipeline stage, appended to `ops`.
///
/// network   layers; the slowest of the stages holds ceil(layers/stages) layers of the mean mix, and the head
/// shape     tokens of the step
/// returns   operators after the tensor-parallel (Megatron) split; equal layers once, with their count
///
/// Experts are cut over all devices of the stage: dealt to E parts, each part holding 1/E of them on every G/E-th column of
/// their width, G = tensorParallel x attentionData. The fullest part has `expertImbalance` times the mean load. Each attention
/// group works on its own tokens and, with several of them, gathers all tokens before the experts and scatters them after;
/// shared experts are then whole on every device.
///
/// ignores   sequence parallelism, fused all-reduce and norm, padding of attention groups to the fullest
/// source    model.md §1 of the design notes; e2eData, serving analysis §2
void lowerStep(const Network& network, const ResolvedPrecision& precision, const Split& split, const StepShape& shape,
               std::vector<Op>& ops);

} // namespace ridgepoint
