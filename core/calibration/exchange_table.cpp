// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/exchange.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr Bandwidth usualNetwork{50e9};   ///< 400 Gbit/s a device, as the systems of the data have
constexpr double devicesPerNode = 8.0;
constexpr double usualUnits = 20.0;       ///< given to communication where the file does not say

// Dispatch sends 8 bit with a 4 byte scale for 128 values, combination returns 16 bit.
constexpr double dispatchBytes = 1.0 + 4.0 / 128.0;
constexpr double combineBytes = 2.0;

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    constexpr CountRange counts{.most = 65536};
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string_view mode = table.text(i, "mode");
        const std::string_view op = table.text(i, "op");
        for (const char* column : {"mode", "op", "num_nodes"})
            out.groups.emplace_back(column, table.text(i, column));
        const bool isLowLatency = mode == "ll" || mode == "low_latency";
        const bool isDispatch = op == "dispatch";
        ExchangeShape shape;
        shape.tokens = count(table, i, "num_tokens", out, {.most = 1e8});
        const double hidden = count(table, i, "hidden", out, {.most = 1e6});
        shape.tokenBytes = hidden * (isDispatch ? dispatchBytes : combineBytes);
        shape.expertsPerToken = count(table, i, "topk", out, counts);
        shape.experts = countOr(table, i, "experts", 256.0, out, counts);
        shape.nodes = countOr(table, i, "num_nodes", 1.0, out, counts);
        shape.devices = devicesPerNode * shape.nodes;
        // 0: not applicable, as low latency says of itself.
        const double units = countOr(table, i, "sms", 0.0, out, {.least = 0, .most = 1024});
        shape.units = isLowLatency ? 0.0 : units > 0.0 ? units : usualUnits;
        shape.copyForEachExpert = isLowLatency;
        if (!isDispatch && op != "combine")
            refuse(out, fmt::format("unknown operation \"{}\"; it can be dispatch or combine", op));
        if (!isLowLatency && mode != "normal" && !mode.empty())
            refuse(out, fmt::format("unknown mode \"{}\"; it can be ll or normal", mode));
        if (shape.expertsPerToken > shape.experts)
            refuse(out, "topk is above experts");
        refuseBeyondMemory(out, shape.tokens * shape.tokenBytes);
        if (!out.problem.empty())
            return;
        out.slot = fmt::format("{}{}", op, isLowLatency ? "_low_latency" : "");
        out.fold = fmt::format("{} {} {} {}", hidden, shape.expertsPerToken, shape.experts, shape.nodes);
        out.shape = {shape.tokens, shape.nodes, std::max(1.0, shape.units)};
        out.regime = int(shape.nodes);
        Bandwidth network = usualNetwork;
        for (const System& system : presets.systems)
            if (system.device.id == out.device->id && system.networkBandwidth.value > 0.0)
                network = system.networkBandwidth;
        const Bandwidth link =
            out.device->linkBandwidth.value > 0.0 ? out.device->linkBandwidth : out.device->hostLinkBandwidth;
        out.predict = [=](const AnyKernel& kernel, const Device&) {
            return exchangeCost(shape, std::get<ExchangeKernel>(kernel), link, network).time.value;
        };
    });
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view slot)
{
    const bool isLowLatency = slot.ends_with("low_latency");
    return {ResidualGrid::Axis{.low = 0.0, .step = 2.0, .knots = isLowLatency ? 6 : 9},
            {.low = 0.0, .step = 1.0, .knots = 4},
            {.low = 2.0, .step = 1.0, .knots = isLowLatency ? 1 : 4}};
}

std::vector<AnyKernel> startsOf(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const double rate : {0.02, 0.1}) {
        ExchangeKernel kernel = std::get<ExchangeKernel>(base);
        kernel.unitRate = rate;
        starts.emplace_back(kernel);
    }
    return starts;
}

} // namespace

const OperatorTable exchangeTable{
    .id = "moe_a2a", .columns = {"device", "op", "num_tokens", "hidden", "topk"}, .foreign = "inter", .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
