// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/board_header.h"

#include "app/panels/badges.h"
#include "app/panels/board_model.h"
#include "app/style/app_style.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace ridgepoint::app {

namespace {

constexpr int margin = 8, badgeHeight = 17, markWidth = 17, firstBadgeLine = 28, groupWidth = 78;

QString nameOf(const BoardModel& model, int column) { return letterOf(column) + QStringLiteral(" · ") + model.column(column).name; }

QString fitText(const BoardColumn& column)
{
    const QString sign = column.overloaded ? QStringLiteral("✕ ") : column.verdict == Verdict::fits ? QStringLiteral("✓ ") : column.verdict == Verdict::tight ? QStringLiteral("! ")
                                                                                                                    : QStringLiteral("✕ ");
    return sign + (column.shortBy.isEmpty() ? column.verdictText : BoardModel::tr("Does not fit"));
}

} // namespace

BoardColumnHeader::BoardColumnHeader(const BoardModel* model, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent), m_model(model)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setMouseTracking(true);
}

/// Baseline and cheapest stand beside the name where there is room, else below with the others, in as many lines as needed.
std::vector<BoardColumnHeader::Placed> BoardColumnHeader::badges(int index, double& nameWidth) const
{
    const BoardColumn& column = m_model->column(index);
    const double width = sectionSize(index), right = width - margin;
    std::vector<Placed> roles, below{{fitText(column), int(verdictKind(column)), {}}}, result;
    if (!column.shortBy.isEmpty())
        below.push_back({column.shortBy, int(verdictKind(column)), {}});
    if (!column.provenance.isEmpty())
        below.push_back({column.provenance, int(provenanceKind(column)), {}});
    if (!column.provenance.isEmpty() && !column.band.isEmpty())
        below.push_back({column.band, int(BadgeKind::neutral), {}});
    if (column.baseline)
        roles.push_back({BoardModel::tr("Baseline"), int(BadgeKind::neutral), {}});
    if (column.cheapest)
        roles.push_back({column.clearly ? BoardModel::tr("Cheapest") : BoardModel::tr("Likely cheapest"), int(BadgeKind::accent), {}});
    double rolesWidth = 0;
    for (const Placed& role : roles)
        rolesWidth += badgeWidth(role.text) + 4;
    const double whole = QFontMetricsF(textFont(10, QFont::DemiBold)).horizontalAdvance(nameOf(*m_model, index)) + 1;
    nameWidth = right - margin - markWidth;
    if (whole + rolesWidth + 4 <= nameWidth) {
        double x = right;
        for (auto role = roles.rbegin(); role != roles.rend(); ++role) {
            x -= badgeWidth(role->text);
            result.push_back({role->text, role->kind, QRectF(x, 7, badgeWidth(role->text), badgeHeight)});
            x -= 4;
        }
        nameWidth -= rolesWidth;
    } else {
        below.insert(below.end(), roles.begin(), roles.end());
    }
    double x = margin, y = firstBadgeLine;
    for (const Placed& badge : below) {
        const double w = std::min(badgeWidth(badge.text), right - margin);
        if (x > margin && x + w > right) {
            x = margin;
            y += badgeHeight + 3;
        }
        result.push_back({badge.text, badge.kind, QRectF(x, y, w, badgeHeight)});
        x += w + 4;
    }
    return result;
}

int BoardColumnHeader::neededHeight() const
{
    double bottom = firstBadgeLine + badgeHeight;
    double nameWidth = 0;
    for (int i = 0; m_model && i < m_model->columnCount() && i < count(); ++i)
        for (const Placed& badge : badges(i, nameWidth))
            bottom = std::max(bottom, badge.rect.bottom());
    return int(bottom) + 6;
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

    double nameWidth = 0;
    for (const Placed& badge : badges(index, nameWidth))
        paintBadge(*painter, badge.rect.translated(rect.topLeft()), badge.text, BadgeKind(badge.kind));
    paintMark(*painter, {rect.left() + margin + 5.0, rect.top() + 15.5}, index, 11, t);
    painter->setFont(textFont(10, QFont::DemiBold));
    painter->setPen(t.text);
    const QRectF name(rect.left() + margin + markWidth, rect.top() + 4, nameWidth, 23);
    painter->drawText(name, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(nameOf(*m_model, index), Qt::ElideRight, int(std::ceil(name.width()))));
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
                lines << column.provenance + QStringLiteral(": ") + m_model->provenanceHelp(index);
            if (!column.provenance.isEmpty() && !column.band.isEmpty())
                lines << BoardModel::tr("In 8 cases of 10, TPOT, rates and costs lie within %1").arg(column.band);
            if (!column.contest.isEmpty())
                lines << column.contest;
            QToolTip::showText(help->globalPos(), wrappingToolTip(lines.join(QLatin1Char('\n'))), this);
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

QRect BoardRowHeader::labelRect(const QRect& section, int index) const
{
    return section.adjusted(m_model->row(index).kind == BoardRow::Kind::knob ? groupWidth : margin, 0, -7, 0);
}

bool BoardRowHeader::wraps(int index, int width) const
{
    const BoardRow& row = m_model->row(index);
    const int unit = row.unit.isEmpty() ? 0 : QFontMetrics(textFont(8.5)).horizontalAdvance(row.unit) + 6;
    return QFontMetrics(textFont(9.5)).horizontalAdvance(row.label) > labelRect(QRect(0, 0, width, 20), index).width() - unit;
}

int BoardRowHeader::neededHeight(int index) const
{
    const int height = m_model->row(index).height();
    return wraps(index, m_width) ? std::max(height, 2 * QFontMetrics(textFont(9.5)).height() + 3) : height;
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
    painter->setPen(t.hairline);
    painter->drawLine(knob ? rect.left() + groupWidth - 6 : rect.left(), rect.bottom(), rect.right() - 1, rect.bottom());
    if (knob && row.firstOfGroup) {
        painter->setPen(t.border);
        painter->drawLine(rect.left(), rect.top() - 1, rect.right() - 1, rect.top() - 1);
        painter->setFont(textFont(8.5, QFont::DemiBold));
        painter->setPen(t.secondary);
        painter->drawText(QRect(rect.left() + margin, rect.top(), groupWidth, rect.height()), Qt::AlignVCenter | Qt::AlignLeft, row.group);
    }
    // A label that leaves no room for its unit takes two lines, the unit then stands at the end of the second.
    const QRect label = labelRect(rect, index);
    const bool twoLines = wraps(index, rect.width());
    painter->setFont(textFont(9.5));
    painter->setPen(t.text);
    const bool oneLine = painter->fontMetrics().horizontalAdvance(row.label) <= label.width();
    painter->drawText(twoLines && oneLine ? label.adjusted(0, 1, 0, -label.height() / 2 + 1) : label,
                      int(Qt::AlignVCenter | Qt::AlignLeft) | (oneLine ? 0 : Qt::TextWordWrap), row.label);
    if (!row.unit.isEmpty()) {
        painter->setFont(textFont(8.5));
        painter->setPen(t.faint);
        painter->drawText(twoLines ? label.adjusted(0, label.height() / 2 - 1, 0, -1) : label, Qt::AlignVCenter | Qt::AlignRight, row.unit);
    }
    painter->restore();
}

} // namespace ridgepoint::app
