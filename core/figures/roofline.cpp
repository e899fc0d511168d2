// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/roofline.h"

#include "core/base/unit_text.h"
#include "core/figures/catalog.h"
#include "core/insight/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace ridgepoint {
namespace {

constexpr double tera = 1e12;
constexpr double smallestShare = 0.01;      // of a phase: below it a dot cannot be told from its neighbours
constexpr double smallestOtherShare = 0.10; // of a column that is not compared now
constexpr double labelledShare = 0.08;

struct Phase
{
    std::string_view key, suffix;
    std::vector<OpTime> Report::* ops;
};
constexpr std::array phases{Phase{"decode", "", &Report::decodeOps},
                            Phase{"prefill", ", prefill", &Report::prefillOps}};

/// All instances of one operator of a phase, whatever layers they belong to.
struct Dot
{
    OpId id{};
    Seconds time, launch, compute, memory;
    Flops flops;
    Bytes bytes;
    double share = 0;    ///< of the phase

    [[nodiscard]] bool drawable() const { return time.value > 0 && flops.value > 0 && bytes.value > 0; }
    [[nodiscard]] double intensity() const { return (flops / bytes).value; }
    [[nodiscard]] double attained() const { return (flops / time).value / tera; }
};

std::vector<Dot> dotsOf(const std::vector<OpTime>& ops)
{
    std::vector<Dot> dots;
    Seconds total;
    for (const OpTime& one : ops) {
        total += one.time;
        auto place = std::find_if(dots.begin(), dots.end(), [&](const Dot& dot) { return dot.id == one.op.id; });
        if (place == dots.end()) {
            place = dots.insert(place, Dot{});
            place->id = one.op.id;
        }
        place->time += one.time;
        place->launch += one.launch;
        place->compute += one.compute;
        place->memory += one.memory;
        place->flops += one.op.flops * one.op.count;
        place->bytes += (one.op.weightBytes + one.op.kvBytes + one.op.activationBytes) * one.op.count;
    }
    std::erase_if(dots, [](const Dot& dot) { return !dot.drawable(); });
    for (Dot& dot : dots)
        dot.share = dot.time / total;
    return dots;
}

// The arithmetic that does most of the work.
std::optional<Math> mathInUse(const Report& report)
{
    std::array<double, allMaths.size()> work{};
    for (const Phase& phase : phases)
        for (const OpTime& one : report.*phase.ops)
            work[std::size_t(one.op.math)] += one.op.flops.value * one.op.count;
    const auto most = std::max_element(work.begin(), work.end());
    return *most > 0 ? std::optional(allMaths[std::size_t(most - work.begin())]) : std::nullopt;
}

struct Roof
{
    double bandwidth = 0;   ///< TB/s
    double peak = 0;        ///< TFLOP/s
    Math math{};
    [[nodiscard]] double ridge() const { return peak / bandwidth; }
};

std::optional<Roof> roofOf(const Evaluated& column)
{
    const Device& device = column.scenario.system.device;
    const std::optional<Math> math = column.report.feasible() ? mathInUse(column.report) : std::nullopt;
    if (!math || !device.peak.at(*math) || device.memoryBandwidth.value <= 0)
        return std::nullopt;
    return Roof{device.memoryBandwidth.value / tera, device.peak.at(*math)->value / tera, *math};
}

std::string_view limitOf(const Dot& dot)
{
    if (dot.launch > dot.memory && dot.launch > dot.compute)
        return "launch bound";
    return dot.memory >= dot.compute ? "memory bound" : "compute bound";
}

Point pointOf(const Dot& dot, std::size_t column, const Phase& phase, const Definitions& definitions)
{
    Point point;
    point.x = dot.intensity() / operationUnit(definitions);
    point.y = dot.attained() / operationUnit(definitions);
    point.weight = dot.share;
    point.key = fmt::format("{}.{}", phase.key, keyOf(dot.id));
    point.hover =
        fmt::format("{}, {}{}: {}\u00a0T{}/s at {}\u00a0{}/B, {}, {} of the {}, {}", columnLetter(column),
                    nameOf(dot.id), phase.suffix, numberText(point.y), operationName(definitions), numberText(point.x),
                    operationName(definitions), secondsText(dot.time),
                    percentText(dot.share), phase.key == "decode" ? "decode step" : "prefill", limitOf(dot));
    return point;
}

// The column that the baseline is held against: the best one, or the next when the baseline is the best.
std::optional<std::size_t> counterpart(std::span<const Evaluated> configurations, std::size_t baseline)
{
    if (baseline >= configurations.size() || !configurations[baseline].report.feasible())
        return std::nullopt;
    for (const std::size_t index : ranking(configurations).order)
        if (index != baseline)
            return index;
    return std::nullopt;
}

Arrow arrowBetween(const Dot& from, const Dot& to, const Phase& phase, double unit)
{
    Arrow arrow{from.intensity() / unit, from.attained() / unit, to.intensity() / unit, to.attained() / unit, ""};
    if (from.share >= labelledShare)
        arrow.label =
            fmt::format("{}{} {}×", nameOf(from.id), phase.suffix, numberText(to.attained() / from.attained(), 2));
    return arrow;
}

} // namespace

Figure rooflineFigure(std::span<const Evaluated> configurations, std::size_t baseline, const Definitions& definitions)
{
    LineFigure figure;
    figure.id = "roofline";
    figure.title = "Roofline";
    const double unit = operationUnit(definitions);
    const std::string_view name = operationName(definitions);
    figure.x = {.label = fmt::format("Arithmetic intensity ({}/B)", name), .scale = AxisScale::log, .minimum = {}, .maximum = {}};
    figure.y = {.label = fmt::format("Throughput per device (T{}/s)", name), .scale = AxisScale::log, .minimum = {}, .maximum = {}};

    const std::optional<std::size_t> other = counterpart(configurations, baseline);
    double left = std::numeric_limits<double>::infinity(), right = 1.0;
    const Ranking rank = ranking(configurations);
    const std::size_t named = other || rank.order.empty() ? configurations.size() : rank.order.front();   // past the end: none
    std::vector<Series> dotSeries;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const std::optional<Roof> roof = roofOf(configurations[i]);
        if (!roof)
            continue;
        const bool compared = i == baseline || i == other || !other;
        left = std::min(left, 0.25 * roof->ridge() / unit);
        right = std::max(right, 4.0 * roof->ridge() / unit);
        for (const Phase& phase : phases) {
            Series series;
            series.name = fmt::format("{}, {}", columnName(i, configurations[i].scenario), phase.key);
            series.configuration = int(i);
            series.line = false;
            series.marks = true;
            const std::vector<Dot> dots = dotsOf(configurations[i].report.*phase.ops);
            for (const Dot& dot : dots) {
                if (dot.share < (compared ? smallestShare : smallestOtherShare))
                    continue;
                left = std::min(left, 0.7 * dot.intensity() / unit);
                right = std::max(right, 1.5 * dot.intensity() / unit);
                series.points.push_back(pointOf(dot, i, phase, definitions));
                if (i == named && dot.share >= labelledShare)
                    series.points.back().label = fmt::format("{}{}", nameOf(dot.id), phase.suffix);
            }
            dotSeries.push_back(std::move(series));
            if (i != baseline || !other)
                continue;
            const std::vector<Dot> theirs = dotsOf(configurations[*other].report.*phase.ops);
            for (const Dot& dot : dots)
                for (const Dot& match : theirs)
                    if (match.id == dot.id && dot.share >= smallestShare && match.share >= smallestShare)
                        figure.arrows.push_back(arrowBetween(dot, match, phase, unit));
        }
    }

    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const std::optional<Roof> roof = roofOf(configurations[i]);
        if (!roof)
            continue;
        Series series;
        series.name = columnName(i, configurations[i].scenario) + ", roof";
        series.configuration = int(i);
        series.dashed = other && i != baseline;
        const auto corner = [&](double x, double y) {
            Point point{.x = x, .y = y, .weight = 0, .label = {}, .hover = {}, .key = fmt::format("roof.{}", i)};
            point.hover = fmt::format("{}: {}\u00a0TB/s, {}\u00a0T{}/s dense {}, ridge at {}\u00a0{}/B",
                                      columnLetter(i), numberText(roof->bandwidth), numberText(roof->peak / unit, 4), name,
                                      nameOf(roof->math), numberText(roof->ridge() / unit), name);
            series.points.push_back(std::move(point));
        };
        corner(left, roof->bandwidth * left);   // bytes: no unit of arithmetic
        corner(roof->ridge() / unit, roof->peak / unit);
        corner(right, roof->peak / unit);
        if (i == baseline || i == other || !other) {
            series.points.front().label =
                fmt::format("{} · {}\u00a0TB/s", columnLetter(i), numberText(roof->bandwidth));
            series.endLabel =
                fmt::format("{} · {} {} dense", columnLetter(i), numberText(roof->peak / unit, 4), nameOf(roof->math));
        }
        figure.description +=
            fmt::format("The roof of {} is {}\u00a0TB/s and {}\u00a0T{}/s in dense {}. ", columnLetter(i),
                        numberText(roof->bandwidth), numberText(roof->peak / unit, 4), name, nameOf(roof->math));
        figure.series.push_back(std::move(series));
    }
    std::move(dotSeries.begin(), dotSeries.end(), std::back_inserter(figure.series));

    figure.subtitle = "dot area = share of time";
    if (other)
        figure.subtitle = fmt::format("{} → {} · {}", columnLetter(baseline), columnLetter(*other), figure.subtitle);
    if (const std::string leftOut = leftOutText(configurations); !leftOut.empty()) {
        figure.subtitle += " · " + leftOut;
        figure.description += leftOut + ". ";
    }
    if (!figure.description.empty())
        figure.description.pop_back();
    return figure;
}

} // namespace ridgepoint
