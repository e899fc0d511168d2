// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/accuracy.h"
#include "core/validation/validators.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Prediction prediction(std::optional<double> value, std::optional<double> measured, const std::string& device)
{
    Prediction one;
    one.quantity = "latency";
    one.unit = "us";
    one.value = value;
    one.measured = measured;
    one.groups = {{"device", device}};
    return one;
}

TEST(Accuracy, countsARowThatWasNotPredictedAsAnErrorOfOne)
{
    // |110/100 - 1|, |80/100 - 1|, 1 for the missing one: mean (0.1 + 0.2 + 1)/3, median 0.2, p90 = 0.2 + 0.8 x 0.8
    const std::vector<Prediction> rows{prediction(110, 100, "a"), prediction(80, 100, "a"), prediction({}, 100, "b"),
                                       prediction(50, {}, "b")};
    const auto all = accuracyByGroup(rows);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].overall.count, 3u);
    EXPECT_EQ(all[0].overall.unpredicted, 1u);
    EXPECT_NEAR(all[0].overall.mean, 1.3 / 3.0, 1e-12);
    EXPECT_NEAR(all[0].overall.median, 0.2, 1e-12);
    EXPECT_NEAR(all[0].overall.p90, 0.84, 1e-12);
    EXPECT_NEAR(all[0].overall.bias, -0.05, 1e-12) << "median of +10 % and -20 %";
    EXPECT_FALSE(all[0].overall.coverage) << "no row has a band";

    const auto means = groupMeans(all[0]);
    ASSERT_EQ(means.size(), 1u);
    EXPECT_EQ(means[0].worst, "b");
    EXPECT_NEAR(means[0].median, (0.15 + 1.0) / 2.0, 1e-12);
}

TEST(Accuracy, bandCoverageAndWidthAreOfRowsWithABand)
{
    std::vector<Prediction> rows{prediction(100, 105, "a"), prediction(100, 130, "a"), prediction(100, 100, "a")};
    for (std::size_t i = 0; i < 2; ++i) {
        rows[i].low80 = 90;
        rows[i].high80 = 120;
    }
    const auto all = accuracyByGroup(rows);
    EXPECT_EQ(all[0].overall.banded, 2u);
    EXPECT_EQ(all[0].overall.coverage, 0.5);
    EXPECT_NEAR(*all[0].overall.bandWidth, 0.3, 1e-12);
}

TEST(Accuracy, verdictsAreCountedBySide)
{
    std::vector<Prediction> rows{prediction(1, 1, "a"), prediction(0, 1, "a"), prediction(0, 0, "a"),
                                 prediction({}, 0, "a")};
    for (Prediction& one : rows)
        one.unit = "0/1";
    const Verdicts verdicts = accuracyByGroup(rows)[0].verdicts;
    EXPECT_EQ(verdicts, (Verdicts{2, 1, 2, 1, 1}));
    EXPECT_EQ(accuracyByGroup(rows)[0].overall.count, 0u);
}

TEST(Accuracy, writesALinePerPredictionWithItsReason)
{
    std::vector<Prediction> rows{prediction(12.5, 10, "a"), prediction({}, 10, "a")};
    rows[0].id = "7";
    rows[0].low80 = 11;
    rows[0].high80 = 14;
    rows[0].provenance = "calibrated";
    rows[1].id = "8";
    rows[1].reason = "unknown device \"x\"";
    EXPECT_EQ(predictionsCsv(rows), "id,quantity,unit,predicted,low80,high80,provenance,reason\r\n"
                                    "7,latency,us,12.5,11,14,calibrated,\r\n"
                                    "8,latency,us,,,,,\"unknown device \"\"x\"\"\"\r\n");
}

TEST(Accuracy, namesGroupsOfThirtyRowsWhoseBandsMiss)
{
    const auto rowsOf = [](std::size_t count, std::size_t inside, const std::string& group) {
        std::vector<Prediction> rows;
        for (std::size_t i = 0; i < count; ++i) {
            rows.push_back(prediction(100, i < inside ? 101 : 200, group));
            rows.back().low80 = 90;
            rows.back().high80 = 110;
        }
        return rows;
    };
    std::vector<Prediction> rows;
    for (const auto& [count, inside, group] : {std::tuple{40u, 32u, "held"}, {30u, 19u, "narrow"}, {30u, 30u, "wide"}, {29u, 5u, "few"}})
        for (const Prediction& one : rowsOf(count, inside, group))
            rows.push_back(one);
    const std::vector<MissedBand> missed = missedBands(accuracyByGroup(rows));
    ASSERT_EQ(missed.size(), 2u);
    EXPECT_EQ(missed[0].name, "narrow");
    EXPECT_EQ(missed[0].banded, 30u);
    EXPECT_NEAR(missed[0].coverage, 19.0 / 30.0, 1e-12);
    EXPECT_EQ(missed[1].name, "wide");
}

} // namespace
} // namespace ridgepoint
