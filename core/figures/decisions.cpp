// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/decisions.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/insight/difference.h"
#include "core/insight/odds.h"
#include "core/insight/sensitivity.h"
#include "core/insight/sentence.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

constexpr double tornadoShare = 0.1;
constexpr std::size_t tornadoRows = 12;

std::string amount(double value, const Metric& metric)
{
    return metric.unit.empty() ? numberText(value, 4) : fmt::format("{}\u00a0{}", numberText(value, 4), metric.unit);
}

std::string shown(const Knob& knob, double value)
{
    const std::string_view unit = shownUnit(knob);
    const std::string number = knob.integer ? countText(value) : numberText(shownNumber(knob, value), 4);
    return unit.empty() ? number : fmt::format("{}\u00a0{}", number, unit);
}

/// A share of draws: 2,000 of them do not tell 100 % from 99.9 %.
std::string shareText(double share)
{
    constexpr double sure = 0.995;
    return share > sure ? "over 99\u00a0%" : share < 1.0 - sure ? "under 1\u00a0%" : percentText(share);
}

/// A row that says why there is nothing to draw.
SpanFigure without(SpanFigure figure, std::string note)
{
    figure.rows.push_back({.note = std::move(note)});
    return figure;
}

/// Whether going from one value to the other is better.
SpanRole roleOf(const Metric& metric, double change)
{
    const bool more = change > 0;
    return metric.better == Better::neither || more == (metric.better == Better::more) ? SpanRole::better : SpanRole::worse;
}

} // namespace

Figure tornadoFigure(const FigureInput& input)
{
    const Metric& metric = metricOf(input);
    SpanFigure figure{.id = "tornado", .title = "Tornado", .value = {.label = axisLabel(metric)}};
    figure.description = "What each number of one configuration, moved by a tenth, does to a result.";
    const std::optional<std::size_t> column = columnOf(input);
    if (!column)
        return without(std::move(figure), "There is no configuration yet.");
    const Evaluated& one = input.configurations[*column];
    figure.subtitle = fmt::format("{}, each number a tenth smaller or larger", columnLetter(*column));
    if (input.presets == nullptr)
        return without(std::move(figure), "It needs the presets that knobs choose from.");
    const std::optional<double> now = metric.get(one.report);
    if (!now)
        return without(std::move(figure), fmt::format("{} has no {}: {}.", columnLetter(*column), metric.label,
                                                      one.report.feasible() ? "it is unknown" : verdictText(one.report)));
    figure.reference = now;
    std::size_t still = 0;
    for (const Swing& swing : tornado(one, metric, tornadoShare, *input.presets)) {
        const Knob& knob = *findKnob(swing.knob);
        SpanRow row{.name = std::string(knob.label), .key = swing.knob, .configuration = int(*column)};
        const auto add = [&](std::optional<double> to, double value, SpanRole role) {
            constexpr double seen = 1e-3;   // of the result
            if (!to || std::abs(*to - *now) < seen * std::abs(*now))
                return;
            row.spans.push_back({.name = shown(knob, value), .from = *now, .to = *to, .role = role,
                                 .hover = fmt::format("{} {} instead of {}: {} {}", knob.label, shown(knob, value),
                                                      shown(knob, swing.value), metric.label, amount(*to, metric))});
        };
        add(swing.low, swing.lowValue, SpanRole::lower);
        add(swing.high, swing.highValue, SpanRole::higher);
        if (row.spans.empty()) {
            ++still;
            continue;
        }
        if (figure.rows.size() == tornadoRows)
            break;
        row.label = swing.elasticity ? fmt::format("{}{}\u00a0%", *swing.elasticity < 0 ? "−" : "+",
                                                   numberText(std::abs(*swing.elasticity), 2))
                                     : "does not run";
        figure.rows.push_back(std::move(row));
    }
    if (figure.rows.empty())
        return without(std::move(figure), "No number moves it.");
    figure.subtitle += "; right: per 1\u00a0% more";
    if (still > 0)
        figure.description += fmt::format(" {} numbers do not move it.", still);
    return figure;
}

Figure waterfallFigure(const FigureInput& input)
{
    const Metric& metric = metricOf(input);
    SpanFigure figure{.id = "waterfall", .title = "From the baseline", .value = {.label = axisLabel(metric)}};
    figure.description = "How a result gets from the baseline to another configuration, one step for each knob that differs.";
    std::optional<std::size_t> column = columnOf(input);
    if (column && *column == input.baseline && !input.column)
        column = heldAgainst(ranking(input.configurations), input.baseline);
    if (!column || input.baseline >= input.configurations.size() || *column == input.baseline)
        return without(std::move(figure), "It needs a configuration beside the baseline that runs.");
    if (input.presets == nullptr)
        return without(std::move(figure), "It needs the presets that knobs choose from.");
    const Evaluated& from = input.configurations[input.baseline];
    const Evaluated& to = input.configurations[*column];
    const std::string a = columnLetter(input.baseline), b = columnLetter(*column);
    figure.subtitle = fmt::format("{} to {}, knob by knob in their order on the board", a, b);
    const std::optional<double> start = metric.get(from.report), end = metric.get(to.report);
    if (!start || !end) {
        const Evaluated& lacking = start ? to : from;
        return without(std::move(figure), fmt::format("{} has no {}: {}.", start ? b : a, metric.label,
                                                      lacking.report.feasible() ? "it is unknown" : verdictText(lacking.report)));
    }
    const auto total = [&](std::string name, double value, std::size_t index) {
        figure.rows.push_back({.name = std::move(name), .key = "", .configuration = int(index),
                               .spans = {{.name = "total", .from = 0, .to = value, .role = SpanRole::total,
                                          .hover = fmt::format("{}: {}", columnLetter(index), amount(value, metric))}},
                               .label = numberText(value, 4)});
    };
    total(columnName(input.baseline, from.scenario), *start, input.baseline);
    double at = *start;
    for (const Contribution& step : contributions(from.scenario, to.scenario, metric, {}, *input.presets)) {
        SpanRow row{.name = step.label, .key = step.knobs.empty() ? "" : step.knobs.front()};
        row.label = fmt::format("{}{}", step.change < 0 ? "−" : "+", numberText(std::abs(step.change), 3));
        row.spans.push_back({.name = "step", .from = at, .to = at + step.change, .role = roleOf(metric, step.change),
                             .hover = fmt::format("{}: {} {}", step.label, row.label, metric.unit)});
        at += step.change;
        figure.rows.push_back(std::move(row));
    }
    total(columnName(*column, to.scenario), *end, *column);
    return figure;
}

Figure oddsFigure(const FigureInput& input)
{
    const Metric& metric = metricOf(input);
    SpanFigure figure{.id = "odds", .title = "Odds of each place",
                      .value = {.label = "Share of plausible worlds (%)", .minimum = 0, .maximum = 100}};
    figure.subtitle = fmt::format("by {}; darkest: first place", metric.label);
    figure.description = "How often each configuration takes each place when what is not known varies within its bands.";
    if (input.configurations.empty())
        return without(std::move(figure), "There is no configuration yet.");
    const Odds odds = rankOdds(input.configurations, metric);
    for (std::size_t i = 0; i < odds.columns.size(); ++i) {
        const std::size_t column = odds.columns[i];
        SpanRow row{.name = columnName(column, input.configurations[column].scenario),
                    .key = fmt::format("column.{}", column), .configuration = int(column)};
        double at = 0;
        for (std::size_t place = 0; place < odds.places[i].size(); ++place) {
            const double share = 100.0 * odds.places[i][place];
            if (share > 0)
                row.spans.push_back({.name = fmt::format("place {}", place + 1), .from = at, .to = at + share,
                                     .role = SpanRole::place, .place = int(place),
                                     .hover = fmt::format("{} takes place {} in {} of the plausible worlds",
                                                          columnLetter(column), place + 1, shareText(share / 100.0))});
            at += share;
        }
        row.label = fmt::format("first: {}", shareText(odds.places[i].front()));
        figure.rows.push_back(std::move(row));
    }
    for (const std::size_t column : odds.leftOut) {
        const Evaluated& one = input.configurations[column];
        figure.rows.push_back({.name = columnName(column, one.scenario), .key = fmt::format("column.{}", column),
                               .configuration = int(column),
                               .note = one.report.feasible() ? "its value or its band is unknown" : verdictText(one.report)});
    }
    return figure;
}

std::string decisionText(const FigureInput& input)
{
    const Metric& metric = metricOf(input);
    if (metric.better == Better::neither)
        return fmt::format("Neither more nor less of {} is better.", metric.label);
    const Odds odds = rankOdds(input.configurations, metric);
    if (odds.columns.size() < 2)
        return fmt::format("There are no two configurations whose {} and its band are known.", metric.label);
    std::size_t first = 0;
    for (std::size_t i = 1; i < odds.columns.size(); ++i)
        if (odds.places[i].front() > odds.places[first].front())
            first = i;
    const std::string letter = columnLetter(odds.columns[first]);
    const std::string chance = shareText(odds.places[first].front());
    const std::optional<Standing> standing = standingOf(metric, input.configurations);
    const std::string verdict = standing && standing->isClear() ? "" : "No clear winner: ";
    return fmt::format("{}{} comes first in {} of the plausible worlds ({}).", verdict, letter, chance, metric.label);
}

} // namespace ridgepoint
