// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/frontier.h"

#include "core/base/unit_text.h"
#include "core/figures/catalog.h"
#include "core/insight/comparison.h"
#include "core/insight/sentence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

// Requests beyond what the replicas hold only wait: from there on the line would stand still.
/// A point of the curve where some wait for a place.
bool saturated(const LoadPoint& load)
{
    return someWait({.concurrency = load.concurrency}, load.metrics);
}

/// Requests inside as the configuration stands: those of an open loop follow from its rate.
int presentConcurrency(const Evaluated& column)
{
    const Load& load = column.scenario.load;
    return load.arrivals == Arrivals::closedLoop ? load.concurrency
                                                 : std::max(1, int(std::floor(column.report.metrics->running)));
}

Point pointOf(const LoadPoint& load, bool present, std::size_t column)
{
    const auto& [concurrency, metrics] = load;
    Point point;
    point.x = metrics.tpot.value * 1e3;
    point.y = metrics.outputPerDevice.value;
    point.key = fmt::format("concurrency.{}", concurrency);
    point.emphasised = present;
    point.hover = fmt::format("{}, {} in flight: TPOT {}, {}\u00a0tokens/s per device", columnLetter(column),
                              concurrency, secondsText(metrics.tpot), numberText(point.y, 4));
    // The wait of a saturated load grows without end, so it is no number.
    point.hover += saturated(load) ? fmt::format("; {} run, the others wait", countText(metrics.running))
                                   : fmt::format(", TTFT {}", secondsText(metrics.ttft));
    return point;
}

// The curve with the requests in flight as they stand.
std::vector<LoadPoint> pointsWith(const Evaluated& column)
{
    std::vector<LoadPoint> points = column.load.empty() ? loadCurve(column.scenario) : column.load;
    const LoadPoint present{presentConcurrency(column), *column.report.metrics};
    const auto place = std::lower_bound(points.begin(), points.end(), present.concurrency,
                                        [](const LoadPoint& point, int value) { return point.concurrency < value; });
    if (place == points.end() || place->concurrency != present.concurrency)
        points.insert(place, present);
    else
        place->metrics = present.metrics;
    return points;
}

std::vector<Point> lineOf(const Evaluated& column, std::size_t index, bool labelled)
{
    std::vector<Point> points;
    const int present = presentConcurrency(column);
    bool ended = false;
    for (const LoadPoint& load : pointsWith(column)) {
        const int concurrency = load.concurrency;
        if (ended && concurrency != present)
            continue;
        Point point = pointOf(load, concurrency == present, index);
        if (labelled && point.emphasised)
            point.label = arrivalsText(column.scenario.load);
        else if (labelled && (concurrency == 8 || concurrency == 32 || concurrency == 128))
            point.label = fmt::format("{}", concurrency);
        ended = ended || saturated(load);
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace

Figure frontierFigure(std::span<const Evaluated> configurations, std::size_t)
{
    LineFigure figure;
    figure.id = "frontier";
    figure.title = "Throughput against latency";
    figure.subtitle = "1 to 512 in flight";
    figure.x.label = "TPOT, mean (ms)";
    figure.x.minimum = 0.0;
    figure.y.label = "Output per device (tokens/s)";
    figure.y.minimum = 0.0;
    const Ranking best = ranking(configurations);
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const auto& [scenario, report, load] = configurations[i];
        Series series;
        series.name = columnName(i, scenario);
        series.configuration = int(i);
        series.marks = true;
        if (report.feasible()) {
            series.points = lineOf(configurations[i], i, !best.order.empty() && best.order.front() == i);
            series.endLabel = fmt::format("{} · {}", columnLetter(i), scenario.system.device.name);
            figure.description +=
                fmt::format("{} gives {}\u00a0tokens/s per device at a TPOT of {}. ", columnLetter(i),
                            numberText(report.metrics->outputPerDevice.value, 4), secondsText(report.metrics->tpot));
        }
        figure.series.push_back(std::move(series));
    }
    if (const std::string leftOut = leftOutText(configurations); !leftOut.empty()) {
        figure.subtitle = leftOut + " · " + figure.subtitle;   // a narrow figure cuts the end
        figure.description += leftOut + ". ";
    }
    if (!figure.description.empty())
        figure.description.pop_back();
    return figure;
}

} // namespace ridgepoint
