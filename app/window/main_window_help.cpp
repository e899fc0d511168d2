// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/panels/board_model.h"
#include "app/panels/comparison_board.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "app/window/method_dialog.h"

#include <QApplication>
#include <QTableView>

namespace ridgepoint::app {

MethodDialog* MainWindow::method()
{
    if (m_method == nullptr)
        m_method = new MethodDialog(this);
    return m_method;
}

void MainWindow::explainFigure(const QString& id)
{
    method()->showFigure(id, m_document.presets());
    m_method->show();
}

void MainWindow::explainFocus()
{
    const QWidget* focus = QApplication::focusWidget();
    for (ChartView* view : findChildren<ChartView*>())
        if (focus != nullptr && (view == focus || view->isAncestorOf(focus)))
            return explainFigure(view->objectName());
    const QModelIndex current = m_board->table()->currentIndex();
    const bool onBoard = focus == nullptr || focus == m_board->table() || m_board->isAncestorOf(focus);
    if (onBoard && current.isValid()) {
        const BoardRow& row = m_board->model()->row(current.row());
        method()->showTopic(row.label, row.help);
    } else {
        method()->showGlossary();
    }
    m_method->show();
}

} // namespace ridgepoint::app
