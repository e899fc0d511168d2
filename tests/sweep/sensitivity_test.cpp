// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/sensitivity.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ridgepoint;

namespace {

Evaluated evaluated(const Scenario& scenario)
{
    return {scenario, evaluate(scenario)};
}

const Swing* find(const std::vector<Swing>& swings, std::string_view knob)
{
    const auto found = std::find_if(swings.begin(), swings.end(), [&](const Swing& s) { return s.knob == knob; });
    return found == swings.end() ? nullptr : &*found;
}

TEST(Tornado, GivesPriceAnElasticityOfOneInCostAndNoneInTime)
{
    const Presets& presets = samples::shippedPresets();
    const Evaluated column = evaluated(*defaultScenario(presets));
    const std::vector<Swing> cost = tornado(column, *findMetric("cost_per_million_output_all_in"), 0.1, presets);
    const Swing* price = find(cost, "price.per_device_hour");
    ASSERT_NE(price, nullptr);
    EXPECT_NEAR(*price->elasticity, 1.0, 1e-9);
    EXPECT_EQ(find(tornado(column, *findMetric("tpot_ms"), 0.1, presets), "price.per_device_hour"), nullptr);
}

TEST(Tornado, IsSortedByReachAndShowsWhatEvaluateGives)
{
    const Presets& presets = samples::shippedPresets();
    const Evaluated column = evaluated(*defaultScenario(presets));
    const Metric& tpot = *findMetric("tpot_ms");
    const std::vector<Swing> swings = tornado(column, tpot, 0.2, presets);
    ASSERT_GT(swings.size(), 3U);
    double before = 1e300;
    for (const Swing& swing : swings) {
        ASSERT_TRUE(swing.low && swing.high) << swing.knob;
        EXPECT_EQ(swing.low, tpot.get(evaluate(*withKnob(column.scenario, swing.knob, swing.lowValue, presets))));
        const auto [least, most] = std::minmax({*swing.low, *swing.high, *tpot.get(column.report)});
        EXPECT_LE(most - least, before);
        before = most - least;
    }
    const Swing* bandwidth = find(swings, "hardware.memory_bandwidth");
    ASSERT_NE(bandwidth, nullptr);
    EXPECT_LT(*bandwidth->elasticity, 0.0);
    EXPECT_GT(*bandwidth->elasticity, -1.0);
}

TEST(BreakEven, IsThePriceAtWhichTwoCostTheSame)
{
    const Presets& presets = samples::shippedPresets();
    const std::vector<Scenario> sample = *sampleComparison(presets);
    const Evaluated a = evaluated(sample[0]), b = evaluated(sample[1]);
    const Metric& cost = *findMetric("cost_per_million_output_all_in");
    const std::vector<BreakEven> found = breakEvens(a, b, cost, "price.per_device_hour", Turned::first, presets);
    ASSERT_EQ(found.size(), 1U);
    // Cost is proportional to the price, so the break-even follows by hand.
    const double price = std::get<double>(findKnob("price.per_device_hour")->get(a.scenario));
    const double expected = price * *cost.get(b.report) / *cost.get(a.report);
    EXPECT_NEAR(found[0].value / expected, 1.0, 2e-4);
    EXPECT_TRUE(found[0].firstBelow);
    ASSERT_TRUE(found[0].band);
    EXPECT_LT(found[0].band->low, expected);
    EXPECT_GT(found[0].band->high, expected);
}

TEST(BreakEven, IsNoneWhereOneIsAlwaysBetter)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario slow = *defaultScenario(presets);
    Scenario fast = slow;
    fast.system.device.memoryBandwidth *= 4.0;
    for (auto* peak : {&fast.system.device.peak.bf16, &fast.system.device.peak.fp8})
        if (*peak)
            **peak *= 4.0;
    EXPECT_TRUE(breakEvens(evaluated(fast), evaluated(slow), *findMetric("tpot_ms"), "load.concurrency", Turned::both,
                           presets).empty());
}

} // namespace
