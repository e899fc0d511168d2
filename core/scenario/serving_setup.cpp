// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/serving_setup.h"

#include "core/hardware/kernels.h"
#include "core/serving/local_runtime.h"
#include "core/workload/kv_cache.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

/// Format the products read their inputs in, from the knob or what the weights are made for.
Format activationsInUse(const Scenario& s)
{
    if (s.precision.activations)
        return *s.precision.activations;
    if (!s.precision.weights)
        return s.network.checkpointActivations;
    switch (*s.precision.weights) {
    case Format::fp8:
    case Format::fp8Block:
    case Format::int8:
    case Format::nvfp4: return *s.precision.weights;
    default: return Format::bf16;
    }
}

/// Router, hand-shake and the second scheduler between a prefill and a decode worker: what is missing in the median of
/// lightly loaded pools, 0.10 to 0.12 s in TensorRT-LLM, 0.12 to 0.18 in SGLang, 0.2 to 0.3 in three runs of vLLM (e2eData).
constexpr Seconds handOver{0.12};

/// `tokens` of a request at its end.
Result<Replica> fittingReplica(const Scenario& s, const ResolvedPrecision& precision, const Plan& plan, double tokens)
{
    const Footprint memory = footprint(s.system.device, s.network, precision, plan, s.engine, tokens,
                                       double(s.load.concurrency) / plan.replicas);
    if (memory.maximumConcurrency < 1.0)
        return fail("the network and one request do not fit on the devices of the plan");
    return replicaOf(s, plan, memory);
}

/// Step times of one pool; keeps what the pricer refers to.
StepTable tableOf(const Scenario& s, const ResolvedPrecision& precision, const Plan& plan, const KernelFamily& kernels,
                  const ServingLoad& load, const Replica& replica)
{
    const Split split = splitOf(s, plan);
    const StepPricer pricer = withSpeculation(
        stepPricer(s.network, precision, split, s.system, kernels, s.engine), load.speculation);
    return StepTable(timerOf(pricer), tableRange(load, replica, s.engine));
}

} // namespace

ResolvedPrecision resolvedPrecision(const Scenario& s)
{
    const Peaks& peak = s.system.device.peak;
    return {.weights = s.precision.weights,
            .activations = activationsInUse(s),
            .kv = s.precision.kv.value_or(s.network.checkpointKv),
            .hasBf16 = peak.bf16.has_value(),
            .hasFp8 = peak.fp8.has_value(),
            .hasInt8 = peak.int8.has_value(),
            .hasFp4 = peak.fp4.has_value()};
}

Split splitOf(const Scenario& s, const Plan& plan)
{
    return {.tensorParallel = plan.tensorParallel,
            .stages = plan.pipelineParallel,
            .acrossNodes = plan.devicesPerReplica() > s.system.devicesPerNode,
            .expertParallel = plan.expertParallel,
            .attentionData = plan.attentionData,
            .expertImbalance = s.engine.expertImbalance};
}

KernelFamily kernelsInUse(const Scenario& s)
{
    KernelFamily room;
    const KernelFamily& kernels = kernelsInUse(s, room);
    return &kernels == &room ? std::move(room) : kernels;
}

const KernelFamily& kernelsInUse(const Scenario& s, KernelFamily& room)
{
    if (s.engine.idealKernels)
        return room = idealKernels();
    if (const RuntimeKernels* own = runtimeFor(s.engine, s.system.device))
        return room = runtimeKernelFamily(*own, s.system.device);
    const KernelFamily& kernels = s.system.device.kernels;
    const bool changed = std::any_of(s.engine.kernelRules.begin(), s.engine.kernelRules.end(), [&](const KernelRule& rule) {
        return rule.families.empty() ||
               std::find(rule.families.begin(), rule.families.end(), kernels.id) != rule.families.end();
    });
    if (!changed)
        return kernels;
    room = kernels;
    apply(s.engine.kernelRules, room);
    return room;
}

ServingLoad loadOfReplica(const Load& load, int replicas)
{
    const auto lengths = [&](int mean) {
        return Lengths{.shape = load.lengthSpread > 0.0 ? LengthShape::uniform : LengthShape::fixed,
                       .mean = double(mean), .spread = load.lengthSpread, .values = {}};
    };
    ServingLoad one;
    if (load.batching == BatchingMode::fixed) {   // alike in all that makes requests of a stream differ
        one.concurrency = double(load.concurrency) / replicas;
        one.input.mean = load.inputTokens;
        one.output.mean = std::max(2, load.outputTokens);
        return one;
    }
    one.arrivals = load.arrivals;
    one.concurrency = double(load.concurrency) / replicas;
    one.requestRate = load.requestRate / double(replicas);
    one.input = lengths(load.inputTokens);
    one.output = lengths(std::max(2, load.outputTokens));
    one.fromStart = load.fromStart;
    one.prefixHits = load.prefixHits;
    one.speculation = load.speculation;
    return one;
}

Replica replicaOf(const Scenario& s, const Plan& plan, const Footprint& footprint)
{
    const double stages = plan.pipelineParallel;
    const double layers = s.network.layerCount();
    return {.cacheTokens = footprint.kvCapacityTokens / plan.attentionData,
            .maximumSequences = double(s.engine.maximumSequences),
            .ranks = plan.attentionData,
            .stages = plan.pipelineParallel,
            .idleShare = 1.0 - layers / (std::ceil(layers / stages) * stages)};
}

int devicesOf(const Scenario& s)
{
    const bool pools = s.prefillPool && s.load.batching == BatchingMode::continuous;
    return s.plan.devices() + (pools ? s.prefillPool->devices() : 0);
}

Seconds cacheTransfer(const Scenario& s, const ResolvedPrecision& precision)
{
    if (!s.prefillPool || s.system.freeLinks)
        return {};
    const int narrower = std::min(s.prefillPool->devicesPerStage(), s.plan.devicesPerStage());
    const bool near = s.plan.devices() + s.prefillPool->devices() <= s.system.devicesPerNode;
    const Bandwidth one = near ? s.system.device.linkBandwidth : s.system.networkBandwidth;
    if (one.value <= 0.0)
        return {};
    return kvBytesPerToken(s.network, precision.kv) * double(s.load.inputTokens) / (one * double(narrower)) +
           (s.engine.idealKernels ? Seconds{} : handOver);
}

Result<Simulation> simulateScenario(const Scenario& s, const SimulationOptions& options)
{
    if (s.load.batching == BatchingMode::fixed)
        return fail("the load is fixed batches; only continuous batching is simulated");
    const ResolvedPrecision precision = resolvedPrecision(s);
    const KernelFamily kernels = kernelsInUse(s);
    const Result<Replica> replica = fittingReplica(s, precision, s.plan, double(s.load.inputTokens) + s.load.outputTokens);
    if (!replica)
        return fail(replica.error());
    if (!s.prefillPool) {
        const ServingLoad load = loadOfReplica(s.load, s.plan.replicas);
        return simulate(load, *replica, tableOf(s, precision, s.plan, kernels, load, *replica), s.engine, options);
    }
    const Result<Replica> prefill = fittingReplica(s, precision, *s.prefillPool, s.load.inputTokens);
    if (!prefill)
        return fail(prefill.error());
    const ServingLoad load = loadOfReplica(s.load, 1);
    const Pools pools{.prefill = *prefill, .decode = *replica, .prefillWorkers = s.prefillPool->replicas,
                      .decodeWorkers = s.plan.replicas, .transfer = cacheTransfer(s, precision)};
    return simulateDisaggregated(load, pools, tableOf(s, precision, *s.prefillPool, kernels, load, *prefill),
                                 tableOf(s, precision, s.plan, kernels, load, *replica), s.engine, options);
}

} // namespace ridgepoint
