// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/collective.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

/// An operation: its slot, and what every device sends and receives as a multiple of the message.
struct Operation
{
    std::string_view name, slot;
    double volume;   ///< times (n-1)/n; 0: the whole message
};

constexpr std::array operations{
    Operation{"all_reduce", "all_reduce", 2.0},     Operation{"allreduce", "all_reduce", 2.0},
    Operation{"all_gather", "all_gather", 1.0},     Operation{"allgather", "all_gather", 1.0},
    Operation{"reduce_scatter", "reduce_scatter", 1.0}, Operation{"reducescatter", "reduce_scatter", 1.0},
    Operation{"alltoall", "all_to_all", 1.0},       Operation{"all_to_all", "all_to_all", 1.0},
    Operation{"send_recv", "send", 0.0},            Operation{"sendrecv", "send", 0.0},
};

constexpr Bandwidth usualNetwork{25e9};   ///< where nothing is known of the network

/// What joins the devices of a row. The text of the source counts before the presets.
System systemOf(std::string_view topology, int group, int nodes, const Device& device, const Presets& presets)
{
    System system;
    for (const System& known : presets.systems)
        if (known.device.id == device.id && known.devicesPerNode > 1)
            system = known;
    system.device = device;
    system.devicesPerNode = std::max({system.devicesPerNode, group, 2});
    if (topology.find("pcie") != std::string_view::npos || (topology.find("pairwise") != std::string_view::npos && group > 2))
        system.topology = Topology::pcie;
    else if (!topology.empty() || system.topology == Topology::none)
        system.topology = device.linkBandwidth.value > 0.0 ? Topology::switched : Topology::pcie;
    if (nodes > 1)
        system.devicesPerNode = 1;
    if (system.networkBandwidth.value <= 0.0)
        system.networkBandwidth = usualNetwork;
    return system;
}

/// Slot and implementation. What a captured graph runs directly stands apart from what the library launches by itself.
void nameKernel(const CsvTable& table, std::size_t row, std::string_view slot, int nodes, OperatorRow& out)
{
    const std::string_view library = table.text(row, "library");
    const std::string_view mode = table.text(row, "mode");
    out.slot = slot;
    if (library.find("custom") != std::string_view::npos) {
        out.slot = fmt::format("{}_direct", slot);
        const std::string_view name = library.substr(0, library.find('_'));
        out.implementation = mode == "eager" ? fmt::format("{}_eager", name) : name == "trtllm" ? "" : std::string(name);
        return;
    }
    if (!(library.empty() || library == "nccl") || (!mode.empty() && mode != "nccl_tests"))
        out.implementation = fmt::format("{}_{}", library, mode);
    if (table.text(row, "topology").find("pairwise") != std::string_view::npos)
        out.implementation += "_pairs";
    if (nodes > 1)
        out.implementation += fmt::format("{}_nodes", out.implementation.empty() ? "nccl" : "");
}

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string_view name = table.text(i, "op");
        for (const char* column : {"op", "library", "mode"})
            out.groups.emplace_back(column, table.text(i, column));
        const auto operation = std::find_if(operations.begin(), operations.end(),
                                            [&](const Operation& one) { return one.name == name; });
        const double message = count(table, i, "message_bytes", out, {.most = 1e13});
        const double devices = count(table, i, "num_gpus", out, {.least = 2, .most = 1e6});
        const double nodeCount = countOr(table, i, "num_nodes", 1.0, out, {.most = 1e6});
        if (operation == operations.end())
            refuse(out, fmt::format("unknown operation \"{}\"", name));
        if (nodeCount > devices)
            refuse(out, fmt::format("num_nodes is {}; it must not be above the {} of num_gpus", nodeCount, devices));
        refuseBeyondMemory(out, message);
        if (!out.problem.empty())
            return;
        const int nodes = int(nodeCount);
        const int group = int(devices);
        nameKernel(table, i, operation->slot, nodes, out);
        out.fold = fmt::format("{} {} {}", name, group, nodes);
        out.shape = {message, devices, 1.0};
        const double share = operation->volume == 0.0 ? 1.0 : operation->volume * (devices - 1.0) / devices;
        const std::string topology(table.text(i, "topology"));
        const Bandwidth bandwidth = groupBandwidth(systemOf(topology, group, nodes, *out.device, presets), group);
        if (bandwidth.value <= 0.0) {
            refuse(out, fmt::format("nothing is known of the links of {}", out.deviceText));
            return;
        }
        out.predict = [=](const AnyKernel& kernel, const Device&) {
            return collectiveCost(share * message, Bytes{message}, group, bandwidth, std::get<CollectiveKernel>(kernel), true)
                .time.value;
        };
    });
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view)
{
    return {ResidualGrid::Axis{.low = 8.0, .step = 2.0, .knots = 12}, {.low = 1.0, .step = 1.0, .knots = 4}, {}};
}

std::vector<AnyKernel> startsOf(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const Seconds latency : {Seconds{3e-6}, Seconds{12e-6}, Seconds{40e-6}})
        for (const double bandwidth : {0.6, 0.1}) {
            CollectiveKernel kernel = std::get<CollectiveKernel>(base);
            kernel.fixed = latency;
            kernel.bandwidth = bandwidth;
            kernel.overlap = 1.5;
            starts.emplace_back(kernel);
        }
    return starts;
}

} // namespace

const OperatorTable collectivesTable{
    .id = "collectives", .columns = {"device", "op", "num_gpus", "message_bytes"}, .foreign = {}, .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
