// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/catalog.h"

namespace ridgepoint {

/// How far a metric of one column moves when each number moves by a tenth (`tornado`), the furthest first.
[[nodiscard]] Figure tornadoFigure(const FigureInput& input);

/// How a metric gets from the baseline to another column, a step for each knob that differs (`contributions`): the bars
/// add up to the difference.
[[nodiscard]] Figure waterfallFigure(const FigureInput& input);

/// How often each column takes each place when the unknowns vary (`rankOdds`).
[[nodiscard]] Figure oddsFigure(const FigureInput& input);

/// "B comes first in 83 % of the plausible worlds", or that there is no clear winner: the headline over the three.
[[nodiscard]] std::string decisionText(const FigureInput& input);

} // namespace ridgepoint
