// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/findings.h"

#include "core/base/unit_text.h"
#include "core/scenario/remedies.h"
#include "core/scenario/scenario.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

std::string countOf(double count, std::string_view what)
{
    return fmt::format("{} {}{}", countText(count), what, count == 1.0 ? "" : "s");
}

// The longer side gives way where that is enough.
std::string shorterRequest(const Load& load, double positions)
{
    const double excess = double(load.inputTokens) + load.outputTokens - positions;
    const double input = load.inputTokens - excess, output = load.outputTokens - excess;
    constexpr double leastOutput = 2;
    if (input >= 1 && (load.inputTokens >= load.outputTokens || output < leastOutput))
        return fmt::format("What helps: at most {}.", countOf(input, "input token"));
    if (output >= leastOutput)
        return fmt::format("What helps: at most {}.", countOf(output, "output token"));
    return fmt::format("What helps: at most {} in and out together.", countOf(positions, "token"));
}

std::string idleText(const Scenario& s, double perStage)
{
    const int places = s.plan.replicas * s.plan.pipelineParallel;
    const std::string fact =
        fmt::format("{} requests come to a pipeline stage, so stages idle.", numberText(perStage, 2));
    return s.load.concurrency < places ? fmt::format("{} What helps: at least {} in flight.", fact, countText(places))
                                       : fact + " Fewer stages, or memory and sequences for more requests, help.";
}

std::string joined(std::string first, const std::string& second)
{
    return second.empty() ? first : std::move(first) + " " + second;
}

} // namespace

std::string sentence(const Finding& finding, const Scenario& s, const Definitions& definitions)
{
    const auto& v = finding.values;
    const auto bytes = [&](std::size_t i) { return memoryText(Bytes{v[i]}, definitions); };
    const auto count = [&](std::size_t i) { return countText(v[i]); };
    const std::string& device = s.system.device.name;
    switch (finding.code) {
    case FindingCode::weightsDoNotFit:
        return joined(fmt::format("Weights, runtime and activations need {} of a device, the cache of one request {}, "
                                  "and {} are usable: {} short.",
                                  bytes(0), memoryText(Bytes{std::max(0.0, v[2] - (v[0] - v[1]))}, definitions), bytes(1), bytes(2)),
                      memoryRemedies(s));
    case FindingCode::cacheDoesNotFit:
        return joined(fmt::format("One request needs {} of KV cache on a device and {} are free: {} short.", bytes(0),
                                  bytes(1), bytes(2)),
                      memoryRemedies(s));
    case FindingCode::tensorParallelDoesNotDivide:
        return fmt::format("TP {} does not divide the {} heads. What helps: {}.", count(0), count(1), groupsNear(s));
    case FindingCode::expertParallelDoesNotDivide:
        return fmt::format("EP {} must divide the {} experts and the {} that hold a layer together (TP × attention DP).",
                           count(0), count(1), countOf(v[2], "device"));
    case FindingCode::tensorParallelBeyondNode:
        return fmt::format("TP {} reaches beyond a node, which holds {}, and all-reduces over the network. What helps: "
                           "at most TP {}{}.",
                           count(0), countOf(v[1], "device"), usableGroup(s),
                           s.system.maximumNodes > 1 ? ", with more pipeline stages" : "");
    case FindingCode::planTooLarge:
        return fmt::format("A replica of TP {} × PP {} takes {} and the system has {}. What helps: {}.",
                           s.plan.tensorParallel, s.plan.pipelineParallel, countOf(v[0], "device"), count(1),
                           deepestPlan(s));
    case FindingCode::pipelineTooDeep:
        return fmt::format("{} stages are more than the {}. What helps: {}.", count(0), countOf(v[1], "layer"),
                           deepestPlan(s));
    case FindingCode::contextTooLong:
        return joined(fmt::format("A request has {} tokens and {} was made for {} positions.", count(0), s.network.name,
                                  count(1)),
                      shorterRequest(s.load, v[1]));
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
    case FindingCode::rateExceedsCapacity:
        return fmt::format("{} requests come a second and {} can be answered: the queue grows without end, and TTFT "
                           "with it.", numberText(v[0], 3), numberText(v[1], 3));
    case FindingCode::precisionFallback:
        return fmt::format("{} has no arithmetic for {}: it is computed in {} and only stored as {}.", device,
                           nameOf(Format(int(v[0]))), nameOf(Math(int(v[1]))), nameOf(Format(int(v[0]))));
    case FindingCode::kvHeadsReplicated:
        return fmt::format("TP {} is more than the {} KV heads: each is kept {} times. TP {} keeps them once.",
                           count(0), count(1), count(2), count(1));
    case FindingCode::latentCacheReplicated:
        return joined(fmt::format("All {} devices of the group keep the whole latent cache, {} a token.", count(0),
                                  bytes(1)),
                      smallerLatentGroup(s));
    case FindingCode::windowIgnored:
        return fmt::format("The engine keeps {} where the windows need {}. What helps: the window only.", bytes(0),
                           bytes(1));
    case FindingCode::samplerMemory:
        return fmt::format("Sampling takes {} for {} sequences. Fewer sequences in a step leave more for the cache.",
                           bytes(0), count(1));
    case FindingCode::priceUnknown:
        return fmt::format("No rent of {} is known, so its cost is unknown. Set the rent per device.", device);
    case FindingCode::pipelineIdle:
        return idleText(s, v[0]);
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
    case FindingCode::expertParallelDoesNotDivide: return "expert_parallel_does_not_divide";
    case FindingCode::tensorParallelBeyondNode: return "tensor_parallel_beyond_node";
    case FindingCode::planTooLarge: return "plan_too_large";
    case FindingCode::pipelineTooDeep: return "pipeline_too_deep";
    case FindingCode::contextTooLong: return "context_too_long";
    case FindingCode::precisionMissing: return "precision_missing";
    case FindingCode::memoryUnknown: return "memory_unknown";
    case FindingCode::tightMemory: return "tight_memory";
    case FindingCode::cacheLimitsConcurrency: return "cache_limits_concurrency";
    case FindingCode::sequencesLimitConcurrency: return "sequences_limit_concurrency";
    case FindingCode::rateExceedsCapacity: return "rate_exceeds_capacity";
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
