// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/reconciliation.h"

#include "core/base/unit_text.h"
#include "core/insight/sentence.h"
#include "core/scenario/serving_setup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

constexpr double agreesWithin = 0.02, closeWithin = 0.10;
constexpr Bytes agreesBy{0.05 * gibi}, closeBy{0.3 * gibi};

Agreement agreementOf(double predicted, double logged, bool isBytes)
{
    const double off = std::abs(predicted - logged);
    if (off <= std::max(agreesWithin * std::abs(logged), isBytes ? agreesBy.value : 0.0))
        return Agreement::agrees;
    return off <= std::max(closeWithin * std::abs(logged), isBytes ? closeBy.value : 0.0) ? Agreement::close : Agreement::disagrees;
}

std::string_view poolFormula(MemoryPolicy policy)
{
    switch (policy) {
    case MemoryPolicy::ideal: return "device memory − weights − activations − runtime − graphs";
    case MemoryPolicy::budget: return "fraction × device memory − weights − runtime − activations − graphs";
    case MemoryPolicy::staticPool: return "fraction × (device memory − runtime) − weights";
    case MemoryPolicy::freeFraction: return "fraction × (device memory − weights − runtime − activations − graphs)";
    case MemoryPolicy::wholeContext: return "cache of the whole context";
    }
    return "";
}

LedgerCheck check(std::string_view key, std::string_view name, std::string_view formula, double predicted,
                  std::optional<double> logged, bool isBytes = true)
{
    LedgerCheck line{key, name, formula, isBytes, predicted, logged, Agreement::notCompared, 0, {}};
    if (logged)
        line.agreement = agreementOf(predicted, *logged, isBytes);
    return line;
}

std::optional<double> number(const std::optional<Bytes>& bytes)
{
    return bytes ? std::optional(bytes->value) : std::nullopt;
}

/// `planHolds`: the plan is known to be possible, so that the ledger alone is worked out, without any times.
std::optional<Footprint> ledgerOf(const Scenario& s, bool planHolds)
{
    if (!planHolds)
        return evaluate(s).footprint;
    return footprint(s.system.device, s.network, resolvedPrecision(s), s.plan, s.engine,
                     double(s.load.inputTokens) + s.load.outputTokens, double(s.load.concurrency) / s.plan.replicas);
}

std::vector<LedgerCheck> linesOf(const Scenario& s, const EngineLog& log, bool planHolds = false)
{
    const std::optional<Footprint> ledger = ledgerOf(s, planHolds);
    if (!ledger)
        return {};
    const Footprint& f = *ledger;
    std::vector<LedgerCheck> lines;
    const bool afterContext = log.engine == LogEngine::sglang;   // it prints what is free once the runtime is there
    lines.push_back(check("device", afterContext ? "Free before the weights" : "Device memory",
                          afterContext ? "device memory − runtime" : "what the driver shows",
                          (afterContext ? f.visible - f.runtime : f.visible).value, number(log.visible)));
    lines.push_back(check("weights", "Weights", "sharded bytes / TP + replicated bytes + rotary table", f.weights.value,
                          number(log.weights)));
    lines.push_back(check("activations", "Activations", "larger of sampling (sequences × vocabulary) and a forward step (tokens × width)",
                          f.activations.value, number(log.activations)));
    lines.push_back(check("runtime", "Runtime", "context, communicators and workspace", f.runtime.value, number(log.runtime)));
    lines.push_back(check("graphs", "Graphs", "estimate of captured graphs inside the budget", f.graphs.value, number(log.graphs)));
    if (f.graphs.value <= 0.0)
        lines.back().agreement = Agreement::notCompared;
    lines.push_back(check("pool", "KV pool", poolFormula(s.engine.memoryPolicy), f.kvPool.value, number(log.pool)));
    const bool hasBoth = log.pool && log.tokens && *log.tokens > 0;
    lines.push_back(check("token", "Cache of a token", "layers × KV heads / TP × head size × 2 × bytes of an element", f.kvPerToken.value,
                          hasBoth ? std::optional(log.pool->value / *log.tokens) : std::nullopt));
    LedgerCheck& token = lines.back();
    if (token.logged)   // kilobytes: the absolute limits of whole parts say nothing here
        token.agreement = agreementOf(token.predicted, *token.logged, false);
    lines.push_back(check("tokens", "Tokens in the pool", "KV pool / cache of a token",
                          f.kvPerToken.value > 0 && f.kvPool.value > 0 ? f.kvPool / f.kvPerToken : 0.0, log.tokens, false));
    for (LedgerCheck& line : lines)
        for (std::size_t i = log.lines.size(); i-- > 0;)
            if (std::find(log.lines[i].keys.begin(), log.lines[i].keys.end(), line.key) != log.lines[i].keys.end())
                line.logLine = int(i) + 1;
    return lines;
}

/// How far the compared lines are from the log: the sum of the sizes of their logarithms.
double mismatch(const std::vector<LedgerCheck>& lines)
{
    constexpr double impossible = 1e3, unlike = 3.0;
    if (lines.empty())
        return impossible;
    double sum = 0;
    for (const LedgerCheck& line : lines)
        if (line.agreement == Agreement::close || line.agreement == Agreement::disagrees)
            sum += line.predicted > 0 ? std::min(unlike, std::abs(std::log(line.predicted / *line.logged))) : unlike;
    return sum;
}

std::string valueText(const Knob& knob, const Scenario& s, const Presets& presets)
{
    const std::string unit(shownUnit(knob));
    return knobText(knob, s, presets) + (unit.empty() ? "" : "\u00a0" + unit);
}

std::optional<EngineChange> changeTo(const Scenario& s, std::string_view id, const KnobValue& value, const Presets& presets, bool stated)
{
    const Knob* knob = findKnob(id);
    if (knob == nullptr || knob->get(s) == value)
        return std::nullopt;
    const Result<Scenario> changed = withKnob(s, id, value, presets);
    if (!changed)
        return std::nullopt;
    return EngineChange{std::string(id), value,
                        fmt::format("{}: {} in place of {}", knob->label, valueText(*knob, *changed, presets), valueText(*knob, s, presets)),
                        stated};
}

std::vector<EngineChange> statedChanges(const Scenario& s, const EngineLog& log, const Presets& presets)
{
    std::vector<EngineChange> changes;
    const auto add = [&](std::string_view knob, const auto& value) {
        if (value)
            if (auto change = changeTo(s, knob, KnobValue(double(*value)), presets, true))
                changes.push_back(std::move(*change));
    };
    add("parallel.tp", log.tensorParallel);
    add("parallel.pp", log.pipelineParallel);
    if (log.memoryFraction && std::abs(*log.memoryFraction - s.engine.memoryFraction) > 5e-4)
        add("engine.memory_fraction", log.memoryFraction);
    add("engine.max_sequences", log.maximumSequences);
    add("engine.batched_tokens", log.batchedTokens);
    const Format cache = s.precision.kv.value_or(s.network.checkpointKv);
    if (log.kvFormat && *log.kvFormat != cache)
        if (auto change = changeTo(s, "precision.kv", std::string(idOf(*log.kvFormat)), presets, true))
            changes.push_back(std::move(*change));
    return changes;
}

/// The one change that the log does not state and that explains most of what is left.
std::optional<EngineChange> bestGuess(const Scenario& s, const EngineLog& log, const Presets& presets)
{
    const double before = mismatch(linesOf(s, log));
    if (before <= 0.0)
        return std::nullopt;
    std::vector<EngineChange> tried;
    const auto attempt = [&](std::string_view knob, const KnobValue& value) {
        if (auto change = changeTo(s, knob, value, presets, false))
            tried.push_back(std::move(*change));
    };
    for (const std::string_view knob : {"precision.kv", "precision.weights"})
        if (const Knob* found = findKnob(knob); found != nullptr && !(knob == "precision.kv" && log.kvFormat))
            for (const Choice& choice : found->choices(s, presets))
                if (formatFromId(choice.id))   // "as the checkpoint" names none
                    attempt(knob, choice.id);
    if (!log.tensorParallel)
        for (const int degree : {1, 2, 4, 8, 16})
            attempt("parallel.tp", double(degree));
    constexpr double worthIt = 0.5;   // at least half of what is off
    std::optional<EngineChange> best;
    double least = before * worthIt;
    for (const EngineChange& change : tried) {
        const bool planHolds = change.knob.starts_with("precision.");   // formats do not make it impossible
        const double after = mismatch(linesOf(*withKnob(s, change.knob, change.value, presets), log, planHolds));
        if (after < least) {
            least = after;
            best = change;
        }
    }
    return best;
}

const LedgerCheck* lineOf(const std::vector<LedgerCheck>& lines, std::string_view key)
{
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const LedgerCheck& line) { return line.key == key; });
    return found == lines.end() ? nullptr : &*found;
}

/// How much of a line's distance to the log is left.
double leftOver(const LedgerCheck& before, const std::vector<LedgerCheck>& lines)
{
    const LedgerCheck* after = lineOf(lines, before.key);
    const double was = std::abs(before.predicted - *before.logged);
    return after == nullptr || was <= 0 ? 1.0 : std::abs(after->predicted - *before.logged) / was;
}

void nameCauses(Reconciliation& result, const Scenario& s, const EngineLog& log, const Presets& presets)
{
    constexpr double explained = 0.5;
    std::vector<std::vector<LedgerCheck>> alone;
    for (const EngineChange& change : result.changes)
        alone.push_back(linesOf(*withKnob(s, change.knob, change.value, presets), log));
    const std::vector<LedgerCheck> all = linesOf(withEngineValues(s, result, presets), log);
    for (LedgerCheck& line : result.lines) {
        if (line.agreement != Agreement::disagrees)
            continue;
        double least = explained;
        for (std::size_t i = 0; i < alone.size(); ++i)
            if (const double left = leftOver(line, alone[i]); left < least) {
                least = left;
                line.cause = result.changes[i].text;
            }
        if (line.cause.empty())
            line.cause = !result.changes.empty() && leftOver(line, all) < explained
                             ? "follows from the changes together"
                             : "no setting of the log, format or plan that was tried explains it";
    }
}

std::string verdictOf(const Reconciliation& result, const EngineLog& log)
{
    std::vector<std::string> wrong;
    int compared = 0;
    for (const LedgerCheck& line : result.lines) {
        compared += line.agreement != Agreement::notCompared;
        if (line.agreement == Agreement::disagrees)
            wrong.emplace_back(line.name);
    }
    if (result.lines.empty())
        return "The plan of this configuration cannot be, so there is no ledger to compare.";
    const std::string read = fmt::format("{} of {} lines read", log.linesRead(), log.lines.size());
    if (compared == 0)
        return fmt::format("Nothing of the ledger is in the log; {}.", read);
    if (wrong.empty())
        return fmt::format("The ledger agrees with the log in all {} parts that the log gives; {}.", compared, read);
    return fmt::format("{} of {} parts disagree with the log: {}; {}.", wrong.size(), compared, listed(wrong), read);
}

} // namespace

std::string_view keyOf(Agreement agreement)
{
    switch (agreement) {
    case Agreement::agrees: return "agrees";
    case Agreement::close: return "close";
    case Agreement::disagrees: return "disagrees";
    case Agreement::notCompared: return "not_compared";
    }
    return "";
}

std::string_view nameOf(Agreement agreement)
{
    switch (agreement) {
    case Agreement::agrees: return "agrees";
    case Agreement::close: return "differs a little";
    case Agreement::disagrees: return "disagrees";
    case Agreement::notCompared: return "not compared";
    }
    return "";
}

Reconciliation reconcile(const Scenario& scenario, const EngineLog& log, const Presets& presets)
{
    Reconciliation result;
    result.lines = linesOf(scenario, log);
    result.changes = statedChanges(scenario, log, presets);
    constexpr int mostGuesses = 3;   // weights, cache and degree
    for (int i = 0; i < mostGuesses; ++i) {
        const auto guess = bestGuess(withEngineValues(scenario, result, presets), log, presets);
        // Told against the configuration as it is, not as the other changes leave it.
        auto change = guess ? changeTo(scenario, guess->knob, guess->value, presets, false) : std::nullopt;
        if (!change)
            break;
        result.changes.push_back(std::move(*change));
    }
    nameCauses(result, scenario, log, presets);
    result.verdict = verdictOf(result, log);
    return result;
}

Scenario withEngineValues(Scenario scenario, const Reconciliation& reconciliation, const Presets& presets)
{
    for (const EngineChange& change : reconciliation.changes)
        if (Result<Scenario> changed = withKnob(scenario, change.knob, change.value, presets))
            scenario = std::move(*changed);
    return scenario;
}

} // namespace ridgepoint
