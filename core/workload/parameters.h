// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/workload/network.h"

#include <cstdint>

namespace ridgepoint {

/// Exact parameter counts of the text part without multi-token-prediction layers.
struct ParameterCount
{
    std::int64_t total = 0;
    std::int64_t active = 0;      ///< used for one token: routed experts count topK times
    std::int64_t embedding = 0;   ///< input embedding, inside total; equal to the head when tied
    bool operator==(const ParameterCount&) const = default;
};

[[nodiscard]] ParameterCount parameterCount(const Network& network);

/// Bytes one token adds to the cache of an unsharded network, without windows.
///
///     grouped 2 g d b · latent (c + r) b, in fp8 of a sparse network 656 B · indexer keys 132 B · linear 0
///
/// returns  [B] summed over layers
/// source   model.md §1, fieldMemory (layouts)
[[nodiscard]] Bytes kvBytesPerToken(const Network& network, Format kv);

} // namespace ridgepoint
