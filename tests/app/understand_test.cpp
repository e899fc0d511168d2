// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_view.h"
#include "app/charts/figure_plot.h"
#include "app/panels/board_model.h"
#include "app/panels/comparison_board.h"
#include "app/panels/explanation_panel.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "core/figures/catalog.h"
#include "tests/app/app_test.h"

#include <QAction>
#include <QElapsedTimer>
#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::app;

namespace {

int rowOf(const BoardModel& model, std::string_view metric)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.row(row).metric && model.row(row).metric->id == metric)
            return row;
    return -1;
}

QString axisOf(const Figure& figure)
{
    return QString::fromStdString(std::holds_alternative<BarFigure>(figure) ? std::get<BarFigure>(figure).value.label
                                                                           : std::get<LineFigure>(figure).x.label);
}

} // namespace

class UnderstandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(anyWarning()); }

    void aDefinitionChangesEveryNumberWithItsLabel()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        MainWindow window(document);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const BoardModel& model = *window.board()->model();
        const int tpot = rowOf(model, "tpot_ms");
        const QString value = model.cell(model.index(tpot, 0)).text, label = model.row(tpot).label;
        const auto axes = [&] {
            QStringList all;
            for (ChartView* view : window.figures()->views())
                all << axisOf(view->plot()->figure());
            return all;
        };
        const QStringList before = axes();
        for (const char* name : {"tpot=with-first", "memory=gb", "arithmetic=mac"}) {
            auto* action = window.findChild<QAction*>(QLatin1String(name));
            QVERIFY2(action != nullptr, name);
            action->trigger();
        }
        QVERIFY(model.row(tpot).label.contains(QStringLiteral("with the first token")));
        QVERIFY(model.cell(model.index(tpot, 0)).text != value);
        QVERIFY(axes().filter(QStringLiteral("(GiB)")).isEmpty());
        QVERIFY(axes().filter(QStringLiteral("FLOP")).isEmpty());
        QVERIFY(!axes().filter(QStringLiteral("with the first token")).isEmpty());
        QTest::qWait(150);
        window.grab().save(QStringLiteral(RIDGEPOINT_PICTURES "/definitions.png"));

        for (int i = 0; i < 3; ++i)
            document.undoStack().undo();
        QCOMPARE(model.row(tpot).label, label);
        QCOMPARE(model.cell(model.index(tpot, 0)).text, value);
        QCOMPARE(axes(), before);
    }

    void aDefinitionIsTurnedWithinAFrame()
    {
        Document document(shippedPresets());
        fillWithSample(document);
        MainWindow window(document);
        window.resize(1600, 1000);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QTest::qWait(150);
        std::vector<double> times;
        for (int i = 0; i < 21; ++i) {
            QElapsedTimer timer;
            timer.start();
            document.setDefinitions({.tpotWithFirst = i % 2 == 0, .gigabytes = i % 2 == 0, .macs = i % 2 == 0});
            window.repaint();
            times.push_back(double(timer.nsecsElapsed()) / 1e6);
            QTest::qWait(5);
        }
        std::sort(times.begin(), times.end());
        qInfo("a definition is turned in %.1f ms (median of %d)", times[times.size() / 2], int(times.size()));
        QVERIFY2(times[times.size() / 2] <= 20, qPrintable(QString::number(times[times.size() / 2])));
    }
};

RIDGEPOINT_APP_TEST(UnderstandTest)
#include "understand_test.moc"
