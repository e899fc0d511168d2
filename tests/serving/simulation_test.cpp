// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated engine loop against queueing theory, and against itself.
#include "core/base/random.h"
#include "core/serving/simulation.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

/// A step takes the same time whatever is in it.
StepTimer constantSteps(double seconds)
{
    return [seconds](const StepShape&) { return Seconds{seconds}; };
}

/// Weights, then cache and arithmetic: seconds of a step of a made-up device.
StepTimer roundSteps()
{
    return [](const StepShape& s) {
        const double tokens = s.tokens();
        const double weights = std::max(5e-3, tokens * 20e-6);
        const double cache = s.decodeSequences * s.decodeContext * 40e-9;
        const double q = s.prefillSequences > 0.0 ? s.prefillTokens / s.prefillSequences : 0.0;
        const double attention = s.prefillTokens * (s.prefillContext - q / 2.0) * 1e-9;
        return Seconds{weights + cache + attention + (s.prefillTokens > 0.0 ? 2e-3 : 0.0)};
    };
}

EngineProfile plainEngine(StepForming forming = StepForming::chunksBesideDecode)
{
    EngineProfile engine;
    engine.stepForming = forming;
    engine.batchedTokens = 2048;
    engine.maximumSequences = 256;
    return engine;
}

Simulation simulated(const ServingLoad& load, const Replica& replica, const EngineProfile& engine, const StepTimer& timer,
                     const SimulationOptions& options = {})
{
    const StepTable table(timer, tableRange(load, replica, engine));
    const Result<Simulation> simulation = simulate(load, replica, table, engine, options);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return simulation.value_or(Simulation{});
}

TEST(Simulation, OneSlotWaitsAsQueueingTheorySays)
{
    constexpr double step = 1e-3;
    constexpr double tokens = 500.0;   // mean service 0.5 s: one step a token, the prompt takes the first
    for (const auto& [shape, factor] : {std::pair{LengthShape::exponential, 1.0}, {LengthShape::fixed, 0.5}})
        for (const double use : {0.3, 0.6, 0.8}) {
            ServingLoad load;
            load.arrivals = Arrivals::openLoop;
            load.requestRate = Frequency{use / (tokens * step)};
            load.input = {.mean = 1};
            load.output = {.shape = shape, .mean = tokens};
            const Replica oneSlot{.maximumSequences = 1};
            const Simulation s = simulated(load, oneSlot, plainEngine(), constantSteps(step), {.seed = 7, .requests = 200'000});
            const double expected = factor * use / (1.0 - use) * tokens * step;
            EXPECT_NEAR(s.queueing.mean, expected, 4.0 * s.queueing.error + 2.0 * step) << use << " " << factor;
            EXPECT_LT(s.queueing.error, 0.05 * expected);
            EXPECT_FALSE(s.saturated);
        }
}

TEST(Simulation, RequestsInsideAreRateTimesTime)
{
    for (const StepForming forming : {StepForming::chunksBesideDecode, StepForming::wholePrompts, StepForming::prefillAlone})
        for (const double rate : {1.0, 5.0}) {
            ServingLoad load;
            load.arrivals = Arrivals::openLoop;
            load.requestRate = Frequency{rate};
            load.input = {.shape = LengthShape::lognormal, .mean = 600, .spread = 0.6};
            load.output = {.shape = LengthShape::lognormal, .mean = 200, .spread = 0.8};
            const Simulation s = simulated(load, {}, plainEngine(forming), roundSteps());
            const double decoding = (s.latency.mean - s.ttft.mean);
            EXPECT_NEAR(s.running, rate * decoding, 0.03 * s.running + 4.0 * rate * s.latency.error);
            EXPECT_NEAR(s.requestRate.value, rate, 4.0 * std::sqrt(rate / (s.requests / rate)));
        }
    ServingLoad load{.concurrency = 48, .input = {.mean = 1000}, .output = {.mean = 200}};
    const Simulation s = simulated(load, {}, plainEngine(), roundSteps());
    EXPECT_NEAR(s.requestRate.value * s.latency.mean, 48.0, 0.02 * 48.0);
}

TEST(Simulation, EqualSeedsGiveEqualBitsAndOthersDoNot)
{
    ServingLoad load;
    load.concurrency = 32;
    load.fromStart = true;
    load.input = {.shape = LengthShape::uniform, .mean = 900, .spread = 0.1};
    load.output = {.shape = LengthShape::lognormal, .mean = 300, .spread = 0.5};
    load.speculation = {.draftTokens = 3, .acceptance = 0.7};
    const Simulation one = simulated(load, {}, plainEngine(), roundSteps(), {.seed = 5});
    EXPECT_EQ(one, simulated(load, {}, plainEngine(), roundSteps(), {.seed = 5}));
    EXPECT_NE(one.ttft, simulated(load, {}, plainEngine(), roundSteps(), {.seed = 6}).ttft);
}

TEST(Simulation, FirstTokensExplodeBeyondCapacityWhileGapsSaturate)
{
    ServingLoad load;
    load.arrivals = Arrivals::openLoop;
    load.input = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.2};
    load.output = {.shape = LengthShape::uniform, .mean = 200, .spread = 0.2};
    EngineProfile engine = plainEngine();
    engine.maximumSequences = 32;
    const Replica replica{.maximumSequences = 32};
    const auto at = [&](double rate) {
        load.requestRate = Frequency{rate};
        return simulated(load, replica, engine, roundSteps());
    };
    const Simulation light = at(4.0), full = at(30.0), over = at(60.0);
    EXPECT_FALSE(light.saturated);
    EXPECT_TRUE(full.saturated && over.saturated);
    EXPECT_GT(full.ttft.mean, 20.0 * light.ttft.mean);
    EXPECT_GT(over.ttft.mean, 1.2 * full.ttft.mean);
    EXPECT_NEAR(over.itl.mean / full.itl.mean, 1.0, 0.03);
    EXPECT_NEAR(over.requestRate / full.requestRate, 1.0, 0.03);
}

TEST(Simulation, TooHopefulAdmissionEndsInPreemption)
{
    ServingLoad load;
    load.concurrency = 64;
    load.input = {.shape = LengthShape::uniform, .mean = 500, .spread = 0.3};
    load.output = {.shape = LengthShape::exponential, .mean = 500};
    const Replica small{.cacheTokens = 12'000};
    EngineProfile engine = plainEngine();
    engine.reservedOutput = 0.0;
    const Simulation hopeful = simulated(load, small, engine, roundSteps());
    EXPECT_GT(hopeful.preemptions, 0.05);
    EXPECT_GT(hopeful.cacheUse, 0.8);
    EXPECT_LE(hopeful.cacheUse, 1.01);
    engine.reservedOutput = 1.0;
    const Simulation careful = simulated(load, small, engine, roundSteps());
    EXPECT_EQ(careful.preemptions, 0.0);
    EXPECT_LT(careful.cacheUse, hopeful.cacheUse);
    EXPECT_TRUE(careful.saturated);
}

TEST(Simulation, TraceIsReplayed)
{
    ServingLoad load;
    load.arrivals = Arrivals::trace;
    for (int i = 0; i < 50; ++i)
        load.trace.push_back({Seconds{10.0 * i}, 100.0, 11.0});
    const Simulation s = simulated(load, {}, plainEngine(), constantSteps(0.01));
    EXPECT_EQ(s.requests, 50.0);
    EXPECT_NEAR(s.ttft.mean, 0.01, 1e-9);
    EXPECT_NEAR(s.tpot.p99, 0.01, 1e-9);
    EXPECT_NEAR(s.latency.p50, 0.11, 1e-9);
}

TEST(Simulation, RefusesWhatIsNoLoad)
{
    const EngineProfile engine = plainEngine();
    const StepTable table(constantSteps(0.01), {.sequences = 4, .context = 100, .prefillTokens = 100});
    const auto refused = [&](const ServingLoad& load, const Replica& replica = {}) {
        return !simulate(load, replica, table, engine).has_value();
    };
    EXPECT_TRUE(refused({.arrivals = Arrivals::openLoop}));
    EXPECT_TRUE(refused({.arrivals = Arrivals::trace}));
    EXPECT_TRUE(refused({.concurrency = 0}));
    EXPECT_TRUE(refused({.input = {.mean = 0}}));
    EXPECT_TRUE(refused({.input = {.mean = 100}}, {.cacheTokens = 50}));
    EXPECT_TRUE(refused({}, {.ranks = 2, .stages = 2}));
    EXPECT_FALSE(refused({}));
}

TEST(RandomStream, HasTheMomentsOfItsDistributions)
{
    RandomStream random(3);
    constexpr int draws = 200'000;
    const struct { const char* name; double (*draw)(RandomStream&); double mean, variance; } cases[] = {
        {"uniform", [](RandomStream& r) { return r.uniform(); }, 0.5, 1.0 / 12.0},
        {"exponential", [](RandomStream& r) { return r.exponential(); }, 1.0, 1.0},
        {"normal", [](RandomStream& r) { return r.normal(); }, 0.0, 1.0},
        {"gamma 0.4", [](RandomStream& r) { return r.gamma(0.4); }, 0.4, 0.4},
        {"gamma 3", [](RandomStream& r) { return r.gamma(3.0); }, 3.0, 3.0},
    };
    for (const auto& c : cases) {
        double sum = 0, squares = 0;
        for (int i = 0; i < draws; ++i) {
            const double x = c.draw(random);
            sum += x;
            squares += x * x;
        }
        const double mean = sum / draws;
        EXPECT_NEAR(mean, c.mean, 5.0 * std::sqrt(c.variance / draws)) << c.name;
        EXPECT_NEAR(squares / draws - mean * mean, c.variance, 0.05 * c.variance) << c.name;
    }
}

TEST(Simulation, PromptsWaitUntilEachRankHasOne)
{
    ServingLoad load;
    load.concurrency = 64;
    load.fromStart = true;
    load.input = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 300, .spread = 0.3};
    const Replica replica{.ranks = 4};
    EngineProfile engine = plainEngine(StepForming::wholePrompts);
    const Simulation apart = simulated(load, replica, engine, roundSteps());
    engine.rankWaitSteps = 60;
    const Simulation together = simulated(load, replica, engine, roundSteps());
    EXPECT_LT(together.prefillSteps, 0.6 * apart.prefillSteps);   // four prompts cost a step what one does
    EXPECT_LT(together.tpot.mean, 0.9 * apart.tpot.mean);
    EXPECT_EQ(together.requests, apart.requests);

    // One request never waits: the other ranks have nothing to decode meanwhile.
    load.concurrency = 1;
    const Simulation alone = simulated(load, replica, engine, roundSteps());
    engine.rankWaitSteps = 0;
    EXPECT_EQ(alone.ttft.mean, simulated(load, replica, engine, roundSteps()).ttft.mean);
}

TEST(Simulation, DecodeWorkersDoNotRunPastTheWorkTheyMake)
{
    constexpr double step = 10e-3;
    ServingLoad load;
    load.concurrency = 4;
    load.fromStart = true;
    load.input = {.shape = LengthShape::uniform, .mean = 500, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    EngineProfile engine = plainEngine();
    engine.outputLagSteps = 1;   // what ends in a step is told in the next one
    const Pools pools{.prefill = {}, .decode = {}, .prefillWorkers = 1, .decodeWorkers = 1, .transfer = {}};
    const StepTable table(constantSteps(step), tableRange(load, pools.decode, engine));
    const Result<Simulation> simulation = simulateDisaggregated(load, pools, table, table, engine);
    ASSERT_TRUE(simulation) << simulation.error().text();
    // A prompt takes one step and waits for the rest of one on either side; four come at once at the start.
    EXPECT_LT(simulation->ttft.mean, 6.0 * step);
    EXPECT_NEAR(simulation->tpot.mean, step, 0.05 * step);
    EXPECT_GT(simulation->promptUse, 0.0);
    EXPECT_LT(simulation->promptUse, 0.05);
}

} // namespace
} // namespace ridgepoint
