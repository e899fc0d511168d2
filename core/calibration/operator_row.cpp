// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/operator_row.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {

std::span<const OperatorTable> operatorTables()
{
    static const std::array tables{gemmTable, attentionDecodeTable, attentionPrefillTable, latentTable, mixtureTable,
                                   collectivesTable, exchangeTable, memoryTable};
    return tables;
}

Result<const OperatorTable*> operatorTableOf(const CsvTable& table, std::string_view name)
{
    std::string names;
    for (const OperatorTable& kind : operatorTables()) {
        if (name.empty() ? kind.recognises(table) : kind.id == name)
            return &kind;
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
}

double positive(const CsvTable& table, std::size_t row, std::string_view column, OperatorRow& out)
{
    const std::optional<double> value = table.number(row, column);
    if (value && *value > 0.0)
        return *value;
    if (out.problem.empty())
        out.problem = fmt::format("{} is \"{}\"; it must be a number above 0", column, table.text(row, column));
    return 1.0;
}

double positiveOr(const CsvTable& table, std::size_t row, std::string_view column, double fallback)
{
    const std::optional<double> value = table.number(row, column);
    return value && *value > 0.0 ? *value : fallback;
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
