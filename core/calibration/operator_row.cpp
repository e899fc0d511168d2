// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

std::span<const OperatorTable> operatorTables()
{
    static const std::array tables{gemmTable, attentionDecodeTable, attentionPrefillTable, latentTable, mixtureTable,
                                   collectivesTable, exchangeTable, memoryTable};
    return tables;
}

namespace {

std::string missingOf(const OperatorTable& kind, const CsvTable& table)
{
    std::string missing;
    for (const std::string_view column : kind.columns)
        if (!column.empty() && !table.has(column))
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", column);
    return missing;
}

} // namespace

Result<const OperatorTable*> operatorTableOf(const CsvTable& table, std::string_view name)
{
    if (table.rows.empty())
        return fail(fmt::format("{}: there is a header and no row below it", table.file));
    std::string names;
    for (const OperatorTable& kind : operatorTables()) {
        const std::string missing = missingOf(kind, table);
        const bool isForeign = !kind.foreign.empty() && table.has(kind.foreign);
        if (name.empty() && missing.empty() && !isForeign)
            return &kind;
        if (kind.id == name) {
            if (!missing.empty())
                return fail(fmt::format("{}: it is no table of {}: it has no column {}", table.file, name, missing));
            if (isForeign)
                return fail(fmt::format("{}: it is no table of {}, which has no column {}", table.file, name, kind.foreign));
            return &kind;
        }
        names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.id);
    }
    if (name.empty())
        return fail(fmt::format("{}: the columns are those of no known table; name it with --table, one of {}", table.file,
                                names));
    return fail(fmt::format("there is no table \"{}\"; it can be one of {}", name, names));
}

void readDevice(const CsvTable& table, std::size_t row, const Presets& presets, OperatorRow& out)
{
    out.row = row;
    out.deviceText = std::string(table.text(row, "device"));
    out.device = findDevice(presets, out.deviceText);
    std::string_view name = out.deviceText;
    if (const std::size_t at = name.find('@'); !out.device && at != std::string_view::npos)
        out.device = findDevice(presets, name = name.substr(0, at));
    // Some devices carry the source behind their name: "a100_vidur".
    const std::string suffix = fmt::format("_{}", table.text(row, "source"));
    if (!out.device && suffix.size() > 1 && name.ends_with(suffix))
        out.device = findDevice(presets, name.substr(0, name.size() - suffix.size()));
    if (!out.device)
        out.problem = fmt::format("unknown device {}", out.deviceText.empty() ? "(none)" : out.deviceText);
    out.groups.emplace_back("device", out.deviceText);
    if (out.device) {
        const std::string& kind = out.device->memoryKind;   // "GDDR6X": the generation says nothing new
        out.groups.emplace_back("memory", kind.substr(0, kind.find_first_of("0123456789-")));
    }
}

void refuse(OperatorRow& out, std::string problem)
{
    if (out.problem.empty())
        out.problem = std::move(problem);
}

void refuseBeyondMemory(OperatorRow& out, double bytes)
{
    const double memory = out.device ? out.device->memoryCapacity.value : 0.0;
    // Twice: benchmarks reuse buffers that are counted apart here, and some had all of the memory.
    if (memory > 0.0 && bytes > 2.0 * memory)
        refuse(out, fmt::format("its {:.3g} GB do not fit into the {:.0f} GB of the device", bytes / 1e9, memory / 1e9));
}

double count(const CsvTable& table, std::size_t row, std::string_view column, OperatorRow& out, CountRange range)
{
    const std::optional<double> value = table.number(row, column);
    if (value && *value >= range.least && *value <= range.most && *value == std::floor(*value))
        return *value;
    refuse(out, fmt::format("{} is \"{}\"; it must be a whole number from {} to {:.0f}", column, table.text(row, column),
                            range.least, range.most));
    return 1.0;
}

double countOr(const CsvTable& table, std::size_t row, std::string_view column, double fallback, OperatorRow& out,
               CountRange range)
{
    return table.text(row, column).empty() ? fallback : count(table, row, column, out, range);
}

double contextOf(const CsvTable& table, std::size_t row, double queries, OperatorRow& out)
{
    const double context = countOr(table, row, "seq_kv", 0.0, out, {.least = 0, .most = 1e8});
    if (context > 0.0 && context < queries)
        refuse(out, fmt::format("seq_kv is {}; it must be 0 or at least the {} of seq_q", context, queries));
    return std::max(queries, context);
}

void readLatency(const CsvTable& table, std::size_t row, OperatorRow& out)
{
    if (const std::optional<double> value = table.number(row, "latency_us"); value && *value > 0.0)
        out.measured = Seconds{*value * 1e-6};
}

FlopRate peakOrFallback(const Device& device, Math math)
{
    for (const Math candidate : {math, Math::bf16, Math::fp32})
        if (const std::optional<FlopRate>& peak = device.peak.at(candidate))
            return *peak;
    return FlopRate{1e12};
}

} // namespace ridgepoint
