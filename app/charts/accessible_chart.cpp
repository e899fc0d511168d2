// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/accessible_chart.h"

#include "app/charts/figure_plot.h"

#include <QAccessibleWidget>

namespace ridgepoint::app {

namespace {

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    if (auto* plot = qobject_cast<FigurePlot*>(object))
        return new QAccessibleWidget(plot, QAccessible::Chart);
    return nullptr;
}

} // namespace

void installAccessibleCharts()
{
    static bool installed = false;
    if (!installed)
        QAccessible::installFactory(makeInterface);
    installed = true;
}

} // namespace ridgepoint::app
