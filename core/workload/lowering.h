// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/network.h"
#include "core/workload/op.h"

#include <optional>
#include <vector>

namespace ridgepoint {

/// What a step works on, on one replica.
struct StepShape
{
    double decodeSequences = 0;    ///< each writes one token
    double decodeContext = 0;      ///< tokens it sees, its own included
    double prefillTokens = 0;      ///< prompt tokens of all chunks in the step
    double prefillSequences = 0;   ///< prompts they belong to
    double prefillContext = 0;     ///< tokens of each prompt that were read before
    double headTokens = 0;         ///< rows that need logits

    [[nodiscard]] double tokens() const { return decodeSequences + prefillTokens; }
};

/// The formats a step runs in, after fallback on the device.
struct ResolvedPrecision
{
    Format kv = Format::bf16;
    Format activations = Format::bf16;
    std::optional<Format> weights;   ///< replaces the checkpoint's own where it quantises; empty: as in the checkpoint
    bool hasFp8 = true;              ///< arithmetic the device has
    bool hasFp4 = false;
    bool hasInt8 = false;
};

/// The share of a network that one pipeline stage holds.
struct StageShape
{
    int tensorParallel = 1;
    int stages = 1;
};

/// The operators of one step on one device of the slowest stage.
///
/// network   layers; a stage holds ceil(layers / stages) of the mean layer
/// shape     tokens of the step on this replica (one micro-batch when stages > 1)
/// returns   operators with their shapes after the tensor-parallel split, equal layers once with their count
/// ignores   sequence parallelism, fused all-reduce and norm
/// source    model.md §1, e2e analysis §2
void lower(const Network& network, const ResolvedPrecision& precision, const StageShape& stage, const StepShape& shape,
           std::vector<Op>& ops);

/// How a layer's weights are stored once the precision knobs act on it.
[[nodiscard]] LayerFormats formatsInUse(const LayerGroup& group, const std::optional<Format>& weights);

/// Distinct experts a step touches out of those on this device.
///
///     A = E (1 - (1 + x/s)^-s),  x = tokens topK / E,  s = 2: popularity is gamma distributed
///
/// source   e2e analysis §3.2
[[nodiscard]] double distinctExperts(double tokens, int topK, int experts);

} // namespace ridgepoint
