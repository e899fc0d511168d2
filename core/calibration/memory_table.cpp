// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/stream.h"

#include <fmt/format.h>
#include <limits>

namespace ridgepoint {

namespace {

/// Bytes of an element of a dtype; "bf16>fp8" reads the one and writes the other.
double elementBytes(std::string_view dtype)
{
    if (dtype.find("32") != std::string_view::npos)
        return 4.0;
    return dtype.find("16") != std::string_view::npos || dtype.empty() ? 2.0 : 1.0;
}

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    std::vector<OperatorRow> rows(table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        OperatorRow& out = rows[i];
        readDevice(table, i, presets, out);
        readLatency(table, i, out);
        const std::string_view op = table.text(i, "op");
        const std::string_view dtype = table.text(i, "dtype");
        out.groups.emplace_back("op", op);
        out.groups.emplace_back("dtype", dtype);
        const double height = positiveOr(table, i, "rows", 1.0);
        const double width = positiveOr(table, i, "cols", 1.0);
        // Where the bytes are missing: each element is read and written once.
        const double bytes = table.number(i, "bytes") ? positive(table, i, "bytes", out)
                                                      : 2.0 * height * width * elementBytes(dtype);
        if (!out.problem.empty())
            continue;
        const std::string_view source = table.text(i, "source");
        const std::string_view backend = table.text(i, "backend");
        out.slot = fmt::format("stream_{}", op);
        out.implementation = source == "branes" ? fmt::format("{}_{}", source, backend) : std::string(source);
        if (const std::size_t at = out.deviceText.find('@'); at != std::string::npos)
            out.implementation += "." + out.deviceText.substr(at + 1);
        out.fold = fmt::format("{} {}", height, width);
        out.shape = {height, width, 1.0};
        const CacheState cache{.repeated = true,
                               .footprint = source == "vidur" ? std::numeric_limits<double>::infinity() : bytes};
        out.predict = [=](const AnyKernel& kernel, const Device& device) {
            return streamCost(Bytes{bytes}, std::get<StreamKernel>(kernel), device, cache, height, width).time.value;
        };
    }
    return rows;
}

std::array<ResidualGrid::Axis, 3> axesOf(std::string_view)
{
    return {ResidualGrid::Axis{.low = 0.0, .step = 2.0, .knots = 9}, {.low = 6.0, .step = 2.0, .knots = 6}, {}};
}

std::vector<AnyKernel> startsOf(std::string_view, const AnyKernel& base, std::size_t)
{
    std::vector<AnyKernel> starts;
    for (const Seconds launch : {Seconds{2e-6}, Seconds{15e-6}, Seconds{200e-6}})
        for (const double memory : {0.8, 0.1}) {
            StreamKernel kernel = std::get<StreamKernel>(base);
            kernel.launch = launch;
            kernel.memory = memory;
            starts.emplace_back(kernel);
        }
    return starts;
}

bool recognises(const CsvTable& table)
{
    return table.has("rows") && table.has("cols");
}

} // namespace

const OperatorTable memoryTable{
    .id = "memory", .recognises = recognises, .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
