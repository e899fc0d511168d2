// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sizing.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

using namespace ridgepoint;

namespace {

SizingQuestion question(double rate, std::vector<std::string> limits)
{
    SizingQuestion q;
    q.requestRate = Frequency{rate};
    for (const std::string& text : limits)
        q.limits.push_back(*parseLimit(text));
    return q;
}

bool withinLimits(Scenario replica, double rate, const SizingQuestion& q)
{
    replica.load.requestRate = Frequency{rate};
    const Report report = evaluate(replica);
    const bool saturated = std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& f) {
        return f.code == FindingCode::rateExceedsCapacity;
    });
    return report.feasible() && !saturated && brokenLimit(report, q.limits) < 0;
}

TEST(Sizing, HoldsTheLimitsWithAFailedReplicaAndNotWithOneReplicaLess)
{
    const Scenario base = *defaultScenario(samples::shippedPresets());
    for (const double rate : {0.5, 5.0, 50.0, 500.0}) {
        const SizingQuestion q = question(rate, {"ttft_ms<=2000", "tpot_ms<=40"});
        const SizingOption option = sized(base, q);
        ASSERT_NE(option.bound, RateBound::infeasible);
        EXPECT_TRUE(withinLimits(option.replica, rate / (option.replicas() - 1), q)) << rate;
        EXPECT_TRUE(withinLimits(option.replica, rate / option.forLoad, q)) << rate;
        if (option.forLoad > 1) {
            EXPECT_FALSE(withinLimits(option.replica, 1.01 * rate / (option.forLoad - 1), q)) << rate;
        }
        EXPECT_EQ(option.devices(), option.replicas() * option.replica.plan.devicesPerReplica());
        ASSERT_TRUE(option.perMonth);
        EXPECT_NEAR(option.perMonth->value, base.price->perDevice.value * 3600 * 730 * option.devices(), 1e-6);
    }
}

TEST(Sizing, KeepsTheHeadroom)
{
    const Scenario base = *defaultScenario(samples::shippedPresets());
    SizingQuestion q = question(200.0, {"tpot_ms<=40"});
    q.failures = 0;
    q.headroom = 0.5;
    const SizingOption option = sized(base, q);
    EXPECT_GE(option.replicas() * option.mostPerReplica.value * 0.5, 200.0 * (1 - 1e-9));
    EXPECT_LT((option.replicas() - 1) * option.mostPerReplica.value * 0.5, 200.0);
}

TEST(Sizing, SaysWhichLimitCannotBeHeldAtAll)
{
    const Scenario base = *defaultScenario(samples::shippedPresets());
    const SizingOption option = sized(base, question(10.0, {"ttft_ms<=1000000", "tpot_ms<=0.001"}));
    EXPECT_EQ(option.bound, RateBound::infeasible);
    EXPECT_EQ(option.limit, 1);
    EXPECT_EQ(option.replicas(), 0);
    EXPECT_FALSE(option.perMonth);
}

TEST(Sizing, PutsTheCheapestFirstAndWhatDoesNotRunLast)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario base = *defaultScenario(presets);
    std::vector<Scenario> scenarios = plansToSize(base);
    ASSERT_GE(scenarios.size(), 3U);
    Scenario tooSmall = base;
    tooSmall.system.device.memoryVisible = Bytes{4e9};
    scenarios.insert(scenarios.begin(), tooSmall);
    const std::vector<SizingOption> options = sizedAll(scenarios, question(50.0, {"tpot_ms<=50"}));
    ASSERT_EQ(options.size(), scenarios.size());
    EXPECT_EQ(options.back().bound, RateBound::infeasible);
    for (std::size_t i = 2; i < options.size(); ++i)
        if (options[i].perMonth) {
            EXPECT_LE(*options[i - 1].perMonth, *options[i].perMonth);
        }
}

} // namespace
