// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/metrics.h"
#include "core/scenario/presets.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// What a metric becomes when one number alone is smaller or larger.
struct Swing
{
    std::string knob;
    double value = 0;                     ///< as it stands
    double lowValue = 0, highValue = 0;   ///< tried
    std::optional<double> low, high;      ///< the metric there; absent: infeasible
    /// Percent that the metric changes by for a percent of the knob, from the two ends; absent where either is.
    std::optional<double> elasticity;
    bool operator==(const Swing&) const = default;
};

/// A tornado: how far a metric moves when each number of a scenario moves by a share of itself, the furthest first.
///
/// Hardware, workload and price alike: every number knob that can act on the scenario and is above 0. Whole numbers move
/// by at least one. A change that the plan cannot follow, such as TP 9, is left out: it is no uncertainty.
///
///     elasticity = ln(high / low) / ln(highValue / lowValue)
///
/// share    in (0, 1), such as 0.1
[[nodiscard]] std::vector<Swing> tornado(const Evaluated& column, const Metric& metric, double share,
                                         const Presets& presets);

/// A value of a knob at which two configurations do equally well.
struct BreakEven
{
    double value = 0;
    bool firstBelow = false;              ///< the first one is better below the value, else above it
    std::optional<Band> band;             ///< where the better one is known with 90 % outside; absent: unknown, or unbounded
    bool operator==(const BreakEven&) const = default;
};

/// Which of two configurations a knob is turned in.
enum class Turned { both, first };

/// Where two configurations change places in a metric while a number knob moves over its range.
///
/// The range is walked on the knob's scale and each change of sign of ln(first / second) is narrowed down to a
/// ten-thousandth of the value. Stretches in which either does not run have no break-even.
///
/// ignores  pairs of changes closer together than a hundredth of the range
[[nodiscard]] std::vector<BreakEven> breakEvens(const Evaluated& first, const Evaluated& second, const Metric& metric,
                                                std::string_view knob, Turned turned, const Presets& presets);

} // namespace ridgepoint
