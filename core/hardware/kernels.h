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

/// Decode attention over a key-value cache, grouped or latent (core/cost/attention.h).
struct DecodeKernel
{
    Seconds launch{6.7e-6};           ///< with the kernels around it: cache write, quantisation of the query
    double memory = 0.9;              ///< attainable fraction of memory bandwidth
    double coreStream = 1.5;          ///< stream rate of one compute unit as a multiple of bandwidth / units; 0: no limit
    double compute = 0.5;             ///< fraction of the bf16 peak, on whole tiles of query heads; 0: no limit
    double overlap = 4.0;
    Seconds item{1e-6};               ///< fixed cost of a work item beyond the first of a unit
    double resident = 1.0;            ///< work items that one unit works on at once
    double parts = 256.0;             ///< pieces that one context can be split into
    double spread = 4.0;              ///< p-norm exponent between the longest item and the work of all units
    Seconds split{2.0e-6};            ///< extra when a long context is split over idle units
    Seconds reduce{2.0e-6};           ///< adding up the parts, grows to this with the work
    double query = 1.0;               ///< passes over queries, outputs and new entries
    Seconds unequal{8e-6};            ///< extra kernels when keys and values differ in width
    Seconds windowed{0.5e-6};         ///< extra with a sliding window
    double groupTile = 64.0;          ///< query heads of one KV head that share a tile
    double contextTile = 128.0;       ///< tokens of a tile
    double plainBelow = 0.0;          ///< fewer query heads a KV head take a kernel without tiles; 0: none do
    double plainStream = 1.0;         ///< `coreStream` of that kernel
    Seconds plainItem{0.5e-6};        ///< `item` of that kernel
    double cacheBandwidth = 3.0;      ///< of the last-level cache, as a multiple of memory bandwidth; benchmarks only
    double cacheShare = 0.6;          ///< of the last-level cache that a repeated call finds again; benchmarks only
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const DecodeKernel&) const = default;
};

/// Prefill attention, grouped or latent, causal or not (core/cost/attention.h).
struct PrefillKernel
{
    Seconds launch{10.0e-6};
    double compute = 0.7;
    double scoreBytes = 0.0;          ///< memory traffic of a head's query-key pair where scores are kept; 0: fused
    double headDimHalf = 20.0;        ///< head dimension at which half of `compute` is reached
    double memory = 0.8;              ///< of queries, keys, values and outputs
    double overlap = 2.0;
    Seconds tileRow{1.5e-6};          ///< fixed cost of a row of tiles beyond the first of a unit
    double spread = 1.5;              ///< p-norm exponent between the longest row and the work of all units
    double write = 1.2;               ///< passes over what is written to the cache and quantised
    Seconds unequal{8e-6};            ///< extra kernels when keys and values differ in width, or a width is padded
    Seconds windowed{0.5e-6};         ///< extra with a sliding window
    double queryTile = 128.0;         ///< queries of a row of tiles
    double minimumTile = 64.0;        ///< smallest query tile; 0: no tiling loss
    double packs = 0.0;               ///< 1: query heads of a group share the tile of a short prompt
    double windowSaves = 1.0;         ///< 0: tiles outside the window are worked through, too
    double cacheBandwidth = 2.0;      ///< as of decode attention; benchmarks only
    double cacheShare = 0.6;
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const PrefillKernel&) const = default;
};

/// A whole fused expert layer (core/cost/mixture.h).
struct MixtureKernel
{
    Seconds launch{24e-6};
    double compute = 0.7;
    double memory = 0.85;
    double coreStream = 5.0;          ///< load rate of one compute unit as a multiple of bandwidth / units; 0: no limit
    double overlap = 1.6;
    double spread = 1.1;              ///< p-norm exponent between one tile and the tiles of all units
    double activation = 1.8;          ///< passes over the activations, as a multiple of their bytes / bandwidth
    Seconds perExpert{0.05e-6};
    Seconds wave{0.8e-6};             ///< fixed cost of a tile beyond the first of a unit
    Seconds manyChoices{20e-6};       ///< extra when a token has more than `fewChoices` experts: the general selection
    Seconds perChoice{0.05e-9};       ///< of each chosen expert of each token, wherever it lies
    Seconds perScore{0.01e-9};        ///< of each router score
    Seconds sorting{5e-6};            ///< ordering the tokens grows to this
    double sortingTokens = 250.0;     ///< at this number of tokens half of it is reached
    double rowTile = 32.0;            ///< smallest row tile of an expert; 0: no padding and no tiles
    double largestTile = 128.0;       ///< largest one; between the two the mean rows of an expert choose
    double cacheBandwidth = 2.0;      ///< as of decode attention; benchmarks only
    double cacheShare = 0.5;
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const MixtureKernel&) const = default;
};

/// The absorbed products of latent attention: one small matrix a head (core/cost/latent.h).
struct LatentKernel
{
    Seconds launch{4.4e-6};
    double memory = 0.85;
    double compute = 0.5;
    double overlap = 2.0;
    Seconds tile{0.2e-6};             ///< fixed cost of a tile beyond the first of a unit
    double quantize = 1.0;            ///< passes over the input where weights have 8 bits
    double rowTile = 16.0;            ///< rows are padded to this; 0: no padding
    double cacheBandwidth = 3.0;      ///< as of decode attention; benchmarks only
    double cacheShare = 0.6;
    SharedResidual residual{};
    KernelFit fit{};
    bool operator==(const LatentKernel&) const = default;
};

/// What has no model of its own (chunks of linear attention, index scores): launch and a p-norm of bytes and FLOPs.
struct RooflineKernel
{
    Seconds launch{15e-6};
    double memory = 0.85;
    double compute = 0.7;
    double overlap = 2.0;
    KernelFit fit{};
    bool operator==(const RooflineKernel&) const = default;
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
    PrefillKernel prefillEncoder;         ///< without a causal mask, in 16 bit
    MixtureKernel mixtureBf16, mixtureFp8, mixtureFp8Block, mixtureFp4, mixtureWeightOnly, mixtureMxfp4;
    MixtureKernel mixtureFp4LowLatency;   ///< engines take the faster of the two for a batch
    DecodeKernel latentDecode, latentDecodeFp8;
    PrefillKernel latentPrefill, latentPrefillFp8;      ///< by the format of the cache
    LatentKernel latentQuery, latentOutput;             ///< absorbed products before and after decode
    RooflineKernel linearChunks{.launch = Seconds{17e-6}, .memory = 0.45, .compute = 0.58, .overlap = 1.4};
    RooflineKernel indexScores{.launch = Seconds{14.6e-6}, .memory = 0.87, .compute = 0.75, .overlap = 2.2};
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
