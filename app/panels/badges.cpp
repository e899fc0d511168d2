// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/badges.h"

#include "app/panels/board_model.h"
#include "app/style/fonts.h"
#include "app/style/tokens.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>

namespace ridgepoint::app {

QColor badgeColour(BadgeKind kind)
{
    const Tokens& t = tokens();
    switch (kind) {
    case BadgeKind::good: return t.good;
    case BadgeKind::warning: return t.warning;
    case BadgeKind::bad: return t.bad;
    case BadgeKind::neutral: return t.secondary;
    case BadgeKind::accent: return t.accent;
    }
    return t.secondary;
}

QColor badgeTint(BadgeKind kind)
{
    const Tokens& t = tokens();
    switch (kind) {
    case BadgeKind::good: return t.goodTint;
    case BadgeKind::warning: return t.warningTint;
    case BadgeKind::bad: return t.badTint;
    case BadgeKind::neutral: return t.neutralTint;
    case BadgeKind::accent: return t.accentTint;
    }
    return t.neutralTint;
}

double badgeWidth(const QString& text)
{
    static QHash<QString, double> known;   // few texts, asked for at every change
    if (known.size() > 500)
        known.clear();
    double& width = known[text];
    if (width <= 0)
        width = QFontMetricsF(textFont(8.5, QFont::DemiBold)).horizontalAdvance(text) + 13;
    return width;
}

void paintBadge(QPainter& painter, const QRectF& rect, const QString& text, BadgeKind kind)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(badgeTint(kind));
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    painter.setFont(textFont(8.5, QFont::DemiBold));
    painter.setPen(badgeColour(kind));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, rect.width() - 10));
    painter.restore();
}

BadgeKind verdictKind(const BoardColumn& column)
{
    if (column.overloaded)
        return BadgeKind::bad;
    return column.verdict == Verdict::fits ? BadgeKind::good : column.verdict == Verdict::tight ? BadgeKind::warning : BadgeKind::bad;
}

BadgeKind provenanceKind(const BoardColumn& column)
{
    switch (column.source) {
    case Provenance::calibrated: return BadgeKind::good;
    case Provenance::dataSheet:
    case Provenance::familyDefault:
    case Provenance::generalDefault: return BadgeKind::warning;
    case Provenance::unknown: break;
    }
    return BadgeKind::bad;
}

} // namespace ridgepoint::app
