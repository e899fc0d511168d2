// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/matmul.h"

#include <array>
#include <span>

namespace ridgepoint {

namespace {

struct Tile
{
    double m, n;
};

constexpr std::array tiles64{Tile{64, 64}, Tile{64, 128}, Tile{64, 256}, Tile{128, 64}, Tile{128, 128},
                             Tile{128, 256}, Tile{256, 64}, Tile{256, 128}};
constexpr std::array tiles16{Tile{16, 64}, Tile{16, 128}, Tile{32, 64}, Tile{32, 128}, Tile{64, 32},
                             Tile{64, 64}, Tile{64, 128}, Tile{64, 256}, Tile{128, 64}, Tile{128, 128},
                             Tile{128, 256}, Tile{256, 64}, Tile{256, 128}};
constexpr std::array tiles128{Tile{128, 128}, Tile{128, 256}, Tile{256, 128}};
constexpr std::array tilesM64{Tile{64, 128}, Tile{64, 256}, Tile{128, 128}, Tile{128, 256}, Tile{256, 128}};
constexpr std::array tilesN64{Tile{128, 64}, Tile{128, 128}, Tile{128, 256}, Tile{256, 128}};

std::span<const Tile> tilesOf(TileFamily family)
{
    switch (family) {
    case TileFamily::none: return {};
    case TileFamily::min16: return tiles16;
    case TileFamily::min64: return tiles64;
    case TileFamily::min128: return tiles128;
    case TileFamily::m64n128: return tilesM64;
    case TileFamily::m128n64: return tilesN64;
    }
    return {};
}

/// Rate at which a split-k reduction runs, as a multiple of memory bandwidth: the parts are still in the cache.
constexpr double reductionCacheFactor = 2.0;
constexpr std::array splits{1.0, 2.0, 4.0, 8.0, 16.0};

} // namespace

KernelCost matmulCost(const MatmulShape& s, const MatmulKernel& kernel, const Device& device, FlopRate peak)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double unitRate = kernel.compute * peak.value / units;
    const double bytes = s.weightBytes * s.n * s.k + s.inputBytes * s.m * s.k + s.outputBytes * s.m * s.n;
    const double memory = bytes / (kernel.memory * bandwidth);
    const double quantize = s.quantizePassBytes * s.m * s.k / (kernel.quantize * bandwidth);

    KernelCost cost;
    cost.launch = kernel.launch;
    cost.memory = Seconds{memory};
    double body = 0.0;

    if (kernel.tiles == TileFamily::none) {
        const double compute = 2.0 * s.m * s.n * s.k / (kernel.compute * peak.value);
        const Overlapped both = overlapped(compute, memory, kernel.overlap);
        cost.compute = Seconds{compute};
        cost.computeShare = both.shareOfFirst;
        body = both.time;
    } else {
        const double bf16 = device.peak.bf16 ? device.peak.bf16->value : peak.value;
        const double loadRate = kernel.coreLoad * bf16 / units;
        double best = -1.0;
        for (const double split : splits) {
            // The reduction alone already costs more than the best plan so far: no larger split can win.
            const double reduction =
                split > 1.0 ? kernel.splitReduction.value + 8.0 * split * s.m * s.n / (reductionCacheFactor * bandwidth)
                            : 0.0;
            if (best >= 0.0 && reduction + memory >= best)
                break;
            const double depth = std::ceil(s.k / split / 64.0) * 64.0;
            double compute = -1.0;
            for (const Tile tile : tilesOf(kernel.tiles)) {
                const double perDepth =
                    std::max(2.0 * tile.m * tile.n / unitRate,
                             (std::min(s.m, tile.m) * s.inputBytes + std::min(s.n, tile.n) * s.weightBytes) / loadRate);
                const double x = std::ceil(s.m / tile.m) * std::ceil(s.n / tile.n) * split / units;
                const double waves = std::max(1.0, x + kernel.waveStrictness * (std::ceil(x) - x));
                const double time = waves * (depth * perDepth + kernel.wave.value);
                if (compute < 0.0 || time < compute)
                    compute = time;
            }
            if (best >= 0.0 && std::max(compute, memory) + reduction >= best)
                continue;
            const Overlapped both = overlapped(compute, memory, kernel.overlap);
            if (best < 0.0 || both.time + reduction < best) {
                best = both.time + reduction;
                cost.compute = Seconds{compute};
                cost.computeShare = both.shareOfFirst;
            }
        }
        body = best;
    }
    if (quantize > 0.0)
        cost.computeShare *= body / (body + quantize);
    cost.time = Seconds{kernel.launch.value + quantize + body};
    return cost;
}

} // namespace ridgepoint
