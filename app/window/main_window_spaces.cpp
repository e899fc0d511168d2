// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/panels/comparison_board.h"
#include "app/panels/decide_page.h"
#include "app/panels/explore_page.h"
#include "app/panels/size_page.h"
#include "app/style/marks.h"
#include "app/window/main_window.h"
#include "core/figures/catalog.h"

#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace ridgepoint::app {

/// Pages are made when they are first opened, so that the start does not wait for them.
void MainWindow::openSpace(Space space)
{
    m_space = space;
    if (space == Space::explore && m_explore == nullptr) {
        m_explore = new ExplorePage;
        m_spaces->addWidget(m_explore);
        m_explore->applyTokens();
        connect(m_explore, &ExplorePage::addRequested, this, &MainWindow::addToBoard);
        connect(m_explore, &ExplorePage::methodRequested, this, &MainWindow::explainFigure);
        connect(m_explore, &ExplorePage::message, this, &MainWindow::say);
        connect(m_explore, &ExplorePage::failed, this, &MainWindow::complain);
    }
    if (space == Space::decide && m_decide == nullptr) {
        m_decide = new DecidePage;
        m_spaces->addWidget(m_decide);
        m_decide->applyTokens();
        connect(m_decide, &DecidePage::knobRequested, this, [this](int column, const QString& knob) { m_board->goTo(column, knob); });
        connect(m_decide, &DecidePage::methodRequested, this, &MainWindow::explainFigure);
        connect(m_decide, &DecidePage::message, this, &MainWindow::say);
        connect(m_decide, &DecidePage::failed, this, &MainWindow::complain);
    }
    if (space == Space::size && m_size == nullptr) {
        m_size = new SizePage;
        m_spaces->addWidget(m_size);
        m_size->applyTokens();
        connect(m_size, &SizePage::addRequested, this, &MainWindow::addToBoard);
    }
    QWidget* const pages[] = {m_vertical, m_explore, m_decide, m_size};
    m_spaces->setCurrentWidget(pages[int(space)]);
    stampFigures();
    const QSignalBlocker blocker(m_spaceTabs);
    m_spaceTabs->setCurrentIndex(int(space));
    showSpace();
}

void MainWindow::stampFigures()
{
    for (ChartView* view : findChildren<ChartView*>())
        view->setStamp([this] {
            return QString::fromStdString(stampText({m_document.configurations(), m_document.baseline(), m_document.definitions()}));
        });
}

void MainWindow::showSpace()
{
    if (m_space == Space::explore)
        m_explore->show(m_document.configurations(), m_document.baseline(), m_document.presets());
    if (m_space == Space::decide)
        m_decide->show(m_document.configurations(), m_document.baseline(), m_document.presets(), m_document.definitions());
    if (m_space == Space::size)
        m_size->show(m_document.configurations(), m_document.baseline());
}

void MainWindow::finishSpace()
{
    if (m_space == Space::explore)
        m_explore->finish();
    if (m_space == Space::decide)
        m_decide->finish();
    if (m_space == Space::size)
        m_size->finish();
}

void MainWindow::addToBoard(const Scenario& scenario)
{
    const Result<void> added = m_document.add(scenario);
    if (!added)
        return report(added);
    say(tr("Added as configuration %1.").arg(letterOf(int(m_document.size()) - 1)));
}

} // namespace ridgepoint::app
