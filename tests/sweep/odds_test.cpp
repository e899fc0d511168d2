// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/odds.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace ridgepoint;

namespace {

std::vector<Evaluated> sample()
{
    std::vector<Evaluated> all;
    const std::vector<Scenario> scenarios = *sampleComparison(samples::shippedPresets());
    for (const Scenario& scenario : scenarios)
        all.push_back({scenario, evaluate(scenario)});
    return all;
}

TEST(Odds, AddUpByColumnAndByPlace)
{
    const std::vector<Evaluated> all = sample();
    const Odds odds = rankOdds(all, *findMetric("output_tokens_per_s_per_device"));
    ASSERT_GE(odds.columns.size(), 2U);
    for (std::size_t place = 0; place < odds.columns.size(); ++place) {
        double ofPlace = 0;
        for (const std::vector<double>& row : odds.places)
            ofPlace += row[place];
        EXPECT_NEAR(ofPlace, 1.0, 1e-9);
        EXPECT_NEAR(std::accumulate(odds.places[place].begin(), odds.places[place].end(), 0.0), 1.0, 1e-9);
    }
    EXPECT_EQ(odds.columns.size() + odds.leftOut.size(), all.size());
}

TEST(Odds, OfTwoAgreeWithTheClosedForm)
{
    std::vector<Evaluated> all = sample();
    all.resize(2);
    const Metric& metric = *findMetric("output_tokens_per_s_per_device");
    const double chance = *chanceOfLead(all[0], all[1], false);
    const Odds odds = rankOdds(all, metric, 20000);
    EXPECT_NEAR(odds.places[0][0], chance, 4.0 * std::sqrt(0.25 / 20000));
}

TEST(Odds, AreTheSameBitsForASeed)
{
    const std::vector<Evaluated> all = sample();
    const Metric& metric = *findMetric("tpot_ms");
    EXPECT_EQ(rankOdds(all, metric, 500, 3).places, rankOdds(all, metric, 500, 3).places);
    EXPECT_NE(rankOdds(all, metric, 500, 3).places, rankOdds(all, metric, 500, 4).places);
}

TEST(Odds, OfTwinsAreEven)
{
    std::vector<Evaluated> all = sample();
    const Evaluated twin = all.front();
    all = {twin, twin};
    const Odds odds = rankOdds(all, *findMetric("tpot_ms"), 20000);
    EXPECT_NEAR(odds.places[0][0], 0.5, 0.02);
}

} // namespace
