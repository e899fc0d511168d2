// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/stream.h"

namespace ridgepoint {

KernelCost streamCost(Bytes bytes, const StreamKernel& kernel, const Device& device, const CacheState& cache,
                      double rows, double columns)
{
    const double bandwidth = device.memoryBandwidth.value;
    double memory = bytes.value / (kernel.memory * bandwidth);
    if (const double hits = cacheHits(cache, kernel.cacheShare, device); hits > 0.0)
        memory = memory * (1.0 - hits) + bytes.value * hits / (kernel.cacheBandwidth * bandwidth);
    if (!cache.repeated)
        memory = std::max(memory, bytes.value / bandwidth);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.memory = Seconds{memory};
    cost.time = cost.launch + cost.memory;
    if (cache.repeated && kernel.residual.grid)
        cost.time *= kernel.residual.factor(rows, columns, 1.0);
    return cost;
}

} // namespace ridgepoint
