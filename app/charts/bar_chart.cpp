// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/bar_chart.h"

#include "app/charts/chart_theme.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ridgepoint::app {

namespace {

constexpr double legendRow = 16, swatch = 11, left = 40, axisHeight = 37, lowestBar = 12;

QString text(const std::string& value) { return QString::fromStdString(value); }

bool isDrawn(const BarPart& part) { return std::isfinite(part.value) && part.value > 0; }

double total(const Bar& bar)
{
    double sum = 0;
    for (const BarPart& part : bar.parts)
        if (isDrawn(part))
            sum += part.value;
    return sum;
}

QString restText(std::size_t count) { return QCoreApplication::translate("BarChart", "+%1 more").arg(count); }

} // namespace

BarChart::BarChart(QCustomPlot* plot) : Chart(plot)
{
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->yAxis->setTicks(false);
    plot->yAxis->setTickLabels(false);
    plot->yAxis->grid()->setVisible(false);
    plot->yAxis->setRange(0, 1);
    plot->axisRect()->setRangeZoom(Qt::Horizontal);
    plot->axisRect()->setRangeDrag(Qt::Horizontal);
}

void BarChart::show(const BarFigure& figure)
{
    m_figure = figure;
    setAxisScale(*mParentPlot->xAxis, AxisScale::linear);
    mParentPlot->xAxis->setLabel(text(figure.value.label));
    m_legend.clear();
    for (const Bar& bar : figure.bars)
        for (const BarPart& part : bar.parts) {
            const QString name = text(part.name);
            const bool known = std::any_of(m_legend.begin(), m_legend.end(),
                                           [&](const LegendEntry& entry) { return entry.name == name; });
            if (!known && isDrawn(part))
                m_legend.push_back({name, part.tone, {}});
        }
}

void BarChart::arrange(bool fitRanges)
{
    const double width = mParentPlot->viewport().width();
    const QFontMetricsF metrics(textFont(8.5)), bold(numberFont(9, QFont::DemiBold));
    double x = 0, y = 0;
    for (LegendEntry& entry : m_legend) {
        const double w = swatch + 5 + metrics.horizontalAdvance(entry.name) + 12;
        if (x > 0 && x + w > width - left) {
            x = 0;
            y += legendRow;
        }
        entry.rect = QRectF(x, y, w, legendRow);
        x += w;
    }
    m_legendHeight = m_legend.empty() ? 0 : y + legendRow;
    m_legendShown = m_legend.size();
    m_legendRest = {};
    double right = 0;
    double most = 0;
    for (const Bar& bar : m_figure.bars) {
        right = std::max(right, bold.horizontalAdvance(text(bar.totalLabel)));
        most = std::max(most, total(bar));
    }
    // In a low plot the bars come first: the legend has the lines that are left, its last entry counts and lists the others.
    const double rest = mParentPlot->viewport().height() - mParentPlot->property("topMargin").toInt() - 4 - axisHeight;
    if (const double room = rest - lowestBar * double(m_figure.bars.size()); room < m_legendHeight) {
        m_legendHeight = legendRow * std::max(0.0, std::floor(room / legendRow));
        const double note = metrics.horizontalAdvance(restText(m_legend.size())) + 4;
        const auto fits = [&](const LegendEntry& entry) {
            const bool isLast = entry.rect.bottom() >= m_legendHeight;
            return entry.rect.bottom() <= m_legendHeight && (!isLast || entry.rect.right() + note <= width - left);
        };
        m_legendShown = std::size_t(std::find_if_not(m_legend.begin(), m_legend.end(), fits) - m_legend.begin());
        if (m_legendHeight > 0)
            m_legendRest = QRectF(m_legendShown > 0 && m_legend[m_legendShown - 1].rect.bottom() >= m_legendHeight
                                      ? m_legend[m_legendShown - 1].rect.right() : 0,
                                  m_legendHeight - legendRow, note, legendRow);
    }
    const int bottom = int(axisHeight + m_legendHeight);
    mParentPlot->axisRect()->setMargins(QMargins(int(left), mParentPlot->property("topMargin").toInt() + 4,
                                                 int(std::ceil(right)) + 16, bottom));
    if (fitRanges)
        mParentPlot->xAxis->setRange(m_figure.value.minimum.value_or(0), m_figure.value.maximum.value_or(most > 0 ? most * 1.02 : 1));
}

QRectF BarChart::slot(std::size_t bar) const
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    const double height = rect.height() / double(std::max<std::size_t>(1, m_figure.bars.size()));
    return {rect.left(), rect.top() + height * double(bar), rect.width(), height};
}

QRectF BarChart::partRect(std::size_t bar, double from, double to) const
{
    const QRectF area = slot(bar);
    const double height = std::clamp(std::round(area.height() * 0.66), 4.0, 30.0);
    const double x0 = std::clamp(mParentPlot->xAxis->coordToPixel(from), area.left(), area.right());
    const double x1 = std::clamp(mParentPlot->xAxis->coordToPixel(to), area.left(), area.right());
    return {x0, std::round(area.center().y() - height / 2), x1 - x0, height};
}

void BarChart::fillPart(QCPPainter& painter, const QRectF& rect, Tone tone) const
{
    const Tokens& t = theme();
    if (isHatched(tone) || tone == Tone::kvFree) {
        painter.setPen(QPen(t.faint, 1));
        painter.setBrush(tone == Tone::kvFree ? QBrush(t.panel) : toneBrush(t, tone));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    const QColor fill = toneColour(t, tone);
    painter.fillRect(rect, fill);
    if (contrast(fill, t.panel) < 3) {
        painter.setPen(QPen(fill.darker(150), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void BarChart::drawBar(QCPPainter& painter, std::size_t index) const
{
    const Tokens& t = theme();
    const Bar& bar = m_figure.bars[index];
    const QRectF area = slot(index);
    painter.setAntialiasing(true);
    paintMark(painter, {area.left() - 29, area.center().y()}, bar.configuration, 10, t);
    painter.setFont(textFont(9, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRectF(area.left() - 21, area.top(), 16, area.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     letterOf(bar.configuration));
    if (bar.parts.empty()) {
        painter.setFont(textFont(8.5));
        painter.setPen(t.secondary);
        painter.drawText(area.adjusted(6, 0, -6, 0), int(Qt::AlignVCenter | Qt::AlignLeft) | Qt::TextWordWrap, text(bar.note));
        return;
    }
    painter.setAntialiasing(false);
    const QFont small = numberFont(8.5);
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    double at = 0;
    for (const BarPart& part : bar.parts) {
        if (!isDrawn(part))
            continue;
        QRectF rect = partRect(index, at, at + part.value);
        at += part.value;
        if (rect.width() < 0.4)
            continue;
        fillPart(painter, rect, part.tone);
        if (!selected().isEmpty() && selected() == text(part.key)) {
            painter.setPen(QPen(t.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, -2, 0, 2));
        }
        const QString value = chartNumber(part.value);
        const double width = metrics.horizontalAdvance(value);
        if (width + 8 > rect.width() || metrics.height() > rect.height() + 4)
            continue;
        const bool plain = isHatched(part.tone) || part.tone == Tone::kvFree;
        if (isHatched(part.tone))
            painter.fillRect(QRectF(rect.center().x() - width / 2 - 3, rect.top() + 2, width + 6, rect.height() - 4), t.panel);
        painter.setPen(plain ? t.text : textOn(toneColour(t, part.tone)));
        painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, value);
    }
    painter.setFont(numberFont(9, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRectF(area.right() + 4, area.top(), mParentPlot->viewport().right() - area.right() - 8, area.height()),
                     Qt::AlignVCenter | Qt::AlignRight, text(bar.totalLabel));
}

void BarChart::drawLegend(QCPPainter& painter) const
{
    if (m_legendHeight <= 0)
        return;
    const QRect viewport = mParentPlot->viewport();
    const double top = viewport.bottom() - m_legendHeight;
    painter.setFont(textFont(8.5));
    for (const LegendEntry& entry : std::span(m_legend).first(m_legendShown)) {
        const QRectF box(left + entry.rect.left(), top + entry.rect.top() + (legendRow - swatch) / 2, swatch, swatch);
        painter.setAntialiasing(false);
        fillPart(painter, box, entry.tone);
        painter.setPen(theme().secondary);
        painter.drawText(QRectF(box.right() + 5, top + entry.rect.top(), entry.rect.width(), legendRow),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, entry.name);
    }
    if (!m_legendRest.isEmpty())
        painter.drawText(m_legendRest.translated(left, top), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip,
                         restText(m_legend.size() - m_legendShown));
}

void BarChart::draw(QCPPainter* painter)
{
    for (std::size_t i = 0; i < m_figure.bars.size(); ++i)
        drawBar(*painter, i);
    drawLegend(*painter);
}

std::optional<ChartHit> BarChart::hit(const QPointF& position) const
{
    if (m_legendRest.translated(left, mParentPlot->viewport().bottom() - m_legendHeight).contains(position)) {
        QStringList names;
        for (const LegendEntry& entry : std::span(m_legend).subspan(m_legendShown))
            names << entry.name;
        return ChartHit{.title = QCoreApplication::translate("BarChart", "Also drawn"), .lines = names, .key = {},
                        .configuration = -1, .position = position};
    }
    for (std::size_t i = 0; i < m_figure.bars.size(); ++i) {
        const Bar& bar = m_figure.bars[i];
        double at = 0;
        for (const BarPart& part : bar.parts) {
            if (!isDrawn(part))
                continue;
            const QRectF rect = partRect(i, at, at + part.value);
            at += part.value;
            if (!rect.adjusted(0, -2, 0, 2).contains(position))
                continue;
            const double sum = total(bar);
            return ChartHit{.title = text(bar.name),
                            .lines = {text(part.name) + QLatin1Char('\t') + chartNumber(part.value),
                                      QCoreApplication::translate("BarChart", "share") + QLatin1Char('\t')
                                          + chartNumber(sum > 0 ? 100 * part.value / sum : 0) + QStringLiteral("\u00a0%"),
                                      text(m_figure.value.label) + QLatin1Char('\t') + text(bar.totalLabel)},
                            .key = text(part.key), .configuration = bar.configuration, .position = rect.center()};
        }
    }
    return std::nullopt;
}

} // namespace ridgepoint::app
