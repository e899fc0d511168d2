// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/attention.h"

#include <array>

namespace ridgepoint {

namespace {

constexpr double tile = 128.0;
constexpr double rowsOfProduct = 16.0;   ///< a matrix instruction works on this many rows at least

double widePeak(const Device& device)
{
    return device.peak.bf16 ? device.peak.bf16->value : device.peak.fp32 ? device.peak.fp32->value : 1e12;
}

double valueDimOf(const Op& op)
{
    return op.valueDim > 0.0 ? op.valueDim : op.headDim;
}

/// Width that kernels are built for.
double padded(double width)
{
    constexpr std::array widths{64.0, 96.0, 128.0, 192.0, 256.0};
    for (const double candidate : widths)
        if (width <= candidate)
            return candidate;
    return std::ceil(width / 64.0) * 64.0;
}

/// Tiles of one head, and the most in one row of them.
struct Tiles
{
    double total = 0, longest = 0, rows = 0;
};

/// Row i of a causal mask holds old + i step tiles, at most what a window leaves.
Tiles tilesOf(const Op& op, double queryTile, double keyTile, bool windowSaves)
{
    Tiles tiles;
    tiles.rows = std::ceil(op.queries / queryTile);
    if (!op.causal) {
        tiles.longest = std::ceil(op.context / keyTile);
        tiles.total = tiles.rows * tiles.longest;
        return tiles;
    }
    const double step = queryTile / keyTile;
    const double old = (op.context - op.queries) / keyTile;
    const double cap = op.window > 0.0 && windowSaves ? std::ceil((op.window + queryTile) / keyTile) : 1e300;
    const double whole = std::ceil(op.queries / keyTile);
    tiles.longest = std::min(old + whole, cap);
    // The rows before the cap form a triangle.
    const double free = std::clamp(std::floor((cap - old) / step), 0.0, tiles.rows);
    tiles.total = old * free + step * free * (free + 1.0) / 2.0 + (tiles.rows - free) * std::min(cap, old + whole);
    return tiles;
}

} // namespace

KernelCost decodeAttentionCost(const Op& op, const DecodeKernel& kernel, const Device& device, const CacheState& cache)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double length = op.window > 0.0 ? std::min(op.context, op.window) : op.context;
    // Tokens that are checked together share the tile of their head group.
    const double group = op.heads / op.kvHeads * std::max(1.0, op.queries);
    const bool plain = group < kernel.plainBelow;
    const double items = op.sequences * op.kvHeads * (plain ? 1.0 : std::ceil(group / kernel.groupTile));
    // Tiles of 128 tokens; kernels with finer ones leave less of the last one empty.
    const double tokens = plain ? length : std::ceil(length / kernel.contextTile) * kernel.contextTile;
    const double tiles = tokens / tile;
    const double work = items * tiles / units;

    const double hits = cacheHits(cache, kernel.cacheShare, device);
    const double byteTime = perByte(hits, kernel.memory, kernel.cacheBandwidth, device);
    const double memory = op.kvBytes.value * byteTime;
    const double queryTime = kernel.query * op.activationBytes.value *
                             (hits > 0.0 ? byteTime : 1.0 / bandwidth);

    const double tokenBytes = length > 0.0 ? op.kvBytes.value / (op.sequences * op.kvHeads * length) : 0.0;
    const double stream = plain ? kernel.plainStream : kernel.coreStream;
    double perTile = stream > 0.0 ? tile * tokenBytes * units / (stream * bandwidth) : 0.0;
    if (!plain && kernel.compute > 0.0) {
        const double rows = std::min(kernel.groupTile, rowsOfProduct * std::ceil(group / rowsOfProduct));
        perTile = std::max(perTile, 2.0 * rows * tile * (op.headDim + valueDimOf(op)) * units /
                                        (kernel.compute * widePeak(device)));
    }
    const double longest = std::max(tiles / kernel.parts, std::min(1.0, tiles));
    const double waiting = std::max(0.0, items / (kernel.resident * units) - 1.0);
    const double core = overlapped(work / kernel.resident, longest, kernel.spread).time * perTile +
                        waiting * (plain ? kernel.plainItem : kernel.item).value;

    const Overlapped both = overlapped(core, memory, kernel.overlap);
    const bool isSplit = kernel.parts > 1.5 && items < units && length > tile;
    const bool unequal = op.kind != OpKind::latentDecode && valueDimOf(op) != op.headDim;
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = Seconds{kernel.launch.value + (isSplit ? kernel.split.value : 0.0) +
                          kernel.reduce.value * work / (work + 1.0) + (unequal ? kernel.unequal.value : 0.0) +
                          (op.window > 0.0 ? kernel.windowed.value : 0.0)};
    cost.compute = Seconds{core};
    cost.memory = Seconds{memory + queryTime};
    const double body = both.time + queryTime;
    cost.computeShare = body > 0.0 ? both.time * both.shareOfFirst / body : 0.0;
    cost.time = Seconds{cost.launch.value + body};
    scaleBy(cost, kernel.residual.factor(op.sequences * op.kvHeads, length, op.heads / op.kvHeads));
    boundByDataSheet(cost, op.flops.value, device.peak.at(op.math).value_or(FlopRate{widePeak(device)}),
                     (op.kvBytes + op.activationBytes).value, device, cache);
    return cost;
}

KernelCost prefillAttentionCost(const Op& op, const PrefillKernel& kernel, const Device& device, FlopRate peak,
                                const CacheState& cache)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double hits = cacheHits(cache, kernel.cacheShare, device);
    const double byteTime = perByte(hits, kernel.memory, kernel.cacheBandwidth, device);
    const double memory = op.activationBytes.value * byteTime;
    const double valueDim = valueDimOf(op);
    const double tokens = op.sequences * op.queries;
    double written = op.kvBytes.value;
    if (op.math == Math::fp8 && kernel.minimumTile > 0.0)
        written += 3.0 * tokens * (op.headDim * op.heads + (op.headDim + valueDim) * op.kvHeads);
    const double writing = kernel.write * written * (hits > 0.0 ? byteTime : 1.0 / bandwidth);

    double compute = 0.0;
    if (kernel.minimumTile <= 0.0) {
        compute = op.flops.value / (kernel.compute * peak.value);
    } else {
        // Short prompts take the next power of two, and some kernels fill the tile with the heads of a group.
        double together = 1.0;
        if (kernel.packs > 0.0 && op.queries < kernel.queryTile)
            together = std::clamp(op.heads / op.kvHeads, 1.0, std::max(1.0, std::floor(kernel.queryTile / op.queries)));
        double queryTile = kernel.queryTile;
        double keyTile = tile;
        if (op.queries * together < kernel.queryTile) {
            double edge = kernel.minimumTile;
            while (edge < op.queries * together && edge < kernel.queryTile)
                edge *= 2.0;
            double keys = kernel.minimumTile;
            while (keys < op.context && keys < tile)
                keys *= 2.0;
            queryTile = edge / together;
            keyTile = keys;
        }
        const Tiles tiles = tilesOf(op, queryTile, keyTile, kernel.windowSaves > 0.0);
        const double lanes = op.sequences * op.heads / together;
        const double unitRate = peak.value / units * kernel.compute * op.headDim / (op.headDim + kernel.headDimHalf);
        const double perTile = 2.0 * (padded(op.headDim) + padded(valueDim)) * together * queryTile * keyTile / unitRate;
        compute = overlapped(tiles.total * lanes / units, tiles.longest, kernel.spread).time * perTile +
                  kernel.tileRow.value * std::max(0.0, lanes * tiles.rows / units - 1.0);
    }
    const Overlapped both = overlapped(compute, memory, kernel.overlap);
    const bool unequal =
        op.kind != OpKind::latentPrefill && (valueDim != op.headDim || padded(op.headDim) != op.headDim);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = Seconds{kernel.launch.value + (unequal ? kernel.unequal.value : 0.0) +
                          (op.window > 0.0 ? kernel.windowed.value : 0.0)};
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory + writing};
    const double body = both.time + writing;
    cost.computeShare = body > 0.0 ? both.time * both.shareOfFirst / body : 0.0;
    cost.time = Seconds{cost.launch.value + body};
    scaleBy(cost, kernel.residual.factor(op.sequences * op.heads, op.queries, op.headDim));
    boundByDataSheet(cost, op.flops.value, peak, (op.activationBytes + op.kvBytes).value, device, cache);
    return cost;
}

} // namespace ridgepoint
