// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/explanation.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {
namespace {

using Columns = std::span<const Evaluated>;

// Predictions closer than this are told as equal: no band is known that would say better.
constexpr double closeCall = 0.05;
constexpr double worthSaying = 0.02;

// What a cause is, for a reader who does not know its short name.
std::string_view wordsOf(Cause cause)
{
    switch (cause) {
    case Cause::weights: return "reading weights from memory";
    case Cause::kvCache: return "reading the KV cache from memory";
    case Cause::compute: return "arithmetic";
    case Cause::activations: return "moving activations";
    case Cause::communication: return "communication between devices";
    case Cause::host: return "launch and host work";
    case Cause::bubble: return "waiting in the pipeline";
    case Cause::prefill: return "reading the prompts of other requests";
    case Cause::waiting: return "waiting for a free place";
    }
    return "";
}

std::string milliseconds(Seconds time) { return numberText(time.value * 1e3); }

std::string listed(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string letters(const std::vector<std::size_t>& columns)
{
    std::vector<std::string> names;
    for (const std::size_t column : columns)
        names.push_back(columnLetter(column));
    return listed(names);
}

std::string scoreText(const Evaluated& column, bool byCost)
{
    return byCost ? fmt::format("{} per million output tokens, prompts included", dollarsText(Dollars{scoreOf(column, true)}))
                  : fmt::format("{}\u00a0tokens/s", numberText(scoreOf(column, false), 4));
}

// "60 % less than the baseline A", from a ratio.
std::string against(double ratio, std::string_view more, std::string_view less, const std::string& what)
{
    if (std::abs(ratio - 1.0) < 0.005)
        return fmt::format("as much as {}", what);
    if (ratio >= 3.0)
        return fmt::format("{} times as much as {}", numberText(ratio), what);
    return ratio > 1.0 ? fmt::format("{} {} than {}", percentText(ratio - 1.0), more, what)
                       : fmt::format("{} {} than {}", percentText(1.0 - ratio), less, what);
}

// The wait of a saturated load grows without end: it is said, and no number is given for it.
bool saturated(const Evaluated& column)
{
    return column.report.metrics->running < column.scenario.load.concurrency * (1.0 - 1e-9);
}

std::string firstTokenText(const Evaluated& column)
{
    const auto& [scenario, report] = column;
    if (saturated(column))
        return fmt::format("The first token waits for a free place, since {} of {} requests run at a time.",
                           countText(std::floor(report.metrics->running)), countText(scenario.load.concurrency));
    const Cause cause = bindingCause(report.ttft);
    return fmt::format("The first token takes {}, mainly {}.", secondsText(report.metrics->ttft),
                       cause == Cause::prefill ? "reading its prompt" : wordsOf(cause));
}

Sentence answerOf(Columns columns, std::size_t baseline, const Ranking& rank)
{
    Sentence answer;
    answer.figure = "frontier";
    if (columns.empty()) {
        answer.text = "There is nothing to compare yet: add a configuration.";
        return answer;
    }
    if (rank.order.empty()) {
        std::vector<std::string> reasons;
        for (std::size_t i = 0; i < columns.size(); ++i)
            reasons.push_back(fmt::format("{} {}", columnLetter(i), verdictText(columns[i].report)));
        answer.text = fmt::format("No configuration can serve this: {}.", listed(reasons));
        answer.figure = "ledger";
        return answer;
    }
    const std::size_t best = rank.order.front();
    answer.configuration = int(best);
    const std::string name = columnLetter(best);
    if (columns.size() == 1) {
        const Metrics& m = *columns[best].report.metrics;
        answer.text = fmt::format("{} writes {}\u00a0tokens/s at a TPOT of {}", name, numberText(m.outputRate.value, 4),
                                  secondsText(m.tpot));
        answer.text += rank.byCost ? fmt::format(", for {}.", scoreText(columns[best], true)) : "; its cost is unknown.";
        return answer;
    }
    answer.text = rank.byCost ? fmt::format("{} is the cheapest: {}", name, scoreText(columns[best], true))
                              : fmt::format("{} gives the most output of a device: {}", name, scoreText(columns[best], false));
    const bool hasBaseline = baseline < columns.size() && columns[baseline].report.feasible();
    const std::size_t other = best != baseline && hasBaseline ? baseline
                              : rank.order.size() > 1        ? rank.order[1]
                                                             : best;
    if (other != best) {
        const double ratio = scoreOf(columns[best], rank.byCost) / scoreOf(columns[other], rank.byCost);
        answer.text += ", " + against(ratio, "more", "less",
                                      (other == baseline ? "the baseline " : "") + columnLetter(other));
    } else {
        answer.text += ", and no other configuration can run";
    }
    answer.text += rank.byCost ? "." : "; costs are not compared, since a rent is unknown.";
    return answer;
}

std::vector<Sentence> closeCalls(Columns columns, const Ranking& rank)
{
    std::vector<std::size_t> close;
    for (std::size_t i = 1; i < rank.order.size(); ++i)
        if (std::abs(scoreOf(columns[rank.order[i]], rank.byCost) / scoreOf(columns[rank.order[0]], rank.byCost) - 1.0)
            < closeCall)
            close.push_back(rank.order[i]);
    if (close.empty())
        return {};
    return {{fmt::format("{} {} within {} of {}: no band is known, so take them as equal.", letters(close),
                         close.size() == 1 ? "comes" : "come", percentText(closeCall), columnLetter(rank.order[0])),
             int(close.front()), "frontier", ""}};
}

ExplanationSection limits(Columns columns)
{
    ExplanationSection section{"What limits each configuration", {}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& [scenario, report] = columns[i];
        if (report.feasible()) {
            const Cause cause = bindingCause(report.tpot);
            section.sentences.push_back(
                {fmt::format("{}: {}, {} of the time of an output token ({} of {}\u00a0ms). {}", columnLetter(i),
                             wordsOf(cause), percentText(report.tpot[cause] / report.tpot.total()),
                             milliseconds(report.tpot[cause]), milliseconds(report.tpot.total()),
                             firstTokenText(columns[i])),
                 int(i), "breakdown", ""});
        } else {
            section.sentences.push_back({fmt::format("{} {}.", columnLetter(i), verdictText(report)), int(i), "ledger", ""});
        }
        for (const Finding& finding : report.findings)
            if (finding.severity == Severity::problem)
                section.sentences.push_back({fmt::format("{}: {}", columnLetter(i), sentence(finding, scenario)), int(i),
                                             report.feasible() ? "" : "ledger", std::string(finding.knob)});
    }
    return section;
}

// The two columns that differ most in one cause of the output token's time.
void addDifference(std::vector<Sentence>& sentences, Columns columns, const Ranking& rank, Cause cause)
{
    if (rank.order.size() < 2)
        return;
    const auto time = [&](std::size_t i) { return columns[i].report.tpot[cause]; };
    const auto [least, most] = std::minmax_element(rank.order.begin(), rank.order.end(),
                                                   [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
    const Seconds difference = time(*most) - time(*least);
    if (difference < worthSaying * columns[*most].report.tpot.total())
        return;
    const auto where = [&](std::size_t i) {
        const int devices = columns[i].scenario.plan.devicesPerReplica();
        return cause != Cause::communication ? std::string()
               : devices == 1                ? std::string(", being one device")
                                             : fmt::format(" between {} devices", devices);
    };
    sentences.push_back({fmt::format("{} spends {}\u00a0ms of each token on {}{}; {} spends {}\u00a0ms{}.", columnLetter(*most),
                                     milliseconds(time(*most)),
                                     cause == Cause::communication ? "communication" : wordsOf(cause), where(*most),
                                     columnLetter(*least), milliseconds(time(*least)), where(*least)),
                         int(*most), "breakdown", cause == Cause::communication ? "parallel.tp" : "engine.preset"});
}

// --- one change at a time --------------------------------------------------------------------------------------------

struct Change
{
    std::string text;      ///< as an order, such as "run A as 2 replicas × TP 4"
    std::string knob;
    Scenario scenario;
};

bool cacheIsNarrower(const Scenario& s, Format now, Format then)
{
    const bool hasCache = std::any_of(s.network.layers.begin(), s.network.layers.end(), [](const LayerGroup& group) {
        return group.attention.kind != AttentionKind::linear;
    });
    return hasCache && bytesPerElement(then) < bytesPerElement(now);
}

std::vector<Change> changesOf(const Evaluated& column, const std::string& name)
{
    const Scenario& s = column.scenario;
    std::vector<Change> changes;
    const auto add = [&](std::string text, std::string knob) -> Scenario& {
        changes.push_back({std::move(text), std::move(knob), s});
        return changes.back().scenario;
    };
    const int tp = s.plan.tensorParallel;
    if (tp % 2 == 0) {
        Plan& plan = add(fmt::format("Run {} as {} replicas × TP {}", name, s.plan.replicas * 2, tp / 2), "parallel.tp").plan;
        plan.tensorParallel = tp / 2;
        plan.replicas *= 2;
    }
    if (s.plan.replicas % 2 == 0 && tp * 2 <= s.system.devicesPerNode) {
        Plan& plan = add(fmt::format("Run {} as {} {} × TP {}", name, s.plan.replicas / 2,
                                     s.plan.replicas == 2 ? "replica" : "replicas", tp * 2), "parallel.tp").plan;
        plan.tensorParallel = tp * 2;
        plan.replicas /= 2;
    }
    if (cacheIsNarrower(s, column.report.kvFormat, Format::fp8))
        add(fmt::format("Keep the KV cache of {} in FP8", name), "precision.kv").precision.kv = Format::fp8;
    const Format weights = s.precision.weights.value_or(s.network.checkpointFormat);
    if (bytesPerElement(weights) > 1.01)
        add(fmt::format("Store the weights of {} in FP8", name), "precision.weights").precision.weights = Format::fp8;
    else if (bytesPerElement(weights) > 0.6) {
        const Format narrow = s.system.device.peak.fp4 ? Format::nvfp4 : Format::int4;
        add(fmt::format("Store the weights of {} in {}", name, nameOf(narrow)), "precision.weights").precision.weights = narrow;
    }
    if (s.engine.memoryPolicy != MemoryPolicy::ideal && s.engine.memoryFraction < 0.945)
        add(fmt::format("Give the engine of {} a memory fraction of 0.95", name), "engine.memory_fraction")
            .engine.memoryFraction = 0.95;
    return changes;
}

std::string gainText(const Report& before, const Report& after)
{
    const Metrics& a = *before.metrics;
    const Metrics& b = *after.metrics;
    std::string text = fmt::format("TPOT {} → {}\u00a0ms, output {}", milliseconds(a.tpot), milliseconds(b.tpot),
                                   changeText(b.outputRate / a.outputRate));
    if (a.outputTokensPerDollar && b.outputTokensPerDollar && *b.outputTokensPerDollar > 0)
        text += fmt::format(", cost of output {}", changeText(*a.outputTokensPerDollar / *b.outputTokensPerDollar));
    return text;
}

// The change that helps a column most: more output from the same devices, or running at all.
std::optional<Sentence> bestChange(const Evaluated& column, std::size_t index)
{
    std::optional<Sentence> best;
    double bestGain = 1.0 + worthSaying;
    for (const Change& change : changesOf(column, columnLetter(index))) {
        const Report after = evaluate(change.scenario);
        if (!after.feasible())
            continue;
        if (!column.report.feasible()) {
            return Sentence{fmt::format("{}: then it fits, with a TPOT of {}.", change.text, secondsText(after.metrics->tpot)),
                            int(index), "", change.knob};
        }
        const double gain = after.metrics->outputRate / column.report.metrics->outputRate;
        if (gain <= bestGain)
            continue;
        bestGain = gain;
        best = Sentence{fmt::format("{}: {}.", change.text, gainText(column.report, after)), int(index), "", change.knob};
    }
    return best;
}

ExplanationSection improvements(Columns columns)
{
    ExplanationSection section{"What would help most", {}};
    std::vector<std::size_t> none;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (const std::optional<Sentence> best = bestChange(columns[i], i))
            section.sentences.push_back(*best);
        else if (columns[i].report.feasible())
            none.push_back(i);
    }
    if (!none.empty())
        section.sentences.push_back({fmt::format("For {}, no change tried of plan, precision or memory fraction gives more "
                                                 "than {} of output.", letters(none), percentText(worthSaying)), -1, "", ""});
    if (std::any_of(section.sentences.begin(), section.sentences.end(),
                    [](const Sentence& one) { return one.knob.starts_with("precision."); }))
        section.sentences.push_back({"Fewer bits also make answers less exact, which is not modelled.", -1, "", ""});
    return section;
}

// --- what the numbers rest on ----------------------------------------------------------------------------------------

ExplanationSection notModelled(Columns columns)
{
    std::vector<NotModelled> parts;
    std::vector<std::string> names;
    for (const Evaluated& column : columns)
        for (const NotModelled part : column.report.notModelled)
            if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
                parts.push_back(part);
                names.emplace_back(nameOf(part));
            }
    if (names.empty())
        return {"Not modelled", {}};
    return {"Not modelled", {{fmt::format("{} parts are left out: {}.", names.size(), listed(names)), -1, "", ""}}};
}

ExplanationSection origins(Columns columns)
{
    ExplanationSection section{"Where the numbers come from", {}};
    std::map<Provenance, std::vector<std::size_t>> byOrigin;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].report.feasible())
            byOrigin[columns[i].report.provenance].push_back(i);
    for (const auto& [origin, group] : byOrigin) {
        std::vector<std::string> devices;
        for (const std::size_t i : group)
            if (const std::string& name = columns[i].scenario.system.device.name;
                std::find(devices.begin(), devices.end(), name) == devices.end())
                devices.push_back(name);
        const std::string_view what =
            origin == Provenance::dataSheet       ? "the data sheet alone, without any loss"
            : origin == Provenance::familyDefault ? "curves fitted to measurements of the device family"
            : origin == Provenance::generalDefault
                ? "general defaults, since no device of the family was measured"
                : "an unknown origin";
        section.sentences.push_back({fmt::format("{}: times of {} rest on {}. Band unknown.", letters(group), listed(devices),
                                                 what), int(group.front()), "", "hardware.system"});
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::optional<Price>& price = columns[i].scenario.price;
        std::string text = fmt::format("{}: rent unknown.", columnLetter(i));
        if (price)
            text = fmt::format("{}: {}/h per device, {}{}{}.", columnLetter(i),
                               dollarsText(Dollars{price->perDevice.value * 3600.0}), price->name,
                               price->date.empty() ? "" : ", " + price->date, price->unverified ? ", unverified" : "");
        section.sentences.push_back({std::move(text), int(i), "", "price.preset"});
    }
    return section;
}

std::string paragraphOf(Columns columns, const Sentence& answer, const Ranking& rank)
{
    if (columns.empty())
        return answer.text;
    const std::size_t shown = rank.order.empty() ? 0 : rank.order.front();
    const auto& [scenario, report] = columns[shown];
    const bool sameLoad = std::all_of(columns.begin(), columns.end(), [&](const Evaluated& column) {
        return column.scenario.load == scenario.load && column.scenario.network == scenario.network;
    });
    std::string text = fmt::format("{} for {}, {} tokens in and {} out, {} in flight{}. {}",
                                   columns.size() == 1 ? "One configuration"
                                                       : fmt::format("{} configurations", columns.size()),
                                   scenario.network.name, countText(scenario.load.inputTokens),
                                   countText(scenario.load.outputTokens), countText(scenario.load.concurrency),
                                   sameLoad ? "" : fmt::format(" in {}, the others differ", columnLetter(shown)), answer.text);
    if (!report.feasible())
        return text;
    const Metrics& m = *report.metrics;
    text += saturated(columns[shown])
                ? fmt::format(" With {}, a user waits for a free place and then sees", columnName(shown, scenario))
                : fmt::format(" With {}, a user sees the first token after {} and then", columnName(shown, scenario),
                              secondsText(m.ttft));
    text += fmt::format(" {} tokens a second.", numberText(m.tpot.value > 0 ? 1.0 / m.tpot.value : 0.0));
    if (m.tpot.value > 0) {
        const Cause cause = bindingCause(report.tpot);
        text += fmt::format(" The largest part of that time, {}, goes into {}.", percentText(report.tpot[cause] / report.tpot.total()),
                            wordsOf(cause));
    }
    if (m.rent)
        text += fmt::format(" {} {} an hour.", scenario.plan.devices() == 1 ? std::string("The device costs")
                                                     : fmt::format("The {} devices cost", scenario.plan.devices()),
                            dollarsText(Dollars{m.rent->value * 3600.0}));
    text += report.provenance == Provenance::dataSheet
                ? " The times are those of the data sheet, which no real system reaches."
                : " These are predictions, not measurements, and their band is unknown.";
    return text;
}

} // namespace

std::vector<Sentence> inversions(std::span<const Evaluated> configurations)
{
    const auto bandwidth = [&](std::size_t i) {
        const Scenario& s = configurations[i].scenario;
        return s.system.device.memoryBandwidth * double(s.plan.tensorParallel);
    };
    std::vector<Sentence> sentences;
    for (std::size_t more = 0; more < configurations.size(); ++more)
        for (std::size_t less = 0; less < configurations.size(); ++less) {
            const Report& slow = configurations[more].report;
            const Report& fast = configurations[less].report;
            if (!slow.feasible() || !fast.feasible() || bandwidth(more) <= bandwidth(less) * (1.0 + 1e-9)
                || slow.decodeStep.total() <= fast.decodeStep.total() * (1.0 + 1e-9))
                continue;
            Breakdown difference;
            for (const Cause cause : allCauses)
                difference[cause] = slow.decodeStep[cause] - fast.decodeStep[cause];
            const Cause cause = bindingCause(difference);
            std::string text = fmt::format(
                "{} has more aggregate bandwidth than {} ({} against {}) and yet the longer decode step ({} against "
                "{}\u00a0ms): {} takes {}\u00a0ms more ({} against {}\u00a0ms)",
                columnLetter(more), columnLetter(less), bandwidthText(bandwidth(more)), bandwidthText(bandwidth(less)),
                milliseconds(slow.decodeStep.total()), milliseconds(fast.decodeStep.total()), wordsOf(cause),
                milliseconds(difference[cause]), milliseconds(slow.decodeStep[cause]), milliseconds(fast.decodeStep[cause]));
            if (cause == Cause::weights || cause == Cause::kvCache)
                text += fmt::format(", its step using {} of the bandwidth against {}", percentText(slow.metrics->memoryUse),
                                    percentText(fast.metrics->memoryUse));
            sentences.push_back({text + ".", int(more), "breakdown", ""});
        }
    return sentences;
}

Explanation explain(std::span<const Evaluated> configurations, std::size_t baseline)
{
    const Ranking rank = ranking(configurations);
    Explanation result;
    result.answer = answerOf(configurations, baseline, rank);
    result.paragraph = paragraphOf(configurations, result.answer, rank);
    if (configurations.empty())
        return result;

    ExplanationSection differences{"Where they differ", closeCalls(configurations, rank)};
    addDifference(differences.sentences, configurations, rank, Cause::communication);
    addDifference(differences.sentences, configurations, rank, Cause::host);
    for (Sentence& inversion : inversions(configurations))
        differences.sentences.push_back(std::move(inversion));

    for (ExplanationSection& section : std::vector{limits(configurations), std::move(differences),
                                                   improvements(configurations), notModelled(configurations),
                                                   origins(configurations)})
        if (!section.sentences.empty())
            result.sections.push_back(std::move(section));
    return result;
}

} // namespace ridgepoint
