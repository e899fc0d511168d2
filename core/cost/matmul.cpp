// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/matmul.h"

#include <array>
#include <cstdint>
#include <span>

namespace ridgepoint {

namespace {

struct Tile
{
    constexpr Tile(double rows, double columns) : m(rows), n(columns), perM(1.0 / rows), perN(1.0 / columns) {}
    double m, n;
    double perM, perN;   ///< powers of two, so that multiplying is exact
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

/// `std::ceil` of a count: positive and far below 2^63. A call per tile and split would be most of the cost.
double roundedUp(double count)
{
    const double whole = double(std::int64_t(count));
    return whole < count ? whole + 1.0 : whole;
}

/// A bound below `overlapped` without its powers: a norm falls as its exponent grows.
double atLeast(double a, double b, double p)
{
    if (p <= 1.0)
        return a + b;
    if (p <= 2.0)
        return std::sqrt(a * a + b * b);
    if (p <= 4.0)
        return std::sqrt(std::sqrt(a * a * a * a + b * b * b * b));
    return std::max(a, b);
}

/// A tile for one product: what does not depend on the split.
struct TileLoad
{
    double perDepth = 0;   ///< time of a unit of k in one tile [s]
    double perUnit = 0;    ///< tiles a compute unit works off, not rounded
};

/// Rate at which a split-k reduction runs, as a multiple of memory bandwidth: the parts are still in the cache.
constexpr double reductionCacheFactor = 2.0;
constexpr std::array splits{1.0, 2.0, 4.0, 8.0, 16.0};

} // namespace

KernelCost matmulCost(const MatmulShape& s, const MatmulKernel& kernel, const Device& device, FlopRate peak,
                      const CacheState& cache)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double units = std::max(1, device.computeUnits);
    const double bytes =
        s.batch * (s.weightBytes * s.n * s.k + s.inputBytes * s.m * s.k + s.outputBytes * s.m * s.n);
    double memory = bytes / (kernel.memory * bandwidth);
    if (const double hits = cacheHits(cache, kernel.cacheShare, device); hits > 0.0)
        memory = memory * (1.0 - hits) + bytes * hits / (kernel.cacheBandwidth * bandwidth);
    const double quantize = s.batch * s.quantizePassBytes * s.m * s.k / (kernel.quantize * bandwidth);

    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch;
    cost.memory = Seconds{memory};
    double body = 0.0;

    if (kernel.tiles == TileFamily::none) {
        const double compute = 2.0 * s.batch * s.m * s.n * s.k / (kernel.compute * peak.value);
        const Overlapped both = overlapped(compute, memory, kernel.overlap);
        cost.compute = Seconds{compute};
        cost.computeShare = both.shareOfFirst;
        body = both.time;
    } else {
        const double bf16 = device.peak.bf16 ? device.peak.bf16->value : peak.value;
        const double perFlop = units / (kernel.compute * peak.value);
        const double perByte = units / (kernel.coreLoad * bf16);
        const std::span<const Tile> tiles = tilesOf(kernel.tiles);
        std::array<TileLoad, tiles16.size()> loads;
        // The least that any tile needs when its tiles are spread evenly, with the deepest split.
        double least = 1e300;
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const Tile& tile = tiles[i];
            loads[i].perDepth =
                std::max(2.0 * tile.m * tile.n * perFlop,
                         (std::min(s.m, tile.m) * s.inputBytes + std::min(s.n, tile.n) * s.weightBytes) * perByte);
            loads[i].perUnit = s.batch * roundedUp(s.m * tile.perM) * roundedUp(s.n * tile.perN) / units;
            least = std::min(least, loads[i].perDepth * std::max(loads[i].perUnit, 1.0 / splits.back()));
        }
        least *= s.k;
        const double reductionRate = 8.0 * s.batch * s.m * s.n / (reductionCacheFactor * bandwidth);
        double best = 1e300;
        for (const double split : splits) {
            const double reduction = split > 1.0 ? kernel.splitReduction.value + split * reductionRate : 0.0;
            // Once the reduction and the least work cost more than the best plan so far, no larger split can win.
            if (std::max(least, memory) + reduction >= best)
                break;
            const double depth = roundedUp(s.k / (split * 64.0)) * 64.0;
            double compute = 1e300;
            for (std::size_t i = 0; i < tiles.size(); ++i) {
                const double x = loads[i].perUnit * split;
                const double waves = std::max(1.0, x + kernel.waveStrictness * (roundedUp(x) - x));
                compute = std::min(compute, waves * (depth * loads[i].perDepth + kernel.wave.value));
            }
            if (atLeast(compute, memory, kernel.overlap) + reduction >= best)
                continue;
            const Overlapped both = overlapped(compute, memory, kernel.overlap);
            if (both.time + reduction < best) {
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
    if (kernel.residual.grid) {
        const double factor = kernel.residual.factor(s.m * s.batch, s.n, s.k);
        cost.time *= factor;
        cost.launch *= factor;
    }
    // Kernels without tiles have fractions of their own, which may be of a faster way to add up.
    if (!cache.repeated && kernel.tiles != TileFamily::none) {
        const double least = std::max(2.0 * s.batch * s.m * s.n * s.k / peak.value, bytes / bandwidth);
        if (cost.time.value < least) {
            cost.time = Seconds{least};
            cost.launch = std::min(cost.launch, cost.time);
        }
    }
    return cost;
}

} // namespace ridgepoint
