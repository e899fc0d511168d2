// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/metrics.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A bound on a metric, in its unit.
struct Limit
{
    std::string metric;
    bool atMost = true;          ///< else at least
    double value = 0;
    bool operator==(const Limit&) const = default;
};

/// Reads "ttft_ms<=500" or "output_tokens_per_s>=1000".
///
/// fails    for an unknown metric or a value that is no number, naming what would be right
[[nodiscard]] Result<Limit> parseLimit(std::string_view text);

/// Limits in the order in which they are named when several are broken: that of the metric table.
void sortLimits(std::vector<Limit>& limits);

/// A metric that is not known breaks its limit: nobody can promise it.
[[nodiscard]] bool holds(const Limit& limit, std::optional<double> value);

/// The first limit that the report breaks, or -1. A report without metrics breaks none: it does not run at all.
[[nodiscard]] int brokenLimit(const Report& report, std::span<const Limit> limits);

/// "TTFT, mean ≤ 500 ms"
[[nodiscard]] std::string limitText(const Limit& limit);

} // namespace ridgepoint
