// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/batching.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Prices the steps of one replica.
class Stepper
{
public:
    Stepper(const ReplicaLoad& load, const Network& network, const ResolvedPrecision& precision, const Split& split,
            const System& system, const KernelFamily& kernels, const EngineProfile& engine)
        : m_load(load), m_network(network), m_precision(precision), m_split(split), m_system(system),
          m_kernels(kernels), m_engine(engine)
    {
        m_ops.reserve(48);
    }

    [[nodiscard]] double stages() const { return m_split.stages; }

    /// Sequences of one micro-batch: with stages, that many micro-batches are on their way at once.
    [[nodiscard]] double sequences() const { return std::max(std::min(1.0, m_load.running), m_load.running / stages()); }

    /// Mean tokens a decoding sequence sees.
    [[nodiscard]] double context() const { return m_load.inputTokens + m_load.outputTokens / 2.0; }

    [[nodiscard]] StepCost decode(double sequences) { return price({.decodeSequences = sequences,
        .decodeContext = context(), .headTokens = sequences}); }

    /// `tokens` prompt tokens of `prompts` prompts, the last query of each seeing `seen` tokens, beside `sequences`.
    [[nodiscard]] StepCost mixed(double sequences, double tokens, double prompts, double seen)
    {
        return price({.decodeSequences = sequences, .decodeContext = context(), .prefillTokens = tokens,
                      .prefillSequences = prompts, .prefillContext = seen, .headTokens = sequences + prompts});
    }

    /// Time of a step by cause: operators, host, eager launches, and what the slowest stage makes the others wait.
    [[nodiscard]] Breakdown parts(const StepCost& step, bool prefill) const
    {
        Breakdown parts = step.parts;
        parts[Cause::host] += m_engine.hostPerStep;
        if (prefill)
            parts[Cause::host] += m_engine.hostPerPrefillKernel * step.kernels;
        return parts;
    }

private:
    [[nodiscard]] StepCost price(const StepShape& shape)
    {
        m_ops.clear();
        lowerStep(m_network, m_precision, m_split, shape, m_ops);
        return stepCost(m_ops, m_system, m_kernels);
    }

    const ReplicaLoad& m_load;
    const Network& m_network;
    const ResolvedPrecision& m_precision;
    const Split& m_split;
    const System& m_system;
    const KernelFamily& m_kernels;
    const EngineProfile& m_engine;
    std::vector<Op> m_ops;
};

/// A token passes all stages, each as long as the slowest. What a stage of the mean size would not need is idle time.
Breakdown throughStages(Breakdown stage, const Network& network, double stages)
{
    if (stages <= 1.0)
        return stage;
    const double layers = network.layerCount();
    const double excess = 1.0 - layers / (stages * std::ceil(layers / stages));
    for (const Cause cause : {Cause::weights, Cause::kvCache, Cause::compute, Cause::activations, Cause::host}) {
        const Seconds idle = stage[cause] * excess;
        stage[cause] -= idle;
        stage[Cause::bubble] += idle;
    }
    return stage * stages;
}

/// A slower step never counts as faster than one that does less: tile choices may differ by a hair.
Breakdown atLeast(const Breakdown& larger, const Breakdown& smaller)
{
    return larger.total() < smaller.total() ? smaller : larger;
}

/// The whole of a breakdown as prefill.
Breakdown asPrefill(Seconds time)
{
    Breakdown parts;
    parts[Cause::prefill] = time;
    return parts;
}

/// Steps of a request's life and what fills them; see `continuousBatching`.
struct StepCount
{
    double life = 0;       ///< N
    double wait = 0;       ///< w
    double chunks = 1;     ///< k, a fraction when prompts share steps
    double budget = 1;     ///< prompt tokens a step has room for beside the tokens that are written
    double decoding = 0;   ///< sequences that write in a step
    double filled = 0;     ///< f
};

StepCount countSteps(double n, double input, double answers, double stages, double batchedTokens)
{
    const double others = std::max(0.0, n - 1.0);
    // What a life of `assumed` steps leads to. A longer one leaves more room for prompts, so this falls with it.
    const auto count = [&](double assumed) {
        StepCount c;
        c.decoding = n * answers / assumed;
        c.budget = std::max(1.0, batchedTokens - c.decoding);
        const double service = input / c.budget;
        // Alone, a prompt ends with a part of a step; among others the rest of that step goes to the next prompt.
        c.chunks = others > 0.0 ? std::max(1.0, service) : std::ceil(service);
        const double unhindered = stages * answers + c.chunks + stages - 1.0 + (others > 0.0 ? 0.5 : 0.0);
        const double slack = unhindered - others * service;
        const double queue = (std::sqrt(slack * slack + 2.0 * others * service * service) - slack) / 2.0;
        // No step takes more tokens than its budget, read and written ones together.
        c.life = std::max(unhindered + queue, n * (input + answers) / batchedTokens);
        c.wait = c.life - unhindered;
        c.filled = std::min(1.0, n * c.chunks / c.life);
        return c;
    };
    double low = std::max(stages * answers + stages, n * (input + answers) / batchedTokens);
    double high = std::max(low, count(low).life);
    constexpr int halvings = 40;
    for (int i = 0; i < halvings && high - low > 1e-9 * high; ++i) {
        const double middle = (low + high) / 2.0;
        (count(middle).life > middle ? low : high) = middle;
    }
    return count(high);
}

} // namespace

ServingTimes continuousBatching(const ReplicaLoad& load, const Network& network, const ResolvedPrecision& precision,
                                const Split& split, const System& system, const KernelFamily& kernels,
                                const EngineProfile& engine)
{
    Stepper stepper(load, network, precision, split, system, kernels, engine);
    const double n = load.running;
    const double others = std::max(0.0, n - 1.0);
    const double p = stepper.stages();
    const double input = load.inputTokens;
    const double answers = load.outputTokens - 1.0;

    const bool mixes = engine.stepForming != StepForming::prefillAlone;
    const StepCount steps = countSteps(n, input, answers, p, engine.batchedTokens);
    const double decoding = std::max(std::min(1.0, n), steps.decoding);
    const double filledByOthers = std::min(1.0, others * steps.chunks / steps.life);
    const double chunk = std::max(input / steps.chunks, std::min(steps.budget, n * input / (steps.life * steps.filled)));

    ServingTimes times;
    times.prefillSteps = steps.filled;
    times.decode = stepper.decode(decoding);
    const Breakdown decodeStage = stepper.parts(times.decode, false);

    // A chunk in the middle of its prompt sees half of it before itself.
    const double prompts = std::max(1.0, chunk / (input / steps.chunks));
    const double seen = chunk / prompts + (steps.chunks - 1.0) / 2.0 * (input / steps.chunks);
    const double beside = mixes ? decoding * (others / std::max(n, 1.0)) : 0.0;
    const StepCost mixedStep = stepper.mixed(beside, chunk, prompts, seen);
    const Breakdown alone = stepper.parts(mixedStep, true);
    // Where prefill has steps of its own, decoding waits for one and then goes on.
    const Breakdown mixedStage = mixes ? atLeast(alone, decodeStage) : alone + decodeStage;
    const Breakdown ownStage = mixes ? mixedStage : alone;
    const double one = std::min(input, double(engine.batchedTokens));
    times.prompt = stepper.mixed(0.0, one, 1.0, one);

    times.decodeStep = throughStages(decodeStage, network, p);
    const Breakdown added = asPrefill(mixedStage.total() - decodeStage.total());
    times.tpot = times.decodeStep + added * (filledByOthers * p);
    const Seconds mean = decodeStage.total() + added.total() * steps.filled;
    times.prefillShare = mean.value > 0.0 ? (added.total() * steps.filled).value / mean.value : 0.0;

    times.ttft[Cause::host] = engine.firstTokenBase + engine.arrivalDelay;
    times.ttft[Cause::waiting] = times.tpot.total() * engine.outputLagSteps + mean * ((others > 0.0 ? 0.5 : 0.0) + steps.wait);
    times.ttft[Cause::prefill] = ownStage.total() * (steps.chunks + p - 1.0);

    const Seconds cycle = times.ttft.total() + times.tpot.total() * answers;
    times.requestRate = n / cycle;
    if (load.waiting > 0.0)
        times.ttft[Cause::waiting] += load.waiting / times.requestRate;
    return times;
}

ServingTimes fixedBatch(const ReplicaLoad& load, const Network& network, const ResolvedPrecision& precision,
                        const Split& split, const System& system, const KernelFamily& kernels,
                        const EngineProfile& engine)
{
    Stepper stepper(load, network, precision, split, system, kernels, engine);
    const double n = load.running;
    const double p = stepper.stages();
    const double answers = load.outputTokens - 1.0;
    const double total = n * load.inputTokens;
    const double chunks = std::ceil(total / engine.batchedTokens);
    const double chunk = total / chunks;
    const double prompts = std::max(1.0, chunk / load.inputTokens);
    // A chunk smaller than a prompt sees, in the mean, half of the prompt before itself.
    const double seen = chunk >= load.inputTokens ? load.inputTokens : (load.inputTokens + chunk) / 2.0;

    ServingTimes times;
    times.decode = stepper.decode(stepper.sequences());
    const StepCost step = stepper.mixed(0.0, chunk, prompts, seen);
    const double one = std::min(load.inputTokens, double(engine.batchedTokens));
    times.prompt = stepper.mixed(0.0, one, 1.0, one);
    times.decodeStep = throughStages(stepper.parts(times.decode, false), network, p);
    times.tpot = times.decodeStep;
    times.ttft[Cause::host] = engine.firstTokenBase + engine.arrivalDelay;
    times.ttft[Cause::waiting] = times.tpot.total() * engine.outputLagSteps;
    times.ttft[Cause::prefill] = stepper.parts(step, true).total() * (chunks + p - 1.0);
    const Seconds cycle = times.ttft.total() + times.tpot.total() * answers;
    times.requestRate = n / cycle;
    times.prefillSteps = chunks / (chunks + answers);
    times.prefillShare = cycle.value > 0.0 ? times.ttft[Cause::prefill].value / cycle.value : 0.0;
    if (load.waiting > 0.0)
        times.ttft[Cause::waiting] += load.waiting / times.requestRate;
    return times;
}

} // namespace ridgepoint
