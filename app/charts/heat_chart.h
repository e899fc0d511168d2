// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

#include <utility>

namespace ridgepoint::app {

/// A map of two knobs: a cell for each pair of values, viridis without interpolation, infeasible cells hatched, and the
/// scale of colours at the right.
class HeatChart : public Chart
{
    Q_OBJECT
public:
    explicit HeatChart(QCustomPlot* plot);

    void show(const HeatFigure& figure);
    void arrange(bool fitRanges) override;
    [[nodiscard]] std::optional<ChartHit> hit(const QPointF& position) const override;

    /// "cell.COLUMN.ROW", as `ChartHit::key` has it.
    [[nodiscard]] static std::optional<std::pair<std::size_t, std::size_t>> cellOf(const QString& key);

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QRectF cellRect(std::size_t column, std::size_t row) const;
    [[nodiscard]] double share(double value) const;   ///< of the scale of colours, 0 to 1
    void drawCell(QCPPainter& painter, std::size_t column, std::size_t row) const;
    void drawTicks(QCPPainter& painter) const;
    void drawScale(QCPPainter& painter) const;

    HeatFigure m_figure;
    double m_least = 0, m_most = 1;
    bool m_logarithmic = false;
};

/// Viridis: bright is much.
[[nodiscard]] QColor viridis(double share);

} // namespace ridgepoint::app
