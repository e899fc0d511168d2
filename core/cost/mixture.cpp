// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/mixture.h"

namespace ridgepoint {

namespace {

constexpr double columnTile = 128.0;

double inputBytesOf(Math math)
{
    switch (math) {
    case Math::fp8:
    case Math::int8: return 1.0;
    case Math::fp4: return 0.5625;
    case Math::fp32: return 4.0;
    case Math::bf16: break;
    }
    return 2.0;
}

} // namespace

KernelCost mixtureCost(const Op& op, const MixtureKernel& kernel, const Device& device, FlopRate peak,
                       const CacheState& cache)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double experts = op.activeExperts;
    const double gate = op.gated ? 2.0 : 1.0;
    const double weights = experts * (gate + 1.0) * op.n * op.k;
    const double weightBytes = weights > 0.0 ? op.weightBytes.value / weights : 0.0;
    const double inputBytes = inputBytesOf(op.math);
    const double hits = cacheHits(cache, kernel.cacheShare, device);
    const double byteTime = perByte(hits, kernel.memory, kernel.cacheBandwidth, device);
    const double choices = op.routerTopK > 0.0 ? op.routerTopK : op.m > 0.0 ? op.routedRows / op.m : 0.0;

    double compute = 0.0;
    double memory = 0.0;
    double body = 0.0;
    double computing = 0.0;
    if (kernel.rowTile <= 0.0) {
        compute = 2.0 * op.routedRows * (gate + 1.0) * op.k * op.n / (kernel.compute * peak.value);
        memory = op.weightBytes.value * byteTime;
        const Overlapped both = overlapped(compute, memory, kernel.overlap);
        body = both.time;
        computing = both.time * both.shareOfFirst;
    } else if (experts > 0.0) {
        const double mean = op.routedRows / experts;
        double rowTile = kernel.rowTile;
        while (rowTile < mean && rowTile < kernel.largestTile)
            rowTile *= 2.0;
        const double rowTiles = mean <= 1.0 ? experts : std::max(experts, op.routedRows / rowTile + experts / 2.0);
        double perDepth = 2.0 * rowTile * columnTile * units / (kernel.compute * peak.value);
        if (kernel.coreStream > 0.0)
            perDepth = std::max(perDepth, (columnTile * weightBytes + rowTile * inputBytes) * units /
                                              (kernel.coreStream * bandwidth));
        const auto product = [&](double columns, double depth) {
            const double share = rowTiles * std::ceil(columns / columnTile) / units;
            const double tiles = overlapped(share, 1.0, kernel.spread).time;
            const double core = tiles * depth * perDepth + kernel.wave.value * std::max(0.0, tiles - 1.0);
            const double moved = experts * columns * depth * weightBytes * byteTime;
            const Overlapped both = overlapped(core, moved, kernel.overlap);
            compute += core;
            memory += moved;
            body += both.time;
            computing += both.time * both.shareOfFirst;
        };
        product(gate * op.n, op.k);
        product(op.k, op.n);
    }
    const double activation = kernel.activation * op.activationBytes.value / bandwidth;
    const double routing = kernel.perChoice.value * op.m * choices + kernel.perScore.value * op.m * op.routerExperts +
                           kernel.sorting.value * op.m / (op.m + kernel.sortingTokens) +
                           (choices > fewChoices ? kernel.manyChoices.value : 0.0);

    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = Seconds{kernel.launch.value + kernel.perExpert.value * experts + routing};
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory + activation};
    body += activation;
    cost.computeShare = body > 0.0 ? computing / body : 0.0;
    cost.time = Seconds{cost.launch.value + body};
    scaleBy(cost, kernel.residual.factor(op.m, std::max(experts, 0.25), op.n * op.k));
    boundByDataSheet(cost, op.flops.value, peak, op.weightBytes.value, device, cache);
    return cost;
}

} // namespace ridgepoint
