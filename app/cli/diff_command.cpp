// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/report_text.h"
#include "app/cli/text_table.h"
#include "core/insight/difference.h"
#include "core/insight/odds.h"
#include "core/insight/sensitivity.h"
#include "core/io/csv_table.h"
#include "core/scenario/knobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

Json optional(std::optional<double> value)
{
    return value ? Json(*value) : Json(nullptr);
}

std::string shown(std::optional<double> value)
{
    return value ? fmt::format("{:.4g}", *value) : "does not run";
}

std::string unitOf(std::string_view unit)
{
    return unit.empty() ? "" : fmt::format("\u00a0{}", unit);
}

struct Pair
{
    Presets presets;
    Evaluated a, b;
};

Result<Pair> pairOf(const CompareOptions& options)
{
    Result<Columns> columns = readColumns(options.scenario, options.projectFile, options.columns, false);
    if (!columns)
        return fail(columns.error());
    const std::size_t count = columns->scenarios.size();
    if (options.baseline > count)
        return fail(fmt::format("--baseline is {}; it needs a column from 1 to {}", options.baseline, count));
    if (count < 2)
        return fail("a difference needs two columns; give --column twice, or a project with two");
    const std::size_t first = options.baseline > 0 ? options.baseline - 1 : columns->baseline;
    const std::size_t second = first == 0 ? 1 : 0;
    const auto evaluated = [&](std::size_t i) { return Evaluated{columns->scenarios[i], evaluate(columns->scenarios[i])}; };
    return Pair{std::move(columns->presets), evaluated(first), evaluated(second)};
}

struct Answer
{
    std::vector<KnobDifference> knobs;
    std::vector<Contribution> steps;
    std::vector<BreakEven> evens;
    Odds odds;
};

Json json(const Pair& pair, const Metric& metric, const Answer& answer)
{
    Json knobs = Json::array(), steps = Json::array(), evens = Json::array();
    for (const KnobDifference& one : answer.knobs)
        knobs.push_back({{"knob", one.knob}, {"from", one.from}, {"to", one.to}});
    for (const Contribution& one : answer.steps)
        steps.push_back({{"knobs", one.knobs}, {"label", one.label}, {"change", one.change}});
    for (const BreakEven& one : answer.evens)
        evens.push_back({{"value", one.value},
                         {"first_is_better_below", one.firstBelow},
                         {"low90", one.band ? Json(one.band->low) : Json(nullptr)},
                         {"high90", one.band ? Json(one.band->high) : Json(nullptr)}});
    const bool both = answer.odds.columns.size() == 2;
    return Json{{"metric", metric.id},
                {"unit", metric.unit},
                {"from", optional(metric.get(pair.a.report))},
                {"to", optional(metric.get(pair.b.report))},
                {"chance_that_second_is_better", both ? Json(answer.odds.places[1][0]) : Json(nullptr)},
                {"knobs", knobs},
                {"contributions", steps},
                {"break_even", evens}};
}

std::string text(const Pair& pair, const Metric& metric, const Answer& answer, const Knob* knob)
{
    std::string out = fmt::format("{} of {}: {}{}\n{} of {}: {}{}\n\n", metric.label, columnName(0, pair.a.scenario),
                                  shown(metric.get(pair.a.report)), unitOf(metric.unit), metric.label,
                                  columnName(1, pair.b.scenario), shown(metric.get(pair.b.report)), unitOf(metric.unit));
    TextTable table;
    if (answer.steps.empty()) {
        table.header = {"What differs", "A", "B"};
        table.left = {true, true, true};
        for (const KnobDifference& one : answer.knobs)
            table.rows.push_back({std::string(findKnob(one.knob)->label), one.from, one.to});
    } else {
        table.header = {"What changes", fmt::format("{} [{}]", metric.label, metric.unit)};
        double total = 0;
        for (const Contribution& one : answer.steps) {
            table.rows.push_back({one.label, fmt::format("{:+.4g}", one.change)});
            total += one.change;
        }
        table.rows.push_back({"Together", fmt::format("{:+.4g}", total)});
    }
    out += answer.knobs.empty() && answer.steps.empty() ? "No knob differs.\n" : table.text();
    if (!answer.steps.empty())
        out += "\nEach line changes one more thing on top of those above; in another order they share it differently.\n";
    if (answer.odds.columns.size() == 2)
        out += fmt::format("\nB is better in {:.0f} % of plausible worlds.\n", answer.odds.places[1][0] * 100.0);
    if (knob != nullptr && answer.evens.empty())
        out += fmt::format("\nNo value of {} makes them equal.\n", knob->label);
    for (const BreakEven& one : answer.evens)
        out += fmt::format("\nEqual at {} {:.4g}{}{}: below it {} is better.\n", knob->label, one.value, unitOf(knob->unit),
                           one.band ? fmt::format(" (80 % band {:.4g} … {:.4g})", one.band->low, one.band->high) : "",
                           one.firstBelow ? "A" : "B");
    return out;
}

} // namespace

int runDiff(const DiffOptions& options)
{
    const Result<const Metric*> metric = metricNamed(options.metric);
    if (!metric)
        return complain(metric.error(), exitBadInput);
    const auto known = [](const std::string& id) { return id.empty() || findKnob(id) != nullptr; };
    for (const std::string& id : options.order)
        if (!known(id))
            return complain(fmt::format("--order: no knob is called \"{}\"; `knobs` lists them", id), exitBadInput);
    const Knob* knob = findKnob(options.breakEven);
    if (!known(options.breakEven) || (knob != nullptr && knob->kind != KnobKind::number))
        return complain(fmt::format("--break-even needs a knob that is a number, and not \"{}\"; `knobs` lists them",
                                    options.breakEven), exitBadInput);
    const Result<Pair> pair = pairOf(options.comparison);
    if (!pair)
        return complain(pair.error(), exitBadInput);
    Answer answer;
    answer.knobs = differences(pair->a.scenario, pair->b.scenario, pair->presets);
    answer.steps = contributions(pair->a.scenario, pair->b.scenario, **metric, options.order, pair->presets);
    const Evaluated both[] = {pair->a, pair->b};
    answer.odds = rankOdds(both, **metric);
    if (knob != nullptr)
        answer.evens = breakEvens(pair->a, pair->b, **metric, knob->id,
                                  options.firstOnly ? Turned::first : Turned::both, pair->presets);
    switch (options.comparison.form) {
    case Form::json: printJson(json(*pair, **metric, answer)); break;
    case Form::csv: {
        std::string lines = csvLine({"step", "change"});
        for (const Contribution& one : answer.steps)
            lines += csvLine({one.label, fmt::format("{}", one.change)});
        print(lines);
        break;
    }
    case Form::text: print(text(*pair, **metric, answer, knob)); break;
    }
    return answer.steps.empty() && !(pair->a.report.feasible() && pair->b.report.feasible()) ? exitInfeasible : exitValid;
}

int runSensitivity(const SensitivityOptions& options)
{
    const Result<const Metric*> metric = metricNamed(options.metric);
    if (!metric)
        return complain(metric.error(), exitBadInput);
    const Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, true);
    if (!columns)
        return complain(columns.error(), exitBadInput);
    const Evaluated column{columns->scenarios.front(), evaluate(columns->scenarios.front())};
    const std::vector<Swing> swings = tornado(column, **metric, options.share, columns->presets);
    switch (options.form) {
    case Form::json: {
        Json list = Json::array();
        for (const Swing& s : swings)
            list.push_back({{"knob", s.knob}, {"value", s.value}, {"low_value", s.lowValue}, {"high_value", s.highValue},
                            {"low", optional(s.low)}, {"high", optional(s.high)}, {"elasticity", optional(s.elasticity)}});
        printJson(Json{{"metric", (*metric)->id}, {"unit", (*metric)->unit}, {"now", optional((*metric)->get(column.report))},
                       {"swings", list}});
        break;
    }
    case Form::csv: {
        std::string lines = csvLine({"knob", "value", "low_value", "high_value", "low", "high", "elasticity"});
        const auto cell = [](std::optional<double> value) { return value ? fmt::format("{}", *value) : std::string(); };
        for (const Swing& s : swings)
            lines += csvLine({s.knob, cell(s.value), cell(s.lowValue), cell(s.highValue), cell(s.low), cell(s.high),
                              cell(s.elasticity)});
        print(lines);
        break;
    }
    case Form::text: {
        TextTable table;
        table.header = {"Knob", "Now", "Lower", "Higher", fmt::format("{} lower", (*metric)->label), "higher", "% per %"};
        for (const Swing& s : swings) {
            const Knob& knob = *findKnob(s.knob);
            table.rows.push_back({knob.unit.empty() ? std::string(knob.label) : fmt::format("{} [{}]", knob.label, knob.unit),
                                  fmt::format("{:.4g}", s.value), fmt::format("{:.4g}", s.lowValue),
                                  fmt::format("{:.4g}", s.highValue), shown(s.low), shown(s.high),
                                  s.elasticity ? fmt::format("{:+.2f}", *s.elasticity) : "–"});
        }
        print(fmt::format("{} now: {}{}\n\n", (*metric)->label, shown((*metric)->get(column.report)), unitOf((*metric)->unit)) +
              table.text());
        break;
    }
    }
    return column.report.feasible() ? exitValid : exitInfeasible;
}

} // namespace ridgepoint::app
