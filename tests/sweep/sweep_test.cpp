// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep.h"

#include "core/scenario/evaluate.h"
#include "tests/support/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

Sweep sample(std::vector<std::string> axes, std::vector<std::string> limits = {})
{
    const Presets& presets = samples::shippedPresets();
    const Scenario base = *defaultScenario(presets);
    std::vector<KnobAxis> parsed;
    for (const std::string& text : axes)
        parsed.push_back(*parseKnobAxis(text, base, presets));
    std::vector<Limit> bounds;
    for (const std::string& text : limits)
        bounds.push_back(*parseLimit(text));
    return *sweepOf(base, parsed, bounds);
}

TEST(Sweep, GivesEachPointWhatEvaluateGivesIt)
{
    const Presets& presets = samples::shippedPresets();
    const Sweep sweep = sample({"parallel.tp=1..8", "load.concurrency=1,16,300", "precision.kv=bf16,fp8"});
    const SweepResult result = runSweep(sweep, presets);
    ASSERT_EQ(sweep.size(), 24U);
    EXPECT_EQ(result.done, 24U);
    for (std::size_t point = 0; point < sweep.size(); ++point) {
        const Result<Scenario> scenario = scenarioAt(sweep, point, presets);
        if (!scenario) {
            EXPECT_EQ(result.outcomes[point], Outcome::excluded);
            continue;
        }
        const Report report = evaluate(*scenario);
        EXPECT_EQ(result.outcomes[point] == Outcome::allowed, report.feasible());
        for (std::size_t m = 0; m < metrics().size(); ++m)
            EXPECT_EQ(result.value(point, m), metrics()[m].get(report)) << metrics()[m].id;
    }
}

TEST(Sweep, AppliesPresetsBeforeWhatTheyReset)
{
    const Presets& presets = samples::shippedPresets();
    // Given the other way round, the system would cut the plan back.
    const Sweep sweep = sample({"parallel.tp=2", "hardware.system=hgx-h200-8"});
    EXPECT_EQ(sweep.axes.front().knob, "hardware.system");
    EXPECT_EQ(scenarioAt(sweep, 0, presets)->plan.tensorParallel, 2);
}

TEST(Sweep, CountsEveryPointOnceAndUnderTheFirstLimitItBreaks)
{
    const Presets& presets = samples::shippedPresets();
    const Sweep sweep = sample({"parallel.tp=1..8", "load.concurrency=1..1024"}, {"tpot_ms<=20", "ttft_ms<=400"});
    EXPECT_EQ(sweep.limits.front().metric, "ttft_ms");
    const SweepResult result = runSweep(sweep, presets);
    const SweepCounts counts = countsOf(sweep, result);
    const std::size_t broken = std::accumulate(counts.broken.begin(), counts.broken.end(), std::size_t(0));
    EXPECT_EQ(counts.allowed + broken + counts.doesNotFit + counts.impossible + counts.excluded, sweep.size());
    EXPECT_GT(counts.allowed, 0U);
    EXPECT_GT(broken, 0U);
    const std::size_t ttft = metricIndex("ttft_ms"), tpot = metricIndex("tpot_ms");
    for (std::size_t point = 0; point < sweep.size(); ++point)
        if (result.outcomes[point] == Outcome::breaksLimit) {
            const bool first = *result.value(point, ttft) > 400.0;
            EXPECT_EQ(result.brokenLimits[point], first ? 0 : 1);
            EXPECT_TRUE(first || *result.value(point, tpot) > 20.0);
        }
    EXPECT_THAT(countsText(sweep, counts), HasSubstr(" of 44 shown"));
}

TEST(Sweep, KeepsWhatWasDoneWhenStopped)
{
    std::stop_source stop;
    stop.request_stop();
    std::atomic<std::size_t> progress = 7;
    const Sweep sweep = sample({"load.concurrency=1..512"});
    const SweepResult result = runSweep(sweep, samples::shippedPresets(), stop.get_token(), &progress);
    EXPECT_EQ(result.done, 0U);
    EXPECT_EQ(progress, 0U);
    EXPECT_EQ(countsOf(sweep, result).pending, sweep.size());
}

TEST(Sweep, RefusesAKnobTwiceAndTooManyPoints)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario base = *defaultScenario(presets);
    const KnobAxis axis = *parseKnobAxis("load.concurrency=1..4", base, presets);
    EXPECT_THAT(sweepOf(base, {axis, axis}, {}).error().message, HasSubstr("twice"));
    const KnobAxis wide = evenAxis(*findKnob("load.input_tokens"), 1, 10000, 9000);
    const KnobAxis high = evenAxis(*findKnob("load.output_tokens"), 2, 10000, 9000);
    EXPECT_THAT(sweepOf(base, {wide, high}, {}).error().message, HasSubstr("combinations"));
}

TEST(Pareto, HoldsExactlyWhatNothingBeats)
{
    const Sweep sweep = sample({"parallel.tp=1..8", "load.concurrency=1..512", "precision.kv=bf16,fp8"}, {"ttft_ms<=5000"});
    const SweepResult result = runSweep(sweep, samples::shippedPresets());
    const std::size_t by[] = {metricIndex("output_tokens_per_s_per_device"), metricIndex("tpot_ms")};
    const std::vector<std::size_t> best = paretoSet(result, by);
    ASSERT_GT(best.size(), 2U);
    EXPECT_EQ(best.front(), bestPoint(result, by[0]));
    const auto beats = [&](std::size_t a, std::size_t b) {
        const double more = *result.value(a, by[0]) - *result.value(b, by[0]);
        const double faster = *result.value(b, by[1]) - *result.value(a, by[1]);
        return more >= 0 && faster >= 0 && (more > 0 || faster > 0);
    };
    for (std::size_t point = 0; point < sweep.size(); ++point) {
        if (result.outcomes[point] != Outcome::allowed)
            continue;
        bool beaten = false, twin = false;
        for (std::size_t other = 0; other < sweep.size(); ++other)
            if (result.outcomes[other] == Outcome::allowed) {
                beaten = beaten || beats(other, point);
                twin = twin || (other < point && result.value(other, by[0]) == result.value(point, by[0]) &&
                                result.value(other, by[1]) == result.value(point, by[1]));
            }
        const bool held = std::find(best.begin(), best.end(), point) != best.end();
        EXPECT_EQ(held, !beaten && !twin) << point;
    }
}

} // namespace
