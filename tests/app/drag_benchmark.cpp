// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a user feels: start to first paint, and a slider dragged for five seconds with four columns and all four
// figures visible. Prints both and fails beyond the limits. Needs a display; Xvfb will do.

#include "app/charts/chart_view.h"
#include "app/charts/figure_plot.h"
#include "app/panels/board_model.h"
#include "app/panels/comparison_board.h"
#include "app/panels/knob_editor.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "core/figures/catalog.h"
#include "tests/app/app_test.h"

#include <QElapsedTimer>
#include <QFile>
#include <QMouseEvent>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace ridgepoint;
using namespace ridgepoint::app;

constexpr double frameLimit = 16.7, startLimit = 1000;   // ms
constexpr qint64 dragTime = 5000;                         // ms

double now()
{
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// Processor time of this process, which other work on the machine does not lengthen.
double processorTime()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

/// When this process began, on the clock of `now`; the kernel counts in hundredths of a second.
double processStart()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly))
        return now();
    const QByteArray text = file.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    return fields.at(19).toDouble() * 1e3 / double(sysconf(_SC_CLK_TCK));
}

/// Follows one figure from its value to the screen: shown, drawn into its buffer, painted.
struct Watch
{
    FigurePlot* plot = nullptr;
    int drawn = 0, painted = 0;       ///< number of the change that is in the buffer, and on the screen
    int draws = 0, paints = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const double start = processStart();
    QApplication application(argc, argv);
    setUpTestApplication();
    Document document(shippedPresets());
    fillWithSample(document);
    MainWindow window(document);
    std::vector<Watch> watches;
    for (ChartView* view : window.figures()->views())
        watches.push_back({.plot = view->plot()});
    int change = 0;
    QObject::connect(&document, &Document::changed, &document, [&change] { ++change; });
    for (Watch& watch : watches) {
        QObject::connect(watch.plot, &QCustomPlot::afterReplot, &window, [&watch, &change] {
            watch.drawn = change;
            ++watch.draws;
        });
        QObject::connect(watch.plot, &FigurePlot::painted, &window, [&watch] {
            watch.painted = watch.drawn;
            ++watch.paints;
        });
    }
    window.resize(1600, 1000);
    window.show();
    const auto allPaintedOnce = [&] { return std::all_of(watches.begin(), watches.end(), [](const Watch& w) { return w.paints > 0; }); };
    while (!allPaintedOnce() && now() - start < 10000)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double firstPaint = now() - start;

    for (const Watch& watch : watches)
        if (watch.plot->visibleRegion().boundingRect() != watch.plot->rect()) {
            fmt::print(stderr, "{} is not wholly visible\n", idOf(watch.plot->figure()));
            return 1;
        }
    ComparisonBoard& board = *window.board();
    const QModelIndex cell = board.model()->index(board.model()->rowOf("load.concurrency"), 1);
    board.table()->setCurrentIndex(cell);
    board.table()->scrollTo(cell);
    board.table()->edit(cell);
    auto* editor = board.table()->findChild<NumberKnobEditor*>();
    if (!editor) {
        fmt::print(stderr, "the editor did not open\n");
        return 1;
    }
    QTimer awake;   // so that waiting for a paint that never comes ends
    awake.start(20);
    QElapsedTimer settle;
    settle.start();
    while (settle.elapsed() < 500)
        QApplication::processEvents();

    QSlider* slider = editor->slider();
    const double middle = slider->height() / 2.0;
    const auto send = [&](QEvent::Type type, double x) {
        const QPointF at(x, middle);
        QMouseEvent event(type, at, slider->mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(slider, &event);
    };
    std::vector<double> times, busy;
    std::vector<int> before;
    for (const Watch& watch : watches)
        before.push_back(watch.paints);
    const int steps = document.undoStack().count();
    send(QEvent::MouseButtonPress, slider->width() / 2.0);
    QElapsedTimer drag;
    drag.start();
    int lost = 0, idle = 0;
    for (int i = 0; drag.elapsed() < dragTime; ++i) {
        const double x = slider->width() / 2.0 + (slider->width() / 2.0 - 10) * std::sin(i / 40.0);
        const int known = change;
        const double sent = now(), sentBusy = processorTime();
        send(QEvent::MouseMove, x);
        if (change == known) {
            ++idle;   // the handle did not reach the next value
            QApplication::processEvents();
            continue;
        }
        const auto done = [&] { return std::all_of(watches.begin(), watches.end(), [&](const Watch& w) { return w.painted >= change; }); };
        while (!done() && now() - sent < 1000)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        lost += !done();
        times.push_back(now() - sent);
        busy.push_back(processorTime() - sentBusy);
    }
    send(QEvent::MouseButtonRelease, slider->width() / 2.0);

    bool ok = !times.empty() && lost == 0;
    for (std::size_t i = 0; i < watches.size(); ++i) {
        const Watch& watch = watches[i];
        const bool current = watch.plot->figure() == figureCatalog()[i].make({document.configurations(), document.baseline()});
        fmt::print("{:<12} painted {} times for {} values{}\n", idOf(watch.plot->figure()), watch.paints - before[i], times.size(),
                   current ? "" : ", the last one is missing");
        ok = ok && current && watch.paints - before[i] >= int(times.size());
    }
    std::sort(times.begin(), times.end());
    std::sort(busy.begin(), busy.end());
    const auto at = [&](double share) { return times.empty() ? 0 : times[std::min(times.size() - 1, std::size_t(share * double(times.size())))]; };
    if (!busy.empty())
        fmt::print("processor time of a value: median {:.1f} ms, 95 % {:.1f} ms\n", busy[busy.size() / 2], busy[busy.size() * 95 / 100]);
    fmt::print("undo steps of the drag: {}\n", document.undoStack().count() - steps);
    fmt::print("start to first paint: {:.0f} ms (limit {:.0f})\n", firstPaint, startLimit);
    fmt::print("slider drag: {} values ({} moves without a new value), median {:.1f} ms, 95 % {:.1f} ms, max {:.1f} ms (limit for 95 %: {} ms)\n",
               times.size(), idle, at(0.5), at(0.95), times.empty() ? 0 : times.back(), frameLimit);
    ok = ok && firstPaint <= startLimit && at(0.95) <= frameLimit;
    fmt::print("{}\n", ok ? "passed" : "FAILED");
    return ok ? 0 : 1;
}
