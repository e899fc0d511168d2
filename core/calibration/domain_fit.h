// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/measured_domain.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ridgepoint {

/// What leaving one measurement out said of it.
struct LeftOutError
{
    MeasuredDomain::Point point{};
    double log = 0.0;        ///< log(measured / predicted)
    std::uint64_t key = 0;   ///< rows that share it were left out together, and err together
    bool alone = false;      ///< left out while other rows of its key stayed
};

/// The band that holds four fifths of the measurements: the tenth and the nine-tenth quantile, each moved out by what
/// few rows leave unknown, and never on one side of the prediction alone.
[[nodiscard]] ErrorBand bandOf(std::span<const LeftOutError> errors);

/// Boxes of shapes whose errors scatter alike: the box of all rows is cut in two where that makes the bands better by at
/// least 4 %, and so on, three times at the most, never below 40 rows or 8 keys. Every band is then widened by what its
/// few keys leave unknown.
///
///     score of a band = sum over rows of (log high - log low) + 10 · what a row lies outside
///     distance of an edge from the median -> distance · t(0.9, n - 1) / t(0.9, inf) · sqrt(1 + 1 / n)
///     n = rows / (1 + (rows / keys - 1) r), r the share of the variance that the rows of a key have in common
///
/// t(p, f) is the quantile of Student's distribution with f degrees of freedom; few keys draw r to a usual value.
/// source   gneitingRaftery2007, the interval score of an 80 % band
[[nodiscard]] MeasuredDomain fitDomain(std::span<const LeftOutError> errors);

/// The same with the logarithm of every edge multiplied, and a scatter of its own added in squares.
[[nodiscard]] MeasuredDomain widened(MeasuredDomain domain, double factor, double scatter);

} // namespace ridgepoint
