// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/attention.h"
#include "core/workload/lowering.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

/// The kernel that engines run on a family: another library on the same device is an implementation of its own. On families
/// that are not named, the data have one library besides Triton.
std::string implementationOf(std::string_view kernel, const Device* device)
{
    struct Standard
    {
        std::string_view family, kernel;
    };
    constexpr std::array standards{Standard{"hopper", "fa3"}, Standard{"hopper", "flash_attention_v3"},
                                   Standard{"blackwell", "trtllm_mha"}, Standard{"blackwell", "flash_attention_v4"}};
    bool named = false;
    for (const Standard& standard : standards)
        if (device && device->kernels.id == standard.family) {
            if (standard.kernel == kernel)
                return {};
            named = true;
        }
    return named || kernel == "triton" ? std::string(kernel) : std::string();
}

bool isEightBit(std::string_view dtype)
{
    return dtype.starts_with("fp8") || dtype.starts_with("int8");
}

constexpr CountRange batches{.most = 1e6};
constexpr CountRange headCounts{.most = 65536};
constexpr CountRange headWidths{.most = 8192};
constexpr CountRange lengths{.most = 1e8};

/// What the two tables share: heads, widths, window, formats.
struct Reading
{
    Op op;
    std::string_view dtype, cacheType;
};

std::optional<Reading> readHeads(const CsvTable& table, std::size_t i, OperatorRow& out)
{
    Reading reading;
    reading.dtype = table.text(i, "dtype").empty() ? std::string_view("bf16") : table.text(i, "dtype");
    reading.cacheType = table.text(i, "kv_dtype").empty() ? reading.dtype : table.text(i, "kv_dtype");
    for (const std::string_view type : {reading.dtype, reading.cacheType})
        if (type != "bf16" && type != "fp16" && !isEightBit(type))
            refuse(out, fmt::format("unknown dtype \"{}\"", type));
    Op& op = reading.op;
    op.sequences = count(table, i, "batch", out, batches);
    op.heads = count(table, i, "heads", out, headCounts);
    op.kvHeads = countOr(table, i, "kv_heads", op.heads, out, headCounts);
    op.headDim = count(table, i, "head_dim", out, headWidths);
    // Heads of 192 come with values of 128: read as 192 wide, the cache would be faster than the memory.
    op.valueDim = op.headDim == 192.0 ? 128.0 : op.headDim;
    op.window = countOr(table, i, "window", 0.0, out, {.least = 0, .most = lengths.most});
    op.kvElementBytes = isEightBit(reading.cacheType) ? 1.0 : 2.0;
    if (op.kvHeads > op.heads)
        refuse(out, "kv_heads is above heads");
    const std::string_view kernel = table.text(i, "kernel");
    out.implementation = implementationOf(kernel, out.device);
    out.fold = fmt::format("{} {} {} {}", op.heads, op.kvHeads, op.headDim, op.window);
    out.groups.emplace_back("dtype", reading.dtype == reading.cacheType ? std::string(reading.dtype)
                                                                        : fmt::format("{}, cache {}", reading.dtype,
                                                                                      reading.cacheType));
    out.groups.emplace_back("kernel", kernel);
    out.regime = op.window > 0.0 ? 1 : op.valueDim != op.headDim ? 2 : 0;
    out.groups.emplace_back("shape", op.window > 0.0 ? "window" : op.valueDim != op.headDim ? "values narrower" : "standard");
    if (!out.problem.empty() || !out.device)
        return std::nullopt;
    return reading;
}

std::vector<OperatorRow> decodeRows(const CsvTable& table, const Presets& presets)
{
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        std::optional<Reading> reading = readHeads(table, i, out);
        if (!reading)
            return;
        Op& op = reading->op;
        op.kind = OpKind::decodeAttention;
        op.queries = 1;
        op.context = count(table, i, "seq_kv", out, lengths);
        const double seen = op.window > 0.0 ? std::min(op.context, op.window) : op.context;
        const double widths = op.headDim + op.valueDim;
        op.flops = Flops{2.0 * op.sequences * op.heads * widths * seen};
        op.kvBytes = Bytes{op.sequences * op.kvHeads * widths * seen * op.kvElementBytes};
        op.activationBytes = Bytes{op.sequences * widths * (2.0 * op.heads + op.kvHeads * (2.0 + op.kvElementBytes))};
        refuseBeyondMemory(out, (op.kvBytes + op.activationBytes).value);
        out.slot = op.kvElementBytes < 2.0 ? "decode_fp8" : "decode_bf16";
        out.shape = {op.sequences * op.kvHeads, seen, op.heads / op.kvHeads};
        const CacheState cache{.repeated = true, .footprint = (op.kvBytes + op.activationBytes).value};
        out.predict = [op, cache](const AnyKernel& kernel, const Device& device) {
            return decodeAttentionCost(op, std::get<DecodeKernel>(kernel), device, cache).time.value;
        };
    });
}

std::vector<OperatorRow> prefillRows(const CsvTable& table, const Presets& presets)
{
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        std::optional<Reading> reading = readHeads(table, i, out);
        if (!reading)
            return;
        Op& op = reading->op;
        op.kind = OpKind::prefillAttention;
        op.causal = countOr(table, i, "causal", 1.0, out, {.least = 0, .most = 1}) > 0.0;
        op.queries = count(table, i, "seq_q", out, lengths);
        op.context = contextOf(table, i, op.queries, out);
        op.math = isEightBit(reading->dtype) ? Math::fp8 : Math::bf16;
        const double widths = op.headDim + op.valueDim;
        const double tokens = op.sequences * op.queries;
        const double pairs = op.causal ? causalPairs(op.queries, op.context, op.window) : op.queries * op.context;
        op.flops = Flops{2.0 * op.sequences * op.heads * widths * pairs};
        op.activationBytes = Bytes{2.0 * tokens * widths * (op.heads + op.kvHeads)};
        op.kvBytes = Bytes{tokens * widths * op.kvHeads * (2.0 + op.kvElementBytes)};
        refuseBeyondMemory(out, (op.kvBytes + op.activationBytes).value);
        out.slot = !op.causal               ? "prefill_encoder"
            : op.math == Math::fp8          ? "prefill_fp8"
            : op.kvElementBytes < 2.0       ? "prefill_bf16_cache8"
                                            : "prefill_bf16";
        if (out.slot == "prefill_bf16_cache8" && out.implementation.empty())
            out.implementation = "standard";   // a slot that inference does not have
        out.shape = {op.sequences * op.heads, op.queries, op.headDim};
        const CacheState cache{.repeated = true, .footprint = (op.kvBytes + op.activationBytes).value};
        out.predict = [op, cache](const AnyKernel& kernel, const Device& device) {
            return prefillAttentionCost(op, std::get<PrefillKernel>(kernel), device, peakOrFallback(device, op.math), cache)
                .time.value;
        };
    });
}

std::array<ResidualGrid::Axis, 3> decodeAxes(std::string_view)
{
    return {ResidualGrid::Axis{.low = 0.0, .step = 3.0, .knots = 6}, {.low = 1.0, .step = 2.0, .knots = 9},
            {.low = 0.0, .step = 2.0, .knots = 4}};
}

std::array<ResidualGrid::Axis, 3> prefillAxes(std::string_view)
{
    return {ResidualGrid::Axis{.low = 0.0, .step = 3.0, .knots = 6}, {.low = 4.0, .step = 1.5, .knots = 9},
            {.low = 6.0, .step = 1.0, .knots = 4}};
}

std::vector<AnyKernel> decodeStarts(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const double plainBelow : {0.0, 4.0})
        for (const double contextTile : {64.0, 128.0})
            for (const double groupTile : {16.0, 64.0, 128.0}) {
                auto kernel = std::get<DecodeKernel>(base);
                kernel.plainBelow = plainBelow;
                kernel.contextTile = contextTile;
                kernel.groupTile = groupTile;
                starts.emplace_back(kernel);
            }
    return starts;
}

std::vector<AnyKernel> prefillStarts(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const double packs : {0.0, 1.0})
        for (const double queryTile : {64.0, 128.0, 256.0})
            for (const double minimumTile : {16.0, 64.0, 128.0}) {
                auto kernel = std::get<PrefillKernel>(base);
                kernel.packs = packs;
                kernel.queryTile = queryTile;
                kernel.minimumTile = std::min(minimumTile, queryTile);
                starts.emplace_back(kernel);
                // General constants stand for kernels that nobody measured: those of today pass over what lies outside a window.
                if (packs == 0.0 && minimumTile == 64.0 && kernel.fit.origin != KernelOrigin::general) {
                    kernel.windowSaves = 1.0 - kernel.windowSaves;
                    starts.emplace_back(kernel);
                }
            }
    return starts;
}

} // namespace

const OperatorTable attentionDecodeTable{.id = "attention_decode",
                                         .columns = {"device", "batch", "seq_kv", "heads", "head_dim"},
                                         .foreign = "seq_q", .rows = decodeRows,
                                         .axes = decodeAxes, .starts = decodeStarts};
const OperatorTable attentionPrefillTable{.id = "attention_prefill",
                                          .columns = {"device", "batch", "seq_q", "heads", "head_dim"},
                                          .foreign = {}, .rows = prefillRows,
                                          .axes = prefillAxes, .starts = prefillStarts};

} // namespace ridgepoint
