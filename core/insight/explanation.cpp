// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/explanation.h"

#include "core/base/unit_text.h"
#include "core/insight/basis.h"
#include "core/insight/improvement.h"
#include "core/insight/quality.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {
namespace {

using Columns = std::span<const Evaluated>;

// The result that the ranking goes by.
const Metric& rankedBy(const Ranking& rank)
{
    return *findMetric(rank.byCost ? "cost_per_million_output_all_in" : "output_tokens_per_s_per_device");
}

const Metric& tpotMetric(const Definitions& definitions)
{
    for (const Metric& metric : metrics(definitions))
        if (metric.id == "tpot_ms")
            return metric;
    return metrics(definitions).front();
}

std::string scoreText(const Evaluated& column, bool byCost)
{
    return byCost ? fmt::format("{} per million output tokens, prompts included",
                                dollarsText(Dollars{scoreOf(column, true)}))
                  : fmt::format("{}\u00a0tokens/s", numberText(scoreOf(column, false), 4));
}

bool areEqual(const Ranking& rank, Columns columns, std::size_t a, std::size_t b)
{
    return std::abs(scoreOf(columns[a], rank.byCost) / scoreOf(columns[b], rank.byCost) - 1.0) < 0.005;
}

// Columns that cannot be told apart from the first of the ranking, without those that come out the same.
std::vector<std::size_t> contendersOf(Columns columns, const Ranking& rank)
{
    const std::optional<Standing> standing = standingOf(rankedBy(rank), columns);
    std::vector<std::size_t> contenders = standing ? standing->contenders : std::vector<std::size_t>{};
    std::erase_if(contenders, [&](std::size_t i) { return areEqual(rank, columns, i, rank.order.front()); });
    return contenders;
}

// The 80 % band of a column's score: "$1.35 … $1.76"; empty when it is not known.
std::string scoreBand(const Evaluated& column, const Ranking& rank)
{
    const std::optional<Band> band = bandOf(rankedBy(rank), column.report);
    if (!band)
        return "";
    return rank.byCost ? dollarsText(Dollars{band->low}) + " … " + dollarsText(Dollars{band->high})
                       : fmt::format("{} … {}\u00a0tokens/s", numberText(band->low), numberText(band->high));
}

// " (80 % band $1.35 … $1.76)", or nothing.
std::string inBrackets(const std::string& band)
{
    return band.empty() ? "" : fmt::format(" (80\u00a0% band {})", band);
}

// Costs of unlike work are ranked, but do not say which hardware is better.
bool workDiffers(Columns columns, const Ranking& rank)
{
    const Scenario& first = columns[rank.order.front()].scenario;
    return std::any_of(rank.order.begin(), rank.order.end(), [&](std::size_t i) {
        const Scenario& s = columns[i].scenario;
        return !(s.network == first.network) || s.load.inputTokens != first.load.inputTokens ||
               s.load.outputTokens != first.load.outputTokens;
    });
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
    return someWait(column.scenario.load, *column.report.metrics);
}

std::string firstTokenText(const Evaluated& column)
{
    const auto& [scenario, report, load] = column;
    if (saturated(column))
        return fmt::format("The first token waits for a free place, since {} of {} requests run at a time.",
                           countText(std::floor(report.metrics->running)), countText(scenario.load.concurrency));
    if (report.overloaded)
        return "More requests are sent than are answered: the wait for the first token has no end.";
    const Cause cause = bindingCause(report.ttft);
    return fmt::format("The first token takes {}, mainly {}.", secondsText(report.metrics->ttft),
                       cause == Cause::prefill ? "reading its prompt" : wordsOf(cause));
}

Sentence answerOf(Columns columns, std::size_t baseline, const Ranking& rank, const Definitions& definitions)
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
            reasons.push_back(fmt::format("{} {}", columnLetter(i), verdictText(columns[i].report, definitions)));
        answer.text = fmt::format("No configuration can serve this: {}.", listed(reasons));
        answer.figure = "ledger";
        return answer;
    }
    const std::size_t best = rank.order.front();
    answer.configuration = int(best);
    const std::string name = columnLetter(best);
    if (columns.size() == 1) {
        const Metrics& m = *columns[best].report.metrics;
        const Metric& tpot = tpotMetric(definitions);
        const std::optional<double> value = tpot.get(columns[best].report);
        const std::optional<Spread> spread = tpot.spread(columns[best].report);
        answer.text = fmt::format("{} writes {}\u00a0tokens/s at a {} of {}{}", name, numberText(m.outputRate.value, 4),
                                  tpotName(definitions), value ? secondsText(Seconds{*value * 1e-3}) : "no end",
                                  value && spread ? fmt::format(" ({})", spreadText(spread->total())) : "");
        answer.text +=
            rank.byCost ? fmt::format(", for {}.", scoreText(columns[best], true)) : "; its cost is unknown.";
        return answer;
    }
    std::vector<std::size_t> equal;
    for (const std::size_t i : rank.order)
        if (areEqual(rank, columns, i, best))
            equal.push_back(i);
    std::sort(equal.begin(), equal.end());
    const bool alone = equal.size() == 1;
    const std::vector<std::size_t> contenders = contendersOf(columns, rank);
    std::vector<std::size_t> open = contenders;
    open.insert(open.begin(), equal.begin(), equal.end());
    const bool isClear = contenders.empty();   // else the end of the sentence gives the bands
    const auto brackets = [&](std::size_t i) { return isClear ? inBrackets(scoreBand(columns[i], rank)) : std::string(); };
    const std::string score = scoreText(columns[best], rank.byCost) + brackets(best);
    if (!isClear)
        answer.text = fmt::format("No clear winner between {}: {} {} {}", letters(open), letters(equal),
                                  rank.byCost ? alone ? "comes out the cheapest at" : "come out the cheapest at"
                                  : alone     ? "comes out first with"
                                              : "come out first with",
                                  score);
    else
        answer.text = rank.byCost
                          ? fmt::format("{} {} the cheapest: {}", letters(equal), alone ? "is" : "are equally", score)
                          : fmt::format("{} {} the most output of a device: {}", letters(equal),
                                        alone ? "gives" : "equally give", score);
    const std::optional<std::size_t> other = heldAgainst(rank, baseline);
    if (other && areEqual(rank, columns, *other, best)) {
        if (equal.size() < rank.order.size())
            answer.text += fmt::format(", {} of the {} that run", equal.size(), rank.order.size());
    } else if (other) {
        const double ratio = scoreOf(columns[best], rank.byCost) / scoreOf(columns[*other], rank.byCost);
        answer.text +=
            ", " + against(ratio, "more", "less", (*other == baseline ? "the baseline " : "") + columnLetter(*other)) +
            brackets(*other);
    } else {
        answer.text += ", and no other configuration can run";
    }
    if (!isClear)
        answer.text += ", but " + overlapText(rankedBy(rank), columns, best, contenders.front());
    answer.text += rank.byCost ? "." : "; costs are not compared, since a rent is unknown.";
    if (workDiffers(columns, rank))
        answer.text += " The networks or the tokens of a request differ, so this compares unlike work.";
    return answer;
}

std::vector<Sentence> closeCalls(Columns columns, const Ranking& rank)
{
    std::vector<Sentence> sentences;
    if (rank.order.empty())
        return sentences;
    const std::size_t best = rank.order.front();
    for (const std::size_t other : contendersOf(columns, rank)) {
        std::string text = fmt::format("No clear winner between {} and {}: {}", columnLetter(best), columnLetter(other),
                                       overlapText(rankedBy(rank), columns, best, other));
        if (const std::optional<double> chance = chanceOfLead(columns[best], columns[other], rank.byCost))
            text += fmt::format("; {} is ahead in {} of the plausible worlds", columnLetter(best), percentText(*chance));
        sentences.push_back({text + ".", int(other), "frontier", ""});
    }
    return sentences;
}

// What makes the first one first: rent and output of it and of the one it is held against.
ExplanationSection reasons(Columns columns, std::size_t baseline, const Ranking& rank)
{
    const std::optional<std::size_t> other = heldAgainst(rank, baseline);
    if (!other || areEqual(rank, columns, *other, rank.order.front()))
        return {};
    const std::size_t best = rank.order.front();
    const auto side = [&](std::size_t i) {
        const Metrics& m = *columns[i].report.metrics;
        const int devices = columns[i].scenario.plan.devices();
        return fmt::format("{}\u00a0tokens/s with {} {}{}", numberText(m.outputRate.value, 4), countText(devices),
                           devices == 1 ? "device" : "devices",
                           rank.byCost ? fmt::format(" at {}/h", dollarsText(Dollars{m.rent->value * 3600.0})) : "");
    };
    const bool isClear = contendersOf(columns, rank).empty();
    return {fmt::format("Why {} {}", columnLetter(best), isClear ? "comes first" : "is predicted to come first"),
            {{fmt::format("{} writes {}; {} writes {}.", columnLetter(best), side(best), columnLetter(*other),
                          side(*other)),
              int(best), "frontier", rank.byCost ? "price.per_device_hour" : "hardware.system"}}};
}

ExplanationSection limits(Columns columns, const Definitions& definitions)
{
    ExplanationSection section{"What limits each configuration", {}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& [scenario, report, load] = columns[i];
        if (report.feasible()) {
            const std::optional<Breakdown> defined = tpotOf(report, definitions);
            const Breakdown& time = defined ? *defined : report.tpot;
            const Cause cause = bindingCause(time);
            section.sentences.push_back(
                {fmt::format("{}: {}, {} of the time of an output token{} ({} of {}\u00a0ms). {}", columnLetter(i),
                             wordsOf(cause), percentText(time[cause] / time.total()),
                             definitions.tpotWithFirst && defined ? ", the first included" : "", milliseconds(time[cause]),
                             milliseconds(time.total()),
                             firstTokenText(columns[i])),
                 int(i), "breakdown", ""});
        } else {
            section.sentences.push_back(
                {fmt::format("{} {}.", columnLetter(i), verdictText(report, definitions)), int(i), "ledger", ""});
        }
        for (const Finding& finding : report.findings)
            if (finding.severity == Severity::problem)
                section.sentences.push_back({fmt::format("{}: {}", columnLetter(i), sentence(finding, scenario, definitions)),
                                             int(i), report.feasible() ? "" : "ledger", std::string(finding.knob)});
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
    sentences.push_back(
        {fmt::format("{} spends {}\u00a0ms of each token on {}{}; {} spends {}\u00a0ms{}.", columnLetter(*most),
                     milliseconds(time(*most)), cause == Cause::communication ? "communication" : wordsOf(cause),
                     where(*most), columnLetter(*least), milliseconds(time(*least)), where(*least)),
         int(*most), "breakdown", cause == Cause::communication ? "parallel.tp" : "engine.preset"});
}

ExplanationSection improvements(Columns columns, const Definitions& definitions)
{
    ExplanationSection section{"What would help most", {}};
    std::vector<std::size_t> none;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (const std::optional<Sentence> best = bestChange(columns[i], i, definitions))
            section.sentences.push_back(*best);
        else if (columns[i].report.feasible())
            none.push_back(i);
    }
    if (!none.empty())
        section.sentences.push_back(
            {fmt::format("For {}, no change tried of plan, precision or memory fraction gives more "
                         "than {} of output.",
                         letters(none), percentText(worthSaying)),
             -1, "", ""});
    return section;
}

// Speed bought with fewer bits has a price in answers: what is published of it, else that it is unknown.
ExplanationSection effectsOnQuality(Columns columns)
{
    ExplanationSection section{"What the formats do to the answers", {}};
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (const QualityPart& part : qualityOf(columns[i])) {
            const std::string text = qualityText(part);
            const auto same = std::find_if(section.sentences.begin(), section.sentences.end(),
                                           [&](const Sentence& one) { return one.text.ends_with(": " + text); });
            if (same == section.sentences.end())
                section.sentences.push_back({columnLetter(i) + ": " + text, int(i), "", std::string(part.knob)});
            else
                same->text.insert(same->text.find(": "), ", " + columnLetter(i));
        }
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
        std::vector<std::string> devices, bands;
        for (const std::size_t i : group)
            if (const std::string& name = columns[i].scenario.system.device.name;
                std::find(devices.begin(), devices.end(), name) == devices.end())
                devices.push_back(name);
        for (const std::size_t i : group)
            if (const std::optional<Spread>& spread = columns[i].report.tpotSpread)
                bands.push_back(fmt::format("{} {}", columnLetter(i), spreadText(spread->total())));
        const std::string_view what =
            origin == Provenance::calibrated       ? "constants fitted to measurements of the very device"
            : origin == Provenance::dataSheet      ? "the data sheet alone, without any loss"
            : origin == Provenance::familyDefault  ? "curves fitted to measurements of the device family"
            : origin == Provenance::generalDefault ? "general defaults, since no device of the family was measured"
                                                   : "an unknown origin";
        section.sentences.push_back(
            {fmt::format("{}: times of {} rest on {}. {}", letters(group), listed(devices), what,
                         bands.empty() ? "Band unknown."
                                       : fmt::format("80 % band of TPOT and throughput: {}.", listed(bands))),
             int(group.front()), "", "hardware.system"});
        for (const std::size_t i : group)
            if (origin == Provenance::calibrated && basisOf(columns[i].report.decodeOps).measured < nearlyAll)
                section.sentences.push_back({fmt::format("{}: {} in a decode step.", columnLetter(i),
                                                         basisText(columns[i], columns[i].report.decodeOps)),
                                             int(i), "breakdown", "hardware.system"});
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

std::string paragraphOf(Columns columns, const Sentence& answer, std::size_t baseline, const Ranking& rank)
{
    if (columns.empty())
        return answer.text;
    const std::size_t shown = rank.order.empty() ? 0 : rank.order.front();
    const auto& [scenario, report, load] = columns[shown];
    std::vector<std::size_t> unlike;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (!(columns[i].scenario.load == scenario.load) || !(columns[i].scenario.network == scenario.network))
            unlike.push_back(i);
    std::string text =
        fmt::format("{} for {}, {} tokens in and {} out, {}{}. {}",
                    columns.size() == 1 ? "One configuration" : fmt::format("{} configurations", columns.size()),
                    scenario.network.name, countText(scenario.load.inputTokens), countText(scenario.load.outputTokens),
                    arrivalsText(scenario.load),
                    unlike.empty() ? ""
                                   : fmt::format("; {} {} another network or load", letters(unlike),
                                                 unlike.size() == 1 ? "has" : "have"), answer.text);
    if (!report.feasible())
        return text;
    const Metrics& m = *report.metrics;
    text += saturated(columns[shown])
                ? fmt::format(" With {}, a user waits for a free place and then sees", columnName(shown, scenario))
            : report.overloaded
                ? fmt::format(" With {}, more requests are sent than are answered: users wait without end, and those served see",
                              columnName(shown, scenario))
                : fmt::format(" With {}, a user sees the first token after {} and then", columnName(shown, scenario),
                              secondsText(m.ttft));
    text += fmt::format(" {} tokens a second.", numberText(m.tpot.value > 0 ? 1.0 / m.tpot.value : 0.0));
    if (m.tpot.value > 0) {
        const Cause cause = bindingCause(report.tpot);
        text += fmt::format(" The largest part of that time, {}, goes into {}.",
                            percentText(report.tpot[cause] / report.tpot.total()), wordsOf(cause));
    }
    if (m.rent)
        text += fmt::format(" {} {} an hour.",
                            scenario.plan.devices() == 1 ? std::string("The device costs")
                                                         : fmt::format("The {} devices cost", scenario.plan.devices()),
                            dollarsText(Dollars{m.rent->value * 3600.0}));
    if (report.provenance == Provenance::dataSheet)
        return text + " The times are those of the data sheet, which no real system reaches.";
    // The band of what it is held against says as much about the choice as its own.
    std::vector<std::size_t> named{shown};
    if (const std::vector<std::size_t> contenders = contendersOf(columns, rank); !contenders.empty())
        named.push_back(contenders.front());
    else if (const std::optional<std::size_t> other = heldAgainst(rank, baseline))
        named.push_back(*other);
    std::vector<std::string> bands;
    for (const std::size_t i : named) {
        const std::optional<Spread>& spread = columns[i].report.tpotSpread;
        bands.push_back(fmt::format("{}{}", spread ? spreadText(spread->total()) : "a band that is unknown",
                                    named.size() > 1 ? " for " + columnLetter(i) : ""));
    }
    text += report.tpotSpread
                ? fmt::format(" These are predictions, not measurements: in 8 cases of 10 the speed lies within {}.", listed(bands))
                : " These are predictions, not measurements, and their band is unknown.";
    return text;
}

} // namespace

Explanation explain(std::span<const Evaluated> configurations, std::size_t baseline, const Definitions& definitions)
{
    const Ranking rank = ranking(configurations);
    Explanation result;
    result.answer = answerOf(configurations, baseline, rank, definitions);
    result.paragraph = paragraphOf(configurations, result.answer, baseline, rank);
    if (configurations.empty())
        return result;

    ExplanationSection differences{"Where they differ", closeCalls(configurations, rank)};
    addDifference(differences.sentences, configurations, rank, Cause::communication);
    addDifference(differences.sentences, configurations, rank, Cause::host);
    for (Sentence& inversion : inversions(configurations))
        differences.sentences.push_back(std::move(inversion));

    for (ExplanationSection& section :
         std::vector{reasons(configurations, baseline, rank), limits(configurations, definitions), std::move(differences),
                     improvements(configurations, definitions), effectsOnQuality(configurations), notModelled(configurations), origins(configurations)})
        if (!section.sentences.empty())
            result.sections.push_back(std::move(section));
    return result;
}

} // namespace ridgepoint
