// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"

#include <algorithm>

namespace ridgepoint {

/// Whether operands may lie in the last-level cache because a benchmark repeats itself.
struct CacheState
{
    bool repeated = false;   ///< false: a running model, which streams more than any cache holds and obeys the data sheet
    double footprint = 0;    ///< bytes that the benchmark cycles through; infinite: nothing is found again
};

/// Share of the bytes of a repeated operator that the last-level cache serves.
///
///     h = 1 / (1 + (footprint / (share · cache))³)
///
/// source   opsData, operator analysis 1.1
[[nodiscard]] inline double cacheHits(const CacheState& cache, double share, const Device& device)
{
    const double held = share * device.lastLevelCache.value;
    if (!cache.repeated || held <= 0.0)
        return 0.0;
    const double ratio = cache.footprint / held;
    return 1.0 / (1.0 + ratio * ratio * ratio);
}

/// Time of a byte of which the cache serves its share. [s/B]
///
///     (1 - h) / (e_m W) + h / (c W)
///
/// memory           e_m, attainable fraction of memory bandwidth W
/// cacheBandwidth   c, of the cache as a multiple of memory bandwidth
[[nodiscard]] inline double perByte(double hits, double memory, double cacheBandwidth, const Device& device)
{
    const double bandwidth = device.memoryBandwidth.value;
    return (1.0 - hits) / (memory * bandwidth) + (hits > 0.0 ? hits / (cacheBandwidth * bandwidth) : 0.0);
}

/// A time as the data sheet allows it: at least every byte at full bandwidth and every FLOP at the peak. A repeated
/// benchmark is not held to it, since its bytes may come from the cache.
inline void boundByDataSheet(KernelCost& cost, double flops, FlopRate peak, double bytes, const Device& device,
                             const CacheState& cache)
{
    if (cache.repeated)
        return;
    const double least = std::max(flops / peak.value, bytes / device.memoryBandwidth.value);
    if (cost.time.value < least)
        cost.time = Seconds{least};
    cost.launch = std::min(cost.launch, cost.time);
}

} // namespace ridgepoint
