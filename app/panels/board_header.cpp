// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/board_header.h"

#include "app/panels/badges.h"
#include "app/panels/board_model.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace ridgepoint::app {

namespace {

constexpr int margin = 9, badgeHeight = 17;

QString fitText(const BoardColumn& column)
{
    const QString sign = column.verdict == Verdict::fits ? QStringLiteral("✓ ") : column.verdict == Verdict::tight ? QStringLiteral("! ")
                                                                                                                    : QStringLiteral("✕ ");
    return sign + column.verdictText;
}

} // namespace

BoardColumnHeader::BoardColumnHeader(const BoardModel* model, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent), m_model(model)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setMouseTracking(true);
}

void BoardColumnHeader::paintSection(QPainter* painter, const QRect& rect, int index) const
{
    if (!m_model || index < 0 || index >= m_model->columnCount())
        return;
    const Tokens& t = tokens();
    const BoardColumn& column = m_model->column(index);
    painter->save();
    painter->fillRect(rect, t.panel);
    if (column.cheapest)
        painter->fillRect(QRect(rect.left(), rect.top(), rect.width() - 1, 2), t.accent);
    painter->setPen(t.border);
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->setPen(t.hairline);
    painter->drawLine(rect.right(), rect.top(), rect.right(), rect.bottom() - 1);

    double right = rect.right() - margin;
    const auto badge = [&](const QString& text, BadgeKind kind) {
        const double width = badgeWidth(text);
        paintBadge(*painter, QRectF(right - width, rect.top() + 7, width, badgeHeight), text, kind);
        right -= width + 4;
    };
    if (column.cheapest)
        badge(BoardModel::tr("Cheapest"), BadgeKind::accent);
    if (column.baseline)
        badge(column.cheapest && rect.width() < 230 ? BoardModel::tr("Base") : BoardModel::tr("Baseline"), BadgeKind::neutral);
    paintMark(*painter, {rect.left() + margin + 5.0, rect.top() + 15.5}, index, 11, t);
    painter->setFont(textFont(10, QFont::DemiBold));
    painter->setPen(t.text);
    const QRectF name(rect.left() + margin + 17, rect.top() + 4, right - rect.left() - margin - 19, 23);
    painter->drawText(name, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(letterOf(index) + QStringLiteral(" · ") + column.name, Qt::ElideRight, int(name.width())));

    const double top = rect.top() + 28, left = rect.left() + margin;
    const double available = rect.width() - 2 * margin;
    const QString fit = fitText(column);
    const double fitWidth = std::min(badgeWidth(fit), available);
    paintBadge(*painter, QRectF(left, top, fitWidth, badgeHeight), fit, verdictKind(column));
    const double rest = available - fitWidth - 5;
    if (!column.provenance.isEmpty() && rest > 40)
        paintBadge(*painter, QRectF(left + fitWidth + 5, top, std::min(badgeWidth(column.provenance), rest), badgeHeight),
                   column.provenance, provenanceKind(column));
    painter->restore();
}

bool BoardColumnHeader::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_model) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = logicalIndexAt(help->pos());
        if (index >= 0 && index < m_model->columnCount()) {
            const BoardColumn& column = m_model->column(index);
            QStringList lines{letterOf(index) + QStringLiteral(" · ") + column.name, column.verdictText};
            if (!column.verdictHelp.isEmpty())
                lines << column.verdictHelp;
            if (!column.provenance.isEmpty())
                lines << BoardModel::tr("Times: %1, band unknown").arg(column.provenance.toLower());
            QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
        }
        return true;
    }
    return QHeaderView::viewportEvent(event);
}

BoardRowHeader::BoardRowHeader(const BoardModel* model, QWidget* parent) : QHeaderView(Qt::Vertical, parent), m_model(model)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setMinimumSectionSize(20);
    setSectionsClickable(false);
}

void BoardRowHeader::setLabelWidth(int width)
{
    m_width = width;
    updateGeometry();
}

void BoardRowHeader::paintSection(QPainter* painter, const QRect& rect, int index) const
{
    if (!m_model || index < 0 || index >= m_model->rowCount())
        return;
    const Tokens& t = tokens();
    const BoardRow& row = m_model->row(index);
    painter->save();
    painter->fillRect(rect, t.alternate);
    painter->setPen(t.border);
    painter->drawLine(rect.topRight(), rect.bottomRight());
    const bool knob = row.kind == BoardRow::Kind::knob;
    const int groupWidth = 78;
    painter->setPen(t.hairline);
    painter->drawLine(knob ? rect.left() + groupWidth - 6 : rect.left(), rect.bottom(), rect.right() - 1, rect.bottom());
    int left = rect.left() + margin;
    if (knob) {
        if (row.firstOfGroup) {
            painter->setPen(t.border);
            painter->drawLine(rect.left(), rect.top() - 1, rect.right() - 1, rect.top() - 1);
            painter->setFont(textFont(8.5, QFont::DemiBold));
            painter->setPen(t.secondary);
            painter->drawText(QRect(left, rect.top(), groupWidth, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, row.group);
        }
        left = rect.left() + groupWidth;
    }
    const QFont unitFont = textFont(8.5);
    const int unitWidth = row.unit.isEmpty() ? 0 : QFontMetrics(unitFont).horizontalAdvance(row.unit) + 6;
    const QRect label(left, rect.top(), rect.right() - 7 - left - unitWidth, rect.height());
    painter->setFont(textFont(9.5));
    painter->setPen(t.text);
    painter->drawText(label, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(row.label, Qt::ElideRight, label.width()));
    if (unitWidth > 0) {
        painter->setFont(unitFont);
        painter->setPen(t.faint);
        painter->drawText(QRect(rect.right() - 7 - unitWidth, rect.top(), unitWidth, rect.height()), Qt::AlignVCenter | Qt::AlignRight, row.unit);
    }
    painter->restore();
}

} // namespace ridgepoint::app
