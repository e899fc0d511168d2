// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_text.h"

#include "app/cli/text_table.h"
#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/insight/quality.h"
#include "core/scenario/findings.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Configurations = std::span<const Evaluated>;

constexpr std::size_t lineWidth = 100;

std::string labelled(std::string_view label, std::string_view unit)
{
    return unit.empty() ? std::string(label) : fmt::format("{} ({})", label, unit);
}

std::string metricCell(const Metric& metric, const Report& report)
{
    const std::optional<double> value = metric.get(report);
    if (!value)
        return !report.feasible() ? "–" : isEndless(metric, report) ? "no end" : "unknown";
    constexpr double longTime = 1e6;   // milliseconds; beyond, nobody reads the digits
    return metric.unit == "ms" && *value >= longTime ? secondsText(Seconds{*value * 1e-3})
                                                     : numberText(*value, metric.significantDigits);
}

/// "22.2 (−60 %)": the change against the baseline; nothing to add where one of the two is not known.
std::string comparedCell(const Metric& metric, const Report& report, const Report& baseline, bool isBaseline)
{
    const std::string cell = metricCell(metric, report);
    const std::optional<double> value = metric.get(report), reference = metric.get(baseline);
    if (isBaseline || !value || !reference || *reference <= 0)
        return cell;
    return fmt::format("{} ({})", cell, changeText(*value / *reference));
}

std::string loadText(const Scenario& s)
{
    return fmt::format("{} {} in, {} out, {}", countText(s.load.inputTokens),
                       s.load.inputTokens == 1 ? "token" : "tokens", countText(s.load.outputTokens),
                       arrivalsText(s.load));
}

std::string planText(const Plan& plan)
{
    std::string text = fmt::format("TP {} · PP {}", plan.tensorParallel, plan.pipelineParallel);
    if (plan.expertParallel > 1)
        text += fmt::format(" · EP {}", plan.expertParallel);
    if (plan.attentionData > 1)
        text += fmt::format(" · attention DP {}", plan.attentionData);
    return text + fmt::format(" · {} replica{}", plan.replicas, plan.replicas == 1 ? "" : "s");
}

std::string engineText(const EngineProfile& engine)
{
    const bool isNumber = !engine.version.empty() && engine.version.front() >= '0' && engine.version.front() <= '9';
    return engine.version.empty() ? engine.name
                                  : fmt::format("{}{} {}", engine.name, isNumber ? "" : ",", engine.version);
}

std::string precisionText(const Report& report, const Scenario& s)
{
    return fmt::format("weights {}, inputs {}, KV cache {}",
                       s.precision.weights ? std::string(nameOf(*s.precision.weights))
                                           : fmt::format("as stored ({})", nameOf(s.network.checkpointFormat)),
                       nameOf(report.activationFormat), nameOf(report.kvFormat));
}

std::string priceText(const Scenario& s)
{
    if (!s.price)
        return "unknown";
    return fmt::format("{}/h per device, {}{}{}", dollarsText(Dollars{s.price->perDevice.value * 3600.0}),
                       s.price->name, s.price->date.empty() ? "" : ", " + s.price->date,
                       s.price->unverified ? ", unverified" : "");
}

std::string badge(const Report& report)
{
    return fmt::format("{}, {}", nameOf(report.provenance),
                       report.tpotSpread ? "TPOT " + spreadText(report.tpotSpread->total()) : "band unknown");
}

std::string bandCell(const Report& report, const std::optional<Spread>& spread)
{
    return !report.feasible() ? "–" : spread ? spreadText(spread->total()) : "unknown";
}

/// One row a kind of memory, of the configurations that have a footprint.
struct LedgerRow
{
    std::string_view label;
    Bytes Footprint::* part;
};
constexpr std::array ledgerRows{
    LedgerRow{"Weights", &Footprint::weights},      LedgerRow{"KV cache in use", &Footprint::kvNeeded},
    LedgerRow{"KV pool, free", &Footprint::kvFree}, LedgerRow{"KV cache of one request", &Footprint::kvPerRequest},
    LedgerRow{"Activations", &Footprint::activations},
    LedgerRow{"Runtime", &Footprint::runtime},      LedgerRow{"Graphs", &Footprint::graphs},
    LedgerRow{"Reserve", &Footprint::reserve},      LedgerRow{"Visible memory", &Footprint::visible},
};

/// `ofToken`: of an output token, as it is defined; else of the first token.
void addBreakdown(TextTable& table, Configurations all, std::string_view title, bool ofToken, const Definitions& definitions)
{
    const auto timesOf = [&](const Report& report) -> std::optional<Breakdown> {
        if (ofToken)
            return tpotOf(report, definitions);
        return report.feasible() && !report.overloaded ? std::optional(report.ttft) : std::nullopt;
    };
    const auto shown = [&](const Report& report) { return timesOf(report).has_value(); };
    if (std::none_of(all.begin(), all.end(), [&](const Evaluated& one) { return shown(one.report); }))
        return;
    table.rows.push_back({std::string()});
    table.rows.push_back({std::string(title)});
    for (const Cause cause : allCauses) {
        bool any = false;
        // The first token waits for the reading of its own prompt, an output token for that of others.
        const bool own = cause == Cause::prefill && !ofToken;
        std::vector<std::string> row{fmt::format("  {}", own ? "Reading the prompt" : nameOf(cause))};
        for (const auto& [scenario, report, load] : all) {
            const std::optional<Breakdown> times = timesOf(report);
            any = any || (times && (*times)[cause].value > 0);
            row.push_back(times ? numberText((*times)[cause].value * 1e3) : "–");
        }
        if (any)
            table.rows.push_back(std::move(row));
    }
    std::vector<std::string> total{"  Total"};
    for (const auto& [scenario, report, load] : all)
        total.push_back(shown(report) ? numberText(timesOf(report)->total().value * 1e3) : "–");
    table.rows.push_back(std::move(total));
}

void addLedger(TextTable& table, Configurations all, const Definitions& definitions)
{
    table.rows.push_back({std::string()});
    table.rows.push_back({fmt::format("Memory of the fullest device ({})", memoryUnitName(definitions))});
    const bool allRun =
        std::all_of(all.begin(), all.end(), [](const Evaluated& one) { return one.report.feasible(); });
    for (const LedgerRow& line : ledgerRows) {
        // What does not fit is asked for one request; where all fit, the cache in use says more.
        if (allRun && line.part == &Footprint::kvPerRequest)
            continue;
        std::vector<std::string> row{fmt::format("  {}", line.label)};
        for (const auto& [scenario, report, load] : all)
            row.push_back(report.footprint
                              ? numberText(((*report.footprint).*line.part).value / memoryUnit(definitions))
                              : "–");
        table.rows.push_back(std::move(row));
    }
}

std::string_view tokenTitle(const Definitions& definitions)
{
    return definitions.tpotWithFirst ? "Time of an output token, with the first token (ms)" : "Time of an output token (ms)";
}

std::string findingLine(const Finding& finding, const Scenario& scenario, const Definitions& definitions)
{
    const std::string knob = finding.knob.empty() ? "" : fmt::format(" [{}]", finding.knob);
    return fmt::format("{}: {}{}", keyOf(finding.severity), sentence(finding, scenario, definitions), knob);
}

std::string notModelledText(Configurations all)
{
    std::vector<std::string_view> names;
    for (const auto& [scenario, report, load] : all)
        for (const NotModelled part : report.notModelled)
            if (std::find(names.begin(), names.end(), nameOf(part)) == names.end())
                names.push_back(nameOf(part));
    if (names.empty())
        return "";
    return "\n" + wrapped(fmt::format("Not modelled: {}.", fmt::join(names, ", ")), lineWidth, "  ") + "\n";
}

} // namespace

std::vector<Evaluated> evaluateAll(const std::vector<Scenario>& scenarios)
{
    std::vector<Evaluated> all;
    for (const Scenario& scenario : scenarios)
        all.push_back({scenario, evaluate(scenario)});
    return all;
}

std::string reportText(const Evaluated& configuration, const Definitions& definitions)
{
    const auto& [scenario, report, load] = configuration;
    const std::span<const Evaluated> one(&configuration, 1);
    TextTable head;
    head.left = {true, true};
    head.rows = {{"Configuration", scenario.name.empty() ? hardwareName(scenario) : scenario.name},
                 {"Hardware", fmt::format("{}, {}", hardwareName(scenario), planText(scenario.plan))},
                 {"Network", scenario.network.name},
                 {"Engine", engineText(scenario.engine)},
                 {"Load", loadText(scenario)},
                 {"Precision", precisionText(report, scenario)},
                 {"Effect on quality", fmt::format("weights and inputs {}, KV cache {}", qualitySummary(configuration, false),
                                                   qualitySummary(configuration, true))},
                 {"Rent", priceText(scenario)},
                 {"Verdict", verdictText(report, definitions)},
                 {"Numbers rest on", badge(report)}};
    TextTable table;
    table.left = {true, false, true};
    table.rows.push_back({std::string()});
    if (report.feasible()) {
        for (const Metric& metric : metrics(definitions))
            table.rows.push_back({std::string(metric.label), metricCell(metric, report), std::string(metric.unit)});
        addBreakdown(table, one, tokenTitle(definitions), true, definitions);
        addBreakdown(table, one, "Time to the first token (ms)", false, definitions);
    }
    if (report.footprint)
        addLedger(table, one, definitions);
    std::string text = head.text() + table.text();
    if (!report.findings.empty())
        text += "\nFindings\n";
    for (const Finding& finding : report.findings)
        text += wrapped("  " + findingLine(finding, scenario, definitions), lineWidth, "    ") + "\n";
    return text + notModelledText(one);
}

std::string comparisonText(std::span<const Evaluated> all, std::size_t baseline, const Definitions& definitions)
{
    TextTable table;
    table.header = {""};
    for (std::size_t i = 0; i < all.size(); ++i)
        table.header.push_back(columnName(i, all[i].scenario) + (i == baseline && all.size() > 1 ? " (baseline)" : ""));
    const auto row = [&](const std::string& label, auto cell) {
        std::vector<std::string> cells{label};
        for (const Evaluated& one : all)
            cells.push_back(cell(one));
        table.rows.push_back(std::move(cells));
    };
    row("Network", [](const Evaluated& e) { return e.scenario.network.name; });
    row("Hardware", [](const Evaluated& e) { return hardwareName(e.scenario); });
    row("Plan", [](const Evaluated& e) { return planText(e.scenario.plan); });
    row("Engine", [](const Evaluated& e) { return e.scenario.engine.name; });
    row("Effect on quality, weights", [](const Evaluated& e) { return qualitySummary(e, false); });
    row("Effect on quality, KV cache", [](const Evaluated& e) { return qualitySummary(e, true); });
    row("Tokens in / out", [](const Evaluated& e) {
        return fmt::format("{} / {}", countText(e.scenario.load.inputTokens), countText(e.scenario.load.outputTokens));
    });
    row("Requests", [](const Evaluated& e) { return arrivalsText(e.scenario.load); });
    row("Verdict", [&](const Evaluated& e) { return verdictText(e.report, definitions); });
    row("Numbers rest on", [](const Evaluated& e) { return std::string(nameOf(e.report.provenance)); });
    row("80 % band of TPOT, rates and costs", [](const Evaluated& e) { return bandCell(e.report, e.report.tpotSpread); });
    row("80 % band of TTFT", [](const Evaluated& e) { return bandCell(e.report, e.report.ttftSpread); });
    const bool anyRuns =
        std::any_of(all.begin(), all.end(), [](const Evaluated& one) { return one.report.feasible(); });
    if (anyRuns)
        table.rows.push_back({std::string()});
    for (const Metric& metric : metrics(definitions)) {
        if (!anyRuns)
            break;
        std::vector<std::string> cells{labelled(metric.label, metric.unit)};
        for (std::size_t i = 0; i < all.size(); ++i)
            cells.push_back(comparedCell(metric, all[i].report, all[baseline].report, i == baseline));
        table.rows.push_back(std::move(cells));
    }
    if (anyRuns) {
        addBreakdown(table, all, tokenTitle(definitions), true, definitions);
        addBreakdown(table, all, "Time to the first token (ms)", false, definitions);
    }
    addLedger(table, all, definitions);

    std::string text;
    for (const TextTable& part : stacked(table, terminalWidth()))
        text += (text.empty() ? "" : "\n") + part.text();
    text += "\nFindings\n";
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const Finding& finding : all[i].report.findings)
            text += wrapped(fmt::format("  {}: {}", columnLetter(i), findingLine(finding, all[i].scenario, definitions)), lineWidth,
                            "    ") +
                    "\n";
    const std::vector<Sentence> turned = inversions(all);
    text += "\nInversions: more aggregate bandwidth, yet a slower decode step\n";
    for (const Sentence& sentence : turned)
        text += wrapped("  " + sentence.text, lineWidth, "    ") + "\n";
    if (turned.empty())
        text += "  none\n";
    text += "\nRent\n";
    for (std::size_t i = 0; i < all.size(); ++i)
        text += withoutControls(fmt::format("  {}: {}", columnLetter(i), priceText(all[i].scenario))) + "\n";
    return text + notModelledText(all);
}

std::string explanationText(const Explanation& explanation)
{
    std::string text = wrapped(explanation.paragraph, lineWidth, "") + "\n";
    for (const ExplanationSection& section : explanation.sections) {
        if (section.sentences.empty())
            continue;
        text += "\n" + section.heading + "\n";
        for (const Sentence& sentence : section.sentences)
            text += wrapped("  " + sentence.text, lineWidth, "    ") + "\n";
    }
    return text;
}

nlohmann::ordered_json sentenceJson(const Sentence& sentence)
{
    using Json = nlohmann::ordered_json;
    return {{"text", sentence.text},
            {"configuration", sentence.configuration < 0 ? Json(nullptr) : Json(sentence.configuration)},
            {"figure", sentence.figure.empty() ? Json(nullptr) : Json(sentence.figure)},
            {"knob", sentence.knob.empty() ? Json(nullptr) : Json(sentence.knob)}};
}

nlohmann::ordered_json explanationJson(const Explanation& explanation)
{
    using Json = nlohmann::ordered_json;
    Json json{{"answer", sentenceJson(explanation.answer)},
              {"paragraph", explanation.paragraph},
              {"sections", Json::array()}};
    for (const ExplanationSection& section : explanation.sections) {
        Json sentences = Json::array();
        for (const Sentence& sentence : section.sentences)
            sentences.push_back(sentenceJson(sentence));
        json["sections"].push_back({{"heading", section.heading}, {"sentences", std::move(sentences)}});
    }
    return json;
}

} // namespace ridgepoint::app
