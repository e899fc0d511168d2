// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/io/csv_table.h"
#include "core/scenario/knobs.h"
#include "core/sweep/sizing.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

struct Sized
{
    std::vector<SizingOption> options;
    SizingQuestion question;
};

Result<std::vector<Scenario>> scenariosToSize(const SizeOptions& options)
{
    const Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, options.projectFile.empty());
    if (!columns)
        return fail(columns.error());
    if (!options.projectFile.empty() && options.systems.empty())
        return columns->scenarios;
    const Scenario& base = columns->scenarios[columns->baseline];
    if (options.systems.empty())
        return plansToSize(base);
    std::vector<Scenario> scenarios;
    std::vector<KnobValue> done;
    for (const std::string& name : options.systems) {
        const Knob& knob = *findKnob("hardware.system");
        const Result<KnobValue> system = parseKnobValue(knob, name, base, columns->presets);
        if (!system)
            return fail(system.error());
        if (std::find(done.begin(), done.end(), *system) != done.end())
            continue;   // an alias of one before
        done.push_back(*system);
        const Result<Scenario> there = withKnob(base, knob.id, *system, columns->presets);
        if (!there)
            return fail(there.error());
        const std::vector<Scenario> plans = plansToSize(*there);
        scenarios.insert(scenarios.end(), plans.begin(), plans.end());
    }
    return scenarios;
}

Result<Sized> answer(const SizeOptions& options)
{
    Sized sized;
    sized.question.requestRate = Frequency{options.requestRate};
    sized.question.headroom = options.headroom;
    sized.question.failures = options.failures;
    for (const std::string& text : options.limits) {
        Result<Limit> limit = parseLimit(text);
        if (!limit)
            return fail(limit.error());
        sized.question.limits.push_back(std::move(*limit));
    }
    sortLimits(sized.question.limits);
    const Result<std::vector<Scenario>> scenarios = scenariosToSize(options);
    if (!scenarios)
        return fail(scenarios.error());
    sized.options = sizedAll(*scenarios, sized.question);
    return sized;
}

Json json(const Sized& sized)
{
    Json list = Json::array();
    for (const SizingOption& option : sized.options) {
        const bool works = option.bound != RateBound::infeasible;
        Json one{{"hardware", option.replica.system.device.name},
                 {"system", option.replica.system.id},
                 {"plan", planText(option.replica)},
                 {"works", works},
                 {"bound", boundText(option, sized.question)},
                 {"requests_per_s_per_replica", works ? Json(option.mostPerReplica.value) : Json(nullptr)},
                 {"replicas", option.replicas()},
                 {"replicas_for_load", option.forLoad},
                 {"replicas_for_headroom", option.forHeadroom},
                 {"replicas_for_failures", option.forFailures},
                 {"devices_per_replica", option.devicesPerReplica},
                 {"devices", option.devices()},
                 {"dollars_per_month", option.perMonth ? Json(option.perMonth->value) : Json(nullptr)}};
        for (const char* id : {"ttft_ms", "tpot_ms"}) {
            const std::optional<double> value = works ? findMetric(id)->get(option.report) : std::nullopt;
            one[id] = value ? Json(*value) : Json(nullptr);
        }
        list.push_back(std::move(one));
    }
    return Json{{"requests_per_s", sized.question.requestRate.value},
                {"headroom", sized.question.headroom},
                {"failures", sized.question.failures},
                {"options", std::move(list)}};
}

TextTable table(const Sized& sized)
{
    TextTable text;
    text.header = {"Hardware", "Plan", "Devices", "= replicas × devices", "req/s per replica", "TTFT [ms]", "TPOT [ms]", "$/month",
                   "Bound by"};
    text.left = {true, true, false, false, false, false, false, false, true};
    for (const SizingOption& option : sized.options) {
        const auto shown = [&](const char* id) {
            const std::optional<double> value = findMetric(id)->get(option.report);
            return value ? fmt::format("{:.3g}", *value) : std::string("–");
        };
        if (option.bound == RateBound::infeasible) {
            text.rows.push_back({option.replica.system.device.name, planText(option.replica), "–", "–", "–", "–", "–", "–",
                                 boundText(option, sized.question)});
            continue;
        }
        text.rows.push_back({option.replica.system.device.name, planText(option.replica), fmt::format("{}", option.devices()),
                             fmt::format("{} × {}", option.replicas(), option.devicesPerReplica),
                             fmt::format("{:.3g}", option.mostPerReplica.value), shown("ttft_ms"), shown("tpot_ms"),
                             option.perMonth ? fmt::format("{:.0f}", option.perMonth->value) : "unknown",
                             boundText(option, sized.question)});
    }
    return text;
}

} // namespace

int runSize(const SizeOptions& options)
{
    const Result<Sized> sized = answer(options);
    if (!sized)
        return complain(sized.error(), exitBadInput);
    switch (options.form) {
    case Form::json: printJson(json(*sized)); break;
    case Form::csv: {
        const Json all = json(*sized);
        std::vector<std::string> line;
        std::string text;
        for (const Json& option : all["options"]) {
            if (text.empty()) {
                for (const auto& [key, value] : option.items())
                    line.push_back(key);
                text = csvLine(line);
            }
            line.clear();
            for (const auto& [key, value] : option.items())
                line.push_back(value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump());
            text += csvLine(line);
        }
        print(text);
        break;
    }
    case Form::text: print(sizingAnswer(sized->options, sized->question) + "\n\n" + table(*sized).text()); break;
    }
    const bool works = !sized->options.empty() && sized->options.front().bound != RateBound::infeasible;
    return works ? exitValid : exitInfeasible;
}

} // namespace ridgepoint::app
