// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/heat_chart.h"

#include "app/charts/chart_theme.h"
#include "app/style/fonts.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

constexpr double scaleWidth = 12, scaleRoom = 78, axisHeight = 40;

QString text(const std::string& value) { return QString::fromStdString(value); }

} // namespace

QColor viridis(double share)
{
    // Colours of matplotlib's map (CC0) at eighths.
    static const QColor stops[] = {{68, 1, 84},    {71, 45, 123},  {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                                   {40, 174, 128}, {94, 201, 98},  {173, 220, 48}, {253, 231, 37}};
    const double at = std::clamp(share, 0.0, 1.0) * 8.0;
    const int below = std::min(7, int(at));
    const double rest = at - below;
    const auto mix = [&](int a, int b) { return int(std::lround(a + (b - a) * rest)); };
    const QColor &a = stops[below], &b = stops[below + 1];
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

HeatChart::HeatChart(QCustomPlot* plot) : Chart(plot)
{
    plot->axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->grid()->setVisible(false);
    }
    plot->axisRect()->setRangeZoom(Qt::Horizontal | Qt::Vertical);
    plot->axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
}

void HeatChart::show(const HeatFigure& figure)
{
    m_figure = figure;
    for (QCPAxis* axis : {mParentPlot->xAxis, mParentPlot->yAxis}) {
        setAxisScale(*axis, AxisScale::linear);
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->setLabel({});   // painted here, where the room is known
    }
    m_least = 1e300;
    m_most = -1e300;
    for (const HeatCell& cell : figure.cells)
        if (cell.value) {
            m_least = std::min(m_least, *cell.value);
            m_most = std::max(m_most, *cell.value);
        }
    constexpr double wide = 20;   // a linear scale would show one colour for all but a few
    m_logarithmic = m_least > 0 && m_most / m_least > wide;
}

void HeatChart::arrange(bool fitRanges)
{
    const QFontMetricsF metrics(numberFont(8.5));
    double left = 0;
    for (const std::string& tick : m_figure.yTicks)
        left = std::max(left, metrics.horizontalAdvance(text(tick)));
    const double most = mParentPlot->viewport().width() * 0.3;
    mParentPlot->axisRect()->setMargins(QMargins(int(std::min(left, most)) + 34, mParentPlot->property("topMargin").toInt() + 8,
                                                 int(scaleRoom), int(axisHeight)));
    if (fitRanges) {
        mParentPlot->xAxis->setRange(-0.5, std::max(0.5, double(m_figure.xTicks.size()) - 0.5));
        mParentPlot->yAxis->setRange(-0.5, std::max(0.5, double(m_figure.yTicks.size()) - 0.5));
    }
}

QRectF HeatChart::cellRect(std::size_t column, std::size_t row) const
{
    const QRectF area(mParentPlot->axisRect()->rect());
    const auto x = [&](double at) { return std::clamp(mParentPlot->xAxis->coordToPixel(at), area.left(), area.right() + 1); };
    const auto y = [&](double at) { return std::clamp(mParentPlot->yAxis->coordToPixel(at), area.top(), area.bottom() + 1); };
    const QPointF topLeft(x(double(column) - 0.5), y(double(row) + 0.5)), bottomRight(x(double(column) + 0.5), y(double(row) - 0.5));
    return QRectF(topLeft, bottomRight);
}

double HeatChart::share(double value) const
{
    if (!(m_most > m_least))
        return 0.5;
    return m_logarithmic ? std::log(value / m_least) / std::log(m_most / m_least) : (value - m_least) / (m_most - m_least);
}

void HeatChart::drawCell(QCPPainter& painter, std::size_t column, std::size_t row) const
{
    const Tokens& t = theme();
    const HeatCell& cell = m_figure.at(column, row);
    QRectF rect = cellRect(column, row);
    if (rect.width() < 1 || rect.height() < 1)
        return;
    rect.adjust(0, 0, -1, -1);
    const QColor fill = cell.value ? viridis(share(*cell.value)) : t.panel;
    switch (cell.state) {
    case CellState::allowed:
        painter.fillRect(rect, fill);
        break;
    case CellState::breaksLimit:
        painter.fillRect(rect, t.alternate);
        painter.fillRect(rect, QBrush(t.faint, Qt::BDiagPattern));
        break;
    case CellState::doesNotFit:
        painter.fillRect(rect, t.badTint);
        painter.fillRect(rect, QBrush(t.bad, Qt::FDiagPattern));
        break;
    case CellState::impossible:
        painter.fillRect(rect, t.alternate);
        painter.fillRect(rect, QBrush(t.border, Qt::DiagCrossPattern));
        break;
    }
    if (cell.value) {
        const QString number = chartNumber(*cell.value);
        painter.setFont(numberFont(8.5));
        const QFontMetricsF metrics(painter.font());
        if (metrics.horizontalAdvance(number) + 4 <= rect.width() && metrics.height() <= rect.height() + 2) {
            if (cell.state == CellState::allowed) {
                painter.setPen(textOn(fill));
            } else {
                const double width = metrics.horizontalAdvance(number);
                painter.fillRect(QRectF(rect.center().x() - width / 2 - 3, rect.center().y() - 8, width + 6, 16), t.panel);
                painter.setPen(t.secondary);
            }
            painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, number);
        }
    }
    const bool isPresent = m_figure.presentX == column && m_figure.presentY == row;
    const bool isSelected = selected() == QStringLiteral("cell.%1.%2").arg(column).arg(row);
    if (isPresent || isSelected) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.panel, 4));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(isSelected ? t.accent : t.text, 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
}

void HeatChart::drawTicks(QCPPainter& painter) const
{
    const Tokens& t = theme();
    const QRectF area(mParentPlot->axisRect()->rect());
    painter.setFont(numberFont(8.5));
    painter.setPen(t.secondary);
    const QFontMetricsF metrics(painter.font());
    double free = -1e9;   // labels that would touch the one before are left out
    for (std::size_t i = 0; i < m_figure.xTicks.size(); ++i) {
        const double x = mParentPlot->xAxis->coordToPixel(double(i));
        const QString label = text(m_figure.xTicks[i]);
        const double half = metrics.horizontalAdvance(label) / 2;
        if (x < area.left() || x > area.right() || x - half < free)
            continue;
        painter.drawText(QRectF(x - half - 2, area.bottom() + 3, 2 * half + 4, 16), Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, label);
        free = x + half + 8;
    }
    for (std::size_t i = 0; i < m_figure.yTicks.size(); ++i) {
        const double y = mParentPlot->yAxis->coordToPixel(double(i));
        if (y < area.top() || y > area.bottom() || (cellRect(0, i).height() < 11 && i % 2 == 1))
            continue;
        const QRectF rect(22, y - 8, area.left() - 28, 16);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, metrics.elidedText(text(m_figure.yTicks[i]), Qt::ElideMiddle, rect.width()));
    }
    painter.setFont(textFont(8.5));
    painter.drawText(QRectF(area.left(), area.bottom() + 20, area.width(), 16), Qt::AlignCenter | Qt::TextSingleLine, text(m_figure.x.label));
    painter.save();
    painter.translate(12, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, -8, area.height(), 16), Qt::AlignCenter | Qt::TextSingleLine, text(m_figure.y.label));
    painter.restore();
}

void HeatChart::drawScale(QCPPainter& painter) const
{
    if (!(m_most >= m_least))
        return;
    const Tokens& t = theme();
    const QRectF area(mParentPlot->axisRect()->rect());
    const QRectF bar(area.right() + 12, area.top(), scaleWidth, area.height());
    const int steps = 24;
    for (int i = 0; i < steps; ++i)
        painter.fillRect(QRectF(bar.left(), bar.bottom() - bar.height() * (i + 1) / steps, bar.width(), bar.height() / steps + 1), viridis((i + 0.5) / steps));
    painter.setFont(numberFont(8.5));
    painter.setPen(t.secondary);
    const double middle = m_logarithmic ? std::sqrt(m_least * m_most) : (m_least + m_most) / 2;
    const std::pair<double, double> labels[] = {{m_most, bar.top() + 7}, {middle, bar.center().y()}, {m_least, bar.bottom() - 7}};
    for (const auto& [value, y] : labels)
        painter.drawText(QRectF(bar.right() + 4, y - 8, scaleRoom - scaleWidth - 16, 16), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip,
                         chartNumber(value));
    painter.save();
    painter.setFont(textFont(8.5));
    painter.translate(mParentPlot->viewport().right() - 8, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, -8, area.height(), 16), Qt::AlignCenter | Qt::TextSingleLine, text(m_figure.value.label));
    painter.restore();
}

void HeatChart::draw(QCPPainter* painter)
{
    painter->setAntialiasing(false);
    if (m_figure.cells.empty()) {
        painter->setFont(textFont(9.5));
        painter->setPen(theme().secondary);
        painter->drawText(QRectF(mParentPlot->axisRect()->rect()).adjusted(8, 8, -8, -8), int(Qt::AlignCenter) | Qt::TextWordWrap, text(m_figure.subtitle));
        return;
    }
    for (std::size_t row = 0; row < m_figure.yTicks.size(); ++row)
        for (std::size_t column = 0; column < m_figure.xTicks.size(); ++column)
            drawCell(*painter, column, row);
    drawTicks(*painter);
    drawScale(*painter);
}

std::optional<ChartHit> HeatChart::hit(const QPointF& position) const
{
    if (m_figure.cells.empty() || !mParentPlot->axisRect()->rect().contains(position.toPoint()))
        return std::nullopt;
    const double x = std::round(mParentPlot->xAxis->pixelToCoord(position.x())), y = std::round(mParentPlot->yAxis->pixelToCoord(position.y()));
    if (x < 0 || y < 0 || x >= double(m_figure.xTicks.size()) || y >= double(m_figure.yTicks.size()))
        return std::nullopt;
    const auto column = std::size_t(x), row = std::size_t(y);
    const HeatCell& cell = m_figure.at(column, row);
    QStringList lines{text(m_figure.x.label) + QLatin1Char('\t') + text(m_figure.xTicks[column]),
                      text(m_figure.y.label) + QLatin1Char('\t') + text(m_figure.yTicks[row])};
    if (cell.value)
        lines << text(m_figure.value.label) + QLatin1Char('\t') + chartNumber(*cell.value);
    if (cell.state != CellState::allowed)
        lines << text(cell.hover);
    return ChartHit{.title = text(m_figure.title), .lines = lines, .key = QStringLiteral("cell.%1.%2").arg(column).arg(row), .configuration = -1,
                    .position = cellRect(column, row).center()};
}

std::optional<std::pair<std::size_t, std::size_t>> HeatChart::cellOf(const QString& key)
{
    const QStringList parts = key.split(QLatin1Char('.'));
    if (parts.size() != 3 || parts[0] != QLatin1String("cell"))
        return std::nullopt;
    return std::pair(std::size_t(parts[1].toULongLong()), std::size_t(parts[2].toULongLong()));
}

} // namespace ridgepoint::app
