// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

namespace ridgepoint::app {

/// Stacked horizontal bars, one a configuration, with a legend of the parts below.
class BarChart : public Chart
{
    Q_OBJECT
public:
    explicit BarChart(QCustomPlot* plot);

    void show(const BarFigure& figure);
    void arrange(bool fitRanges) override;
    [[nodiscard]] std::optional<ChartHit> hit(const QPointF& position) const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    struct LegendEntry
    {
        QString name;
        Tone tone{};
        QRectF rect;   ///< within the legend
    };

    [[nodiscard]] QRectF slot(std::size_t bar) const;
    [[nodiscard]] QRectF partRect(std::size_t bar, double from, double to) const;
    void drawBar(QCPPainter& painter, std::size_t bar) const;
    void drawLegend(QCPPainter& painter) const;
    void fillPart(QCPPainter& painter, const QRectF& rect, Tone tone) const;

    BarFigure m_figure;
    std::vector<LegendEntry> m_legend;
    double m_legendHeight = 0;
    std::size_t m_legendShown = 0;   ///< entries that there is room for
    QRectF m_legendRest;             ///< within the legend, where the number of the others stands
};

} // namespace ridgepoint::app
