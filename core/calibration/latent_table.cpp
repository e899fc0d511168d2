// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/attention.h"
#include "core/workload/lowering.h"
#include "core/cost/latent.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

// The table has no widths: all its rows are of the latent attention that DeepSeek-V2 brought.
constexpr double rank = 512.0;
constexpr double rope = 64.0;
constexpr double nope = 128.0;
constexpr double value = 128.0;
constexpr double entry = rank + rope;

/// Attention over the latent cache: every head reads the same entry.
void decodeOf(Op& op)
{
    op.kind = OpKind::latentDecode;
    op.queries = 1;
    op.kvHeads = 1;
    op.headDim = entry;
    op.valueDim = rank;
    op.flops = Flops{2.0 * op.sequences * op.heads * op.context * (entry + rank)};
    op.kvBytes = Bytes{op.sequences * op.context * entry * op.kvElementBytes};
    op.activationBytes = Bytes{op.sequences * op.heads * (entry + rank) * 2.0};
}

void prefillOf(Op& op)
{
    op.kind = OpKind::latentPrefill;
    op.kvHeads = op.heads;
    op.headDim = nope + rope;
    op.valueDim = value;
    op.math = op.kvElementBytes < 2.0 ? Math::fp8 : Math::bf16;
    const double tokens = op.sequences * op.queries;
    op.flops = Flops{2.0 * op.sequences * op.heads * (op.headDim + value) * causalPairs(op.queries, op.context, 0)};
    op.kvBytes = Bytes{tokens * entry * op.kvElementBytes};
    op.activationBytes = Bytes{tokens * op.heads * 2.0 * (op.headDim + value) * 2.0};
}

void productOf(Op& op, bool isQuery, double weightBytes)
{
    op.kind = isQuery ? OpKind::absorbedQuery : OpKind::absorbedOutput;
    op.m = op.sequences;
    op.n = isQuery ? rank : value;
    op.k = isQuery ? nope : rank;
    op.quantizesInput = weightBytes < 2.0;
    op.flops = Flops{2.0 * op.m * op.heads * op.n * op.k};
    op.weightBytes = Bytes{op.heads * op.n * op.k * weightBytes};
    op.activationBytes = Bytes{op.m * op.heads * (op.n + op.k) * 2.0};
}

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    constexpr CountRange lengths{.most = 1e8};
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string kind(table.text(i, "op"));
        const std::string dtype(table.text(i, "dtype").empty() ? "bf16" : table.text(i, "dtype"));
        const std::string cacheType(table.text(i, "kv_dtype").empty() ? dtype : table.text(i, "kv_dtype"));
        out.groups.emplace_back("op", kind);
        Op op;
        op.sequences = count(table, i, "batch", out, {.most = 1e7});
        op.heads = count(table, i, "heads", out, {.most = 65536});
        op.kvElementBytes = cacheType.starts_with("fp8") ? 1.0 : 2.0;
        const bool isProduct = kind == "bmm_pre" || kind == "bmm_post";
        const std::string& type = isProduct ? dtype : cacheType;
        out.groups.emplace_back("dtype", type);
        const std::string eight = type.starts_with("fp8") ? "_fp8" : "";
        if (type != "bf16" && type != "fp16" && eight.empty())
            refuse(out, fmt::format("unknown dtype \"{}\"", type));
        if (kind == "decode") {
            op.context = count(table, i, "seq_kv", out, lengths);
            decodeOf(op);
            out.slot = "latent_decode" + eight;
            out.shape = {op.sequences * op.kvHeads, op.context, op.heads / op.kvHeads};
        } else if (kind == "prefill") {
            op.queries = count(table, i, "seq_q", out, lengths);
            op.context = contextOf(table, i, op.queries, out);
            prefillOf(op);
            out.slot = "latent_prefill" + eight;
            out.shape = {op.sequences * op.heads, op.queries, op.headDim};
        } else if (isProduct) {
            productOf(op, kind == "bmm_pre", eight.empty() ? 2.0 : 1.0);
            out.slot = (kind == "bmm_pre" ? "latent_query" : "latent_output") + eight;
            out.implementation = eight.empty() ? "" : "standard";   // a slot that inference does not have
            out.shape = {op.m, op.heads, 1.0};
        } else {
            refuse(out, fmt::format("unknown op \"{}\"; it can be prefill, decode, bmm_pre or bmm_post", kind));
        }
        refuseBeyondMemory(out, (op.weightBytes + op.kvBytes + op.activationBytes).value);
        if (!out.problem.empty() || !out.device)
            return;
        out.fold = fmt::format("{}", op.heads);
        const CacheState cache{.repeated = true, .footprint = (op.weightBytes + op.kvBytes + op.activationBytes).value};
        out.predict = [op, cache](const AnyKernel& kernel, const Device& device) {
            switch (op.kind) {
            case OpKind::latentDecode:
                return decodeAttentionCost(op, std::get<DecodeKernel>(kernel), device, cache).time.value;
            case OpKind::latentPrefill: {
                Op on = op;
                if (!device.peak.fp8)
                    on.math = Math::bf16;
                return prefillAttentionCost(on, std::get<PrefillKernel>(kernel), device, peakOrFallback(device, on.math),
                                            cache)
                    .time.value;
            }
            default: return absorbedProductCost(op, std::get<LatentKernel>(kernel), device, cache).time.value;
            }
        };
    });
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view slot)
{
    if (slot.starts_with("latent_decode"))
        return {ResidualGrid::Axis{.low = 0.0, .step = 2.0, .knots = 6}, {.low = 1.0, .step = 2.0, .knots = 9},
                {.low = 0.0, .step = 2.0, .knots = 4}};
    if (slot.starts_with("latent_prefill"))
        return {ResidualGrid::Axis{.low = 0.0, .step = 3.0, .knots = 6}, {.low = 4.0, .step = 1.5, .knots = 9}, {}};
    return {ResidualGrid::Axis{.low = 0.0, .step = 2.0, .knots = 8}, {.low = 0.0, .step = 2.0, .knots = 4}, {}};
}

std::vector<AnyKernel> startsOf(std::string_view slot, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    if (slot.starts_with("latent_decode")) {
        for (const double contextTile : {64.0, 128.0})
            for (const double groupTile : {16.0, 32.0, 64.0, 128.0}) {
                auto kernel = std::get<DecodeKernel>(base);
                kernel.contextTile = contextTile;
                kernel.groupTile = groupTile;
                kernel.parts = 32.0;
                kernel.resident = 1.0;
                starts.emplace_back(kernel);
                // Kernels that leave a context in one piece are far from the others in these constants.
                kernel.parts = 1.0;
                kernel.resident = 0.6;
                kernel.coreStream = 0.3;
                starts.emplace_back(kernel);
            }
        return starts;
    }
    if (slot.starts_with("latent_prefill")) {
        for (const double queryTile : {64.0, 128.0, 256.0})
            for (const double minimumTile : {16.0, 64.0, 128.0}) {
                auto kernel = std::get<PrefillKernel>(base);
                kernel.queryTile = queryTile;
                kernel.minimumTile = std::min(minimumTile, queryTile);
                starts.emplace_back(kernel);
            }
        return starts;
    }
    for (const double rowTile : {16.0, 64.0, 128.0}) {
        auto kernel = std::get<LatentKernel>(base);
        kernel.rowTile = rowTile;
        starts.emplace_back(kernel);
    }
    return starts;
}

} // namespace

const OperatorTable latentTable{.id = "mla", .columns = {"device", "op", "batch", "heads"}, .foreign = "head_dim",
                                .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
