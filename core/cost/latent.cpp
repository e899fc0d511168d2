// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/latent.h"

namespace ridgepoint {

KernelCost absorbedProductCost(const Op& op, const LatentKernel& kernel, const Device& device, const CacheState& cache)
{
    constexpr double tile = 128.0;
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const FlopRate peak = device.peak.bf16 ? *device.peak.bf16 : device.peak.fp32.value_or(FlopRate{1e12});
    const double bytes = (op.weightBytes + op.activationBytes).value;
    const double hits = cacheHits(cache, kernel.cacheShare, device);
    const double byteTime = perByte(hits, kernel.memory, kernel.cacheBandwidth, device);
    const double memory = bytes * byteTime;

    const double rows = kernel.rowTile > 0.0 ? std::ceil(op.m / kernel.rowTile) * kernel.rowTile : op.m;
    const double tiles = op.heads * std::ceil(op.m / tile) * std::ceil(op.n / tile);
    const double compute = 2.0 * op.heads * rows * op.n * op.k / (kernel.compute * peak.value) +
                           kernel.tile.value * std::max(0.0, tiles / units - 1.0);
    const Overlapped both = overlapped(compute, memory, kernel.overlap);
    double quantize = 0.0;
    if (op.quantizesInput)
        quantize = kernel.quantize * 3.0 * op.m * op.k * op.heads * (hits > 0.0 ? byteTime : 1.0 / bandwidth);

    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory + quantize};
    const double body = both.time + quantize;
    cost.computeShare = body > 0.0 ? both.time * both.shareOfFirst / body : 0.0;
    cost.time = Seconds{cost.launch.value + body};
    scaleBy(cost, kernel.residual.factor(op.m, op.heads, 1.0));
    boundByDataSheet(cost, op.flops.value, peak, bytes, device, cache);
    return cost;
}

KernelCost rooflineCost(const Op& op, const RooflineKernel& kernel, const Device& device, FlopRate peak)
{
    const double bytes = (op.weightBytes + op.kvBytes + op.activationBytes).value;
    const double memory = bytes / (kernel.memory * device.memoryBandwidth.value);
    const double compute = op.flops.value / (kernel.compute * peak.value);
    const Overlapped both = overlapped(compute, memory, kernel.overlap);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory};
    cost.computeShare = both.shareOfFirst;
    cost.time = Seconds{kernel.launch.value + both.time};
    return cost;
}

} // namespace ridgepoint
