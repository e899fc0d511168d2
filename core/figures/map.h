// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/catalog.h"
#include "core/sweep/sweep.h"

namespace ridgepoint {

/// The points of a map: one column with two knobs over their ranges.
struct MapPlan
{
    Sweep sweep;
    KnobAxis x, y;

    /// Point of the sweep for a cell.
    [[nodiscard]] std::size_t point(std::size_t column, std::size_t row) const;
};

/// Whether a knob can be an axis of a map: a number, or a choice of few.
[[nodiscard]] bool isMappable(const Knob& knob, const Scenario& scenario, const Presets& presets);

/// fails    without a column or presets, or when a knob cannot be an axis
[[nodiscard]] Result<MapPlan> mapPlan(const FigureInput& input);

/// A metric over the values of two knobs; cells that break a limit or do not run say which and why.
[[nodiscard]] Figure mapFigure(const FigureInput& input);

/// The same with the counts of its cells, for who shows both.
struct Map
{
    HeatFigure figure;
    std::string counts;          ///< "12 of 40 shown; 21 break TTFT, 7 do not fit"
};
[[nodiscard]] Map mapOf(const FigureInput& input);

} // namespace ridgepoint
