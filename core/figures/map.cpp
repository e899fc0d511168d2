// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/map.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

constexpr std::size_t mostTicks = 13;
constexpr std::size_t mostChoices = 16;

/// Values around the present one on the knob's scale: doubled where it is logarithmic, even steps else.
Result<KnobAxis> axisOf(const Knob& knob, const Scenario& scenario, const Presets& presets)
{
    if (knob.kind == KnobKind::choice)
        return parseKnobAxis(fmt::format("{}=all", knob.id), scenario, presets);
    const KnobValue current = knob.get(scenario);
    const double* number = std::get_if<double>(&current);
    const double now = number != nullptr && std::isfinite(*number) ? *number : knob.minimum;
    if (knob.scale == Scale::linear)
        return evenAxis(knob, knob.minimum, knob.maximum, mostTicks);
    KnobAxis axis{std::string(knob.id), {}};
    const double below = std::ldexp(1.0, -int(mostTicks / 2)), above = std::ldexp(1.0, int(mostTicks / 2));
    const double centre = knob.integer ? std::exp2(std::round(std::log2(std::max(1.0, now)))) : std::max(now, knob.minimum);
    for (double value = centre * below; value <= centre * above * 1.0001; value *= 2.0) {
        const double kept = knob.integer ? std::round(value) : value;
        if (kept >= knob.minimum && kept <= knob.maximum && (!knob.integer || value >= 0.999))
            axis.values.emplace_back(kept);
    }
    if (axis.values.empty())
        return evenAxis(knob, knob.minimum, knob.maximum, mostTicks);
    return axis;
}

std::string knobAxisLabel(const Knob& knob)
{
    const std::string_view unit = shownUnit(knob);
    if (unit.empty() && knob.label.ends_with(')'))
        return std::string(knob.label);   // "Tensor parallel (TP)" is a count that names itself
    return fmt::format("{} ({})", knob.label, !unit.empty() ? unit : knob.kind == KnobKind::choice ? "choice" : "count");
}

std::optional<std::size_t> placeOf(const KnobAxis& axis, const Scenario& scenario)
{
    const KnobValue present = findKnob(axis.knob)->get(scenario);
    const auto found = std::find(axis.values.begin(), axis.values.end(), present);
    return found == axis.values.end() ? std::nullopt : std::optional(std::size_t(found - axis.values.begin()));
}

CellState stateOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::allowed: return CellState::allowed;
    case Outcome::breaksLimit: return CellState::breaksLimit;
    case Outcome::doesNotFit: return CellState::doesNotFit;
    case Outcome::pending:
    case Outcome::impossible:
    case Outcome::excluded: return CellState::impossible;
    }
    return CellState::impossible;
}

std::string whatIs(const MapPlan& plan, const SweepResult& result, std::size_t point, const Metric& metric)
{
    switch (result.outcomes[point]) {
    case Outcome::breaksLimit: {
        const int limit = result.brokenLimits[point];
        return limit >= 0 ? fmt::format("breaks {}", limitText(plan.sweep.limits[std::size_t(limit)])) : "breaks a limit";
    }
    case Outcome::doesNotFit: return fmt::format("does not fit: {}\u00a0GiB short", numberText(result.shortByGib[point], 3));
    case Outcome::impossible: return "cannot run";
    case Outcome::excluded: return "the two values exclude each other";
    case Outcome::pending: return "not worked out";
    case Outcome::allowed: break;
    }
    const std::optional<double> value = result.value(point, metricIndex(metric.id));
    return value ? fmt::format("{} {}", numberText(*value, 4), metric.unit) : fmt::format("{} is unknown", metric.label);
}

} // namespace

bool isMappable(const Knob& knob, const Scenario& scenario, const Presets& presets)
{
    if (knob.idleReason != nullptr && !knob.idleReason(scenario).empty())
        return false;
    return knob.kind == KnobKind::number || knob.choices(scenario, presets).size() <= mostChoices;
}

std::size_t MapPlan::point(std::size_t column, std::size_t row) const
{
    const bool xFirst = sweep.axes.front().knob == x.knob;
    return xFirst ? column * y.values.size() + row : row * x.values.size() + column;
}

Result<MapPlan> mapPlan(const FigureInput& input)
{
    const std::optional<std::size_t> column = columnOf(input);
    if (!column)
        return fail("There is no configuration yet.");
    if (input.presets == nullptr)
        return fail("It needs the presets that knobs choose from.");
    const Scenario& base = input.configurations[*column].scenario;
    const auto knobOf = [&](std::string_view id, std::string_view usual) { return findKnob(id.empty() ? usual : id); };
    const bool open = base.load.arrivals == Arrivals::openLoop;
    const Knob* x = knobOf(input.xKnob, open ? "load.request_rate" : "load.concurrency");
    const Knob* y = knobOf(input.yKnob, "parallel.tp");
    if (x == nullptr || y == nullptr)
        return fail(fmt::format("no knob is called \"{}\"", x == nullptr ? input.xKnob : input.yKnob));
    if (x == y)
        return fail(fmt::format("{} is on both axes; choose two knobs", x->label));
    for (const Knob* knob : {x, y})
        if (!isMappable(*knob, base, *input.presets))
            return fail(fmt::format("{} cannot be an axis here: it does not act on {}, or it has more than {} choices",
                                    knob->label, columnLetter(*column), mostChoices));
    auto xAxis = axisOf(*x, base, *input.presets), yAxis = axisOf(*y, base, *input.presets);
    if (!xAxis)
        return fail(xAxis.error());
    if (!yAxis)
        return fail(yAxis.error());
    auto sweep = sweepOf(base, {*xAxis, *yAxis}, {input.limits.begin(), input.limits.end()});
    if (!sweep)
        return fail(sweep.error());
    return MapPlan{std::move(*sweep), std::move(*xAxis), std::move(*yAxis)};
}

Map mapOf(const FigureInput& input)
{
    // A sweep keeps metrics as they are by default, so the map does, too: value and label go together.
    const Metric& metric = metrics()[metricIndex(metricOf(input).id)];
    Map map;
    HeatFigure& figure = map.figure;
    figure.id = "map";
    figure.title = "Map of two knobs";
    figure.value.label = axisLabel(metric);
    figure.description = "A result over the values of two knobs; hatched cells break a limit or do not run.";
    figure.x.label = "First knob (value)";
    figure.y.label = "Second knob (value)";
    const auto plan = mapPlan(input);
    if (!plan) {
        figure.subtitle = plan.error().message;
        return map;
    }
    const std::size_t column = *columnOf(input);
    const Scenario& base = input.configurations[column].scenario;
    figure.subtitle = fmt::format("{}: {}", columnLetter(column), metric.label);
    figure.x.label = knobAxisLabel(*findKnob(plan->x.knob));
    figure.y.label = knobAxisLabel(*findKnob(plan->y.knob));
    for (const auto& [axis, ticks] : {std::pair{&plan->x, &figure.xTicks}, std::pair{&plan->y, &figure.yTicks}})
        for (const KnobValue& value : axis->values)
            ticks->push_back(valueText(*findKnob(axis->knob), value, base, *input.presets));
    figure.presentX = placeOf(plan->x, base);
    figure.presentY = placeOf(plan->y, base);
    const SweepResult result = runSweep(plan->sweep, *input.presets, input.stop);
    const std::size_t index = metricIndex(metric.id);
    const std::size_t waits = metricIndex("ttft_ms");
    std::size_t endless = 0;
    for (std::size_t row = 0; row < figure.yTicks.size(); ++row)
        for (std::size_t at = 0; at < figure.xTicks.size(); ++at) {
            const std::size_t point = plan->point(at, row);
            if (result.outcomes[point] == Outcome::allowed && !result.value(point, waits)) {
                // It runs and has no time to the first token: more is sent than is answered.
                ++endless;
                figure.cells.push_back({.value = std::nullopt, .state = CellState::breaksLimit,
                                        .hover = "more requests are sent than are answered: the queue grows without end"});
                continue;
            }
            figure.cells.push_back({.value = result.value(point, index), .state = stateOf(result.outcomes[point]),
                                    .hover = whatIs(*plan, result, point, metric)});
        }
    SweepCounts counts = countsOf(plan->sweep, result);
    counts.allowed -= endless;
    map.counts = countsText(plan->sweep, counts);
    if (endless > 0)
        map.counts += fmt::format(", {} {} sent more than {} answered", endless, endless == 1 ? "is" : "are",
                                  endless == 1 ? "is" : "are");
    figure.subtitle += "; " + map.counts;
    return map;
}

Figure mapFigure(const FigureInput& input)
{
    return mapOf(input).figure;
}

} // namespace ridgepoint
