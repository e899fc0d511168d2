// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/matmul.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ridgepoint {

namespace {

constexpr CountRange widths{.most = 1e8};
constexpr CountRange batches{.most = 1e6};

/// What a dtype of the table means: slot, arithmetic and bytes per element of weight, input, output and quantisation.
struct ProductType
{
    std::string_view name, slot;
    Math math;
    double peakFactor;               ///< of the peak of that arithmetic
    double weight, input, output, quantize;
};

// TF32 runs at half the rate of 16 bit on every part that has it. The quantisation reads 16 bit and writes the result.
constexpr std::array types{
    ProductType{"bf16", "matmul_bf16", Math::bf16, 1.0, 2, 2, 2, 0},
    ProductType{"fp16", "matmul_bf16", Math::bf16, 1.0, 2, 2, 2, 0},
    ProductType{"fp32", "matmul_fp32", Math::fp32, 1.0, 4, 4, 4, 0},
    ProductType{"tf32", "matmul_tf32", Math::bf16, 0.5, 4, 4, 4, 0},
    ProductType{"fp16_pseudo", "matmul_fp16_fp32", Math::fp32, 1.0, 2, 2, 2, 0},
    ProductType{"fp8", "matmul_fp8", Math::fp8, 1.0, 1, 1, 2, 3},
    ProductType{"fp8_static", "matmul_fp8_static", Math::fp8, 1.0, 1, 1, 2, 3},
    ProductType{"fp8_block", "matmul_fp8_block", Math::fp8, 1.0, 1, 1, 2, 3},
    ProductType{"nvfp4", "matmul_fp4", Math::fp4, 1.0, 0.5625, 0.5625, 2, 2.5625},
    ProductType{"int8", "matmul_int8", Math::int8, 1.0, 1, 1, 4, 0},
    ProductType{"int8_sq", "matmul_int8", Math::int8, 1.0, 1, 1, 2, 0},
    ProductType{"int8_wo", "matmul_int8_weight", Math::bf16, 1.0, 1, 2, 2, 0},
    ProductType{"int4_wo", "matmul_int4_weight", Math::bf16, 1.0, 0.5, 2, 2, 0},
};

const ProductType* typeNamed(std::string_view name)
{
    for (const ProductType& type : types)
        if (type.name == name)
            return &type;
    return nullptr;
}

/// How a source times, which is part of what was measured. A file without these columns is taken for what inference uses.
std::string implementationOf(const CsvTable& table, std::size_t row, const ProductType& type, double m, const Device* on)
{
    const std::string_view source = table.text(row, "source");
    const std::string_view backend = table.text(row, "backend");
    std::string name;
    if (source.empty() || source == "aic")
        name = backend == "sglang" || (backend.empty() && type.name != "fp8_static") ? "" : std::string(backend);
    else if (source == "branes" || source == "jetson") {
        // Host-timed calls. One vector is another routine of the library than a matrix, and a processor that has no 16 bit
        // arithmetic of one kind computes it in plain loops.
        const bool isHalf = type.slot == "matmul_bf16";
        name = fmt::format("{}_{}{}{}", source, backend, m == 1.0 ? "_vector" : "",
                           isHalf && on && on->category == "cpu" ? fmt::format("_{}", type.name) : std::string());
    }
    else
        name = source;
    const std::string_view device = table.text(row, "device");
    if (const std::size_t at = device.find('@'); at != std::string_view::npos)
        name += fmt::format("{}{}", name.empty() ? "" : ".", device.substr(at + 1));
    return name;
}

/// Bytes that a benchmark cycles through, see "What a latency contains" of the data.
double footprintOf(std::string_view source, std::string_view backend, const MatmulShape& s, const Device& device)
{
    const double weight = s.batch * s.weightBytes * s.n * s.k;
    const double input = s.batch * s.inputBytes * s.m * s.k;
    const double output = s.batch * s.outputBytes * s.m * s.n;
    if (source.empty() || source == "aic") {
        if (backend == "trtllm") {
            const double copies = std::ceil(device.lastLevelCache.value / weight);
            return std::min(5.0, std::max(1.0, copies)) * weight + input + output;
        }
        return 6.0 * (weight + input + output + s.batch * s.quantizePassBytes * s.m * s.k);
    }
    if (source == "vidur")
        return std::numeric_limits<double>::infinity();
    return weight + input + output;
}

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string_view dtype = table.text(i, "dtype");
        out.groups.emplace_back("dtype", dtype);
        const ProductType* type = typeNamed(dtype);
        if (!type) {
            refuse(out, fmt::format("unknown dtype \"{}\"", dtype));
            return;
        }
        MatmulShape shape;
        shape.m = count(table, i, "m", out, widths);
        shape.n = count(table, i, "n", out, widths);
        shape.k = count(table, i, "k", out, widths);
        shape.batch = countOr(table, i, "batch", 1.0, out, batches);
        shape.weightBytes = type->weight;
        shape.inputBytes = type->input;
        shape.outputBytes = type->output;
        shape.quantizePassBytes = type->quantize;
        refuseBeyondMemory(out, shape.batch * (type->weight * shape.n * shape.k + type->input * shape.m * shape.k +
                                               type->output * shape.m * shape.n));
        out.slot = type->slot;
        out.implementation = implementationOf(table, i, *type, shape.m * shape.batch, out.device);
        out.fold = fmt::format("{} {}", shape.n, shape.k);
        out.shape = {shape.m * shape.batch, shape.n, shape.k};
        if (out.device) {
            const std::string source(table.text(i, "source"));
            const std::string backend(table.text(i, "backend"));
            const CacheState cache{.repeated = true, .footprint = footprintOf(source, backend, shape, *out.device)};
            const double factor = type->peakFactor;
            const Math math = type->math;
            out.predict = [shape, cache, factor, math](const AnyKernel& kernel, const Device& device) {
                const FlopRate peak = peakOrFallback(device, math) * factor;
                return matmulCost(shape, std::get<MatmulKernel>(kernel), device, peak, cache).time.value;
            };
        }
    });
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view)
{
    return {ResidualGrid::Axis{.low = 0.0, .step = 1.5, .knots = 11}, {.low = 6.0, .step = 2.0, .knots = 7},
            {.low = 6.0, .step = 2.0, .knots = 6}};
}

/// Below this many rows tiles cannot be told apart, and the few constants of a product without tiles say all there is.
constexpr std::size_t fewestForTiles = 60;

std::vector<AnyKernel> startsOf(std::string_view, const AnyKernel& base, std::size_t rows)
{
    std::vector<AnyKernel> starts;
    if (rows < fewestForTiles) {
        MatmulKernel kernel = std::get<MatmulKernel>(base);
        kernel.tiles = TileFamily::none;
        for (const double compute : {0.5, 0.05, 0.003})
            for (const Seconds launch : {Seconds{10e-6}, Seconds{300e-6}}) {
                kernel.compute = compute;
                kernel.launch = launch;
                starts.emplace_back(kernel);
            }
        return starts;
    }
    for (const TileFamily tiles : {TileFamily::min16, TileFamily::min64, TileFamily::min128, TileFamily::m64n128,
                                   TileFamily::m128n64}) {
        MatmulKernel kernel = std::get<MatmulKernel>(base);
        kernel.tiles = tiles;
        starts.emplace_back(kernel);
        kernel.splitReduction = Seconds{45e-6};   // without a split the other constants settle elsewhere
        starts.emplace_back(kernel);
    }
    return starts;
}

} // namespace

const OperatorTable gemmTable{.id = "gemm", .columns = {"device", "dtype", "m", "n", "k"}, .foreign = {}, .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
