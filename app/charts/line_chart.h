// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

namespace ridgepoint::app {

/// Lines, marks, arrows and their labels on linear or logarithmic axes.
class LineChart : public Chart
{
    Q_OBJECT
public:
    explicit LineChart(QCustomPlot* plot);

    void show(const LineFigure& figure);
    void arrange(bool fitRanges) override;
    [[nodiscard]] std::optional<ChartHit> hit(const QPointF& position) const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QPointF pixel(double x, double y) const;
    [[nodiscard]] bool isShown(const Point& point) const;
    [[nodiscard]] double diameter(const Series& series, const Point& point) const;
    void drawLines(QCPPainter& painter, class LabelPlacer& placer) const;
    void drawArrows(QCPPainter& painter, class LabelPlacer& placer) const;
    void drawMarks(QCPPainter& painter, class LabelPlacer& placer) const;
    void drawLabels(QCPPainter& painter, class LabelPlacer& placer);
    void drawHidden(QCPPainter& painter, class LabelPlacer& placer);

    LineFigure m_figure;
    QStringList m_hidden;        ///< labels that found no room when it was painted last
    QRectF m_hiddenNote;         ///< where their number stands; hovering lists them
    QCPRange m_limitX{0, 0}, m_limitY{0, 0};   ///< of moving and zooming
};

} // namespace ridgepoint::app
