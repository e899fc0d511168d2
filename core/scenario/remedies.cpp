// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/remedies.h"

#include "core/base/unit_text.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace ridgepoint {
namespace {

bool has(const Report& report, FindingCode code)
{
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const Finding& finding) { return finding.code == code; });
}

/// One change that may mend a finding.
struct Remedy
{
    std::string text;      ///< such as "TP 8"
    Scenario scenario;
};

int devicesOf(const System& system)
{
    return system.devicesPerNode * system.maximumNodes;
}

// Larger groups of the same node, smallest first.
std::vector<Remedy> widerGroups(const Scenario& s)
{
    std::vector<Remedy> remedies;
    for (int tp = s.plan.tensorParallel * 2; tp <= s.system.devicesPerNode; tp *= 2) {
        Remedy remedy{fmt::format("TP {}", tp), s};
        remedy.scenario.plan.tensorParallel = tp;
        remedies.push_back(std::move(remedy));
    }
    return remedies;
}

// More pipeline stages of the same system, fewest first.
std::vector<Remedy> deeperPlans(const Scenario& s)
{
    std::vector<Remedy> remedies;
    const int most = std::min({s.network.layerCount(), devicesOf(s.system) / s.plan.tensorParallel,
                               int(findKnob("parallel.pp")->maximum)});
    for (int pp = s.plan.pipelineParallel * 2; pp <= most; pp *= 2) {
        Remedy remedy{fmt::format("PP {}", pp), s};
        remedy.scenario.plan.pipelineParallel = pp;
        remedies.push_back(std::move(remedy));
    }
    return remedies;
}

// Fewer sequences in a step, most first.
std::vector<Remedy> fewerSequences(const Scenario& s)
{
    std::vector<Remedy> remedies;
    for (const int count : {256, 64})
        if (count < s.engine.maximumSequences) {
            Remedy remedy{fmt::format("{} sequences in a step", count), s};
            remedy.scenario.engine.maximumSequences = count;
            remedies.push_back(std::move(remedy));
        }
    return remedies;
}

// Fewer tokens in a step.
std::vector<Remedy> fewerTokens(const Scenario& s)
{
    constexpr int few = 2048;
    if (s.engine.batchedTokens <= few)
        return {};
    Remedy remedy{fmt::format("{} tokens in a step", countText(few)), s};
    remedy.scenario.engine.batchedTokens = few;
    return {std::move(remedy)};
}

bool fits(const Remedy& remedy)
{
    return evaluate(remedy.scenario).feasible();
}

Remedy weightsIn(const Scenario& s, Format format)
{
    Remedy remedy{fmt::format("{} weights", nameOf(format)), s};
    remedy.scenario.precision.weights = format;
    return remedy;
}

Remedy cacheIn(const Scenario& s, Format format)
{
    Remedy remedy{fmt::format("a KV cache in {}", nameOf(format)), s};
    remedy.scenario.precision.kv = format;
    return remedy;
}

/// The largest value of a count for which the scenario works, 0 when none does.
template <typename Set, typename Works>
int largest(const Scenario& s, int below, Set set, Works works)
{
    int low = 0, high = below;
    Scenario trial = s;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        set(trial, middle);
        (works(evaluate(trial)) ? low : high) = middle;
    }
    return low;
}

/// "TP 8 or FP8 weights": of each kind of change the first that works, each tried.
template <typename Works>
std::string remediesText(const std::vector<std::vector<Remedy>>& kinds, std::string first, Works works)
{
    std::string text = std::move(first);
    for (const std::vector<Remedy>& kind : kinds)
        if (const auto found = std::find_if(kind.begin(), kind.end(),
                                             [&](const Remedy& one) { return works(evaluate(one.scenario)); });
            found != kind.end())
            text += (text.empty() ? "" : " or ") + found->text;
    return text;
}

std::string mending(const std::string& remedies, std::string_view otherwise)
{
    return remedies.empty() ? std::string(otherwise) : fmt::format("What helps: {}.", remedies);
}

/// Each group of the plan with each format, and where that is too little, with a smaller step as well.
std::vector<std::vector<Remedy>> joinedRemedies(const Scenario& s, const std::vector<Remedy>& formats, bool smallStep)
{
    std::vector<std::vector<Remedy>> kinds;
    for (const std::vector<Remedy>& plans : {widerGroups(s), deeperPlans(s), std::vector<Remedy>{{"", s}}}) {
        if (plans.empty() || (plans.back().text.empty() && !smallStep))
            continue;
        const Plan& plan = plans.back().scenario.plan;
        std::vector<Remedy> kind;
        for (Remedy one : formats) {
            one.scenario.plan = plan;
            if (!plans.back().text.empty())
                one.text = fmt::format("{} with {}", plans.back().text, one.text);
            if (smallStep)
                for (const auto smaller : {fewerSequences, fewerTokens})
                    if (const std::vector<Remedy> steps = smaller(one.scenario); !steps.empty() && !fits(one)) {
                        one.scenario.engine = steps.back().scenario.engine;
                        one.text += " and " + steps.back().text;
                    }
            kind.push_back(std::move(one));
        }
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

bool dividesHeads(const Scenario& s, int tensorParallel)
{
    Scenario trial = s;
    trial.plan.tensorParallel = tensorParallel;
    return !has(evaluate(trial), FindingCode::tensorParallelDoesNotDivide);
}

} // namespace

int usableGroup(const Scenario& s)
{
    int group = std::min(s.plan.tensorParallel, s.system.devicesPerNode);
    while (group > 1 && !dividesHeads(s, group))
        --group;
    return group;
}

std::string memoryRemedies(const Scenario& s)
{
    // What changes neither answers nor devices comes first.
    const auto works = [](const Report& report) { return report.feasible(); };
    const Format narrow = s.system.device.peak.fp4 ? Format::nvfp4 : Format::int4;
    const std::vector<Remedy> formats{cacheIn(s, Format::fp8), weightsIn(s, Format::fp8), weightsIn(s, narrow)};
    std::string remedies = remediesText({fewerSequences(s), fewerTokens(s)}, "", works);
    if (const int tokens = largest(
            s, s.load.inputTokens, [](Scenario& trial, int n) { trial.load.inputTokens = n; }, works);
        tokens > 0)
        remedies += fmt::format("{}at most {} input {}", remedies.empty() ? "" : " or ", countText(tokens),
                                tokens == 1 ? "token" : "tokens");
    remedies = remediesText({widerGroups(s), deeperPlans(s), {formats[0]}, {formats[1]}, {formats[2]}},
                            std::move(remedies), works);
    for (const bool smallStep : {false, true})
        if (remedies.empty())
            remedies = remediesText(joinedRemedies(s, formats, smallStep), "", works);
    return mending(remedies, "No change tried makes it fit; it needs devices with more memory.");
}

std::string concurrencyRemedies(const Scenario& s, double runs, FindingCode code)
{
    const auto works = [&](const Report& report) { return report.feasible() && !has(report, code); };
    return mending(remediesText({widerGroups(s), {cacheIn(s, Format::fp8)}},
                                fmt::format("at most {} in flight", countText(std::floor(runs))), works),
                   "");
}

std::string groupsNear(const Scenario& s)
{
    const int below = usableGroup(s);
    for (int above = s.plan.tensorParallel + 1; above <= s.system.devicesPerNode; ++above)
        if (dividesHeads(s, above))
            return fmt::format("TP {} or TP {}", below, above);
    return fmt::format("TP {}", below);
}

std::string deepestPlan(const Scenario& s)
{
    const int tp = usableGroup(s);
    const int pp = std::max(1, std::min({s.plan.pipelineParallel, s.network.layerCount(), devicesOf(s.system) / tp}));
    return tp == s.plan.tensorParallel ? fmt::format("at most PP {}", pp)
                                       : fmt::format("at most TP {} × PP {}", tp, pp);
}

std::string smallerLatentGroup(const Scenario& s)
{
    const auto perDevice = [](const Scenario& scenario) {
        const Report report = evaluate(scenario);
        return report.feasible() ? report.footprint->maximumConcurrency / scenario.plan.devicesPerReplica() : 0.0;
    };
    Scenario smaller = s;
    smaller.plan.tensorParallel /= 2;
    if (s.plan.tensorParallel % 2 != 0 || perDevice(smaller) <= perDevice(s))
        return "";
    return fmt::format("TP {} holds more requests per device.", smaller.plan.tensorParallel);
}

} // namespace ridgepoint
