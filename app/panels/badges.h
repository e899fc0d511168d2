// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

class QPainter;
class QRectF;

namespace ridgepoint::app {

struct BoardColumn;

enum class BadgeKind { good, warning, bad, neutral, accent };

[[nodiscard]] double badgeWidth(const QString& text);
void paintBadge(QPainter& painter, const QRectF& rect, const QString& text, BadgeKind kind);
[[nodiscard]] QColor badgeColour(BadgeKind kind);
[[nodiscard]] QColor badgeTint(BadgeKind kind);
[[nodiscard]] BadgeKind verdictKind(const BoardColumn& column);
[[nodiscard]] BadgeKind provenanceKind(const BoardColumn& column);

} // namespace ridgepoint::app
