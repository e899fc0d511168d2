// SPDX-License-Identifier: GPL-3.0-or-later
// The closed form agrees with long simulations within 3 % where it says so, without allowance for chance.
#include "tests/serving/agreement.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint::tests {
namespace {

TEST(Agreement, MeansAreWithinThreePercentWhereTheClosedFormClaimsThem)
{
    constexpr double wanted = 0.003, allowed = 0.03;
    int claims = 0, paceClaims = 0, all = 0;
    for (const auto& contest : contests(samples::shippedPresets(), Arrivals::closedLoop, 120, 3)) {
        const ServingTimes times = contest->closedForm();
        ++all;
        if (times.paceLimits.any() && times.limits.any())
            continue;
        const LongSimulation simulation = simulateLong(*contest, wanted, 200);
        ASSERT_GT(simulation.seeds, 0) << contest->text;
        const Disagreement off = disagreement(*contest, times, simulation);
        if (times.limits.none()) {
            EXPECT_LE(off.worst(), allowed) << contest->text << ": TTFT " << off.ttft << " TPOT " << off.tpot;
        }
        if (times.paceLimits.none()) {
            EXPECT_LE(off.pace(), allowed) << contest->text << ": TPOT " << off.tpot << " rate " << off.rate;
        }
        claims += times.limits.none();
        paceClaims += times.paceLimits.none();
    }
    EXPECT_GT(paceClaims, all / 10);
    EXPECT_GT(claims, 0);
}

/// More in flight makes no request faster, and answers no fewer, until all slots are taken.
TEST(Agreement, TimesAndRatesRiseWithConcurrency)
{
    constexpr double hair = 0.03;   // tiles of kernels, and the agreement that is claimed
    for (const auto& contest : contests(samples::shippedPresets(), Arrivals::closedLoop, 40, 5)) {
        ServingTimes last;
        for (contest->load.concurrency = 1; contest->load.concurrency <= 64; contest->load.concurrency *= 2) {
            const ServingTimes times = contest->closedForm();
            if (times.saturated)
                break;
            EXPECT_GE(times.requestRate.value, last.requestRate.value * (1.0 - hair)) << contest->text << " at " << contest->load.concurrency;
            EXPECT_GE(times.tpot.total().value, last.tpot.total().value * (1.0 - hair)) << contest->text << " at " << contest->load.concurrency;
            last = times;
        }
    }
}

} // namespace
} // namespace ridgepoint::tests
