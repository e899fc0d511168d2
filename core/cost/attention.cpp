// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/attention.h"

namespace ridgepoint {

namespace {

constexpr double tile = 128.0;

/// Tiles along one head of `queries` new tokens after `before` old ones, and the most in one row.
struct CausalTiles
{
    double total = 0, longest = 0, rows = 0;
};

CausalTiles causalTiles(double queries, double before, double window)
{
    CausalTiles tiles;
    tiles.rows = std::ceil(queries / tile);
    const double old = before / tile;
    const double cap = window > 0.0 ? std::ceil((window + tile) / tile) : 1e300;
    tiles.longest = std::min(old + tiles.rows, cap);
    // Row i holds min(old + i, cap) tiles; the rows before the cap form a triangle.
    const double free = std::clamp(std::floor(cap - old), 0.0, tiles.rows);
    tiles.total = old * free + free * (free + 1.0) / 2.0 + (tiles.rows - free) * std::min(cap, old + tiles.rows);
    return tiles;
}

} // namespace

KernelCost decodeAttentionCost(const Op& op, const DecodeKernel& kernel, const Device& device)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const FlopRate peak = device.peak.bf16 ? *device.peak.bf16 : *device.peak.fp32;
    const double length = op.window > 0.0 ? std::min(op.context, op.window) : op.context;
    const double group = std::ceil(op.heads / op.kvHeads / kernel.groupTile);
    const double items = op.sequences * op.kvHeads * group;
    const double work = items * std::ceil(length / tile) / units;

    const double memory = (op.kvBytes + op.activationBytes).value / (kernel.memory * bandwidth);
    // One unit alone cannot draw the whole bandwidth: short work is bound by how fast a unit streams its part.
    const double stream = kernel.coreStream > 0.0
        ? std::max(1.0, work) * 2.0 * tile * op.headDim * op.kvElementBytes / (kernel.coreStream * bandwidth / units)
        : 0.0;
    const double compute = 4.0 * items * kernel.groupTile * length * op.headDim / (kernel.compute * peak.value);

    const Overlapped moved = overlapped(memory, stream, kernel.overlap);
    const Overlapped both = overlapped(compute, moved.time, kernel.overlap);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.compute = Seconds{compute};
    cost.memory = Seconds{moved.time};
    cost.computeShare = both.shareOfFirst;
    const double parts = (items < units && length > tile ? kernel.split.value : 0.0) + kernel.reduce.value * work / (work + 1.0);
    cost.launch.value += parts;
    cost.time = Seconds{cost.launch.value + both.time};
    return cost;
}

KernelCost prefillAttentionCost(const Op& op, const PrefillKernel& kernel, const Device& device, FlopRate peak)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double memory = op.activationBytes.value / (kernel.memory * bandwidth);
    const double cache = op.kvBytes.value / (kernel.memory * bandwidth);
    double compute = 0.0;
    if (kernel.minimumTile <= 0.0) {
        compute = op.flops.value / (kernel.compute * peak.value);
    } else {
        const double unitRate =
            peak.value / units * kernel.compute * op.headDim / (op.headDim + kernel.headDimHalf);
        double edge = tile;
        if (op.queries < tile) {   // short prompts use the next power of two
            edge = kernel.minimumTile;
            while (edge < op.queries && edge < tile)
                edge *= 2.0;
        }
        const double perTile = 4.0 * op.headDim * edge * edge / unitRate;
        // Tiles are counted in units of `edge` along the queries and the keys alike.
        const double scale = tile / edge;
        CausalTiles tiles = causalTiles(op.queries * scale, (op.context - op.queries) * scale, op.window * scale);
        const double lanes = op.sequences * op.heads;
        compute = std::max(tiles.total * lanes / units, tiles.longest) * perTile +
                  kernel.tileRow.value * std::max(1.0, lanes * tiles.rows / units);
    }
    const Overlapped both = overlapped(compute, memory, kernel.overlap);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory + cache};
    const double body = both.time + cache;
    cost.computeShare = body > 0.0 ? both.time * both.shareOfFirst / body : 0.0;
    cost.time = Seconds{kernel.launch.value + body};
    return cost;
}

KernelCost latentCost(const Op& op, const LatentKernel& kernel, const Device& device, FlopRate peak)
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
