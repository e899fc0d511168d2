// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/exchange.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr Bandwidth usualNetwork{50e9};   ///< 400 Gbit/s a device, as the systems of the data have
constexpr double devicesPerNode = 8.0;

// Dispatch sends 8 bit with a 4 byte scale for 128 values, combination returns 16 bit.
constexpr double dispatchBytes = 1.0 + 4.0 / 128.0;
constexpr double combineBytes = 2.0;

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    std::vector<OperatorRow> rows(table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        OperatorRow& out = rows[i];
        readDevice(table, i, presets, out);
        readLatency(table, i, out);
        const std::string_view mode = table.text(i, "mode");
        const std::string_view op = table.text(i, "op");
        for (const char* column : {"mode", "op", "num_nodes"})
            out.groups.emplace_back(column, table.text(i, column));
        const bool isLowLatency = mode == "ll" || mode == "low_latency";
        const bool isDispatch = op == "dispatch";
        ExchangeShape shape;
        shape.tokens = positive(table, i, "num_tokens", out);
        const double hidden = positive(table, i, "hidden", out);
        shape.tokenBytes = hidden * (isDispatch ? dispatchBytes : combineBytes);
        shape.expertsPerToken = positive(table, i, "topk", out);
        shape.experts = positiveOr(table, i, "experts", 256.0);
        shape.nodes = positiveOr(table, i, "num_nodes", 1.0);
        shape.devices = devicesPerNode * shape.nodes;
        shape.units = isLowLatency ? 0.0 : positiveOr(table, i, "sms", 20.0);
        shape.copyForEachExpert = isLowLatency;
        if (out.problem.empty() && !isDispatch && op != "combine")
            out.problem = fmt::format("unknown operation \"{}\"", op);
        if (!out.problem.empty())
            continue;
        out.slot = fmt::format("{}{}", op, isLowLatency ? "_low_latency" : "");
        out.fold = fmt::format("{} {} {}", hidden, shape.expertsPerToken, shape.experts);
        out.shape = {shape.tokens, shape.nodes, std::max(1.0, shape.units)};
        Bandwidth network = usualNetwork;
        for (const System& system : presets.systems)
            if (system.device.id == out.device->id && system.networkBandwidth.value > 0.0)
                network = system.networkBandwidth;
        const Bandwidth link =
            out.device->linkBandwidth.value > 0.0 ? out.device->linkBandwidth : out.device->hostLinkBandwidth;
        out.predict = [=](const AnyKernel& kernel, const Device&) {
            return exchangeCost(shape, std::get<ExchangeKernel>(kernel), link, network).time.value;
        };
    }
    return rows;
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

bool recognises(const CsvTable& table)
{
    return table.has("num_tokens") && table.has("num_nodes");
}

} // namespace

const OperatorTable exchangeTable{
    .id = "moe_a2a", .recognises = recognises, .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
