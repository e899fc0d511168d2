// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/chart.h"

#include <QWidget>

namespace ridgepoint::app {

/// The card beside the pointer that reads values. A child of the window, so that its shadow needs no compositor.
class HoverCard : public QWidget
{
    Q_OBJECT
public:
    explicit HoverCard(QWidget* window);

    void show(const ChartHit& hit, const QPoint& globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ChartHit m_hit;
    double m_labelWidth = 0;
};

} // namespace ridgepoint::app
