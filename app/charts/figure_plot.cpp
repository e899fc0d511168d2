// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/figure_plot.h"

#include "app/charts/accessible_chart.h"
#include "app/charts/bar_chart.h"
#include "app/charts/chart_theme.h"
#include "app/charts/heat_chart.h"
#include "app/charts/line_chart.h"
#include "app/charts/span_chart.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"

#include <cmath>
#include <set>

namespace ridgepoint::app {

namespace {

/// Title, subtitle and the configurations, above the plot.
class Heading : public QCPAbstractItem
{
public:
    Heading(FigurePlot* plot) : QCPAbstractItem(plot), m_plot(plot)
    {
        setClipToAxisRect(false);
        setSelectable(false);
    }

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    /// Room for title and as many lines of configurations as the width needs.
    int height() const { return 50 + 18 * (place(nullptr) - 1) + lineHeight * linesBelow(); }

protected:
    void draw(QCPPainter* painter) override
    {
        const Tokens& t = m_plot->theme();
        const double width = m_plot->viewport().width();
        painter->setFont(textFont(11, QFont::DemiBold));
        painter->setPen(t.text);
        const QString title = QString::fromStdString(titleOf(m_plot->figure()));
        painter->drawText(QRectF(14, 8, width - 28, 20), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title);
        const double after = 14 + QFontMetricsF(painter->font()).horizontalAdvance(title) + 12;
        painter->setFont(textFont(8.5));
        painter->setPen(t.secondary);
        const int below = linesBelow();
        painter->drawText(below == 0 ? QRectF(after, 9, width - after - 12, 20) : QRectF(14, 29, width - 26, below * lineHeight),
                          int(Qt::AlignLeft) | int(below == 0 ? Qt::AlignVCenter | Qt::TextSingleLine : Qt::AlignTop | Qt::TextWordWrap), subtitle());
        place(painter);
    }

private:
    static constexpr int lineHeight = 16;

    QString subtitle() const
    {
        return std::visit([](const auto& f) { return QString::fromStdString(f.subtitle); }, m_plot->figure());
    }

    /// Lines that the subtitle takes below the title; 0 where it fits beside it.
    int linesBelow() const
    {
        const double width = m_plot->viewport().width();
        const double title = QFontMetricsF(textFont(11, QFont::DemiBold)).horizontalAdvance(QString::fromStdString(titleOf(m_plot->figure())));
        const QFontMetricsF metrics(textFont(8.5));
        if (14 + title + 12 + metrics.horizontalAdvance(subtitle()) + 12 <= width)
            return 0;
        return int(std::ceil(metrics.boundingRect(QRectF(0, 0, std::max(40.0, width - 26), 1e4), Qt::TextWordWrap, subtitle()).height() / lineHeight));
    }

    /// Paints the configurations when there is a painter; returns how many lines they take.
    int place(QCPPainter* painter) const
    {
        const QFontMetricsF metrics(textFont(8.5));
        const double width = m_plot->viewport().width();
        double x = 20, y = 39 + lineHeight * linesBelow();
        int lines = 1;
        for (const auto& [configuration, name] : names()) {
            const QString letter = letterOf(configuration) + QStringLiteral(" · ");
            const QString entry = name.startsWith(letter) ? name : letter + name;
            const double needed = 9 + metrics.horizontalAdvance(entry) + 20;
            if (x > 20 && x + needed > width) {
                x = 20;
                y += 18;
                ++lines;
            }
            if (painter) {
                painter->setAntialiasing(true);
                paintMark(*painter, {x, y}, configuration, 9, m_plot->theme());
                painter->setPen(m_plot->theme().text);
                painter->drawText(QRectF(x + 9, y - 9, needed, 18), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, entry);
            }
            x += needed;
        }
        return lines;
    }

    std::map<int, QString> names() const
    {
        std::map<int, QString> result;
        if (const auto* line = std::get_if<LineFigure>(&m_plot->figure())) {
            for (const Series& series : line->series) {
                // What the names of all series of a configuration begin with is the configuration's.
                const QString name = QString::fromStdString(series.name);
                const auto [entry, isNew] = result.emplace(series.configuration, name);
                QString& common = entry->second;
                qsizetype same = 0;
                while (same < common.size() && same < name.size() && common[same] == name[same])
                    ++same;
                common.truncate(same);
            }
            for (auto& [configuration, name] : result)
                while (name.endsWith(QLatin1Char(' ')) || name.endsWith(QLatin1Char(',')))
                    name.chop(1);
        } else if (const auto* bar = std::get_if<BarFigure>(&m_plot->figure())) {
            for (const Bar& one : bar->bars)
                result.emplace(one.configuration, QString::fromStdString(one.name));
        }   // rows of spans are named beside themselves
        return result;
    }

    FigurePlot* m_plot;
};

} // namespace

FigurePlot::FigurePlot(QWidget* parent) : QCustomPlot(parent)
{
    installAccessibleCharts();
    setPlottingHint(QCP::phFastPolylines);
    setPlottingHint(QCP::phImmediateRefresh, false);   // all figures of a frame are painted in one go
    setNoAntialiasingOnDrag(false);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 90);
    setMouseTracking(true);
    axisRect()->setRangeZoomFactor(0.85);
    setProperty("topMargin", 0);
    applyChartTheme(*this, *m_tokens);
}

void FigurePlot::show(const Figure& figure)
{
    const bool newKind = figure.index() != m_kind || idOf(figure) != idOf(m_figure);
    m_figure = figure;
    if (newKind) {
        if (m_chart)
            removeItem(m_chart);
        m_kind = figure.index();
        m_chart = std::visit(
            [this](const auto& value) -> Chart* {
                using Kind = std::decay_t<decltype(value)>;
                if constexpr (std::is_same_v<Kind, LineFigure>)
                    return new LineChart(this);
                else if constexpr (std::is_same_v<Kind, BarFigure>)
                    return new BarChart(this);
                else if constexpr (std::is_same_v<Kind, SpanFigure>)
                    return new SpanChart(this);
                else
                    return new HeatChart(this);
            },
            figure);
        m_chart->setTokens(*m_tokens);
        m_chart->select(m_selected);
        m_zoomed = false;
        applyChartTheme(*this, *m_tokens);
    }
    if (const auto* line = std::get_if<LineFigure>(&figure))
        static_cast<LineChart*>(m_chart)->show(*line);
    else if (const auto* bar = std::get_if<BarFigure>(&figure))
        static_cast<BarChart*>(m_chart)->show(*bar);
    else if (const auto* spans = std::get_if<SpanFigure>(&figure))
        static_cast<SpanChart*>(m_chart)->show(*spans);
    else if (const auto* map = std::get_if<HeatFigure>(&figure))
        static_cast<HeatChart*>(m_chart)->show(*map);
    setAccessibleName(QString::fromStdString(titleOf(figure)));
    setAccessibleDescription(QString::fromStdString(descriptionOf(figure)));
    if (underMouse())
        Q_EMIT unhovered();   // what the card says may no longer be so
    arrange();
    replot(rpQueuedReplot);
}

void FigurePlot::setTokens(const Tokens& tokens)
{
    m_tokens = &tokens;
    applyChartTheme(*this, tokens);
    if (m_chart)
        m_chart->setTokens(tokens);
    replot(rpQueuedReplot);
}

void FigurePlot::select(const QString& key)
{
    if (key == m_selected)
        return;
    m_selected = key;
    if (!m_chart)
        return;
    m_chart->select(key);
    replot(rpQueuedReplot);
}

void FigurePlot::setHeading(bool on)
{
    if (m_heading)
        removeItem(m_heading);
    auto* heading = on ? new Heading(this) : nullptr;
    m_heading = heading;
    const int top = on ? heading->height() : 0;
    setProperty("topMargin", top);
    QMargins margins = axisRect()->minimumMargins();
    margins.setTop(8 + top);
    axisRect()->setMinimumMargins(margins);
    arrange();
}

void FigurePlot::resetRanges()
{
    m_zoomed = false;
    arrange();
    replot(rpQueuedReplot);
}

void FigurePlot::prepare()
{
    arrange();
    replot(rpImmediateRefresh);
}

void FigurePlot::arrange()
{
    if (m_chart)
        m_chart->arrange(!m_zoomed);
}

void FigurePlot::resizeEvent(QResizeEvent* event)
{
    // The margins of a bar chart hang on its width, and the base class paints at once.
    setViewport(rect());
    arrange();
    QCustomPlot::resizeEvent(event);
}

void FigurePlot::paintEvent(QPaintEvent* event)
{
    QCustomPlot::paintEvent(event);
    if (hasFocus()) {
        QPainter painter(this);
        painter.setPen(QPen(m_tokens->accent, 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
    Q_EMIT painted();
}

void FigurePlot::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->pos();
    Q_EMIT unhovered();
    QCustomPlot::mousePressEvent(event);
}

void FigurePlot::mouseMoveEvent(QMouseEvent* event)
{
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() & Qt::LeftButton) {
        if ((event->pos() - m_pressed).manhattanLength() > 3)
            m_zoomed = true;
        return;
    }
    const auto found = m_chart ? m_chart->hit(event->position()) : std::nullopt;
    setCursor(found && !found->key.isEmpty() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (found)
        Q_EMIT hovered(*found, event->pos());
    else
        Q_EMIT unhovered();
}

void FigurePlot::mouseReleaseEvent(QMouseEvent* event)
{
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || (event->pos() - m_pressed).manhattanLength() > 3 || !m_chart)
        return;
    const auto found = m_chart->hit(event->position());
    Q_EMIT keyClicked(found ? found->key : QString(), found ? found->configuration : -1);
}

void FigurePlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto found = m_chart ? m_chart->hit(event->position()) : std::nullopt;
    if (found && !m_zoomed)
        Q_EMIT keyDoubleClicked(found->key);
    resetRanges();
}

void FigurePlot::wheelEvent(QWheelEvent* event)
{
    if (axisRect()->rect().contains(event->position().toPoint()))
        m_zoomed = true;
    QCustomPlot::wheelEvent(event);
}

void FigurePlot::leaveEvent(QEvent* event)
{
    Q_EMIT unhovered();
    QCustomPlot::leaveEvent(event);
}

} // namespace ridgepoint::app
