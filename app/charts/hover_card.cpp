// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/hover_card.h"

#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"

#include <QPainter>

namespace ridgepoint::app {

namespace {

constexpr int shadow = 6, padding = 9, row = 18;

} // namespace

HoverCard::HoverCard(QWidget* window) : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    hide();
}

void HoverCard::show(const ChartHit& hit, const QPoint& globalPosition)
{
    m_hit = hit;
    const QFontMetricsF title(textFont(9, QFont::DemiBold)), labels(textFont(8.5)), values(numberFont(9, QFont::DemiBold));
    m_labelWidth = 0;
    double valueWidth = 0, whole = title.horizontalAdvance(hit.title) + (hit.configuration >= 0 ? 20 : 0);
    for (const QString& line : hit.lines) {
        const qsizetype tab = line.indexOf(QLatin1Char('\t'));
        if (tab < 0) {
            whole = std::max(whole, labels.horizontalAdvance(line));
            continue;
        }
        m_labelWidth = std::max(m_labelWidth, labels.horizontalAdvance(line.left(tab)));
        valueWidth = std::max(valueWidth, values.horizontalAdvance(line.mid(tab + 1)));
    }
    const int width = int(std::max(whole, m_labelWidth + valueWidth + 14)) + 2 * (padding + shadow) + 2;
    const int height = int(hit.lines.size() + 1) * row + 2 * (padding + shadow) - 4;
    const QWidget* window = parentWidget();
    QPoint at = window->mapFromGlobal(globalPosition) + QPoint(12, 12);
    if (at.x() + width > window->width())
        at.rx() -= width + 20;
    if (at.y() + height > window->height())
        at.ry() -= height + 20;
    setGeometry(QRect(at, QSize(width, height)));
    update();
    raise();
    QWidget::show();
}

void HoverCard::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (int i = 0; i < shadow; ++i) {
        painter.setBrush(QColor(0, 0, 0, t.dark ? 22 : 8));
        painter.drawRoundedRect(QRectF(rect()).adjusted(i, i + 1, -i, -i + 1), 6, 6);
    }
    const QRectF card = QRectF(rect()).adjusted(shadow + 0.5, shadow - 1.5, -shadow - 0.5, -shadow - 1.5);
    painter.setBrush(t.panel);
    painter.setPen(QPen(t.border, 1));
    painter.drawRoundedRect(card, 4, 4);
    double x = card.left() + padding, y = card.top() + padding - 2;
    const double width = card.width() - 2 * padding;
    if (m_hit.configuration >= 0) {
        paintMark(painter, {x + 5, y + row / 2.0}, m_hit.configuration, 9, t);
        x += 18;
    }
    painter.setFont(textFont(9, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRectF(x, y, width, row), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, m_hit.title);
    x = card.left() + padding;
    for (const QString& line : m_hit.lines) {
        y += row;
        const qsizetype tab = line.indexOf(QLatin1Char('\t'));
        painter.setFont(textFont(8.5));
        painter.setPen(t.secondary);
        painter.drawText(QRectF(x, y, width, row), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip,
                         tab < 0 ? line : line.left(tab));
        if (tab < 0)
            continue;
        painter.setFont(numberFont(9, QFont::DemiBold));
        painter.setPen(t.text);
        painter.drawText(QRectF(x, y, width, row), Qt::AlignVCenter | Qt::AlignRight | Qt::TextDontClip, line.mid(tab + 1));
    }
}

} // namespace ridgepoint::app
