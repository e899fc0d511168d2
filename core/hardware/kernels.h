// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/residual_grid.h"

#include <string>

namespace ridgepoint {

/// Overlap exponents from here on mean: the longer of the two, without any interference.
inline constexpr double fullOverlap = 64.0;

/// Where the constants of a kernel come from, best first.
enum class KernelOrigin
{
    measured,   ///< fitted to measurements of this very device
    family,     ///< fitted to siblings, relative to their data sheets
    general     ///< medians of everything that was measured
};

/// How well the constants of a kernel reproduce measurements that they were not fitted on.
struct KernelFit
{
    KernelOrigin origin = KernelOrigin::general;
    int rows = 0;            ///< measurements behind the constants; 0: unknown
    double median = 0.0;     ///< of |predicted / measured - 1|
    double mean = 0.0;
    double spread = 0.35;    ///< standard deviation of log(measured / predicted), without the largest outliers
    double low = 0.6;        ///< a tenth of the measurements lies below this multiple of the prediction
    double high = 1.65;      ///< and a tenth above this one
    bool operator==(const KernelFit&) const = default;
};

/// Which output tiles a matrix-product library has; each family is a list of (rows, columns). `none`: no tiling loss.
enum class TileFamily { none, min16, min64, min128, m64n128, m128n64 };

/// Constants of the tile-and-wave model of a dense matrix product (core/cost/matmul.h). Range and meaning:
struct MatmulKernel
{
    TileFamily tiles = TileFamily::min64;
    Seconds launch{1.8e-6};           ///< launch and prologue, 0 to 15 us
    double compute = 0.78;            ///< attainable fraction of peak, (0, 1]
    double memory = 0.84;             ///< attainable fraction of memory bandwidth, (0, 1]
    double coreLoad = 0.018;          ///< bytes one compute unit can load per FLOP of its bf16 peak, B/FLOP
    Seconds splitReduction{2.3e-6};   ///< adding up split-k parts; above 25 us it never pays
    double unpack = 0.0;              ///< bandwidth fraction of a pass that unpacks quantised weights first; 0: fused
    double overlap = 2.2;             ///< p-norm exponent of compute and memory, >= 1
    Seconds wave{0.5e-6};             ///< fixed cost of a wave of tiles
    double waveStrictness = 0.2;      ///< 0: a part of a wave costs its part; 1: it costs a whole one
    double quantize = 0.6;            ///< bandwidth fraction of the pass that quantises the input, (0, 1]
    double cacheBandwidth = 3.0;      ///< of the last-level cache, as a multiple of memory bandwidth; benchmarks only
    double cacheShare = 0.6;          ///< of the last-level cache that a repeated product finds again; benchmarks only
    SharedResidual residual{};          ///< over log2 of (m, n, k)
    KernelFit fit{};
    bool operator==(const MatmulKernel&) const = default;
};

/// Decode attention over a key-value cache (core/cost/attention.h).
struct DecodeKernel
{
    Seconds launch{6.7e-6};
    double memory = 0.9;
    double coreStream = 0.9;          ///< stream rate of one compute unit as a multiple of bandwidth / units; 0: no limit
    double compute = 0.8;             ///< fraction of the bf16 peak
    double overlap = 12.0;
    Seconds split{2.0e-6};            ///< extra when a long context is split over idle units
    Seconds reduce{3.0e-6};           ///< adding up the parts, grows to this with the work
    double groupTile = 64.0;          ///< query heads of one KV head that share a tile
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const DecodeKernel&) const = default;
};

/// Prefill attention (core/cost/attention.h).
struct PrefillKernel
{
    Seconds launch{8.0e-6};
    double compute = 0.7;
    double scoreBytes = 0.0;          ///< memory traffic of a head's query-key pair where scores are kept; 0: fused
    double headDimHalf = 20.0;        ///< head dimension at which half of `compute` is reached
    double memory = 0.8;
    double overlap = 2.0;
    Seconds tileRow{1.5e-6};          ///< fixed cost of one row of tiles
    double minimumTile = 64.0;        ///< smallest query tile; 0: no tiling loss
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const PrefillKernel&) const = default;
};

/// A whole fused expert layer (core/cost/mixture.h).
struct MixtureKernel
{
    Seconds launch{28e-6};
    double compute = 0.5;
    double memory = 0.8;
    double overlap = 1.5;
    double activation = 3.0;          ///< passes over the activations, as a multiple of their bytes / bandwidth
    Seconds perExpert{0.1e-6};
    double rowTile = 32.0;            ///< rows of an expert are padded to this; 0: no padding
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const MixtureKernel&) const = default;
};

/// Latent attention (MLA): launch and a p-norm of bytes and FLOPs.
struct LatentKernel
{
    Seconds launch{14e-6};
    double memory = 0.85;
    double compute = 0.75;
    double overlap = 2.0;
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const LatentKernel&) const = default;
};

/// Norms, rotary embedding, activation, cache writes: launch and bytes.
struct StreamKernel
{
    Seconds launch{1.8e-6};
    double memory = 0.8;
    double cacheBandwidth = 3.0;      ///< as of a matrix product; benchmarks only
    double cacheShare = 0.6;
    SharedResidual residual{};        ///< over log2 of (rows, columns)
    KernelFit fit{};
    bool operator==(const StreamKernel&) const = default;
};

/// One collective operation of one library: latency linear in the group, bandwidth as a fraction of what the links carry
/// one way (core/cost/collective.h).
struct CollectiveKernel
{
    bool exists = true;               ///< whether the library has it on these devices
    Seconds fixed{3.3e-6};
    Seconds perDevice{1.85e-6};
    double bandwidth = 0.8;           ///< fraction of the one-way group bandwidth that a pair reaches
    double growth = 1.0;              ///< of that fraction with each doubling of the group
    double overlap = 1.0;             ///< p-norm exponent of latency and bytes
    SharedResidual residual{};          ///< over log2 of (bytes of the message, devices)
    KernelFit fit{};
    bool operator==(const CollectiveKernel&) const = default;
};

/// Expert-parallel dispatch or combination: every device sends tokens to the devices of their experts.
struct ExchangeKernel
{
    bool exists = true;
    Seconds fixed{12e-6};
    Seconds perDoubling{3e-6};        ///< of the nodes
    Seconds perExpert{20e-9};         ///< of those on the device
    double linkBandwidth = 0.7;       ///< fraction of the one-way links inside a node
    double networkBandwidth = 0.8;    ///< fraction of the network of a device
    double unitRate = 0.06;           ///< bytes one compute unit moves per byte of link bandwidth; 0: no limit
    double overlap = 1.5;
    SharedResidual residual{};          ///< over log2 of (tokens, nodes, compute units)
    KernelFit fit{};
    bool operator==(const ExchangeKernel&) const = default;
};

/// What is known of the kernels of a device family when the device itself was not measured. All fractions are relative
/// to the data-sheet peaks of the device, so a sibling scales by its own data sheet.
struct KernelFamily
{
    std::string id = "default";
    std::string name = "Default";
    bool fitted = false;              ///< true when some device of this family was measured
    bool measured = false;            ///< true when the rates are those of this very device
    std::string source;

    MatmulKernel matmulBf16, matmulFp8, matmulFp8Block, matmulFp4, matmulWeightOnly;
    DecodeKernel decodeBf16, decodeFp8;
    PrefillKernel prefillBf16, prefillFp8;
    MixtureKernel mixtureBf16, mixtureFp8, mixtureFp8Block, mixtureFp4, mixtureWeightOnly, mixtureMxfp4;
    MixtureKernel mixtureFp4LowLatency;   ///< engines take the faster of the two for a batch
    LatentKernel latentDecode, latentPrefill, latentProjection;
    StreamKernel stream;
    CollectiveKernel allReduce;           ///< the library's general one, up to any number of nodes
    CollectiveKernel allReduceDirect;     ///< one- and two-shot kernels inside a captured graph, up to one node
    CollectiveKernel allGather, reduceScatter, allToAll, send;
    ExchangeKernel dispatch, combine;     ///< of large batches
    ExchangeKernel dispatchLowLatency, combineLowLatency;

    bool operator==(const KernelFamily&) const = default;
};

/// Kernels without any loss: the data sheet itself. What the `ideal` engine runs on.
[[nodiscard]] KernelFamily idealKernels();

} // namespace ridgepoint
