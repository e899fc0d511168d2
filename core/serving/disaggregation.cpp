// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/disaggregation.h"

#include "core/serving/steady_state.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

/// Decode step time by sequences of a worker, through priced points.
class DecodeCurve
{
public:
    DecodeCurve(SteadyStates& states, const Replica& replica, double most)
    {
        const double shares[] = {0.0, 0.25, 0.5, 1.0};
        for (std::size_t i = 0; i < m_sequences.size(); ++i) {
            m_sequences[i] = 1.0 + (most - 1.0) * shares[i];
            m_times[i] = throughStages(states.price(m_sequences[i], 0.0, 0.0, 0.0, 0.0).parts, replica).total().value;
            if (i > 0)
                m_times[i] = std::max(m_times[i], m_times[i - 1]);
        }
    }

    [[nodiscard]] double at(double sequences) const
    {
        if (sequences <= m_sequences.front())
            return m_times.front();
        for (std::size_t i = 1; i < m_sequences.size(); ++i)
            if (sequences <= m_sequences[i])
                return m_times[i - 1] + (m_times[i] - m_times[i - 1]) * (sequences - m_sequences[i - 1]) /
                                            (m_sequences[i] - m_sequences[i - 1]);
        return m_times.back();
    }

private:
    std::array<double, 4> m_sequences{}, m_times{};
};

} // namespace

ServingTimes disaggregated(const ServingLoad& load, const Pools& pools, const StepPricer& prefill,
                           const StepPricer& decode, const EngineProfile& engine)
{
    ServingLoad prompts = load;
    prompts.speculation = {};
    SteadyStates reading(prompts, pools.prefill, prefill, engine);
    SteadyStates writing(load, pools.decode, decode, engine);
    const Demand& demand = writing.demand();
    const double prefillWorkers = double(pools.prefillWorkers) * pools.prefill.ranks;
    const double decodeWorkers = pools.decodeWorkers;

    // One prompt alone, in chunks of which each sees those before; and prompts that fill the step.
    const double chunks = std::ceil(demand.input / engine.batchedTokens);
    const double chunk = demand.input / chunks;
    const double seen = chunk * (1.0 + (chunks - 1.0) / 2.0);
    const StepCost prompt = reading.price(0.0, chunk, 1.0, seen, chunk);
    const double alone = prompt.parts.total().value * (chunks + pools.prefill.stages - 1.0);
    const double together = std::max(1.0, std::floor(engine.batchedTokens / demand.input));
    const double full = together > 1.0
        ? reading.price(0.0, together * demand.input, together, demand.input, together * demand.input).parts.total().value / together
        : prompt.parts.total().value * chunks;
    const double service = std::min(full, alone);
    const double transfer = pools.transfer.value;

    const double slots = slotsOf(load, pools.decode, engine);
    const bool closed = load.arrivals == Arrivals::closedLoop;
    const double most = closed ? std::clamp(load.concurrency / decodeWorkers, 1.0, slots) : slots;
    const DecodeCurve curve(writing, pools.decode, std::max(1.001, most));
    const auto writingTime = [&](double n) { return demand.answerSteps * curve.at(n); };

    ServingTimes times;
    double rate = 0, wait = 0, n = most;
    const double capacity = std::min(prefillWorkers / service, decodeWorkers * slots / writingTime(slots));
    if (closed) {
        const double others = std::max(0.0, load.concurrency / prefillWorkers - 1.0);
        double low = 0.0, high = most;
        for (int i = 0; i < 40; ++i) {
            n = (low + high) / 2.0;
            const double rest = demand.outside + alone + transfer + curve.at(n) / 2.0 + writingTime(n);
            const double slack = rest - others * service;
            wait = (std::sqrt(slack * slack + 2.0 * others * service * service) - slack) / 2.0;
            rate = load.concurrency / (rest + wait);
            (rate * writingTime(n) / decodeWorkers > n ? low : high) = n;
        }
        rate = std::min(rate, capacity);
        const double inside = rate * (demand.outside + wait + alone + transfer + curve.at(n) / 2.0 + writingTime(n));
        const double queued = std::max(0.0, load.concurrency - inside);
        if (queued > 0.01 * load.concurrency) {
            times.saturated = true;
            times.queueing = Seconds{queued / rate};
        }
    } else {
        rate = load.requestRate.value;
        times.utilisation = rate / capacity;
        times.saturated = times.utilisation >= 1.0;
        rate = std::min(rate, capacity);
        double low = 0.0, high = most;
        for (int i = 0; i < 40; ++i) {
            n = (low + high) / 2.0;
            (rate * writingTime(n) / decodeWorkers > n ? low : high) = n;
        }
        const double use = std::min(0.999, rate * service / prefillWorkers);
        const double exponent = std::sqrt(2.0 * (prefillWorkers + 1.0)) - 1.0;
        wait = load.burstiness / 2.0 * std::pow(use, exponent) / (prefillWorkers * (1.0 - use)) * service;
    }
    if (times.saturated)
        times.limits.set(std::size_t(ServingLimit::overCapacity));
    if (rate * service > 0.5 * prefillWorkers)
        times.limits.set(std::size_t(ServingLimit::manyPromptTokens));
    if (load.fromStart)
        times.limits.set(std::size_t(ServingLimit::fewWaves));

    times.paceLimits = times.limits;
    times.running = n * decodeWorkers;
    times.decode = writing.price(std::max(1.0, n), 0.0, 0.0, 0.0, 0.0);
    times.prompt = prompt;
    times.decodeStep = throughStages(times.decode.parts, pools.decode);
    times.tpot = times.decodeStep * ((demand.answerSteps + engine.outputLagSteps) / (demand.output - 1.0));
    times.ttft[Cause::host] = Seconds{demand.outside};
    times.ttft[Cause::waiting] = Seconds{wait + curve.at(n) / 2.0} + times.queueing;
    times.ttft[Cause::communication] = pools.transfer;
    times.ttft[Cause::prefill] = Seconds{alone};
    times.ttftLow = times.ttftHigh = times.ttft.total();
    times.requestRate = Frequency{rate};
    const double busy = rate * (service / prefillWorkers + curve.at(n) * demand.answerSteps / std::max(1.0, times.running));
    times.prefillShare = busy > 0.0 ? rate * service / prefillWorkers / busy : 0.0;
    return times;
}

} // namespace ridgepoint
