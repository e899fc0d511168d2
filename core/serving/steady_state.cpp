// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/steady_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ridgepoint {

namespace {

/// A slower step never counts as faster than one that does less: tile choices may differ by a hair.
Breakdown atLeast(const Breakdown& larger, const Breakdown& smaller)
{
    return larger.total() < smaller.total() ? smaller : larger;
}

/// The whole of a time as prefill.
Breakdown asPrefill(Seconds time)
{
    Breakdown parts;
    parts[Cause::prefill] = time;
    return parts;
}

/// Mean time to the first end of a step more than `outside` after the end of a step, by Wald's identity.
double nextStart(double outside, double decodeStep, double prefillStep, double filled)
{
    const double mean = decodeStep * (1.0 - filled) + prefillStep * filled;
    const double square = decodeStep * decodeStep * (1.0 - filled) + prefillStep * prefillStep * filled;
    if (mean <= 0.0)
        return outside;
    const double steps = std::max(0.0, outside / std::max(decodeStep, 1e-9) - 0.5);
    const double withoutPrefill = filled > 1e-9 ? (1.0 - filled) * (1.0 - std::pow(1.0 - filled, steps)) / filled : steps;
    const double lasting = std::max(0.0, outside / mean + square / (2.0 * mean * mean) - 1.0);
    return mean * (1.0 + std::min(withoutPrefill, lasting));
}

} // namespace

double meanPieces(const Lengths& lengths, double service)
{
    const double spread = std::sqrt(3.0) * variationOf(lengths);
    if (lengths.shape == LengthShape::exponential)
        return 1.0 / -std::expm1(-1.0 / service);
    if (lengths.shape == LengthShape::lognormal && lengths.spread > 0.0) {
        const double deviation = std::sqrt(std::log1p(lengths.spread * lengths.spread));
        double pieces = 1.0;
        constexpr int most = 64;
        for (int i = 1; i < most; ++i) {
            const double longer = std::erfc((std::log(i / service) / deviation + deviation / 2.0) / std::numbers::sqrt2) / 2.0;
            pieces += longer;
            if (longer < 1e-4)
                break;
        }
        return std::max(pieces, service);
    }
    return meanCeiling(service * std::max(0.0, 1.0 - spread), service * (1.0 + spread));
}

Demand demandOf(const ServingLoad& load, const EngineProfile& engine)
{
    Demand d;
    d.fullInput = meanOf(load.input);
    d.input = std::max(1.0, d.fullInput * (1.0 - load.prefixHits));
    d.output = std::max(2.0, meanOf(load.output));
    d.answerSteps = stepsOf(d.output - 1.0, load.speculation);
    // A long answer is seen for longer than a short one: the mean over time weighs lengths with themselves.
    const double variation = variationOf(load.output);
    d.context = d.fullInput + d.output / 2.0 * (1.0 + variation * variation);
    d.outside = (engine.firstTokenBase + engine.arrivalDelay).value;
    return d;
}

Breakdown throughStages(Breakdown stage, const Replica& replica)
{
    if (replica.stages <= 1)
        return stage;
    for (const Cause cause : {Cause::weights, Cause::kvCache, Cause::compute, Cause::activations, Cause::host}) {
        const Seconds idle = stage[cause] * replica.idleShare;
        stage[cause] -= idle;
        stage[Cause::bubble] += idle;
    }
    return stage * double(replica.stages);
}

SteadyStates::SteadyStates(const ServingLoad& load, const Replica& replica, const StepPricer& pricer,
                           const EngineProfile& engine)
    : m_load(load), m_replica(replica), m_price(withSpeculation(pricer, load.speculation)), m_engine(engine),
      m_demand(demandOf(load, engine))
{
}

CountedLoad SteadyStates::counted(double inside) const
{
    const double others = std::max(0.0, inside - 1.0);
    const bool closed = m_load.arrivals == Arrivals::closedLoop;
    return {.inside = inside, .others = others, .input = m_demand.input,
            .inputSpread = std::min(1.0, std::sqrt(3.0) * variationOf(m_load.input)), .answerSteps = m_demand.answerSteps,
            .queries = m_load.speculation.draftTokens + 1.0, .lanes = double(m_replica.ranks) * m_replica.stages,
            .boundary = closed ? m_demand.outside > 0.0 ? std::min(1.0, others) : 0.0 : (1.0 - std::exp(-others)) / 2.0,
            .burstiness = closed ? 1.0 : m_load.burstiness};
}

/// Cached tokens of the rank with most over those of a mean one.
double SteadyStates::unevenness(double sequences) const
{
    if (m_replica.ranks <= 1)
        return 1.0;
    const double deviation = m_demand.output / std::sqrt(12.0) / m_demand.context;
    constexpr double perDoubling = 0.473;   // expected largest of D normal values over log2 D, D from 2 to 16
    return 1.0 + perDoubling * std::log2(double(m_replica.ranks)) * deviation / std::sqrt(std::max(1.0, sequences));
}

StepCost SteadyStates::price(double decoding, double chunk, double prompts, double seen, double all)
{
    const double lanes = double(m_replica.ranks) * m_replica.stages;
    const double own = decoding > 0.0 ? std::max(std::min(1.0, decoding), decoding / lanes) : 0.0;
    StepShape shape{.decodeSequences = own, .decodeContext = own > 0.0 ? m_demand.context * unevenness(own) : 0.0,
                    .headTokens = own};
    if (chunk > 0.0) {
        shape.prefillTokens = chunk;
        shape.prefillSequences = prompts;
        shape.prefillContext = seen + m_demand.fullInput - m_demand.input;
        shape.headTokens += prompts;
    }
    if (m_replica.ranks > 1)
        shape.groupTokens = std::max(own, decoding) + std::max(chunk, all);
    return m_price(shape);
}

SteadyState SteadyStates::at(double inside, const StepCounts& c)
{
    SteadyState s;
    s.counts = c;
    s.demandInput = m_demand.input;
    const CountedLoad load = counted(inside);
    const double stages = m_replica.stages;
    const bool apart = m_engine.stepForming == StepForming::prefillAlone;
    const double decoding = std::max(std::min(1.0, inside), c.decoding);
    const double shareOfOthers = load.others / std::max(inside, 1.0);
    s.decode = price(decoding, 0.0, 0.0, 0.0, 0.0);
    const Breakdown& decodeStage = s.decode.parts;

    const double piece = m_demand.input / c.chunksOfPrompt;
    const double beside = apart ? 0.0 : decoding * shareOfOthers;
    // A chunk in the middle of its prompt sees half of it before itself.
    const double before = (c.chunksOfPrompt - 1.0) / 2.0 * piece;
    const auto reading = [&](double chunk, double all) {
        const double prompts = std::max(1.0, chunk / piece);
        return price(beside, chunk, prompts, chunk / prompts + before, all).parts;
    };
    const double busiest = std::max(c.meanChunk / load.lanes, std::min(c.meanChunk, c.ownChunk));
    const Breakdown mixed = reading(busiest, c.meanChunk);
    constexpr double alike = 0.01;
    const Breakdown own = std::abs(c.ownChunk - busiest) <= alike * busiest
                              ? mixed : reading(c.ownChunk, std::max(c.ownChunk, c.meanChunk));

    // Where prefill has steps of its own, decoding waits for one and then goes on.
    const Breakdown mixedStage = apart ? mixed + decodeStage : atLeast(mixed, decodeStage);
    const Breakdown ownStage = apart ? own : atLeast(own, decodeStage);
    const Breakdown added = asPrefill(mixedStage.total() - decodeStage.total());
    s.decodeStep = throughStages(decodeStage, m_replica);
    s.tpot = (s.decodeStep + added * (c.filled * shareOfOthers * stages)) * (m_demand.answerSteps / (m_demand.output - 1.0));
    const Seconds round = decodeStage.total() + added.total() * c.filled;
    s.meanStep = (apart ? round / (1.0 + c.filled) : round) * stages;
    s.prefillShare = round.value > 0.0 ? (added.total() * c.filled).value / round.value : 0.0;

    const Seconds near = decodeStage.total() + added.total() * c.filledNear;
    const Seconds nearStep = (apart ? near / (1.0 + c.filledNear) : near) * stages;
    const Seconds lag = (apart ? decodeStage.total() : near) * (m_engine.outputLagSteps * stages);
    // In a closed loop requests are sent at the end of a step and wait for the end of the one they come in.
    const double missed = nearStep.value * load.boundary;
    const double whole = nearStep.value * meanCeiling(m_demand.outside / nearStep.value * (1.0 - outsideSpread),
                                                      m_demand.outside / nearStep.value * (1.0 + outsideSpread));
    const double until = m_load.arrivals == Arrivals::closedLoop
                             ? m_demand.outside + std::max(0.0, whole - m_demand.outside) * load.boundary
                             : m_demand.outside + missed;
    s.outside = std::max(0.0, until - missed);
    const double ownTime = ownStage.total().value * stages;
    const double decodeTime = s.decodeStep.total().value;
    const double filled = apart ? c.filled / (1.0 + c.filled) : c.filled;
    s.chance = std::abs(nextStart(m_demand.outside, decodeTime, ownTime, filled) - until);
    // Where requests return at any time, some do while a prompt is read, and their prompts are next.
    if (m_demand.outside > 0.5 * missed) {
        const double next = c.meanChunk * c.filled / m_demand.input * ownTime / (round.value * stages);
        s.chance += std::max(0.0, next - (apart ? 0.0 : filled)) * std::max(0.0, ownTime - decodeTime);
    }
    s.chance *= std::min(1.0, load.others);
    s.ttft[Cause::host] = Seconds{m_demand.outside};
    s.ttft[Cause::waiting] = Seconds{until - m_demand.outside} + lag + nearStep * c.waitSteps;
    s.ttft[Cause::prefill] = ownStage.total() * (c.ownSteps * stages);
    s.latency = s.ttft.total() + s.tpot.total() * (m_demand.output - 1.0) - Seconds{s.outside};
    if (apart) {
        // Between two turns of a request all prompts of its time are read, and it writes its own answer.
        const Seconds least = (decodeStage.total() * m_demand.answerSteps +
                               mixed.total() * (inside * m_demand.input / c.meanChunk)) * stages;
        const Seconds missing = std::max(Seconds{}, least - s.latency);
        s.ttft[Cause::waiting] += missing;
        s.latency += missing;
    }
    return s;
}

RhythmLoad SteadyStates::rhythmLoad(double decoding) const
{
    RhythmLoad load;
    load.closed = m_load.arrivals == Arrivals::closedLoop;
    load.burstiness = m_load.burstiness;
    load.input = m_demand.input;
    load.inputVariation = variationOf(m_load.input);
    load.answerSteps = m_demand.answerSteps;
    load.lanes = double(m_replica.ranks) * m_replica.stages;
    load.apart = m_engine.stepForming == StepForming::prefillAlone;
    const double held = load.apart ? 0.0 : decoding / load.lanes * (m_load.speculation.draftTokens + 1.0);
    const double free = std::max(1.0, m_engine.batchedTokens - held);
    load.room = usableRoom(free, load.input, m_engine.stepForming);
    load.chunks = meanPieces(m_load.input, load.input / free);
    load.outside = m_demand.outside;
    load.lag = m_engine.outputLagSteps;
    return load;
}

RhythmTimes SteadyStates::rhythmTimes(const RhythmLoad& load, double decode, double decoding, double companions)
{
    const double beside = load.apart ? 0.0 : decoding;
    const double stages = m_replica.stages;
    const double squares = 1.0 + load.inputVariation * load.inputVariation;
    const auto readingAt = [&](double chunk, double seen) {
        return price(beside, chunk, 1.0, seen, chunk).parts.total().value * stages;
    };
    const auto reading = [&](double chunk) {
        const double prompts = std::max(1.0, chunk / load.input);
        // A chunk in the middle of its prompt sees half of it before itself. Long prompts are most of what is read.
        const double seen = chunk >= load.input || load.chunks < 1.5 ? std::min(chunk, load.input * squares)
                                                                     : (chunk + load.input * squares) / 2.0;
        return price(beside, chunk, prompts, seen, chunk).parts.total().value * stages;
    };
    RhythmTimes times;
    times.decode = decode;
    constexpr double varied = 0.15;
    if (load.input > load.room) {   // full steps, and what is left after them
        const double rest = load.inputVariation > varied ? load.room / 2.0 : std::fmod(load.input, load.room);
        times.chunk = load.room;
        const bool fixed = load.inputVariation <= varied;
        const double whole = std::max(1.0, std::floor(load.input / load.room));
        times.atChunk = fixed ? readingAt(times.chunk, load.room * (whole + 1.0) / 2.0) : reading(times.chunk);
        times.smaller = std::max(rest, load.room / 8.0);
        times.atSmaller = times.smaller < 0.95 * times.chunk
                              ? fixed ? readingAt(times.smaller, std::max(times.smaller, load.input)) : reading(times.smaller)
                              : 0.0;
        if (times.atSmaller == 0.0)
            times.smaller = 0.0;
        times.larger = 0.0;
        return times;
    }
    times.chunk = load.input;
    times.atChunk = reading(times.chunk);
    const bool overflows = load.input * (1.0 + 1.8 * load.inputVariation) > load.room;
    if ((load.inputVariation > varied || overflows) && times.chunk > 8.0) {
        times.smaller = times.chunk * (overflows ? 0.25 : std::max(0.25, 1.0 - load.inputVariation));
        times.atSmaller = reading(times.smaller);
    }
    times.larger = std::min(load.room, load.input * std::max(2.0, 1.0 + companions));
    if (times.larger > 1.02 * times.chunk)
        times.atLarger = reading(times.larger);
    else
        times.larger = 0.0;
    return times;
}

SteadyState SteadyStates::stateOf(const RhythmLoad& load, const RhythmTimes& times, const Rhythm& r,
                                  const StepCost& decode, double decoding) const
{
    SteadyState s;
    s.rhythm = r;
    s.demandInput = m_demand.input;
    s.decode = decode;
    const double scale = times.decode / throughStages(decode.parts, m_replica).total().value;
    s.decodeStep = throughStages(decode.parts, m_replica) * scale;
    s.tpot = (s.decodeStep * m_demand.answerSteps +
              asPrefill(Seconds{std::max(0.0, r.decoding - times.decode * m_demand.answerSteps)})) *
             (1.0 / (m_demand.output - 1.0));
    s.ttft[Cause::host] = Seconds{load.outside};
    s.ttft[Cause::waiting] = Seconds{std::max(0.0, r.until - load.outside) + r.queue + r.lag};
    s.ttft[Cause::prefill] = Seconds{r.own};
    s.meanStep = Seconds{r.meanStep};
    s.latency = Seconds{r.latency - load.outside};
    const double beside = load.apart ? 0.0 : times.decode;
    s.prefillShare = r.meanStep > 0.0 ? r.filled * std::max(0.0, r.prefillStep - beside) / r.meanStep : 0.0;
    s.counts.filled = load.apart ? r.filled / std::max(1e-9, 1.0 - r.filled) : r.filled;
    s.counts.decoding = decoding;
    s.counts.service = load.input / load.room;
    s.counts.meanChunk = r.meanChunk;
    s.counts.ownChunk = r.ownChunk;
    s.counts.chunksOfPrompt = load.chunks;
    return s;
}

SteadyState SteadyStates::paced(double inside, bool withOutside)
{
    const double stages = m_replica.stages;
    double decoding = inside * m_demand.answerSteps / (m_demand.answerSteps + 1.0 + m_engine.outputLagSteps);
    decoding = std::max(std::min(1.0, inside), decoding);
    RhythmLoad load = rhythmLoad(decoding);
    load.inside = inside;
    load.closed = true;
    if (!withOutside)
        load.outside = 0.0;
    StepCost decode = price(decoding, 0.0, 0.0, 0.0, 0.0);
    double atFirst = decode.parts.total().value * stages, first = decoding, slope = 0.0;
    const double others = std::max(0.0, inside - 1.0) / std::max(1.0, inside);
    RhythmTimes times = rhythmTimes(load, atFirst, decoding * others, 2.0 * inside / m_demand.answerSteps / load.lanes);
    Rhythm r = rhythmOf(load, times);
    constexpr int tries = 3;
    for (int i = 0; i < tries; ++i) {
        // In a step without prompts nobody reads: all but those on their way are decoding.
        const double writes = m_demand.answerSteps * (load.apart ? 1.0 : 1.0 - others * r.filled) * times.decode;
        const double away = (r.until + r.lag) * (1.0 - r.filled) * times.decode / r.meanStep;
        const double queued = r.queue * (1.0 - r.filled) * times.decode / r.meanStep;
        const double now = std::max(std::min(1.0, inside), inside * writes / std::max(1e-12, writes + away + queued));
        const double moved = now - decoding;
        if (std::abs(moved) < 0.01 * decoding)
            break;
        if (i == 0) {
            decode = price(now, 0.0, 0.0, 0.0, 0.0);
            slope = (decode.parts.total().value * stages - atFirst) / (now - first);
        }
        const double before = times.decode;
        times.decode = std::max(1e-9, atFirst + slope * (now - first));
        if (!load.apart) {
            times.atChunk += times.decode - before;
            times.atLarger += times.decode - before;
            times.atSmaller += times.decode - before;
        }
        decoding = now;
        r = rhythmOf(load, times);
    }
    return stateOf(load, times, r, decode, decoding);
}

SteadyState SteadyStates::pacedAt(double rate, double most)
{
    const double stages = m_replica.stages;
    RhythmLoad load;
    RhythmTimes times;
    Rhythm r;
    StepCost decode;
    double priced = 1.0;
    // More inside makes steps longer, and longer steps keep more inside: where both agree lies between `low` and `high`.
    double decoding = 1.0, low = 1.0, high = most + 1.0, last = 0.0, excess = 0.0;
    constexpr int tries = 8;
    for (int i = 0; i < tries; ++i) {
        decode = price(decoding, 0.0, 0.0, 0.0, 0.0);
        const double before = times.decode;
        times.decode = decode.parts.total().value * stages;
        const bool far = i > 0 && std::abs(decoding - priced) > 0.5 * priced;
        if (i == 0 || far) {
            priced = decoding;
            load = rhythmLoad(decoding);
            load.rate = rate;
            times = rhythmTimes(load, times.decode, decoding - 1.0, 2.0 * rate * times.decode / load.lanes);
        } else if (!load.apart) {
            times.atChunk += times.decode - before;
            times.atLarger += times.decode - before;
            times.atSmaller += times.decode - before;
        }
        r = rhythmOf(load, times);
        const double here = 1.0 + rate * r.decoding - decoding;
        if (std::abs(here) < 0.003 * decoding)
            break;
        (here > 0.0 ? low : high) = decoding;
        double next = decoding + here;
        if (i > 0 && std::abs(excess - here) > 1e-12)
            next = decoding + here * (decoding - last) / (excess - here);
        if (!(next > low && next < high))
            next = here > 0.0 ? std::min(std::sqrt(low * high), 4.0 * decoding) : std::sqrt(low * high);
        last = decoding;
        excess = here;
        decoding = next;
    }
    return stateOf(load, times, r, decode, decoding);
}

} // namespace ridgepoint
