// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_file.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace ridgepoint {

namespace {

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// The file's own spelling of the first of `names` it has.
std::optional<std::string> columnOf(const CsvTable& table, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        for (const std::string& column : table.columns)
            if (lowerCase(column) == name)
                return column;
    return std::nullopt;
}

/// Seconds of a number, or of a day and time in no particular zone.
std::optional<double> timeOf(const CsvTable& table, std::size_t row, const std::string& column)
{
    if (const std::optional<double> seconds = table.number(row, column))
        return seconds;
    const std::string text(table.text(row, column));
    int year = 0, month = 0, day = 0, hour = 0, minute = 0;
    double second = 0;
    if (std::sscanf(text.c_str(), "%d-%d-%d%*1[ T]%d:%d:%lf", &year, &month, &day, &hour, &minute, &second) != 6)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                           std::chrono::day(unsigned(day))};
    if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0.0 && second < 61.0))
        return std::nullopt;
    const double days = double(std::chrono::sys_days(date).time_since_epoch().count());
    return ((days * 24.0 + hour) * 60.0 + minute) * 60.0 + second;
}

} // namespace

Result<std::vector<TracedRequest>> traceOf(const CsvTable& table)
{
    const auto arrival = columnOf(table, {"arrival_s", "timestamp", "arrival"});
    const auto input = columnOf(table, {"input_tokens", "contexttokens", "request tokens"});
    const auto output = columnOf(table, {"output_tokens", "generatedtokens", "response tokens"});
    if (!arrival || !input || !output)
        return fail(fmt::format("{}: a trace needs the columns arrival_s, input_tokens and output_tokens", table.file));

    std::vector<TracedRequest> trace;
    constexpr double mostTokens = 1e8;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::optional<double> time = timeOf(table, row, *arrival);
        const std::optional<double> read = table.number(row, *input);
        const std::optional<double> written = table.number(row, *output);
        if (!time || !std::isfinite(*time))
            return fail(fmt::format("{}: \"{}\" in data row {} is no time; it needs seconds or a day and time such as "
                                    "2023-11-16 18:15:46", table.file, table.text(row, *arrival), row + 1));
        if (!read || !written || !(*read >= 0.0 && *read <= mostTokens) || !(*written >= 0.0 && *written <= mostTokens))
            return fail(fmt::format("{}: data row {} needs counts of tokens from 0 to 100 million", table.file, row + 1));
        if (*written >= 1.0)
            trace.push_back({Seconds{*time}, std::max(1.0, *read), *written});
    }
    if (trace.empty())
        return fail(fmt::format("{}: the trace holds no request with output tokens", table.file));
    std::stable_sort(trace.begin(), trace.end(),
                     [](const TracedRequest& a, const TracedRequest& b) { return a.arrival < b.arrival; });
    const Seconds start = trace.front().arrival;
    for (TracedRequest& request : trace)
        request.arrival -= start;
    return trace;
}

Result<std::vector<TracedRequest>> readTrace(const std::filesystem::path& file)
{
    const Result<CsvTable> table = readCsv(file);
    if (!table)
        return fail(table.error());
    return traceOf(*table);
}

} // namespace ridgepoint
