// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/rhythm.h"

#include "core/serving/load.h"
#include "core/serving/step_counts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Chance that none of `mean` comes, of n who may.
double noneOf(double mean, double n)
{
    if (n <= mean + 1e-9)
        return 0.0;
    return n > 1000.0 ? std::exp(-mean) : std::exp(n * std::log1p(-mean / n));
}

/// Whole steps that a prompt waits when `others` came with it in the mean and each takes `service` < 1 of a step, and the
/// work that is left over after a step.
struct Crowd
{
    double wait = 0;
    double left = 0;
};

Crowd crowdOf(double others, double all, double service)
{
    Crowd crowd;
    constexpr int most = 64;
    const int last = std::min(most, int(others + all + 5.0 * std::sqrt(others + all)) + 4);
    double chance = std::exp(-others), chanceOfAll = std::exp(-all), waits = 0.0;
    for (int m = 0; m <= last; ++m) {
        // One more prompt in the crowd adds its own place to the sum over places.
        waits += std::max(0.0, std::ceil((m + 1) * service - 1e-9) - 1.0);
        crowd.wait += chance * waits / (m + 1);
        crowd.left += chanceOfAll * std::max(0.0, m * service - 1.0);
        chance *= others / (m + 1);
        chanceOfAll *= all / (m + 1);
    }
    return crowd;
}

class Solver
{
public:
    Solver(const RhythmLoad& load, const RhythmTimes& times) : m(load), t(times)
    {
        m_slope = t.larger > t.chunk ? std::max(0.0, (t.atLarger - t.atChunk) / (t.larger - t.chunk)) : 0.0;
        m_slopeBelow = t.smaller > 0.0 ? std::max(0.0, (t.atChunk - t.atSmaller) / (t.chunk - t.smaller)) : m_slope;
        // Two lengths that stand for all, with the mean, the variance and the skew of a gamma distribution.
        const double variance = m.inputVariation * m.inputVariation;
        const double shape = 1.0 / std::max(variance, 1e-9), root = std::sqrt(shape + 1.0);
        m_short = variance > 1e-4 ? (shape + 1.0 - root) / shape : 1.0;
        m_long = variance > 1e-4 ? (shape + 1.0 + root) / shape : 1.0;
        m_shareOfLong = variance > 1e-4 ? (1.0 - m_short) / (m_long - m_short) : 0.0;
        m_service = m.input / m.room;
        m_others = m.closed ? std::max(0.0, m.inside - 1.0) / std::max(1.0, m.inside) : 1.0;
        m_squares = 1.0 + m.inputVariation * m.inputVariation;
    }

    [[nodiscard]] double reading(double tokens) const
    {
        const double over = std::min(tokens, m.room) - t.chunk;
        const double time = t.atChunk + over * (over > 0.0 ? m_slope : m_slopeBelow);
        return m.apart ? std::max(0.0, time) : std::max(t.decode, time);
    }

    /// All steps of a prompt that is read alone, or of several together.
    [[nodiscard]] double readingAll(double tokens) const
    {
        const double full = std::max(0.0, std::ceil(tokens / m.room - 1e-9) - 1.0);
        return full * reading(m.room) + reading(tokens - full * m.room);
    }

    /// Mean over the lengths of one prompt, with `more` tokens of others beside it.
    template <typename Time>
    [[nodiscard]] double overLengths(double more, Time time) const
    {
        const double low = time(m.input * m_short + more);
        return m_shareOfLong > 0.0 ? low + (time(m.input * m_long + more) - low) * m_shareOfLong : low;
    }

    [[nodiscard]] Rhythm at(double x) const
    {
        Rhythm r;
        r.prompts = x;
        const double lanes = m.lanes;
        const double alone = m.chunks;
        const double population = m.closed ? std::max(1.0, m.inside) : 1e9;
        const double work = x * m_service / lanes;
        const double shared = alone + (std::max(1.0, m_service) - alone) * std::min(1.0, work * m_others);
        double f = std::min(1.0, std::max(work, 1.0 - std::pow(noneOf(x, population), shared)));
        double step = 0, prefill = 0, variance = 0, even = 1, atDecode = x, atPrefill = x;
        for (int i = 0; i < 4; ++i) {
            const double inStep = std::max(x / std::max(f, 1e-12), 1.0 / shared);   // prompts of a step that reads any
            const double ofLane = m_service < 1.0 ? 1.0 + std::max(0.0, inStep - 1.0) / lanes : std::max(1.0 / shared, inStep / lanes);
            r.meanChunk = std::min(m.room, m.input * ofLane);
            prefill = m_service < 1.0
                          ? overLengths(r.meanChunk - std::min(m.room, m.input), [&](double c) { return reading(c); })
                          : reading(r.meanChunk);
            step = t.decode + f * (prefill - t.decode);
            const double gap = prefill - t.decode;
            even = !m.closed || m.outside >= gap ? 1.0 : std::max(0.0, m.outside / gap);
            const double evenly = x / step;
            atDecode = x * (1.0 - even) + even * evenly * t.decode;
            atPrefill = x * (1.0 - even) + even * evenly * prefill;
            double spread = 0.0;
            if (m_service < 1.0 && f > 0.0) {
                const double pairs = x * x * (1.0 + even * even * variance / (step * step)) * m_others;
                spread = std::max(0.0, (x * m_squares + pairs) / f - x * x / (f * f)) / (lanes * lanes);
                spread = std::min(spread * m.input * m.input, m.room * m.room / 4.0);
            }
            variance = f * (1.0 - f) * gap * gap + f * m_slope * m_slope * spread;
            if (m_service < 1.0) {
                const double first = 1.0 - noneOf(atDecode, population), again = 1.0 - noneOf(atPrefill, population);
                f = first / std::max(1e-12, 1.0 - again + first);
                f = std::min(1.0, std::max(f, work));
            } else {
                f = std::min(1.0, 1.0 - std::pow(1.0 - std::min(1.0, x * shared / lanes), lanes));
            }
        }
        r.filled = f;
        r.even = even;
        r.prefillStep = prefill;
        r.meanStep = step;
        const double square = variance + step * step;
        r.companions = x * (1.0 + even * even * variance / (step * step)) * m_others * (m.closed ? 1.0 : m.burstiness);

        // Behind others, in steps full of them.
        const double fullStep = reading(m.room);
        double wait = 0;
        const double perLane = r.companions / lanes;
        const double busyRate = std::min(0.995, atPrefill * m_others * m_service / lanes);
        if (m_service < 1.0) {
            const Crowd crowd = crowdOf(perLane, std::max(x / lanes, std::min(atPrefill, x * 4.0) / lanes * m_others), m_service);
            const double left = crowd.left / (1.0 - busyRate);
            wait = crowd.wait + left;
            const double more = std::min(m.input * (perLane + left / m_service), std::max(0.0, m.room - m.input));
            r.ownChunk = std::min(m.room, m.input + more);
            r.own = overLengths(more, [&](double c) { return readingAll(c); });
        } else {
            const double meets = std::min(1.0, work * atPrefill / std::max(x, 1e-12));
            wait = meets * m_others * m_service * m_squares / 2.0 / (1.0 - busyRate);
            r.ownChunk = m.input / shared;
            r.own = overLengths(0.0, [&](double c) { return readingAll(c); }) * shared / alone;
        }
        r.busy = busyRate;
        r.queue = wait * fullStep + m.gathering * step;
        // Who comes while a prompt is read is read next: prefill steps follow prefill steps. `more` of them come after a
        // request's own beyond the usual share, the first with chance `again`.
        double again = f, more = 0;
        if (m_service < 1.0) {
            again = 1.0 - noneOf(atPrefill * m_others, population);
            const double first = 1.0 - noneOf(atDecode * m_others, population);
            const double kept = std::clamp(again - first, 0.0, 0.99);
            more = m.apart ? kept / std::max(0.01, 1.0 - again) : (1.0 - f) * kept / (1.0 - kept);
            more *= std::pow(kept, m.lag);
        } else {
            const double follow = atPrefill * m_others * m_service / lanes;
            again = std::max(f, std::min(1.0, follow));
            more = std::max(0.0, (1.0 - f) * follow * (shared + wait) / (1.0 - busyRate) - m.lag * (again - f));
        }
        again = std::max(again, f);
        r.lag = m.lag * (t.decode + again * (prefill - t.decode));
        r.decodeRound = m.apart ? t.decode + m_others * std::min(f / std::max(1e-9, 1.0 - f), 1e9) * prefill
                                : t.decode + m_others * f * (prefill - t.decode);
        const double stall = m.apart ? prefill : prefill - t.decode;
        r.decoding = m.answerSteps * r.decodeRound + more * stall;
        r.until = until(f, prefill, step, square, r.decoding + r.own);
        r.latency = r.firstToken() + r.decoding;
        return r;
    }

    /// From being sent to the start of the step that may read it.
    [[nodiscard]] double until(double f, double prefill, double step, double square, double engaged) const
    {
        const double residual = square / (2.0 * step);
        if (!m.closed)   // a step runs when a request comes if any request is inside
            return m.outside + residual * -std::expm1(-m.rate * engaged);
        if (m.outside <= 0.0)
            return 0.0;
        const double low = m.outside * (1.0 - outsideSpread), high = m.outside * (1.0 + outsideSpread);
        const double decodes = meanCeiling(low / t.decode, high / t.decode) - 1.0;
        const double first = f > 1e-9 ? (1.0 - f) * (1.0 - std::pow(1.0 - f, decodes)) / f : decodes;
        const double whole = step * (1.0 + first);
        const double lasting = m.outside + residual;
        // A way that is shorter than a step with prompts ends in the first of them; a longer one ends in any.
        const double share = std::clamp((high - std::max(prefill, t.decode)) / m.outside, 0.0, 1.0);
        const double meets = std::min(1.0, m.inside - 1.0);
        return m.outside + std::max(0.0, whole + (lasting - whole) * share - m.outside) * meets;
    }

    /// The least x at which no more can come.
    [[nodiscard]] double most() const
    {
        const double bound = m.lanes / m_service;
        // A request of a closed loop makes at least its answer's steps.
        return m.closed ? std::min(bound, 1.1 * m.inside / std::max(1.0, m.answerSteps) / std::max(0.5, m_others)) : bound;
    }

    const RhythmLoad& m;
    const RhythmTimes& t;
    double m_slope = 0, m_slopeBelow = 0, m_short = 1, m_long = 1, m_shareOfLong = 0;
    double m_service = 1, m_others = 1, m_squares = 1;
};

} // namespace

Rhythm rhythmOf(const RhythmLoad& load, const RhythmTimes& times)
{
    const Solver solver(load, times);
    double low = 0.0, high = solver.most() * 0.9999;
    const auto surplus = [&](const Rhythm& r) {
        return r.prompts - (load.closed ? load.inside / r.latency : load.rate) * r.meanStep;
    };
    double atLow = surplus(solver.at(0.0));
    Rhythm r = solver.at(high);
    double atHigh = surplus(r);
    if (atHigh <= 0.0) {
        // More are in flight than full steps serve in a life: the others queue.
        if (load.closed && r.prompts > 0.0) {
            const double missing = std::max(0.0, load.inside * r.meanStep / r.prompts - r.latency);
            r.queue += missing;
            r.latency += missing;
        }
        return r;
    }
    // A straight line between the ends, of which one that stays is drawn nearer (the Illinois method).
    constexpr int tries = 24;
    int side = 0;
    for (int i = 0; i < tries; ++i) {
        const double x = low + (high - low) * -atLow / (atHigh - atLow);
        r = solver.at(x);
        const double here = surplus(r);
        if (std::abs(here) < 1e-4 * x)
            break;
        if (here < 0.0) {
            low = x;
            atLow = here;
            if (side < 0)
                atHigh /= 2.0;
            side = -1;
        } else {
            high = x;
            atHigh = here;
            if (side > 0)
                atLow /= 2.0;
            side = 1;
        }
    }
    return r;
}

} // namespace ridgepoint
