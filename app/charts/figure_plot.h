// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

#include <memory>

namespace ridgepoint::app {

/// A plot that paints any figure by the chart of its kind, and reports what the pointer does to it.
class FigurePlot : public QCustomPlot
{
    Q_OBJECT
public:
    explicit FigurePlot(QWidget* parent = nullptr);

    void show(const Figure& figure);          ///< painted with the next frame
    using QWidget::show;
    void setTokens(const Tokens& tokens);
    void select(const QString& key);
    void setHeading(bool on);                 ///< title, subtitle and legend above, for exports
    void resetRanges();

    [[nodiscard]] const Figure& figure() const { return m_figure; }
    [[nodiscard]] const Tokens& theme() const { return *m_tokens; }
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }

    /// Lays out and paints at once; for pictures.
    void prepare();

Q_SIGNALS:
    void keyClicked(const QString& key, int configuration);
    void keyDoubleClicked(const QString& key);
    void hovered(const ridgepoint::app::ChartHit& hit, const QPoint& position);
    void unhovered();
    void painted();                           ///< the widget has been painted

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void arrange();

    Figure m_figure;
    Chart* m_chart = nullptr;                 ///< owned by the plot
    std::size_t m_kind = std::variant_npos;
    QCPAbstractItem* m_heading = nullptr;
    const Tokens* m_tokens = &lightTokens();
    QString m_selected;
    QPoint m_pressed;
    bool m_zoomed = false;
};

} // namespace ridgepoint::app
