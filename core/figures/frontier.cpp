// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/frontier.h"

#include "core/base/unit_text.h"
#include "core/figures/catalog.h"
#include "core/insight/comparison.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

constexpr int largestConcurrency = 512;

// Powers of two and the requests in flight as they stand.
std::vector<int> concurrencies(int present)
{
    std::vector<int> values;
    for (int value = 1; value <= largestConcurrency; value *= 2)
        values.push_back(value);
    const auto place = std::lower_bound(values.begin(), values.end(), present);
    if (place == values.end() || *place != present)
        values.insert(place, present);
    return values;
}

// Requests beyond what the replicas hold only wait: from there on the line would stand still.
bool saturated(const Report& report, int concurrency)
{
    return report.metrics->running < concurrency * (1.0 - 1e-9);
}

Point pointOf(const Report& report, int concurrency, bool present, std::size_t column)
{
    Point point;
    point.x = report.metrics->tpot.value * 1e3;
    point.y = report.metrics->outputPerDevice.value;
    point.key = fmt::format("concurrency.{}", concurrency);
    point.emphasised = present;
    point.hover = fmt::format("{}, {} in flight: TPOT {}, {}\u00a0tokens/s per device", columnLetter(column),
                              concurrency, secondsText(report.metrics->tpot), numberText(point.y, 4));
    // The wait of a saturated load grows without end, so it is no number.
    point.hover += saturated(report, concurrency)
                       ? fmt::format("; {} run, the others wait", countText(report.metrics->running))
                       : fmt::format(", TTFT {}", secondsText(report.metrics->ttft));
    return point;
}

std::vector<Point> lineOf(const Evaluated& column, std::size_t index, bool labelled)
{
    std::vector<Point> points;
    Scenario scenario = column.scenario;
    const int present = column.scenario.load.concurrency;
    bool ended = false;
    for (const int concurrency : concurrencies(present)) {
        if (ended && concurrency != present)
            continue;
        scenario.load.concurrency = concurrency;
        const Report report = concurrency == present ? column.report : evaluate(scenario);
        if (!report.feasible()) {
            ended = true;
            continue;
        }
        Point point = pointOf(report, concurrency, concurrency == present, index);
        if (labelled && point.emphasised)
            point.label = fmt::format("{} in flight", concurrency);
        else if (labelled && (concurrency == 8 || concurrency == 32 || concurrency == 128))
            point.label = fmt::format("{}", concurrency);
        ended = ended || saturated(report, concurrency);
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
        const auto& [scenario, report] = configurations[i];
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
