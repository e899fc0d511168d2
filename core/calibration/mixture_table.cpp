// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/expert_routing.h"
#include "core/calibration/operator_row.h"
#include "core/cost/mixture.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>

namespace ridgepoint {

namespace {

/// What a dtype of the table means: slot, arithmetic, bytes per element of weight and input.
struct ExpertType
{
    std::string_view name, slot;
    Math math;
    double weight, input;
};

// 4-bit weights carry a scale for each group of 16 (nvfp4: one byte) or 32 (mxfp4: one byte) elements.
constexpr std::array types{
    ExpertType{"bf16", "bf16", Math::bf16, 2.0, 2.0},
    ExpertType{"fp16", "bf16", Math::bf16, 2.0, 2.0},
    ExpertType{"fp8", "fp8", Math::fp8, 1.0, 1.0},
    ExpertType{"fp8_block", "fp8_block", Math::fp8, 1.0, 1.0},
    ExpertType{"nvfp4", "fp4", Math::fp4, 0.5625, 0.5625},
    ExpertType{"w4a16_mxfp4", "mxfp4", Math::bf16, 0.53125, 2.0},
    ExpertType{"w4a8_mxfp4_mxfp8", "mxfp4", Math::fp8, 0.53125, 1.0},
    ExpertType{"int4_wo", "weight_only", Math::bf16, 0.53125, 2.0},
};

const ExpertType* typeNamed(std::string_view name)
{
    for (const ExpertType& type : types)
        if (type.name == name)
            return &type;
    return nullptr;
}

/// Triton and libraries that are not known stand beside what inference uses.
std::string implementationOf(std::string_view kernel)
{
    if (kernel.find("triton") != std::string_view::npos)
        return "triton";
    const bool known = kernel.empty() || kernel.starts_with("moe_torch_flow") || kernel == "deepgemm" ||
                       kernel.starts_with("vllm_xpu_moe");
    return known ? std::string() : std::string(kernel);
}

/// Loads by what they depend on: a table repeats few of them.
class Loads
{
public:
    RoutedLoad of(std::string_view distribution, double tokens, int topK, int experts, int groups, OperatorRow& out)
    {
        constexpr std::string_view powerLaw = "power_law_";
        if (distribution.empty() || distribution == "balanced" || distribution == "uniform")
            return balancedLoad(tokens, topK, experts, groups);
        double alpha = 0.0;
        if (distribution.starts_with(powerLaw)) {
            const std::string_view number = distribution.substr(powerLaw.size());
            std::from_chars(number.data(), number.data() + number.size(), alpha);
        }
        if (!(alpha > 0.0 && alpha < 10.0)) {
            if (out.problem.empty())
                out.problem = fmt::format("unknown distribution \"{}\"; it can be balanced or power_law_ALPHA", distribution);
            return {};
        }
        const auto [at, isNew] = m_known.try_emplace(std::tuple(tokens, topK, experts, groups, alpha));
        if (isNew)
            at->second = powerLawLoad(tokens, topK, experts, groups, alpha);
        return at->second;
    }

private:
    std::map<std::tuple<double, int, int, int, double>, RoutedLoad> m_known;
};

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    Loads loads;
    constexpr CountRange widths{.most = 1e7};
    constexpr CountRange devices{.most = 65536};
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string_view dtype = table.text(i, "dtype").empty() ? std::string_view("bf16") : table.text(i, "dtype");
        const std::string_view kernel = table.text(i, "kernel");
        const std::string_view distribution = table.text(i, "distribution");
        out.groups.emplace_back("dtype", dtype);
        out.groups.emplace_back("kernel", kernel);
        out.groups.emplace_back("distribution", distribution);
        const ExpertType* type = typeNamed(dtype);
        if (!type)
            refuse(out, fmt::format("unknown dtype \"{}\"", dtype));
        const double tokens = count(table, i, "num_tokens", out, {.most = 1e8});
        const double hidden = count(table, i, "hidden", out, widths);
        const double inter = count(table, i, "inter", out, widths);
        const double topK = count(table, i, "topk", out, devices);
        const double experts = count(table, i, "experts", out, devices);
        const double tensor = countOr(table, i, "tp", 1.0, out, devices);
        const double groups = countOr(table, i, "ep", 1.0, out, devices);
        if (topK > experts || groups > experts)
            refuse(out, "topk and ep must not be above experts");
        if (!out.problem.empty() || !out.device)
            return;

        const bool gated = kernel.find("nongated") == std::string_view::npos;
        const bool latency = kernel.find("min_latency") != std::string_view::npos;
        const RoutedLoad load = loads.of(distribution, tokens, int(topK), int(experts), int(groups), out);
        if (!out.problem.empty())
            return;
        Op op;
        op.kind = OpKind::mixture;
        op.m = tokens;
        op.n = inter / tensor;
        op.k = hidden;
        op.math = type->math;
        op.gated = gated;
        op.routedRows = load.rows;
        op.activeExperts = load.experts;
        op.routerExperts = experts;
        op.routerTopK = topK;
        const double matrices = gated ? 3.0 : 2.0;
        op.flops = Flops{2.0 * load.rows * matrices * op.n * op.k};
        op.weightBytes = Bytes{load.experts * matrices * op.n * op.k * type->weight};
        op.activationBytes = Bytes{4.0 * tokens * op.k +
                                   load.rows * (2.0 * op.k * (type->input + 2.0) + op.n * (4.0 + type->input))};
        refuseBeyondMemory(out, (op.weightBytes + op.activationBytes).value);
        out.slot = fmt::format("mixture_{}{}{}", gated ? "" : "ungated_", type->slot, latency ? "_low_latency" : "");
        out.implementation = implementationOf(kernel);
        if (out.implementation.empty() && !gated)
            out.implementation = "standard";   // a slot that inference does not have
        // Parts with 4-bit arithmetic multiply these weights with 8-bit inputs, the others with 16-bit ones.
        if (const bool eight = type->math == Math::fp8; type->slot == "mxfp4" && eight != out.device->peak.fp4.has_value())
            out.implementation = eight ? "w4a8" : "w4a16";
        out.fold = fmt::format("{} {} {} {}", hidden, inter, topK, experts);
        out.shape = {op.m, std::max(op.activeExperts, 0.25), op.n * op.k};
        // Draws differ, so that weights are only found again when all experts have the same rows each time.
        const bool same = distribution.empty() || distribution == "balanced";
        out.regime = same ? 0 : 1;
        const CacheState cache{.repeated = true,
                               .footprint = same ? op.weightBytes.value : std::numeric_limits<double>::infinity()};
        out.predict = [op, cache](const AnyKernel& constants, const Device& device) {
            return mixtureCost(op, std::get<MixtureKernel>(constants), device, peakOrFallback(device, op.math), cache).time.value;
        };
    });
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view)
{
    return {ResidualGrid::Axis{.low = 0.0, .step = 2.0, .knots = 8}, {.low = -2.0, .step = 2.5, .knots = 5},
            {.low = 18.0, .step = 2.5, .knots = 4}};
}

std::vector<AnyKernel> startsOf(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const auto& [rowTile, largest] : {std::pair{16.0, 128.0}, {32.0, 128.0}, {64.0, 128.0}, {128.0, 128.0},
                                           {16.0, 64.0}, {32.0, 64.0}, {64.0, 64.0}, {32.0, 32.0}}) {
        auto kernel = std::get<MixtureKernel>(base);
        kernel.rowTile = rowTile;
        kernel.largestTile = largest;
        starts.emplace_back(kernel);
    }
    return starts;
}

} // namespace

const OperatorTable mixtureTable{.id = "moe",
                                 .columns = {"device", "num_tokens", "hidden", "inter", "topk", "experts"},
                                 .foreign = {}, .rows = rowsOf, .axes = axesOf,
                                 .starts = startsOf};

} // namespace ridgepoint
