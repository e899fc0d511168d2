// SPDX-License-Identifier: GPL-3.0-or-later
// The closed form against the simulation, and what must come out of both.
#include "core/serving/batching.h"
#include "core/serving/disaggregation.h"
#include "core/serving/simulation.h"
#include "tests/serving/round_steps.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace ridgepoint {
namespace {

using tests::RoundSteps;

EngineProfile engineOf(StepForming forming)
{
    EngineProfile engine;
    engine.stepForming = forming;
    engine.batchedTokens = 8192;
    engine.arrivalDelay = Seconds{3e-3};
    engine.firstTokenBase = Seconds{forming == StepForming::prefillAlone ? 0.13 : 3e-3};
    engine.outputLagSteps = 1.0;
    return engine;
}

Simulation simulated(const ServingLoad& load, const Replica& replica, const EngineProfile& engine,
                     const StepPricer& pricer, int seeds = 1, double requests = 0.0)
{
    const StepTable table(timerOf(withSpeculation(pricer, load.speculation)), tableRange(load, replica, engine));
    Simulation mean;
    for (int seed = 1; seed <= seeds; ++seed) {
        const Result<Simulation> one = simulate(load, replica, table, engine, {.seed = std::uint64_t(seed), .requests = requests});
        EXPECT_TRUE(one) << (one ? "" : one.error().text());
        if (!one)
            return {};
        mean.ttft.mean += one->ttft.mean / seeds;
        mean.ttft.error += one->ttft.error / seeds;
        mean.tpot.mean += one->tpot.mean / seeds;
        mean.tpot.error += one->tpot.error / seeds;
        mean.requestRate += one->requestRate * (1.0 / seeds);
        mean.saturated = one->saturated;
    }
    return mean;
}

constexpr std::array formings{StepForming::chunksBesideDecode, StepForming::wholePrompts, StepForming::prefillAlone};

/// A seeded spread of loads; returns the share in which the closed form claims to be right.
double compare(Arrivals arrivals, int scenarios)
{
    std::mt19937_64 random(11);
    const auto pick = [&](std::initializer_list<double> list) { return *(list.begin() + random() % list.size()); };
    int claimed = 0;
    double worst = 0;
    for (int i = 0; i < scenarios; ++i) {
        const EngineProfile engine = engineOf(formings[random() % formings.size()]);
        const RoundSteps steps{.weights = pick({3e-3, 8e-3, 15e-3}), .token = pick({4e-6, 15e-6}), .cache = pick({5e-9, 20e-9}),
                               .pair = pick({2e-10, 2e-9}), .eager = pick({2e-3, 10e-3})};
        ServingLoad load;
        load.input = {.shape = LengthShape::uniform, .mean = pick({200, 1000, 3000, 6000}), .spread = 0.1};
        load.output = {.shape = LengthShape::uniform, .mean = pick({100, 300, 1000, 2000}), .spread = pick({0.1, 0.3})};
        load.concurrency = pick({1, 2, 4, 16, 64, 200});
        load.prefixHits = pick({0.0, 0.0, 0.5});
        if (arrivals == Arrivals::openLoop) {
            load.requestRate = continuousBatching(load, {}, steps.pricer(), engine).requestRate * 0.9;
            load.arrivals = arrivals;
        }
        const ServingTimes closed = continuousBatching(load, {}, steps.pricer(), engine);
        if (closed.limits.any())
            continue;
        ++claimed;
        // Chance decides who meets in an open loop: it takes more requests until the mean is known.
        const bool open = arrivals == Arrivals::openLoop;
        const Simulation s = simulated(load, {}, engine, steps.pricer(), open ? 12 : 2,
                                       std::max(open ? 6000.0 : 1500.0, 16.0 * load.concurrency));
        const auto within = [&](const char* what, double value, double expected) {
            worst = std::max(worst, std::abs(value / expected - 1.0));
            EXPECT_NEAR(value / expected, 1.0, 0.03)
                << what << " of scenario " << i << ", forming " << int(engine.stepForming) << ", " << load.input.mean << "/"
                << load.output.mean << " x " << load.concurrency << ", weights " << steps.weights << " token " << steps.token
                << " cache " << steps.cache << " pair " << steps.pair << " eager " << steps.eager << " hits " << load.prefixHits;
        };
        within("TTFT", closed.ttft.total().value, s.ttft.mean);
        within("TPOT", closed.tpot.total().value, s.tpot.mean);
        within("rate", closed.requestRate.value, s.requestRate.value);
    }
    std::printf("%d of %d claimed, worst %.1f %%\n", claimed, scenarios, 100.0 * worst);
    return double(claimed) / scenarios;
}

TEST(Solvers, AgreeWhereTheClosedFormClaimsTo)
{
    EXPECT_GT(compare(Arrivals::closedLoop, 150), 0.3);
}

TEST(Solvers, AgreeOnOpenLoads)
{
    EXPECT_GT(compare(Arrivals::openLoop, 80), 0.1);
}

TEST(Solvers, OverloadIsSaidAndNotNumbered)
{
    const EngineProfile engine = engineOf(StepForming::chunksBesideDecode);
    ServingLoad load;
    load.arrivals = Arrivals::openLoop;
    load.input = {.mean = 1000};
    load.output = {.mean = 200};
    const Replica replica{.maximumSequences = 32};
    const StepPricer pricer = RoundSteps{}.pricer();
    const auto at = [&](double rate) {
        load.requestRate = Frequency{rate};
        return continuousBatching(load, replica, pricer, engine);
    };
    const double capacity = at(1e6).requestRate.value;
    double last = 0;
    for (const double use : {0.1, 0.5, 0.8, 0.95, 0.99}) {
        const ServingTimes times = at(use * capacity);
        EXPECT_FALSE(times.saturated) << use;
        EXPECT_NEAR(times.utilisation, use, 1e-9);
        EXPECT_GT(times.ttft.total().value, last);
        last = times.ttft.total().value;
    }
    EXPECT_GT(last, 5.0 * at(0.1 * capacity).ttft.total().value);
    const ServingTimes over = at(1.01 * capacity);
    EXPECT_TRUE(over.saturated);
    EXPECT_TRUE(over.limits.test(std::size_t(ServingLimit::overCapacity)));
    EXPECT_NEAR(over.requestRate.value, capacity, 1e-9 * capacity);
    EXPECT_NEAR(over.tpot.total() / at(0.99 * capacity).tpot.total(), 1.0, 0.05);
    load.requestRate = Frequency{1.3 * capacity};
    EXPECT_TRUE(simulated(load, replica, engine, pricer).saturated);
}

TEST(Solvers, MoreInFlightThanFitWaitAndNearCapacityIsARange)
{
    EngineProfile engine = engineOf(StepForming::wholePrompts);
    ServingLoad load{.concurrency = 64};
    load.input = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    const StepPricer pricer = RoundSteps{}.pricer();
    const Replica tight{.cacheTokens = 2000.0 * 66}, small{.cacheTokens = 2000.0 * 32}, ample{.cacheTokens = 1e7};
    const ServingTimes enough = continuousBatching(load, ample, pricer, engine);
    EXPECT_EQ(enough.ttftLow, enough.ttftHigh);
    const ServingTimes near = continuousBatching(load, tight, pricer, engine);
    EXPECT_TRUE(near.limits.test(std::size_t(ServingLimit::nearCapacity)));
    EXPECT_GT(near.ttftHigh.value, 2.0 * near.ttftLow.value);
    const ServingTimes queued = continuousBatching(load, small, pricer, engine);
    EXPECT_TRUE(queued.saturated);
    EXPECT_GT(queued.queueing.value, 0.9 * queued.ttft.total().value);
    const Simulation s = simulated(load, small, engine, pricer, 2);
    EXPECT_TRUE(s.saturated);
    EXPECT_NEAR(queued.ttft.total().value / s.ttft.mean, 1.0, 0.06);
    EXPECT_NEAR(queued.tpot.total().value / s.tpot.mean, 1.0, 0.05);
}

TEST(Solvers, SpeculationWinsAtLowLoadAndLosesAtHigh)
{
    const RoundSteps steps{.weights = 10e-3, .token = 100e-6};
    const EngineProfile engine = engineOf(StepForming::chunksBesideDecode);
    for (const bool simulates : {false, true}) {
        const auto tpot = [&](double concurrency, int drafts) {
            ServingLoad load{.concurrency = concurrency};
            load.input = {.mean = 100};
            load.output = {.shape = LengthShape::uniform, .mean = 400, .spread = 0.1};
            load.speculation = {.draftTokens = drafts, .acceptance = 0.7, .draftShare = 0.1};
            return simulates ? simulated(load, {}, engine, steps.pricer()).tpot.mean
                             : continuousBatching(load, {}, steps.pricer(), engine).tpot.total().value;
        };
        EXPECT_LT(tpot(1, 3), 0.7 * tpot(1, 0));
        EXPECT_GT(tpot(256, 3), 1.1 * tpot(256, 0));
    }
}

TEST(Solvers, BenchmarkHoldsItsBurst)
{
    const EngineProfile engine = engineOf(StepForming::chunksBesideDecode);
    ServingLoad load{.concurrency = 64};
    load.input = {.shape = LengthShape::uniform, .mean = 4000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    const StepPricer pricer = RoundSteps{}.pricer();
    const double steady = continuousBatching(load, {}, pricer, engine).ttft.total().value;
    load.fromStart = true;
    const ServingTimes burst = continuousBatching(load, {}, pricer, engine);
    EXPECT_GT(burst.ttft.total().value, 1.5 * steady);
    const Simulation s = simulated(load, {}, engine, pricer, 6);
    EXPECT_NEAR(burst.ttft.total().value / s.ttft.mean, 1.0, 0.15);
    EXPECT_NEAR(burst.tpot.total().value / s.tpot.mean, 1.0, 0.04);
    EXPECT_NEAR(burst.requestRate / s.requestRate, 1.0, 0.05);
}

TEST(Solvers, RanksStepTogetherAndAPromptOccupiesOne)
{
    const EngineProfile engine = engineOf(StepForming::prefillAlone);
    ServingLoad load{.concurrency = 64};
    load.input = {.shape = LengthShape::uniform, .mean = 4000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    const StepPricer pricer = RoundSteps{}.pricer();
    const Replica one, four{.ranks = 4};
    const Simulation s1 = simulated(load, one, engine, pricer), s4 = simulated(load, four, engine, pricer);
    const ServingTimes a1 = continuousBatching(load, one, pricer, engine), a4 = continuousBatching(load, four, pricer, engine);
    EXPECT_LT(s4.tpot.mean, s1.tpot.mean);   // each rank reads a quarter of the cache
    EXPECT_NEAR(a1.tpot.total().value / s1.tpot.mean, 1.0, 0.03);
    EXPECT_NEAR(a4.tpot.total().value / s4.tpot.mean, 1.0, 0.08);
}

TEST(Solvers, PoolsMatchTheirRates)
{
    const EngineProfile engine = engineOf(StepForming::chunksBesideDecode);
    ServingLoad load{.concurrency = 64};
    load.input = {.shape = LengthShape::uniform, .mean = 4000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 500, .spread = 0.1};
    const StepPricer pricer = RoundSteps{}.pricer();
    for (const int prefillWorkers : {1, 2, 4}) {
        const Pools pools{.prefillWorkers = prefillWorkers, .decodeWorkers = 2, .transfer = Seconds{20e-3}};
        const ServingTimes closed = disaggregated(load, pools, pricer, pricer, engine);
        const StepTable prefill(timerOf(pricer), tableRange(load, pools.prefill, engine));
        const StepTable decode(timerOf(pricer), tableRange(load, pools.decode, engine));
        const Result<Simulation> s = simulateDisaggregated(load, pools, prefill, decode, engine, {.seed = 3});
        ASSERT_TRUE(s) << s.error().text();
        EXPECT_NEAR(closed.tpot.total().value / s->tpot.mean, 1.0, 0.06) << prefillWorkers;
        EXPECT_NEAR(closed.requestRate / s->requestRate, 1.0, 0.08) << prefillWorkers;
    }
}

TEST(Solvers, CompanyAndPollingMakePromptsWait)
{
    const StepPricer pricer = RoundSteps{}.pricer();
    ServingLoad load{.concurrency = 16};
    load.input = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    load.output = {.shape = LengthShape::uniform, .mean = 1000, .spread = 0.1};
    EngineProfile engine = engineOf(StepForming::wholePrompts);
    const double atOnce = continuousBatching(load, {}, pricer, engine).ttft.total().value;
    engine.batchWaitSteps = 20;
    const double company = continuousBatching(load, {}, pricer, engine).ttft.total().value;
    EXPECT_GT(company, atOnce + 0.04);
    EXPECT_NEAR(company / simulated(load, {}, engine, pricer, 2).ttft.mean, 1.0, 0.05);
    EngineProfile polling = engineOf(StepForming::prefillAlone);
    const double always = continuousBatching(load, {}, pricer, polling).ttft.total().value;
    polling.pollingSteps = 30;
    const double seldom = continuousBatching(load, {}, pricer, polling).ttft.total().value;
    EXPECT_GT(seldom, always + 0.05);
    EXPECT_NEAR(seldom / simulated(load, {}, polling, pricer, 2).ttft.mean, 1.0, 0.06);
}

} // namespace
} // namespace ridgepoint
