// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

namespace ridgepoint::app {

/// Rows of stretches along one axis, named at their left: tornado, waterfall, odds.
class SpanChart : public Chart
{
    Q_OBJECT
public:
    explicit SpanChart(QCustomPlot* plot);

    void show(const SpanFigure& figure);
    void arrange(bool fitRanges) override;
    [[nodiscard]] std::optional<ChartHit> hit(const QPointF& position) const override;

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QRectF slot(std::size_t row) const;
    [[nodiscard]] QRectF spanRect(std::size_t row, const Span& span) const;
    void drawRow(QCPPainter& painter, std::size_t row) const;

    SpanFigure m_figure;
    std::size_t m_shown = 0;      ///< rows there is room for
    double m_left = 40;
};

} // namespace ridgepoint::app
