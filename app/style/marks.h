// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPixmap>
#include <Qt>

class QPainter;

namespace ridgepoint::app {

struct Tokens;

/// The mark of a column around (0, 0): ● ■ ▲ ◆ ▼ ★ ✚ ⬢. All have about the area of a circle of that diameter.
[[nodiscard]] QPainterPath markPath(int configuration, double diameter);

void paintMark(QPainter& painter, const QPointF& centre, int configuration, double diameter, const Tokens& tokens);

/// A mark as a picture, for places that take nothing else.
[[nodiscard]] QPixmap markPixmap(int configuration, double diameter, double devicePixelRatio, const Tokens& tokens);

/// From the fifth column on lines are dashed, so that colours that some readers cannot tell apart stay apart.
[[nodiscard]] Qt::PenStyle seriesPenStyle(int configuration);

/// "A" to "H".
[[nodiscard]] QString letterOf(int configuration);

} // namespace ridgepoint::app
