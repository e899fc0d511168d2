// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/charts/figure_plot.h"
#include "app/charts/heat_chart.h"
#include "app/panels/comparison_board.h"
#include "app/panels/decide_page.h"
#include "app/panels/explore_page.h"
#include "app/panels/size_page.h"
#include "app/window/main_window.h"
#include "app/window/presenter.h"
#include "core/insight/comparison.h"
#include "tests/app/app_test.h"

#include <QComboBox>
#include <QPointer>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTableView>
#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::app;

class SpacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(QDir().mkpath(QStringLiteral(RIDGEPOINT_PICTURES))); }

    void init()
    {
        QTest::failOnWarning(anyWarning());
        m_document = std::make_unique<Document>(shippedPresets());
        fillWithSample(*m_document);
        m_window = std::make_unique<MainWindow>(*m_document);
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup()
    {
        m_window.reset();
        m_document.reset();
    }

    void keysOpenTheSpaces()
    {
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("spaces"));
        QVERIFY(tabs != nullptr);
        QVERIFY(m_window->explore() == nullptr && m_window->decide() == nullptr);   // made when first opened
        const std::pair<Qt::Key, Space> keys[] = {{Qt::Key_2, Space::explore}, {Qt::Key_3, Space::decide}, {Qt::Key_4, Space::size}, {Qt::Key_1, Space::compare}};
        for (const auto& [key, space] : keys) {
            QTest::keyClick(m_window.get(), key, Qt::ControlModifier);
            QCOMPARE(m_window->space(), space);
            QCOMPARE(tabs->currentIndex(), int(space));
        }
        QVERIFY(m_window->board()->isVisible());
        tabs->setCurrentIndex(2);
        QVERIFY(m_window->decide()->isVisible() && !m_window->board()->isVisible());
    }

    void theMapFollowsTheBoard()
    {
        m_window->openSpace(Space::explore);
        ExplorePage& page = *m_window->explore();
        page.finish();
        const auto figure = [&page] { return std::get<HeatFigure>(page.view()->plot()->figure()); };
        const HeatFigure before = figure();
        QVERIFY(before.cells.size() > 50);
        QVERIFY(before.presentX && before.presentY);
        const std::size_t first = ranking(m_document->configurations()).order.front();
        QVERIFY(m_document->setKnob(first, "load.output_tokens", 2048.0).has_value());
        QVERIFY(page.counts().contains(QStringLiteral("Working")));   // said while it trails
        page.finish();
        QVERIFY(!(figure() == before));
        QVERIFY(!page.counts().contains(QStringLiteral("Working")));
    }

    void aLimitIsCountedAndNothingIsHidden()
    {
        m_window->openSpace(Space::explore);
        ExplorePage& page = *m_window->explore();
        page.finish();
        const std::size_t cells = std::get<HeatFigure>(page.view()->plot()->figure()).cells.size();
        page.setLimit(QStringLiteral("tpot_ms"), 15.0);
        page.finish();
        const auto& figure = std::get<HeatFigure>(page.view()->plot()->figure());
        QCOMPARE(figure.cells.size(), cells);
        const auto broken = std::ranges::count(figure.cells, CellState::breaksLimit, &HeatCell::state);
        QVERIFY(broken > 0);
        QVERIFY2(page.counts().contains(QStringLiteral("%1 break").arg(broken)), qPrintable(page.counts()));
    }

    void aCellSaysWhatMendsItAndGoesOnTheBoard()
    {
        m_window->openSpace(Space::explore);
        ExplorePage& page = *m_window->explore();
        QVERIFY(m_document->setKnob(ranking(m_document->configurations()).order.front(), "network.preset", std::string("llama-3.1-405b")).has_value()
                || m_document->size() == 4);
        page.finish();
        const auto& figure = std::get<HeatFigure>(page.view()->plot()->figure());
        std::optional<std::pair<std::size_t, std::size_t>> lacking, allowed;
        for (std::size_t row = 0; row < figure.yTicks.size(); ++row)
            for (std::size_t column = 0; column < figure.xTicks.size(); ++column) {
                if (figure.at(column, row).state == CellState::allowed)
                    allowed = {column, row};
                else
                    lacking = {column, row};
            }
        QVERIFY(lacking && allowed);
        page.selectCell(lacking->first, lacking->second);
        QVERIFY2(page.detail().contains(QStringLiteral("What helps")), qPrintable(page.detail()));
        page.selectCell(allowed->first, allowed->second);
        const auto expected = page.scenarioOf(allowed->first, allowed->second);
        QVERIFY(expected);
        FigurePlot* plot = page.view()->plot();
        const QPointF at(plot->xAxis->coordToPixel(double(allowed->first)), plot->yAxis->coordToPixel(double(allowed->second)));
        QTest::mouseDClick(plot, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(m_document->size(), std::size_t(5));
        QVERIFY(m_document->configurations().back().scenario == *expected);
        m_document->undoStack().undo();
        QCOMPARE(m_document->size(), std::size_t(4));
    }

    void aDecisionIsSaidAndItsBarsSelectKnobs()
    {
        m_window->openSpace(Space::decide);
        DecidePage& page = *m_window->decide();
        page.finish();
        QVERIFY(page.headline().contains(QStringLiteral("plausible worlds")));
        const auto& tornado = std::get<SpanFigure>(page.views()[2]->plot()->figure());
        const QString knob = QString::fromStdString(tornado.rows.front().key);
        QSignalSpy asked(&page, &DecidePage::knobRequested);
        FigurePlot* plot = page.views()[2]->plot();
        const Span& span = tornado.rows.front().spans.front();
        QTest::mouseClick(plot, Qt::LeftButton, {},
                          QPointF(plot->xAxis->coordToPixel((span.from + span.to) / 2), plot->axisRect()->rect().top() + 8.0).toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front()[1].toString(), knob);
        page.metricBox()->setCurrentIndex(page.metricBox()->findData(QStringLiteral("tpot_ms")));
        Q_EMIT page.metricBox()->activated(page.metricBox()->currentIndex());
        QVERIFY(QString::fromStdString(std::get<SpanFigure>(page.views()[2]->plot()->figure()).value.label).contains(QStringLiteral("TPOT")));
    }

    void aSizingMultipliesOutAndGoesOnTheBoard()
    {
        m_window->openSpace(Space::size);
        SizePage& page = *m_window->sizing();
        page.setRate(40);
        page.setLimit(QStringLiteral("tpot_ms"), 40);
        page.finish();
        QVERIFY(!page.options().empty());
        const SizingOption best = page.options().front();
        QVERIFY(best.bound != RateBound::infeasible);
        QVERIFY(best.mostPerReplica.value * best.forLoad >= 40.0);
        QVERIFY2(page.answer().startsWith(QStringLiteral("%1 × ").arg(best.devices())), qPrintable(page.answer()));
        QVERIFY(page.steps().contains(QStringLiteral("= %1 replicas × %2 = %3 × ").arg(best.replicas()).arg(best.devicesPerReplica).arg(best.devices())));
        QCOMPARE(page.table()->rowCount(), int(page.options().size()));
        Q_EMIT page.addRequested(best.replica);
        QCOMPARE(m_document->size(), std::size_t(5));
        page.setRate(80);   // twice the load takes no fewer devices
        QVERIFY(page.options().front().perMonth->value >= best.perMonth->value);
        page.setLimit(QStringLiteral("tpot_ms"), 0.1);
        QVERIFY(page.answer().startsWith(QStringLiteral("Nothing")));
    }

    void thePresenterStepsThroughFiguresAndLeaves()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F11);
        QPointer<Presenter> presenter = m_window->findChild<Presenter*>();
        QVERIFY(presenter);
        QVERIFY(QTest::qWaitForWindowExposed(presenter));
        QCOMPARE(presenter->count(), 7);
        QVERIFY(presenter->accessibleDescription().contains(QStringLiteral("D ")));   // the answer names the winner
        for (const bool dark : {false, true}) {
            setCurrentTokens(dark);
            for (int i = 0; i < presenter->count(); ++i) {
                presenter->resize(1600, 900);
                presenter->go(i);
                QVERIFY(presenter->grab().save(QStringLiteral("%1/present-%2-%3.png").arg(QStringLiteral(RIDGEPOINT_PICTURES)).arg(i).arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))));
            }
        }
        setCurrentTokens(false);
        QTest::keyClick(presenter, Qt::Key_Home);
        QCOMPARE(presenter->current(), 0);
        QTest::keyClick(presenter, Qt::Key_Right);
        QCOMPARE(presenter->current(), 1);
        QTest::keyClick(presenter, Qt::Key_Left);
        QTest::keyClick(presenter, Qt::Key_Left);
        QCOMPARE(presenter->current(), 0);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QTRY_VERIFY(!presenter);
    }

    void spacesSurviveAnEmptyOrImpossibleBoard()
    {
        for (const bool one : {false, true}) {
            Project project;
            if (one) {
                project.configurations.push_back(m_document->configurations()[0].scenario);
                project.configurations[0].plan.tensorParallel = 3;
            }
            for (const Space space : {Space::explore, Space::decide, Space::size}) {
                m_window->openSpace(space);
                m_document->reset(project, {});
                m_window->finishSpace();
                QVERIFY(!m_window->grab().isNull());
            }
            fillWithSample(*m_document);
        }
    }

    void spacesAreLegibleAtEverySize()
    {
        for (const bool dark : {false, true}) {
            m_window->setTheme(dark ? ThemeChoice::dark : ThemeChoice::light, false);
            for (const QSize size : {QSize(1366, 768), QSize(2560, 1440)})
                for (const auto& [space, name] : {std::pair{Space::explore, "explore"}, std::pair{Space::decide, "decide"}, std::pair{Space::size, "size"}}) {
                    m_window->resize(size);
                    m_window->openSpace(space);
                    m_window->finishSpace();
                    QTest::qWait(20);
                    QVERIFY(m_window->grab().save(QStringLiteral("%1/space-%2-%3-%4.png").arg(QStringLiteral(RIDGEPOINT_PICTURES), QLatin1String(name),
                                                                                               dark ? QStringLiteral("dark") : QStringLiteral("light")).arg(size.width())));
                }
        }
        m_window->setTheme(ThemeChoice::light, false);
    }

private:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<MainWindow> m_window;
};

RIDGEPOINT_APP_TEST(SpacesTest)
#include "spaces_test.moc"
