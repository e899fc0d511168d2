// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/kv_cache.h"
#include "core/workload/weight_recipe.h"

namespace ridgepoint {

/// How a llama.cpp process runs: the cache of the whole context is allocated when the network is loaded.
struct LocalRun
{
    double context = 0;            ///< tokens
    double microBatch = 512;       ///< tokens of one physical batch
    int devices = 1;               ///< layers are dealt to them whole
    bool flashAttention = false;
    bool windowed = false;         ///< window layers keep the window and a micro-batch; older versions keep all
    CacheElements elements{};
};

struct LocalMemory
{
    Bytes weights;                 ///< of the fullest device
    Bytes cache;                   ///< of that device
    Bytes compute;                 ///< buffer of intermediate results, on each device
    Bytes context;                 ///< of the driver
    Bytes cacheOfAll;              ///< of all devices
    [[nodiscard]] Bytes total() const { return weights + cache + compute + context; }
};

/// Memory of the fullest device.
///
///     cache = context x sum over layers of bytes · the input embedding stays on the host
///     compute, flash attention       (V + 2 h) u 4
///              else                  max((V + h) u 4, (a n + n + 4 h) u 4), on two or more devices (4 n + 2 h) u 4 more
///              MLA, flash attention  n (320 a 2 + 1024 + 4 u) + 769 MiB, or + 270 MiB below 8192 tokens
///     u = min(micro-batch, n), n = context, a = heads
///
/// ignores  batching of attention and fusing of experts, which change the buffers of MLA networks by factors
/// source   fieldMemory §7
[[nodiscard]] LocalMemory localMemory(const Network& network, const WeightRecipe& recipe, const LocalRun& run);

} // namespace ridgepoint
