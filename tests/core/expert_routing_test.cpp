// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/expert_routing.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(BalancedLoad, SharesRowsEvenly)
{
    const struct { double tokens; int topK, experts, groups; double rows, active; } cases[] = {
        {1, 8, 256, 1, 8, 8},        // one token reaches its eight experts
        {1000, 8, 256, 1, 8000, 256},
        {1000, 8, 256, 8, 1000, 32},
        {1, 8, 256, 32, 0.25, 0.25}, // a quarter of a row is a quarter of an expert
    };
    for (const auto& c : cases) {
        const RoutedLoad load = balancedLoad(c.tokens, c.topK, c.experts, c.groups);
        EXPECT_DOUBLE_EQ(load.rows, c.rows);
        EXPECT_DOUBLE_EQ(load.experts, c.active);
    }
}

TEST(PowerLawLoad, PlacesEveryRowAndFillsTheFullestGroup)
{
    for (const double tokens : {1.0, 2.0, 16.0, 333.0, 4096.0})
        for (const double alpha : {1.0, 1.01, 1.2}) {
            const RoutedLoad all = powerLawLoad(tokens, 8, 128, 1, alpha);
            EXPECT_NEAR(all.rows, tokens * 8, 1e-6 * tokens) << tokens;
            EXPECT_GE(all.experts, std::min(8.0, tokens * 8) - 1e-9);
            EXPECT_LE(all.experts, 128.0 + 1e-9);
            // The fullest of 16 groups has more than its share and at most everything.
            const RoutedLoad fullest = powerLawLoad(tokens, 8, 128, 16, alpha);
            EXPECT_GT(fullest.rows, tokens * 8 / 16);
            EXPECT_LE(fullest.rows, all.rows + 1e-9);
            EXPECT_LE(fullest.experts, 8.0 + 1e-9);
            EXPECT_EQ(fullest.rows, powerLawLoad(tokens, 8, 128, 16, alpha).rows);
        }
}

} // namespace
} // namespace ridgepoint
