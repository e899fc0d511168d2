// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/style/tokens.h"

#include <QBrush>
#include <QString>

class QCustomPlot;
class QCPAxis;

namespace ridgepoint::app {

/// Background, grid, axis pens and fonts of a plot.
void applyChartTheme(QCustomPlot& plot, const Tokens& tokens);

/// Ticks with thousands separators: 1-2-5 steps on a linear axis, decades (and 2, 5 where there is room) on a log one.
void setAxisScale(QCPAxis& axis, AxisScale scale);

/// The fill of a part of a bar, hatched where the kind of part is.
[[nodiscard]] QBrush toneBrush(const Tokens& tokens, Tone tone);

/// A number as charts write it: three significant digits, thousands separated.
[[nodiscard]] QString chartNumber(double value);

} // namespace ridgepoint::app
