// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/findings.h"

#include "core/base/unit_text.h"
#include "core/scenario/evaluate.h"

#include <algorithm>
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

/// "TP 8 or FP8 weights": the first wider group that works and each other remedy that does, each tried.
template <typename Works>
std::string remediesText(const std::vector<Remedy>& wider, const std::vector<Remedy>& others, std::string first,
                         Works works)
{
    std::string text = std::move(first);
    const auto add = [&](const std::string& one) { text += (text.empty() ? "" : " or ") + one; };
    const auto fits = [&](const Remedy& remedy) { return works(evaluate(remedy.scenario)); };
    if (const auto group = std::find_if(wider.begin(), wider.end(), fits); group != wider.end())
        add(group->text);
    for (const Remedy& remedy : others)
        if (fits(remedy))
            add(remedy.text);
    return text;
}

std::string mending(const std::string& remedies, std::string_view otherwise)
{
    return remedies.empty() ? std::string(otherwise) : fmt::format("What helps: {}.", remedies);
}

std::string memoryRemedies(const Scenario& s)
{
    const auto works = [](const Report& report) { return report.feasible(); };
    std::string shorter;
    if (const int tokens = largest(
            s, s.load.inputTokens, [](Scenario& trial, int n) { trial.load.inputTokens = n; }, works);
        tokens > 0)
        shorter = fmt::format("at most {} input tokens", countText(tokens));
    std::vector<Remedy> others{cacheIn(s, Format::fp8), weightsIn(s, Format::fp8)};
    if (s.system.device.peak.fp4)
        others.push_back(weightsIn(s, Format::nvfp4));
    else
        others.push_back(weightsIn(s, Format::int4));
    const std::vector<Remedy> wider = widerGroups(s);
    std::string remedies = remediesText(wider, others, shorter, works);
    if (remedies.empty() && !wider.empty()) {
        // Nothing helps alone: the whole node and another change together.
        for (Remedy& other : others) {
            other.text = fmt::format("{} with {}", wider.back().text, other.text);
            other.scenario.plan.tensorParallel = wider.back().scenario.plan.tensorParallel;
        }
        remedies = remediesText({}, others, "", works);
    }
    return mending(remedies, "No change tried makes it fit; it needs devices with more memory.");
}

std::string concurrencyRemedies(const Scenario& s, double runs, FindingCode code)
{
    const auto works = [&](const Report& report) { return report.feasible() && !has(report, code); };
    return mending(remediesText(widerGroups(s), {cacheIn(s, Format::fp8)},
                                fmt::format("at most {} in flight", countText(std::floor(runs))), works),
                   "");
}

// The nearest smaller and larger groups that share the heads evenly.
std::string groupsNear(const Scenario& s)
{
    const auto divides = [&](int tp) {
        Scenario trial = s;
        trial.plan.tensorParallel = tp;
        return !has(evaluate(trial), FindingCode::tensorParallelDoesNotDivide);
    };
    int below = s.plan.tensorParallel, above = s.plan.tensorParallel;
    while (below > 1 && !divides(below))
        --below;
    while (above < s.system.devicesPerNode && !divides(above))
        ++above;
    return above > s.plan.tensorParallel && divides(above) ? fmt::format("TP {} or TP {}", below, above)
                                                           : fmt::format("TP {}", below);
}

std::string joined(std::string first, const std::string& second)
{
    return second.empty() ? first : std::move(first) + " " + second;
}

} // namespace

std::string sentence(const Finding& finding, const Scenario& s)
{
    const auto& v = finding.values;
    const auto bytes = [&](std::size_t i) { return bytesText(Bytes{v[i]}); };
    const auto count = [&](std::size_t i) { return countText(v[i]); };
    const std::string& device = s.system.device.name;
    switch (finding.code) {
    case FindingCode::weightsDoNotFit:
        return joined(fmt::format("Weights, runtime and activations need {} of a device and {} are usable: {} short.",
                                  bytes(0), bytes(1), bytes(2)),
                      memoryRemedies(s));
    case FindingCode::cacheDoesNotFit:
        return joined(fmt::format("One request needs {} of KV cache on a device and {} are free: {} short.", bytes(0),
                                  bytes(1), bytes(2)),
                      memoryRemedies(s));
    case FindingCode::tensorParallelDoesNotDivide:
        return fmt::format("TP {} does not divide the {} heads. What helps: {}.", count(0), count(1), groupsNear(s));
    case FindingCode::tensorParallelBeyondNode:
        return fmt::format("TP {} reaches beyond a node, which holds {}. What helps: at most TP {}{}.", count(0),
                           v[1] == 1 ? std::string("one device") : count(1) + " devices", count(1),
                           s.system.maximumNodes > 1 ? ", with more pipeline stages" : "");
    case FindingCode::planTooLarge:
        return fmt::format("A replica of TP {} × PP {} takes {} devices and the system has {}. What helps: {}.",
                           s.plan.tensorParallel, s.plan.pipelineParallel, count(0), count(1),
                           v[1] >= s.plan.tensorParallel
                               ? fmt::format("at most PP {}", int(v[1]) / s.plan.tensorParallel)
                               : fmt::format("TP × PP of at most {}", count(1)));
    case FindingCode::pipelineTooDeep:
        return fmt::format("{} stages are more than the {} layers. What helps: at most PP {}.", count(0), count(1),
                           count(1));
    case FindingCode::contextTooLong:
        return joined(fmt::format("A request has {} tokens and {} was made for {} positions.", count(0), s.network.name,
                                  count(1)),
                      v[1] > s.load.outputTokens
                          ? fmt::format("What helps: at most {} input tokens.", countText(v[1] - s.load.outputTokens))
                          : fmt::format("What helps: fewer than {} output tokens.", count(1)));
    case FindingCode::precisionMissing:
        return fmt::format("{} has neither BF16 nor FP32 arithmetic, and a language model needs one of them.", device);
    case FindingCode::memoryUnknown:
        return fmt::format("The memory of {} depends on how it is built and is unknown. Set the memory capacity.",
                           device);
    case FindingCode::tightMemory:
        return fmt::format("It fits with {} to spare, {} of the device; a slightly larger runtime would not.", bytes(0),
                           percentText(v[1]));
    case FindingCode::cacheLimitsConcurrency:
        return joined(fmt::format("The KV cache holds {} of {} requests; the others wait.", count(0), count(1)),
                      concurrencyRemedies(s, v[0], finding.code));
    case FindingCode::sequencesLimitConcurrency:
        return fmt::format("The engine runs {} of {} requests at a time; the others wait. What helps: at most {} in "
                           "flight or {} sequences in a step.",
                           count(0), count(1), count(0), countText(std::ceil(v[1] / std::max(1, s.plan.replicas))));
    case FindingCode::precisionFallback:
        return fmt::format("{} has no arithmetic for {}: it is computed in {} and only stored as {}.", device,
                           nameOf(Format(int(v[0]))), nameOf(Math(int(v[1]))), nameOf(Format(int(v[0]))));
    case FindingCode::kvHeadsReplicated:
        return fmt::format("TP {} is more than the {} KV heads: each is kept {} times. TP {} keeps them once.",
                           count(0), count(1), count(2), count(1));
    case FindingCode::latentCacheReplicated:
        return fmt::format("All {} devices of the group keep the whole latent cache, {} a token. Smaller groups hold "
                           "more requests per device.",
                           count(0), bytes(1));
    case FindingCode::windowIgnored:
        return fmt::format("The engine keeps {} where the windows need {}. What helps: the window only.", bytes(0),
                           bytes(1));
    case FindingCode::samplerMemory:
        return fmt::format("Sampling takes {} for {} sequences. Fewer sequences in a step leave more for the cache.",
                           bytes(0), count(1));
    case FindingCode::priceUnknown:
        return fmt::format("No rent of {} is known, so its cost is unknown. Set the rent per device.", device);
    case FindingCode::pipelineIdle:
        return fmt::format("{} requests come to a pipeline stage, so stages idle. What helps: at least {} in flight.",
                           numberText(v[0], 2), s.plan.replicas * s.plan.pipelineParallel);
    case FindingCode::prefillSaturates:
        return "Every step reads part of a prompt, so prompts set the pace. Shorter prompts, more replicas or fewer "
               "requests in flight help.";
    case FindingCode::defaultKernels:
        return fmt::format("No device of the family of {} was measured: its times rest on general defaults.", device);
    case FindingCode::unlinkedDevices:
        return fmt::format("Nothing but the host joins the {} devices. Replicas of TP 1 need no link.", count(0));
    }
    return "";
}

std::string_view keyOf(FindingCode code)
{
    switch (code) {
    case FindingCode::weightsDoNotFit: return "weights_do_not_fit";
    case FindingCode::cacheDoesNotFit: return "cache_does_not_fit";
    case FindingCode::tensorParallelDoesNotDivide: return "tensor_parallel_does_not_divide";
    case FindingCode::tensorParallelBeyondNode: return "tensor_parallel_beyond_node";
    case FindingCode::planTooLarge: return "plan_too_large";
    case FindingCode::pipelineTooDeep: return "pipeline_too_deep";
    case FindingCode::contextTooLong: return "context_too_long";
    case FindingCode::precisionMissing: return "precision_missing";
    case FindingCode::memoryUnknown: return "memory_unknown";
    case FindingCode::tightMemory: return "tight_memory";
    case FindingCode::cacheLimitsConcurrency: return "cache_limits_concurrency";
    case FindingCode::sequencesLimitConcurrency: return "sequences_limit_concurrency";
    case FindingCode::precisionFallback: return "precision_fallback";
    case FindingCode::kvHeadsReplicated: return "kv_heads_replicated";
    case FindingCode::latentCacheReplicated: return "latent_cache_replicated";
    case FindingCode::windowIgnored: return "window_ignored";
    case FindingCode::samplerMemory: return "sampler_memory";
    case FindingCode::priceUnknown: return "price_unknown";
    case FindingCode::pipelineIdle: return "pipeline_idle";
    case FindingCode::prefillSaturates: return "prefill_saturates";
    case FindingCode::defaultKernels: return "default_kernels";
    case FindingCode::unlinkedDevices: return "unlinked_devices";
    }
    return "";
}

std::string_view keyOf(Severity severity)
{
    switch (severity) {
    case Severity::information: return "information";
    case Severity::warning: return "warning";
    case Severity::problem: return "problem";
    }
    return "";
}

} // namespace ridgepoint
