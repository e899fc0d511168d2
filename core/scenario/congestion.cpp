// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/congestion.h"

#include "core/scenario/serving_setup.h"
#include "core/scenario/uncertainty.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// The cache may turn out as small as this share of its predicted size, at 80 %.
constexpr double leastCache = 0.55;
/// Of the logarithm of what prefill workers can read.
constexpr double readingSpread = 0.3;
/// A wait is worth to speak of from this share of the time an answer takes.
constexpr double longWait = 0.3;

/// Mean TTFT when a decode worker holds no more than its captured steps do.
double withCapturedSlots(const Scenario& s, const Simulation& run)
{
    const int ranks = s.plan.replicas * s.plan.attentionData;
    const double share = std::max(1.0, double(s.load.concurrency) / ranks);
    const double answer = run.tpot.mean * (s.load.outputTokens - 1.0);
    constexpr double oneSlot = 2.0;
    if (share <= oneSlot)
        return ranks > 1 ? run.ttft.mean + answer * (s.load.concurrency - 1.0) / ranks : run.ttft.mean;
    const double slots = std::exp2(std::floor(std::log2(share) + 1e-9));
    if (slots >= share || slots >= s.engine.maximumSequences)
        return run.ttft.mean;
    Scenario fewer = s;
    fewer.engine.maximumSequences = int(slots);
    const Result<Simulation> held = simulateScenario(fewer);
    return held ? held->ttft.mean : run.ttft.mean;
}

} // namespace

Congestion congestionOf(const Scenario& s, const Simulation& run)
{
    Congestion c;
    c.ttftLow = c.ttftHigh = run.ttft.mean;
    if (s.load.arrivals != Arrivals::closedLoop || !(run.requestRate.value > 0.0))
        return c;
    const double rate = run.requestRate.value * (s.prefillPool ? 1 : s.plan.replicas);
    const double inFlight = s.load.concurrency;
    const double input = s.load.inputTokens, output = s.load.outputTokens;
    const double answer = run.tpot.mean * (output - 1.0);
    const auto mayWait = [&](std::string_view what, double ttft) {
        if (ttft <= c.ttftHigh)
            return;
        c.ttftHigh = ttft;
        c.what = what;
        c.state = CongestionState::near;
    };

    const double share = std::max(0.5, s.engine.reservedOutput);   // of an answer; a mean one is half written
    const double reserved = run.cacheUse * (input + share * output) / (input + output / 2.0);
    if (reserved > leastCache) {
        const double running = inFlight * leastCache / reserved;
        mayWait("cache", run.ttft.mean + (inFlight - running) / (rate * running / inFlight));
    }
    if (s.prefillPool && run.promptUse > 0.0) {
        const double most = rate / run.promptUse * std::exp(-deviationsOf80 * readingSpread);
        const double ttft = inFlight / most - answer;
        if (ttft > longWait * answer)
            mayWait("prefill workers", ttft);
    }
    if (s.prefillPool && s.engine.capturedSlots) {
        const double ttft = withCapturedSlots(s, run);
        if (ttft > longWait * answer && ttft > 1.5 * run.ttft.mean)
            mayWait("decode slots", ttft);
    }
    if (run.saturated) {
        c.state = CongestionState::saturated;
        c.what = "cache";
    }
    return c;
}

} // namespace ridgepoint
