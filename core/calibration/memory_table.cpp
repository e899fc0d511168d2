// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"
#include "core/cost/stream.h"

#include <array>
#include <fmt/format.h>
#include <limits>

namespace ridgepoint {

namespace {

/// Bytes of an element of a dtype.
struct ElementType
{
    std::string_view name;
    double bytes;
};

constexpr std::array types{ElementType{"", 2.0},     ElementType{"bf16", 2.0}, ElementType{"fp16", 2.0},
                           ElementType{"fp32", 4.0}, ElementType{"tf32", 4.0}, ElementType{"fp64", 8.0},
                           ElementType{"fp8", 1.0},  ElementType{"int8", 1.0}, ElementType{"nvfp4", 0.5625},
                           ElementType{"int32", 4.0}};

double elementBytes(std::string_view dtype, OperatorRow& out)
{
    for (const ElementType& type : types)
        if (type.name == dtype)
            return type.bytes;
    refuse(out, fmt::format("unknown dtype \"{}\"", dtype));
    return 1.0;
}

/// Bytes read and written by element: "bf16>fp8" reads the one and writes the other.
double passBytes(std::string_view dtype, OperatorRow& out)
{
    const std::size_t arrow = dtype.find('>');
    const double read = elementBytes(dtype.substr(0, arrow), out);
    return arrow == std::string_view::npos ? 2.0 * read : read + elementBytes(dtype.substr(arrow + 1), out);
}

std::vector<OperatorRow> rowsOf(const CsvTable& table, const Presets& presets)
{
    return readRows(table, presets, [&](std::size_t i, OperatorRow& out) {
        const std::string_view op = table.text(i, "op");
        const std::string_view dtype = table.text(i, "dtype");
        out.groups.emplace_back("op", op);
        out.groups.emplace_back("dtype", dtype);
        if (op.empty())
            refuse(out, "op is blank; it must name the operation, such as rmsnorm or add");
        const double height = countOr(table, i, "rows", 1.0, out, {.most = 1e12});
        const double width = countOr(table, i, "cols", 1.0, out, {.most = 1e12});
        // Where the bytes are missing: each element is read and written once.
        const double bytes = countOr(table, i, "bytes", height * width * passBytes(dtype, out), out, {.most = 1e15});
        refuseBeyondMemory(out, bytes);
        if (!out.problem.empty())
            return;
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
    });
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

} // namespace

const OperatorTable memoryTable{
    .id = "memory", .columns = {"device", "op", "rows", "cols"}, .foreign = {}, .rows = rowsOf, .axes = axesOf, .starts = startsOf};

} // namespace ridgepoint
