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

/// A knob that two scenarios disagree on.
struct KnobDifference
{
    std::string knob;
    std::string from, to;                 ///< as cells show them
    bool operator==(const KnobDifference&) const = default;
};

[[nodiscard]] std::vector<KnobDifference> differences(const Scenario& a, const Scenario& b, const Presets& presets);

/// What one step from A to B does to a metric.
struct Contribution
{
    std::vector<std::string> knobs;       ///< changed in this step; several when one alone does not run; none: the rest
    std::string label;                    ///< "TP 8 → 4"
    double change = 0;                    ///< in the unit of the metric
    bool operator==(const Contribution&) const = default;
};

/// How a metric gets from A to B: one step for each knob that differs, in the order given.
///
/// Each step sets one more knob to B's value on top of those before, so the changes add up to the whole difference; in
/// another order they share it differently, which is why the order is stated. A step that does not run is joined with the
/// next. What no knob describes, such as a device of one's own, comes last as "the rest".
///
/// order    knob ids; those missing follow in the order of the knob table
/// returns  empty when either end does not run
[[nodiscard]] std::vector<Contribution> contributions(const Scenario& a, const Scenario& b, const Metric& metric,
                                                      std::span<const std::string> order, const Presets& presets);

} // namespace ridgepoint
