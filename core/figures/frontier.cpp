// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/frontier.h"

#include "core/base/unit_text.h"
#include "core/figures/catalog.h"
#include "core/insight/comparison.h"
#include "core/insight/sentence.h"
#include "core/scenario/metrics.h"

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

Point pointOf(const LoadPoint& load, bool present, std::size_t column, const Definitions& definitions)
{
    const auto& [concurrency, metrics] = load;
    Point point;
    const Seconds tpot = tpotOf(metrics, definitions);
    point.x = tpot.value * 1e3;
    point.y = metrics.outputPerDevice.value;
    point.key = fmt::format("concurrency.{}", concurrency);
    point.emphasised = present;
    point.hover = fmt::format("{}, {} in flight: {} {}, {}\u00a0tokens/s per device", columnLetter(column),
                              concurrency, tpotName(definitions), secondsText(tpot), numberText(point.y, 4));
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

std::vector<Point> lineOf(const Evaluated& column, std::size_t index, bool labelled, const Definitions& definitions)
{
    std::vector<Point> points;
    const int present = presentConcurrency(column);
    bool ended = false;
    for (const LoadPoint& load : pointsWith(column)) {
        const int concurrency = load.concurrency;
        if (ended && concurrency != present)
            continue;
        // The first token of an overloaded service never comes, and no average that holds it has a value.
        if (definitions.tpotWithFirst && concurrency == present && column.report.overloaded)
            continue;
        Point point = pointOf(load, concurrency == present, index, definitions);
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

Figure frontierFigure(std::span<const Evaluated> configurations, std::size_t, const Definitions& definitions)
{
    LineFigure figure;
    figure.id = "frontier";
    figure.title = "Throughput against latency";
    figure.subtitle = "1 to 512 in flight";
    figure.x.label = fmt::format("{}, mean (ms)", tpotName(definitions));
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
            series.points = lineOf(configurations[i], i, !best.order.empty() && best.order.front() == i, definitions);
            series.endLabel = fmt::format("{} · {}", columnLetter(i), scenario.system.device.name);
            figure.description +=
                fmt::format("{} gives {}\u00a0tokens/s per device at a {} of {}. ", columnLetter(i),
                            numberText(report.metrics->outputPerDevice.value, 4), tpotName(definitions),
                            secondsText(tpotOf(*report.metrics, definitions)));
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
