// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/metrics.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// "A", "B", ... "H".
[[nodiscard]] std::string columnLetter(std::size_t index);

/// "A · 8 × H100 SXM": how figures and sentences call a configuration.
[[nodiscard]] std::string columnName(std::size_t index, const Scenario& scenario);

/// The cause that takes most of a breakdown.
[[nodiscard]] Cause bindingCause(const Breakdown& breakdown);

/// Feasible configurations, best first.
struct Ranking
{
    std::vector<std::size_t> order;
    bool byCost = false; ///< by rent for an output token; false: by output per device, since some rent is unknown
};
[[nodiscard]] Ranking ranking(std::span<const Evaluated> configurations);

/// The one that the first of the ranking is held against: the baseline, or the second where the baseline is the first or
/// cannot run; empty when nothing else can.
[[nodiscard]] std::optional<std::size_t> heldAgainst(const Ranking& ranking, std::size_t baseline);

/// What the ranking compares of a feasible configuration: $ of all rent for a million output tokens,
/// or tokens/s per device.
[[nodiscard]] double scoreOf(const Evaluated& column, bool byCost);

/// Standard deviation of ln(first / second) of a metric: the parts of both spreads that the two do not share. On one device
/// the constants are the same, and with the same engine and network, too, half the variance of the engine is.
///
/// returns  empty when the band of either is not known; 0 for a metric that needs none
[[nodiscard]] std::optional<double> spreadOfLead(const Evaluated& first, const Evaluated& second, const Metric& metric);

/// How sure it is that the first of two feasible configurations really scores better than the second.
///
/// returns  0 ... 1; empty when the band of either is not known
[[nodiscard]] std::optional<double> chanceOfLead(const Evaluated& first, const Evaluated& second, bool byCost);

/// Who comes first in one result, and who cannot be told apart from it.
struct Standing
{
    std::size_t best = 0;                   ///< the column of the best value
    std::vector<std::size_t> contenders;    ///< others whose 80 % band overlaps its band, or where one band is not known; best first
    [[nodiscard]] bool isClear() const { return contenders.empty(); }
};

/// Empty when fewer than two columns have the result, or when neither more nor less of it is better.
[[nodiscard]] std::optional<Standing> standingOf(const Metric& metric, std::span<const Evaluated> configurations);

/// "the 80 % bands of D (1.35 … 1.76) and B (1.41 … 1.84 $/M tokens) overlap by 0.35 $/M tokens", or that a band is not known.
[[nodiscard]] std::string overlapText(const Metric& metric, std::span<const Evaluated> configurations, std::size_t first,
                                      std::size_t second);

} // namespace ridgepoint
