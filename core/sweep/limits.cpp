// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/limits.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

Result<Limit> parseLimit(std::string_view text)
{
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return fail(fmt::format("\"{}\" is no limit; write metric<=number or metric>=number, such as ttft_ms<=500", text));
    Limit limit{std::string(trimmed(text.substr(0, sign))), text[sign] == '<', 0};
    const Result<const Metric*> metric = metricNamed(limit.metric);
    if (!metric)
        return fail(metric.error());
    std::string_view digits = text.substr(sign + 1);
    if (!digits.empty() && digits.front() == '=')
        digits.remove_prefix(1);
    digits = trimmed(digits);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit.value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(limit.value))
        return fail(fmt::format("the limit of {} is \"{}\"; it takes a number in {}", limit.metric, digits,
                                (*metric)->unit.empty() ? "requests" : (*metric)->unit));
    return limit;
}

void sortLimits(std::vector<Limit>& limits)
{
    std::stable_sort(limits.begin(), limits.end(), [](const Limit& a, const Limit& b) {
        return findMetric(a.metric) < findMetric(b.metric);   // both point into one table
    });
}

bool holds(const Limit& limit, std::optional<double> value)
{
    return value && (limit.atMost ? *value <= limit.value : *value >= limit.value);
}

int brokenLimit(const Report& report, std::span<const Limit> limits)
{
    if (!report.feasible())
        return -1;
    for (std::size_t i = 0; i < limits.size(); ++i)
        if (!holds(limits[i], findMetric(limits[i].metric)->get(report)))
            return int(i);
    return -1;
}

std::string limitText(const Limit& limit)
{
    const Metric& metric = *findMetric(limit.metric);
    return fmt::format("{} {} {:g}{}{}", metric.label, limit.atMost ? "≤" : "≥", limit.value,
                       metric.unit.empty() ? "" : "\u00a0", metric.unit);
}

} // namespace ridgepoint
