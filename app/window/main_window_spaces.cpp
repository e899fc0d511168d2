// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/panels/comparison_board.h"
#include "app/panels/decide_page.h"
#include "app/panels/explore_page.h"
#include "app/panels/size_page.h"
#include "app/style/marks.h"
#include "app/window/main_window.h"
#include "app/window/presenter.h"
#include "core/figures/catalog.h"
#include "core/figures/decisions.h"
#include "core/insight/explanation.h"

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

/// A sentence of the explanation that rests on the figure; what it shows where there is none.
void MainWindow::present()
{
    const FigureInput input{.configurations = m_document.configurations(), .baseline = m_document.baseline(),
                            .definitions = m_document.definitions(), .presets = &m_document.presets()};
    const Explanation explanation = explain(input.configurations, input.baseline, input.definitions);
    std::vector<Slide> slides;
    for (const char* id : {"frontier", "odds", "waterfall", "breakdown", "ledger", "roofline", "tornado"}) {
        Figure figure = findFigure(id)->make(input);
        std::string message = descriptionOf(figure);
        if (explanation.answer.figure == id) {
            message = explanation.answer.text;
        } else if (std::string_view(id) == "odds") {
            message = decisionText(input);
        } else {
            for (const ExplanationSection& section : explanation.sections)
                for (const Sentence& sentence : section.sentences)
                    if (sentence.figure == id && message == descriptionOf(figure))
                        message = sentence.text;
        }
        slides.push_back({std::move(figure), QString::fromStdString(message)});
    }
    auto* presenter = new Presenter(std::move(slides), stampLine(QString::fromStdString(stampText(input))), this);
    presenter->setAttribute(Qt::WA_DeleteOnClose);
    presenter->setWindowState(Qt::WindowFullScreen);
    presenter->setModal(true);
    presenter->open();
}

void MainWindow::addToBoard(const Scenario& scenario)
{
    const Result<void> added = m_document.add(scenario);
    if (!added)
        return report(added);
    say(tr("Added as configuration %1.").arg(letterOf(int(m_document.size()) - 1)));
}

} // namespace ridgepoint::app
