// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/report_text.h"
#include "core/figures/catalog.h"
#include "core/figures/map.h"
#include "core/scenario/metrics.h"
#include "core/insight/explanation.h"
#include "core/io/table_writer.h"
#include "core/io/text_file.h"
#include "core/scenario/metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

struct Comparison
{
    std::vector<Evaluated> all;
    std::size_t baseline = 0;
    Definitions definitions;
    Presets presets;
};

Result<Comparison> compared(const CompareOptions& options)
{
    Result<Columns> columns = readColumns(options.scenario, options.projectFile, options.columns, false);
    if (!columns)
        return fail(columns.error());
    Comparison comparison{evaluateAll(columns->scenarios), columns->baseline, columns->definitions, std::move(columns->presets)};
    if (options.baseline > comparison.all.size())
        return fail(
            fmt::format("--baseline is {}; it needs a column from 1 to {}", options.baseline, comparison.all.size()));
    if (options.baseline > 0)
        comparison.baseline = options.baseline - 1;
    return comparison;
}

/// Value of each metric divided by the baseline's; null where one of the two is missing.
Json ratios(const Report& report, const Report& baseline)
{
    Json json = Json::object();
    for (const Metric& metric : metrics()) {
        const std::optional<double> value = metric.get(report), reference = metric.get(baseline);
        const bool known = value && reference && std::isfinite(*value) && std::isfinite(*reference) && *reference != 0;
        json[std::string(metric.id)] = known ? Json(*value / *reference) : Json(nullptr);
    }
    return json;
}

Json metricsJson()
{
    Json list = Json::array();
    for (const Metric& metric : metrics())
        list.push_back({{"id", metric.id},
                        {"label", metric.label},
                        {"unit", metric.unit},
                        {"better", metric.better == Better::less   ? "less"
                                   : metric.better == Better::more ? "more"
                                                                   : "neither"}});
    return list;
}

Json comparisonJson(const Comparison& comparison, bool withExplanation)
{
    Json json{{"baseline", comparison.baseline},
              {"configurations", Json::array()},
              {"metrics", metricsJson()},
              {"inversions", Json::array()}};
    for (const Evaluated& one : comparison.all) {
        Json report = reportJson(one);
        report["ratio_to_baseline"] = ratios(one.report, comparison.all[comparison.baseline].report);
        json["configurations"].push_back(std::move(report));
    }
    for (const Sentence& sentence : inversions(comparison.all))
        json["inversions"].push_back(sentenceJson(sentence));
    if (withExplanation)
        json["explanation"] = explanationJson(explain(comparison.all, comparison.baseline, comparison.definitions));
    return json;
}

bool anyFeasible(const std::vector<Evaluated>& all)
{
    return std::any_of(all.begin(), all.end(), [](const Evaluated& one) { return one.report.feasible(); });
}

Result<std::vector<const FigureEntry*>> chosenFigures(const std::vector<std::string>& ids)
{
    std::vector<const FigureEntry*> chosen;
    for (const std::string& id : ids) {
        const FigureEntry* entry = findFigure(id);
        if (entry == nullptr) {
            std::vector<std::string_view> known;
            for (const FigureEntry& one : figureCatalog())
                known.push_back(one.id);
            return fail(fmt::format("no figure is called \"{}\"; there are {}", id, fmt::join(known, ", ")));
        }
        chosen.push_back(entry);
    }
    if (ids.empty())
        for (const FigureEntry& entry : figureCatalog())
            chosen.push_back(&entry);
    return chosen;
}

/// What figures are asked for beside the comparison.
Result<FigureInput> inputOf(const FiguresOptions& options, const Comparison& comparison)
{
    FigureInput input{.configurations = comparison.all, .baseline = comparison.baseline, .definitions = comparison.definitions, .presets = &comparison.presets};
    if (!options.metric.empty()) {
        const auto metric = metricNamed(options.metric);
        if (!metric)
            return fail(metric.error());
        input.metric = (*metric)->id;
    }
    if (options.column > comparison.all.size())
        return fail(fmt::format("--into is {}; it needs a column from 1 to {}", options.column, comparison.all.size()));
    if (options.column > 0)
        input.column = options.column - 1;
    for (const auto& [id, target] : {std::pair{&options.xKnob, &input.xKnob}, std::pair{&options.yKnob, &input.yKnob}}) {
        if (id->empty())
            continue;
        const Knob* knob = findKnob(*id);
        if (knob == nullptr)
            return fail(fmt::format("no knob is called \"{}\"; `ridgepoint-cli knobs` lists them", *id));
        *target = knob->id;
    }
    if (!options.xKnob.empty() || !options.yKnob.empty())
        if (const auto plan = mapPlan(input); !plan)
            return fail(plan.error());
    return input;
}

} // namespace

int runCompare(const CompareOptions& options)
{
    const Result<Comparison> comparison = compared(options);
    if (!comparison)
        return complain(comparison.error(), exitBadInput);
    switch (options.form) {
    case Form::text:
        print(comparisonText(comparison->all, comparison->baseline, comparison->definitions));
        if (options.explain)
            print("\n" + explanationText(explain(comparison->all, comparison->baseline, comparison->definitions)));
        break;
    case Form::json: printJson(comparisonJson(*comparison, options.explain)); break;
    case Form::csv: print(comparisonCsv(comparison->all)); break;
    }
    return anyFeasible(comparison->all) ? exitValid : exitInfeasible;
}

int runFigures(const FiguresOptions& options)
{
    const auto figures = chosenFigures(options.figures);
    if (!figures)
        return complain(figures.error(), exitBadInput);
    const Result<Comparison> comparison = compared(options.comparison);
    if (!comparison)
        return complain(comparison.error(), exitBadInput);
    const auto input = inputOf(options, *comparison);
    if (!input)
        return complain(input.error(), exitBadInput);

    std::vector<std::pair<std::string, std::string>> files;   // name and text
    for (const FigureEntry* entry : *figures) {
        const Figure figure = entry->make(*input);
        const std::string id(entry->id);
        files.emplace_back(id + ".csv", figureCsv(figure));
        files.emplace_back(id + ".json", figureJson(figure).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    files.emplace_back("comparison.csv", comparisonCsv(comparison->all));
    files.emplace_back("comparison.json",
                       comparisonJson(*comparison, true).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    for (const auto& [name, text] : files) {
        const std::filesystem::path file = options.folder / name;
        if (Result<void> written = writeTextFile(file, text); !written)
            return complain(written.error(), exitNotAvailable);
        print(file.string() + "\n");
    }
    return anyFeasible(comparison->all) ? exitValid : exitInfeasible;
}

} // namespace ridgepoint::app
