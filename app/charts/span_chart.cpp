// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/span_chart.h"

#include "app/charts/chart_theme.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

constexpr double axisHeight = 37, lowestRow = 17;

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Fill of a stretch; a hatch tells the two ends of a number apart without colour.
QBrush brushOf(const Span& span, int configuration, const Tokens& t)
{
    switch (span.role) {
    case SpanRole::lower: return QBrush(t.kvCache);
    case SpanRole::higher: return QBrush(t.weights);
    case SpanRole::better: return QBrush(t.good);
    case SpanRole::worse: return QBrush(t.bad);
    case SpanRole::total: return QBrush(configuration >= 0 ? seriesColour(t, configuration) : t.host);
    case SpanRole::place: {
        QColor colour = seriesColour(t, std::max(0, configuration));
        constexpr double paler[] = {1.0, 0.5, 0.26, 0.12};
        const double share = paler[std::min<std::size_t>(std::size_t(span.place), std::size(paler) - 1)];
        return QBrush(QColor::fromRgbF(float(colour.redF() * share + t.panel.redF() * (1 - share)),
                                       float(colour.greenF() * share + t.panel.greenF() * (1 - share)),
                                       float(colour.blueF() * share + t.panel.blueF() * (1 - share))));
    }
    }
    return {};
}

} // namespace

SpanChart::SpanChart(QCustomPlot* plot) : Chart(plot)
{
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->yAxis->setTicks(false);
    plot->yAxis->setTickLabels(false);
    plot->yAxis->setLabel({});
    plot->yAxis->grid()->setVisible(false);
    plot->yAxis->setRange(0, 1);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
}

void SpanChart::show(const SpanFigure& figure)
{
    m_figure = figure;
    setAxisScale(*mParentPlot->xAxis, AxisScale::linear);
    mParentPlot->xAxis->setLabel(text(figure.value.label));
}

void SpanChart::arrange(bool fitRanges)
{
    const QFontMetricsF names(textFont(9)), numbers(numberFont(9));
    double name = 0, label = 0, low = 1e300, high = -1e300;
    for (const SpanRow& row : m_figure.rows) {
        name = std::max(name, names.horizontalAdvance(text(row.name)) + (row.configuration >= 0 ? 16 : 0));
        label = std::max(label, numbers.horizontalAdvance(text(row.label)));
        for (const Span& span : row.spans) {
            low = std::min({low, span.from, span.to});
            high = std::max({high, span.from, span.to});
        }
    }
    const double width = mParentPlot->viewport().width();
    m_left = std::clamp(name + 20, 24.0, std::max(60.0, width * 0.5));
    const int top = mParentPlot->property("topMargin").toInt() + 6;
    mParentPlot->axisRect()->setMargins(QMargins(int(m_left), top, int(std::ceil(label)) + 18, int(axisHeight)));
    const double room = mParentPlot->viewport().height() - top - axisHeight;
    m_shown = std::min(m_figure.rows.size(), std::size_t(std::max(1.0, std::floor(room / lowestRow))));
    if (!fitRanges)
        return;
    if (m_figure.value.minimum && m_figure.value.maximum) {
        low = *m_figure.value.minimum;
        high = *m_figure.value.maximum;
    } else if (low > high) {
        low = 0;
        high = 1;
    } else {
        const double margin = high > low ? 0.04 * (high - low) : std::max(1e-9, 0.05 * std::abs(high));
        low = low == 0 ? 0 : low - margin;
        high = high == 0 ? 0 : high + margin;
    }
    mParentPlot->xAxis->setRange(low, high);
}

QRectF SpanChart::slot(std::size_t row) const
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    const double height = std::min(34.0, rect.height() / double(std::max<std::size_t>(1, m_shown)));
    return {rect.left(), rect.top() + height * double(row), rect.width(), height};
}

QRectF SpanChart::spanRect(std::size_t row, const Span& span) const
{
    const QRectF area = slot(row);
    const double height = std::clamp(std::round(area.height() * 0.62), 6.0, 22.0);
    const double a = mParentPlot->xAxis->coordToPixel(span.from), b = mParentPlot->xAxis->coordToPixel(span.to);
    const double x0 = std::clamp(std::min(a, b), area.left(), area.right()), x1 = std::clamp(std::max(a, b), area.left(), area.right());
    return {x0, std::round(area.center().y() - height / 2), x1 - x0, height};
}

void SpanChart::drawRow(QCPPainter& painter, std::size_t index) const
{
    const Tokens& t = theme();
    const SpanRow& row = m_figure.rows[index];
    const QRectF area = slot(index);
    const bool isSelected = !selected().isEmpty() && selected() == text(row.key);
    double left = 8;
    if (row.configuration >= 0 && !row.name.empty()) {
        painter.setAntialiasing(true);
        paintMark(painter, {left + 5, area.center().y()}, row.configuration, 9, t);
        left += 15;
    }
    painter.setFont(textFont(9, isSelected ? QFont::DemiBold : QFont::Normal));
    painter.setPen(isSelected ? t.accent : t.text);
    const QRectF nameRect(left, area.top(), m_left - left - 6, area.height());
    painter.drawText(nameRect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     QFontMetricsF(painter.font()).elidedText(text(row.name), Qt::ElideRight, nameRect.width()));
    painter.setAntialiasing(false);
    if (row.spans.empty()) {
        painter.setFont(textFont(9));
        painter.setPen(t.secondary);
        painter.drawText(row.name.empty() ? QRectF(12, area.top(), area.right() - 12, std::max(60.0, area.height())) : area.adjusted(6, 0, -6, 0),
                         int(Qt::AlignVCenter | Qt::AlignLeft) | Qt::TextWordWrap, text(row.note));
        return;
    }
    painter.setFont(numberFont(8.5));
    for (const Span& span : row.spans) {
        QRectF rect = spanRect(index, span);
        rect.setWidth(std::max(1.0, rect.width()));
        const QBrush brush = brushOf(span, row.configuration, t);
        painter.fillRect(rect, brush);
        if (contrast(brush.color(), t.panel) < 3) {
            painter.setPen(QPen(t.faint, 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (isSelected) {
            painter.setPen(QPen(t.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, -2, 0, 2));
        }
        // What the end of a stretch of a tornado stands for, where there is room inside.
        if (span.role == SpanRole::lower || span.role == SpanRole::higher || span.role == SpanRole::place) {
            const QString name = span.role == SpanRole::place ? chartNumber(span.to - span.from) + QStringLiteral("\u00a0%") : text(span.name);
            if (QFontMetricsF(painter.font()).horizontalAdvance(name) + 8 <= rect.width()) {
                painter.setPen(textOn(brush.color()));
                painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, name);
            }
        }
    }
    painter.setFont(numberFont(9));
    painter.setPen(t.text);
    painter.drawText(QRectF(area.right() + 4, area.top(), mParentPlot->viewport().right() - area.right() - 10, area.height()),
                     Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, text(row.label));
}

void SpanChart::draw(QCPPainter* painter)
{
    const Tokens& t = theme();
    for (std::size_t i = 0; i < m_shown; ++i)
        drawRow(*painter, i);
    if (m_figure.reference && m_shown > 0) {
        const double x = mParentPlot->xAxis->coordToPixel(*m_figure.reference);
        const QRectF rect(mParentPlot->axisRect()->rect());
        if (x >= rect.left() && x <= rect.right()) {
            painter->setPen(QPen(t.text, 1));
            painter->drawLine(QPointF(x, rect.top()), QPointF(x, slot(m_shown - 1).bottom()));
        }
    }
}

std::optional<ChartHit> SpanChart::hit(const QPointF& position) const
{
    for (std::size_t i = 0; i < m_shown; ++i) {
        const SpanRow& row = m_figure.rows[i];
        const QRectF area = slot(i);
        if (position.y() < area.top() || position.y() >= area.bottom())
            continue;
        ChartHit hit{.title = text(row.name), .lines = {}, .key = text(row.key), .configuration = row.configuration, .position = area.center()};
        for (const Span& span : row.spans)
            if (spanRect(i, span).adjusted(-1, -2, 1, 2).contains(position)) {
                hit.lines = {text(span.hover)};
                hit.position = spanRect(i, span).center();
                return hit;
            }
        for (const Span& span : row.spans)
            hit.lines << text(span.hover);
        if (!row.note.empty())
            hit.lines << text(row.note);
        if (!row.name.empty())
            return hit;
    }
    return std::nullopt;
}

} // namespace ridgepoint::app
