// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/batching.h"

#include "core/serving/steady_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ridgepoint {

namespace {

/// By how much the room for cache is taken to be uncertain when TTFT is given as a range.
constexpr double cacheUncertainty = 0.1;

Breakdown blended(const Breakdown& a, const Breakdown& b, double shareOfB)
{
    return b.total() < a.total() ? a * (1.0 - shareOfB) + b * shareOfB : a;
}

/// What a request spends outside the engine leaves fewer inside: a blend of the states at n and at a quarter of it.
/// The share of the second grows as steps get faster, so that the blend is monotone too.
SteadyState leavingOutside(SteadyState state, double inside, SteadyStates& states)
{
    constexpr double noticeable = 0.01;
    const double few = std::max(1.0, inside / 4.0);
    if (inside <= few || state.outside <= noticeable * (state.outside + state.latency.value))
        return state;
    const SteadyState low = states.at(few);
    const double fast = std::min(low.latency.value, state.latency.value);
    double share = 0;
    for (int i = 0; i < 20; ++i) {
        const double within = state.latency.value * (1.0 - share) + fast * share;
        share = std::min(1.0, state.outside / (state.outside + within) * inside / (inside - few));
    }
    state.tpot = blended(state.tpot, low.tpot, share);
    state.ttft = blended(state.ttft, low.ttft, share);
    state.decodeStep = blended(state.decodeStep, low.decodeStep, share);
    return state;
}

/// Mean rate of a trace; a single request comes as rarely as one can say.
double rateOf(const std::vector<TracedRequest>& trace)
{
    if (trace.size() < 2)
        return 1e-9;
    const double span = (trace.back().arrival - trace.front().arrival).value;
    return double(trace.size() - 1) / std::max(span, 1e-9);
}

/// Largest of `count` normal values in the mean, in standard deviations.
double expectedLargest(double count)
{
    if (count < 2.0)
        return 0.0;
    const double root = std::sqrt(2.0 * std::log(count));
    return std::max(0.3, root - (std::log(root * root / 2.0) + std::log(4.0 * std::numbers::pi)) / (2.0 * root));
}

/// Part of the wait of a full queue that a request of a benchmark sees: the first and the last find it shorter.
double waveShare(const ServingLoad& load, double waiting)
{
    if (!load.fromStart)
        return 1.0;
    const double rounds = std::max(1.0, load.requestsPerSlot);
    return (rounds - 1.0) / rounds + waiting / (2.0 * rounds * load.concurrency);
}

/// A benchmark: one request in `requestsPerSlot` belongs to the burst at the start, the others to waves that spread out
/// from it by the spread of answer lengths, in which prompts crowd.
SteadyState fromTheStart(const ServingLoad& load, const Replica& replica, double inside, const SteadyState& steady,
                         SteadyStates& states, const EngineProfile& engine)
{
    const CountedLoad counted = states.counted(inside);
    const BurstCounts burst = countBurst(counted, engine);
    const double spread = variationOf(load.output) * counted.answerSteps;
    const double rounds = std::max(1.0, load.requestsPerSlot);
    const double waves = std::max(1.0, std::round(rounds) - 1.0);
    StepCounts mean = steady.counts;
    mean.waitSteps = mean.ownSteps = mean.ownPrompts = mean.ownChunk = mean.filledNear = 0.0;
    for (double wave = 1.0; wave <= waves; wave += 1.0) {
        const double width = std::sqrt(burst.steps * burst.steps + 12.0 * wave * spread * spread);
        const double crowding = std::clamp(steady.counts.life / std::max(width, 1.0), 1.0, std::max(1.0, inside));
        const StepCounts counts = countsOfLife(counted, engine, steady.counts.life, crowding);
        mean.waitSteps += counts.waitSteps / waves;
        mean.ownSteps += counts.ownSteps / waves;
        mean.ownPrompts += counts.ownPrompts / waves;
        mean.ownChunk += counts.ownChunk / waves;
        mean.filledNear += counts.filled / waves;
    }
    SteadyState state = states.at(inside, mean);
    const bool apart = engine.stepForming == StepForming::prefillAlone;
    const double beside = apart ? 0.0 : inside / 2.0;
    const double pieces = std::max(1.0, counted.input / burst.chunk);
    const double seen = burst.chunk / burst.prompts * (1.0 + (pieces - 1.0) / 2.0);
    const Seconds step = states.price(beside, burst.chunk, burst.prompts, seen, burst.chunk * counted.lanes).parts.total() *
                         double(replica.stages);
    Breakdown first;
    first[Cause::host] = state.ttft[Cause::host];
    first[Cause::waiting] = step * (burst.meanSteps - 1.0) + state.decodeStep.total() * engine.outputLagSteps;
    first[Cause::prefill] = step;
    state.ttft = state.ttft * (1.0 - 1.0 / rounds) + first * (1.0 / rounds);
    // Of the last wave's prompts only half are read while a given request writes.
    state.tpot[Cause::prefill] *= 1.0 - 0.5 / rounds;
    const double last = std::sqrt(burst.steps * burst.steps / 12.0 + rounds * spread * spread);
    // Steps get shorter as the batch empties.
    constexpr double emptying = 0.75;
    state.drain = state.meanStep * (emptying * expectedLargest(inside) * last / rounds);
    return state;
}

/// The state at which requests leave as fast as they come. One that arrives finds the mean number inside, so it lives as
/// one of a closed loop with one more.
SteadyState openLoop(const ServingLoad& load, double slots, SteadyStates& states, ServingTimes& times)
{
    const double rate = load.arrivals == Arrivals::trace ? rateOf(load.trace) : load.requestRate.value;
    const double most = std::max(1.0, slots);
    SteadyState full = states.at(most);
    const double capacity = most / full.latency.value;
    times.utilisation = rate / capacity;
    if (times.utilisation >= 1.0) {
        times.saturated = true;
        times.limits.set(std::size_t(ServingLimit::overCapacity));
        times.running = most;
        times.requestRate = Frequency{capacity};
        return full;
    }
    const SteadyState state = states.pacedAt(rate, most);
    times.running = std::min(most, rate * state.latency.value);
    times.requestRate = Frequency{rate};
    // M/G/c after Sakasegawa, with the servers' speed as when all are busy.
    const double writing = (state.tpot.total() * (states.demand().output - 1.0)).value / state.latency.value;
    const double spread = variationOf(load.output) * writing;
    const double exponent = std::sqrt(2.0 * (slots + 1.0)) - 1.0;
    const double rho = times.utilisation;
    times.queueing = Seconds{(load.burstiness + spread * spread) / 2.0 * std::pow(rho, exponent) /
                             (slots * (1.0 - rho)) * full.latency.value};
    return state;
}

bool gathers(const EngineProfile& engine)
{
    return engine.pollingSteps > 1 || engine.batchWaitSteps > 0;
}

/// Bounds found by comparison with long simulations of some thousand random replicas.
void setLimits(const ServingLoad& load, const Replica& replica, const Demand& demand, const EngineProfile& engine,
               ServingTimes& times)
{
    const Rhythm& r = times.rhythm;
    const auto set = [](ServingLimits& limits, ServingLimit limit, bool holds) { limits.set(std::size_t(limit), holds); };
    const bool open = load.arrivals != Arrivals::closedLoop;
    const bool meets = r.busy > 0.03 || r.companions > 0.1;
    const double decode = times.decodeStep.total().value;
    const double stalled = r.meanStep > 0.0 ? 1.0 - decode / std::max(decode, r.meanStep) : 0.0;
    const double variation = variationOf(load.input);
    ServingLimits& limits = times.limits;
    set(limits, ServingLimit::longPolling, gathers(engine));
    set(limits, ServingLimit::fewWaves, load.fromStart);
    set(limits, ServingLimit::lanes, replica.ranks * replica.stages > 1);
    times.paceLimits = limits;
    set(times.paceLimits, ServingLimit::manyPromptTokens, meets || stalled > 0.2);
    set(times.paceLimits, ServingLimit::shortAnswers, demand.answerSteps < 40.0);
    set(limits, ServingLimit::manyPromptTokens, meets || stalled > (open ? 0.05 : 0.2));
    set(limits, ServingLimit::shortAnswers, demand.answerSteps < 100.0);
    const bool widely = variationOf(load.output) > 0.7;   // a mean of ratios is not the ratio of means
    set(times.paceLimits, ServingLimit::unevenLengths, widely || variation > 0.6);
    set(times.paceLimits, ServingLimit::partsOfPrompts, load.speculation.draftTokens > 0);
    set(limits, ServingLimit::unevenLengths, widely || variation > 0.6 || (variation > 0.15 && demand.input < 250.0));
    set(limits, ServingLimit::equalAnswers, times.running > 1.0 && variationOf(load.output) < 0.05);
    set(limits, ServingLimit::burstyArrivals, open && (load.arrivals == Arrivals::trace || load.burstiness != 1.0));
    set(limits, ServingLimit::partsOfPrompts, load.prefixHits > 0.0 || load.speculation.draftTokens > 0 ||
                                                  demand.input * (1.0 + 1.8 * variation) > engine.batchedTokens);
    set(limits, ServingLimit::thinLoad, open && times.running < 3.0);
    if (open)
        times.paceLimits |= limits;
}

/// With more or less cache than predicted, requests may wait or not.
void rangeNearCapacity(const ServingLoad& load, const Replica& replica, const EngineProfile& engine, ServingTimes& times)
{
    times.ttftLow = times.ttftHigh = times.ttft.total();
    const double reserved = meanOf(load.input) + engine.reservedOutput * meanOf(load.output);
    times.cacheReserved = std::min(1.0, times.running * reserved / (replica.ranks * replica.cacheTokens));
    if (load.arrivals != Arrivals::closedLoop) {
        times.limits.set(std::size_t(ServingLimit::nearCapacity), !times.saturated && times.utilisation > 0.85);
        return;
    }
    const auto waitWith = [&](double factor) {
        Replica other = replica;
        other.cacheTokens *= factor;
        const double slots = slotsOf(load, other, engine);
        const double rate = times.requestRate.value * std::min(slots, load.concurrency) / times.running;
        const double waiting = std::max(0.0, load.concurrency - slots);
        return Seconds{waiting / rate * waveShare(load, waiting)};
    };
    const Seconds without = times.ttft.total() - times.queueing;
    times.ttftLow = without + waitWith(1.0 + cacheUncertainty);
    times.ttftHigh = without + waitWith(1.0 - cacheUncertainty);
    times.limits.set(std::size_t(ServingLimit::overCapacity), times.saturated);
    times.limits.set(std::size_t(ServingLimit::nearCapacity), !times.saturated && times.ttftHigh > times.ttft.total());
}

} // namespace

double slotsOf(const ServingLoad& load, const Replica& replica, const EngineProfile& engine)
{
    const double queries = load.speculation.draftTokens + 1.0;
    const double tokens = meanOf(load.input) + engine.reservedOutput * meanOf(load.output);
    const double perStep = std::max(1.0, engine.batchedTokens / queries) * replica.stages;
    return replica.ranks * std::max(1.0, std::min({replica.maximumSequences, perStep, replica.cacheTokens / tokens}));
}

ServingTimes continuousBatching(const ServingLoad& load, const Replica& replica, const StepPricer& pricer,
                                const EngineProfile& engine)
{
    SteadyStates states(load, replica, pricer, engine);
    const Demand& demand = states.demand();
    const double slots = slotsOf(load, replica, engine);
    ServingTimes times;
    SteadyState state;
    double waiting = 0;
    if (load.arrivals == Arrivals::closedLoop) {
        times.running = std::min(load.concurrency, slots);
        waiting = load.concurrency - times.running;
        times.saturated = waiting > 0.0;
        if (load.fromStart) {
            state = states.at(times.running);
            state = fromTheStart(load, replica, times.running, state, states, engine);
            state = leavingOutside(state, times.running, states);
        } else if (gathers(engine)) {
            state = leavingOutside(states.at(times.running), times.running, states);
        } else {
            // Where prompts fill the steps, the budget paces them: counts know that without a guess of who decodes.
            constexpr double nearlyFull = 0.5;
            if (countSteps(states.counted(times.running), engine).filled > nearlyFull) {
                state = leavingOutside(states.at(times.running), times.running, states);
                state.rhythm.busy = 1.0;
            } else {
                state = states.paced(times.running);
            }
        }
    } else {
        state = openLoop(load, slots, states, times);
    }

    times.decode = state.decode;
    times.rhythm = state.rhythm;
    const double one = std::min(demand.input, double(engine.batchedTokens));
    times.prompt = states.price(0.0, one, 1.0, one, one);
    times.decodeStep = state.decodeStep;
    times.tpot = state.tpot;
    times.ttft = state.ttft;
    times.prefillShare = state.prefillShare;
    times.prefillSteps = std::min(1.0, state.counts.filled);
    if (load.arrivals == Arrivals::closedLoop) {
        const Seconds cycle = times.ttft.total() + times.tpot.total() * (demand.output - 1.0);
        times.requestRate = times.running / (cycle + state.drain);
        if (waiting > 0.0)
            times.queueing = waiting / times.requestRate * waveShare(load, waiting);
    }
    times.ttft[Cause::waiting] += times.queueing;
    rangeNearCapacity(load, replica, engine, times);
    setLimits(load, replica, demand, engine, times);
    return times;
}

ServingTimes fixedBatch(const ServingLoad& load, const Replica& replica, const StepPricer& pricer,
                        const EngineProfile& engine)
{
    SteadyStates states(load, replica, pricer, engine);
    const Demand& demand = states.demand();
    const double stages = replica.stages;
    const double n = std::min(load.concurrency, slotsOf(load, replica, engine));
    const double waiting = load.concurrency - n;
    const double total = n * demand.input;
    const double chunks = std::ceil(total / engine.batchedTokens);
    const double chunk = total / chunks;
    const double prompts = std::max(1.0, chunk / demand.input);
    // A chunk smaller than a prompt sees, in the mean, half of the prompt before itself.
    const double seen = chunk >= demand.input ? demand.input : (demand.input + chunk) / 2.0;

    ServingTimes times;
    times.running = n;
    times.saturated = waiting > 0.0;
    times.decode = states.price(n, 0.0, 0.0, 0.0, 0.0);
    const Seconds step = states.price(0.0, chunk, prompts, seen, chunk).parts.total();
    const double one = std::min(demand.input, double(engine.batchedTokens));
    times.prompt = states.price(0.0, one, 1.0, one, one);
    times.decodeStep = throughStages(times.decode.parts, replica);
    times.tpot = times.decodeStep * (demand.answerSteps / (demand.output - 1.0));
    times.ttft[Cause::host] = engine.firstTokenBase + engine.arrivalDelay;
    times.ttft[Cause::waiting] = times.decodeStep.total() * engine.outputLagSteps;
    times.ttft[Cause::prefill] = step * (chunks + stages - 1.0);
    const Seconds cycle = times.ttft.total() + times.tpot.total() * (demand.output - 1.0);
    times.requestRate = n / cycle;
    times.prefillSteps = chunks / (chunks + demand.answerSteps);
    times.prefillShare = cycle.value > 0.0 ? times.ttft[Cause::prefill].value / cycle.value : 0.0;
    if (waiting > 0.0) {
        times.queueing = waiting / times.requestRate;
        times.ttft[Cause::waiting] += times.queueing;
    }
    times.ttftLow = times.ttftHigh = times.ttft.total();
    return times;
}

} // namespace ridgepoint
