// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/line_chart.h"

#include "app/charts/chart_theme.h"
#include "app/charts/label_placer.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

Point at(double x, double y)
{
    Point point;
    point.x = x;
    point.y = y;
    return point;
}

bool isFinite(const Point& point, const Axis& x, const Axis& y)
{
    return std::isfinite(point.x) && std::isfinite(point.y) && (x.scale == AxisScale::linear || point.x > 0)
           && (y.scale == AxisScale::linear || point.y > 0);
}

double stepOf(double span)
{
    const double power = std::pow(10.0, std::floor(std::log10(span / 4)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (span / (factor * power) <= 5)
            return factor * power;
    return 10 * power;
}

/// The shown range. Ends are rounded so that an axis stands still while a slider moves a little.
QCPRange rangeOf(const Axis& axis, double low, double high)
{
    if (axis.scale == AxisScale::log) {
        constexpr double perDecade = 8;
        low = std::pow(10.0, std::floor(std::log10(low / 1.15) * perDecade) / perDecade);
        high = std::pow(10.0, std::ceil(std::log10(high * 1.25) * perDecade) / perDecade);
    } else {
        if (low >= 0)
            low = 0;
        if (!(high > low))
            high = low + 1;
        const double step = stepOf(high - low) / 2;
        high = std::ceil(high * 1.03 / step) * step;
    }
    return QCPRange(axis.minimum.value_or(low), axis.maximum.value_or(high));
}

/// How far a range that is moved or zoomed may go: the data stay in sight and an axis that begins at 0 does.
QCPRange farthest(const Axis& axis, const QCPRange& fit)
{
    if (axis.scale == AxisScale::log)
        return {fit.lower / 10, fit.upper * 10};
    return {fit.lower >= 0 ? 0 : fit.lower - fit.size(), fit.upper + 2 * fit.size()};
}

void label(QCPPainter& painter, const PlacedLabel& place, const QString& content, const QColor& colour, const QColor& ground)
{
    const QRectF& rect = place.rect;
    if (!place.leader.isNull()) {
        painter.setPen(QPen(colour, 0.8));
        painter.drawLine(place.leader);
    }
    QColor veil = ground;
    veil.setAlpha(190);
    painter.fillRect(rect.adjusted(-1, 1, 1, -1), veil);
    painter.setPen(colour);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, content);
}

} // namespace

LineChart::LineChart(QCustomPlot* plot) : Chart(plot)
{
    QCPAxisRect* rect = plot->axisRect();
    rect->setMinimumMargins(QMargins(52, 8, 12, 38));
    rect->setAutoMargins(QCP::msAll);
    plot->xAxis->setVisible(true);
    plot->xAxis2->setVisible(true);
    plot->yAxis2->setVisible(true);
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this, axis](const QCPRange& range) {
            const QCPRange& limit = axis == mParentPlot->xAxis ? m_limitX : m_limitY;
            if (limit.size() > 0)
                axis->setRange(range.bounded(limit.lower, limit.upper));
        });
}

void LineChart::show(const LineFigure& figure)
{
    m_figure = figure;
    setAxisScale(*mParentPlot->xAxis, figure.x.scale);
    setAxisScale(*mParentPlot->yAxis, figure.y.scale);
    mParentPlot->xAxis->setLabel(text(figure.x.label));
    mParentPlot->yAxis->setLabel(text(figure.y.label));
}

void LineChart::arrange(bool fitRanges)
{
    double lowX = INFINITY, highX = -INFINITY, lowY = INFINITY, highY = -INFINITY;
    for (const Series& series : m_figure.series)
        for (const Point& point : series.points)
            if (isFinite(point, m_figure.x, m_figure.y)) {
                lowX = std::min(lowX, point.x);
                highX = std::max(highX, point.x);
                lowY = std::min(lowY, point.y);
                highY = std::max(highY, point.y);
            }
    if (!(lowX <= highX)) {
        lowX = lowY = 1;
        highX = highY = 10;
    }
    const QCPRange x = rangeOf(m_figure.x, lowX, highX), y = rangeOf(m_figure.y, lowY, highY);
    m_limitX = farthest(m_figure.x, x);
    m_limitY = farthest(m_figure.y, y);
    if (!fitRanges)
        return;
    mParentPlot->xAxis->setRange(x);
    mParentPlot->yAxis->setRange(y);
}

QPointF LineChart::pixel(double x, double y) const
{
    return {mParentPlot->xAxis->coordToPixel(x), mParentPlot->yAxis->coordToPixel(y)};
}

bool LineChart::isShown(const Point& point) const
{
    return isFinite(point, m_figure.x, m_figure.y)
           && QRectF(mParentPlot->axisRect()->rect()).contains(pixel(point.x, point.y));
}

double LineChart::diameter(const Series& series, const Point& point) const
{
    if (point.weight > 0)
        return std::clamp(26 * std::sqrt(point.weight), 5.0, 19.0);
    if (point.emphasised)
        return 12;
    return series.line ? 5 : 7;
}

void LineChart::drawLines(QCPPainter& painter, LabelPlacer& placer) const
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    for (const Series& series : m_figure.series) {
        if (!series.line || series.points.size() < 2)
            continue;
        QPainterPath path;
        QPointF last(-1e9, -1e9);
        for (std::size_t i = 1; i < series.points.size(); ++i) {
            const Point& a = series.points[i - 1];
            const Point& b = series.points[i];
            if (!isFinite(a, m_figure.x, m_figure.y) || !isFinite(b, m_figure.x, m_figure.y))
                continue;
            const auto part = clipped(QLineF(pixel(a.x, a.y), pixel(b.x, b.y)), rect);
            if (!part)
                continue;
            if (part->p1() != last)
                path.moveTo(part->p1());
            path.lineTo(part->p2());
            last = part->p2();
            placer.avoid(*part);
        }
        QPen pen(seriesColour(theme(), series.configuration), 2);
        pen.setStyle(series.dashed ? Qt::DashLine : seriesPenStyle(series.configuration));
        pen.setJoinStyle(Qt::RoundJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
    }
}

void LineChart::drawArrows(QCPPainter& painter, LabelPlacer& placer) const
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    for (const Arrow& arrow : m_figure.arrows) {
        const Point from = at(arrow.x0, arrow.y0), to = at(arrow.x1, arrow.y1);
        if (!isShown(from) || !isShown(to))
            continue;
        QLineF line(pixel(from.x, from.y), pixel(to.x, to.y));
        if (line.length() < 22)
            continue;
        line = QLineF(line.pointAt(8 / line.length()), line.pointAt(1 - 9 / line.length()));
        painter.setPen(QPen(theme().secondary, 1, Qt::DotLine));
        painter.drawLine(line);
        const double angle = std::atan2(line.dy(), line.dx());
        QPolygonF head{line.p2()};
        for (const double side : {2.6, -2.6})
            head << line.p2() + QPointF(7 * std::cos(angle + side), 7 * std::sin(angle + side));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().secondary);
        painter.drawPolygon(head);
        placer.avoid(line);
    }
}

void LineChart::drawMarks(QCPPainter& painter, LabelPlacer& placer) const
{
    const auto paint = [&](const Series& series, const Point& point) {
        const QPointF centre = pixel(point.x, point.y);
        const double size = diameter(series, point);
        const bool chosen = !selected().isEmpty() && selected() == text(point.key);
        painter.translate(centre);
        painter.setPen(QPen(point.emphasised ? theme().text : theme().panel, point.emphasised ? 1.5 : 1));
        painter.setBrush(seriesColour(theme(), series.configuration));
        painter.drawPath(markPath(series.configuration, size));
        if (chosen) {
            painter.setPen(QPen(theme().accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(QPointF(0, 0), size / 2 + 4.5, size / 2 + 4.5);
        }
        painter.translate(-centre);
        placer.avoid(QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size));
    };
    for (const bool emphasised : {false, true})
        for (const Series& series : m_figure.series)
            for (const Point& point : series.points)
                if (point.emphasised == emphasised && (series.marks || point.emphasised || !series.line) && isShown(point))
                    paint(series, point);
}

void LineChart::drawLabels(QCPPainter& painter, LabelPlacer& placer)
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    painter.setFont(textFont(8.5, QFont::DemiBold));
    const QFontMetricsF bold(painter.font());
    for (const Series& series : m_figure.series) {
        if (series.endLabel.empty())
            continue;
        // Where the visible line ends, and further back for lines that end at the same place.
        const QString content = text(series.endLabel);
        const QSizeF size(bold.horizontalAdvance(content) + 2, bold.height());
        std::vector<QRectF> candidates;
        for (std::size_t i = series.points.size(); i-- > 0 && candidates.size() < 24;) {
            if (!isFinite(series.points[i], m_figure.x, m_figure.y))
                continue;
            const QPointF end = pixel(series.points[i].x, series.points[i].y);
            if (i > 0 && isFinite(series.points[i - 1], m_figure.x, m_figure.y)) {
                const Point& before = series.points[i - 1];
                const auto part = clipped(QLineF(pixel(before.x, before.y), end), rect.adjusted(2, 2, -2, -2));
                if (!part)
                    continue;
                for (const double share : {1.0, 0.75, 0.5, 0.25}) {
                    const QPointF p = part->pointAt(share);
                    const double x = std::clamp(p.x() - size.width() / 2, rect.left() + 2, rect.right() - size.width() - 2);
                    candidates.emplace_back(x, p.y() - size.height() - 3, size.width(), size.height());
                    candidates.emplace_back(x, p.y() + 3, size.width(), size.height());
                    candidates.emplace_back(p.x() - size.width() - 6, p.y() - size.height() / 2, size.width(), size.height());
                    candidates.emplace_back(p.x() + 6, p.y() - size.height() / 2, size.width(), size.height());
                }
            } else if (series.points.size() == 1 && rect.contains(end)) {
                candidates = LabelPlacer::around(end, 6, size);
            }
        }
        if (const auto place = placer.place(candidates))   // further away it would seem to name another line
            label(painter, {*place, {}}, content, seriesColour(theme(), series.configuration), theme().panel);
        else if (!candidates.empty())
            m_hidden << content;
    }

    struct Wanted
    {
        const Series* series;
        const Point* point;
        double rank;
    };
    std::vector<Wanted> wanted;
    for (const Series& series : m_figure.series)
        for (const Point& point : series.points)
            if (!point.label.empty() && isShown(point))
                wanted.push_back({&series, &point, (point.emphasised ? 10 : 0) + point.weight});
    std::stable_sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.rank > b.rank; });
    const QFont plain = textFont(8.5);
    const QFontMetricsF metrics(plain);
    painter.setFont(plain);
    for (const Wanted& entry : wanted) {
        const QString content = text(entry.point->label);
        const QSizeF size(metrics.horizontalAdvance(content) + 2, metrics.height());
        const QPointF centre = pixel(entry.point->x, entry.point->y);
        const double radius = diameter(*entry.series, *entry.point) / 2;
        if (const auto place = placer.place(LabelPlacer::around(centre, radius, size), centre, radius + 1, size))
            label(painter, *place, content, entry.point->emphasised ? theme().text : theme().secondary, theme().panel);
        else
            m_hidden << content;
    }
    for (const Arrow& arrow : m_figure.arrows) {
        if (arrow.label.empty() || !isShown(at(arrow.x0, arrow.y0)) || !isShown(at(arrow.x1, arrow.y1)))
            continue;
        const QString content = text(arrow.label);
        const QPointF middle = QLineF(pixel(arrow.x0, arrow.y0), pixel(arrow.x1, arrow.y1)).center();
        const QSizeF size(metrics.horizontalAdvance(content) + 2, metrics.height());
        const auto places = LabelPlacer::around(middle, 3, size);
        if (const auto place = placer.place(std::span(places).first(2), middle, 1, size))
            label(painter, *place, content, theme().secondary, theme().panel);
        else
            m_hidden << content;
    }
}

/// How many labels found no room: which ones, the hover card says.
void LineChart::drawHidden(QCPPainter& painter, LabelPlacer& placer)
{
    m_hiddenNote = {};
    if (m_hidden.isEmpty())
        return;
    const QString content = m_hidden.size() == 1 ? QCoreApplication::translate("LineChart", "+1 label")
                                                 : QCoreApplication::translate("LineChart", "+%1 labels").arg(m_hidden.size());
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(content) + 4, metrics.height());
    const QRectF rect = QRectF(mParentPlot->axisRect()->rect()).adjusted(3, 3, -3, -3);
    const QRectF corners[] = {QRectF(rect.topLeft(), size), QRectF(rect.right() - size.width(), rect.bottom() - size.height(), size.width(), size.height()),
                              QRectF(rect.right() - size.width(), rect.top(), size.width(), size.height()),
                              QRectF(rect.left(), rect.bottom() - size.height(), size.width(), size.height())};
    if (const auto place = placer.place(corners)) {
        m_hiddenNote = *place;
        label(painter, {*place, {}}, content, theme().secondary, theme().panel);
    }
}

void LineChart::draw(QCPPainter* painter)
{
    const QRectF rect(mParentPlot->axisRect()->rect());
    painter->setAntialiasing(true);
    const bool empty = std::all_of(m_figure.series.begin(), m_figure.series.end(),
                                   [](const Series& series) { return series.points.empty(); });
    if (empty) {
        painter->setFont(textFont(9));
        painter->setPen(theme().secondary);
        painter->drawText(rect.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                          m_figure.description.empty()
                              ? QCoreApplication::translate("LineChart", "No configuration has a result to draw.")
                              : text(m_figure.description));
        return;
    }
    m_hidden.clear();
    LabelPlacer placer(rect);
    drawLines(*painter, placer);
    drawArrows(*painter, placer);
    drawMarks(*painter, placer);
    drawLabels(*painter, placer);
    drawHidden(*painter, placer);
}

std::optional<ChartHit> LineChart::hit(const QPointF& position) const
{
    if (m_hiddenNote.contains(position))
        return ChartHit{.title = QCoreApplication::translate("LineChart", "Labels without room"), .lines = m_hidden, .key = {},
                        .configuration = -1, .position = m_hiddenNote.center()};
    const Series* nearestSeries = nullptr;
    const Point* nearest = nullptr;
    double best = 12;
    for (const Series& series : m_figure.series)
        for (const Point& point : series.points) {
            if (!(series.marks || point.emphasised || !series.line) || !isShown(point))
                continue;
            const double distance = QLineF(position, pixel(point.x, point.y)).length() - diameter(series, point) / 4;
            if (distance < best) {
                best = distance;
                nearest = &point;
                nearestSeries = &series;
            }
        }
    const auto reading = [&](double x, double y) {
        return QStringList{text(m_figure.x.label) + QLatin1Char('\t') + chartNumber(x),
                           text(m_figure.y.label) + QLatin1Char('\t') + chartNumber(y)};
    };
    if (nearest) {
        ChartHit result{.title = text(nearestSeries->name), .lines = reading(nearest->x, nearest->y),
                        .key = text(nearest->key), .configuration = nearestSeries->configuration,
                        .position = pixel(nearest->x, nearest->y)};
        if (!nearest->hover.empty())
            result.lines = {text(nearest->hover)};
        return result;
    }
    best = 6;
    std::optional<ChartHit> result;
    for (const Series& series : m_figure.series)
        for (std::size_t i = 1; series.line && i < series.points.size(); ++i) {
            const Point& a = series.points[i - 1];
            const Point& b = series.points[i];
            if (!isFinite(a, m_figure.x, m_figure.y) || !isFinite(b, m_figure.x, m_figure.y))
                continue;
            const QLineF line(pixel(a.x, a.y), pixel(b.x, b.y));
            const double length = line.length();
            if (length <= 0)
                continue;
            const QPointF offset = position - line.p1();
            const double share = std::clamp((offset.x() * line.dx() + offset.y() * line.dy()) / (length * length), 0.0, 1.0);
            const QPointF foot = line.pointAt(share);
            const double distance = QLineF(position, foot).length();
            if (distance >= best)
                continue;
            best = distance;
            result = ChartHit{.title = text(series.name),
                              .lines = reading(mParentPlot->xAxis->pixelToCoord(foot.x()), mParentPlot->yAxis->pixelToCoord(foot.y())),
                              .key = {}, .configuration = series.configuration, .position = foot};
        }
    return result;
}

} // namespace ridgepoint::app
