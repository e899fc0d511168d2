// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/uncertainty.h"

#include "core/base/unit_text.h"
#include "core/hardware/kernel_slots.h"
#include "core/insight/basis.h"
#include "core/insight/comparison.h"
#include "core/insight/explanation.h"
#include "core/scenario/metrics.h"
#include "tests/scenario/board.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

TEST(Uncertainty, bandHoldsFourFifthsOfALogNormalValue)
{
    // ln 1.2 / 1.2816 = 0.14226
    const Band band = band80(10.0, 0.14226);
    EXPECT_NEAR(band.high, 12.0, 1e-3);
    EXPECT_NEAR(band.low, 10.0 / 1.2, 1e-3);
    EXPECT_EQ(band80(10.0, 0.0), (Band{10.0, 10.0}));
}

TEST(Uncertainty, partsAddAsIndependentOnes)
{
    EXPECT_NEAR((Spread{.engine = 0.3, .transfer = 0.4, .queueing = 1.2}).total(), 1.3, 1e-12);
}

TEST(Uncertainty, textIsEvenOnlyWhereTheSidesAre)
{
    EXPECT_EQ(spreadText(0.1), "±13\u00a0%");
    EXPECT_EQ(spreadText(0.37), "−38 … +61\u00a0%");
}

TEST(Uncertainty, chanceIsHalfForEqualsAndGrowsWithTheLead)
{
    EXPECT_DOUBLE_EQ(chanceOfLarger(5, 5, 0.2), 0.5);
    EXPECT_DOUBLE_EQ(chanceOfLarger(6, 5, 0.0), 1.0);
    EXPECT_NEAR(chanceOfLarger(std::exp(0.2), 1.0, 0.2), 0.841345, 1e-6) << "one standard deviation";
    EXPECT_NEAR(chanceOfLarger(1.0, std::exp(0.2), 0.2), 1.0 - 0.841345, 1e-6);
}

// The board's first configuration as if every kernel of its device had this origin and residual.
Report withKernels(KernelOrigin origin, double spread)
{
    Scenario scenario = samples::sampleBoard()[0].scenario;
    KernelFamily& family = scenario.system.device.kernels;
    for (const KernelSlot& slot : kernelSlots()) {
        AnyKernel kernel = *kernelOf(family, slot.name);
        fitOf(kernel).origin = origin;
        fitOf(kernel).spread = spread;
        place(family, slot.name, kernel);
    }
    return evaluate(scenario);
}

TEST(Uncertainty, constantsOfOtherDevicesWidenTheBandByTheirShareOfTheTime)
{
    const double measured = withKernels(KernelOrigin::measured, 0.35).tpotSpread->total();
    const double family = withKernels(KernelOrigin::family, 0.2).tpotSpread->total();
    const double general = withKernels(KernelOrigin::general, 0.35).tpotSpread->total();
    EXPECT_GT(measured, 0.05) << "no model of serving is that good";
    EXPECT_EQ(withKernels(KernelOrigin::measured, 0.1).tpotSpread->total(), measured)
        << "the residual of the engine holds that of measured operators already";
    EXPECT_GT(family, measured);
    EXPECT_GT(general, family);
    EXPECT_LT(general, std::hypot(measured, 0.35)) << "kinds of operators do not all err alike";
}

TEST(Uncertainty, everyTimeRateAndCostHasABandAroundIt)
{
    for (const Evaluated& column : samples::sampleBoard())
        for (const Metric& metric : metrics()) {
            const auto band = bandOf(metric, column.report);
            ASSERT_EQ(band.has_value(), metric.spread != nullptr && metric.get(column.report).has_value()) << metric.id;
            if (!band)
                continue;
            EXPECT_GT(band->low, 0.0) << metric.id;
            EXPECT_LT(band->low, *metric.get(column.report)) << metric.id;
            EXPECT_GT(band->high, *metric.get(column.report)) << metric.id;
            EXPECT_TRUE(std::isfinite(band->high)) << metric.id;
        }
}

TEST(Uncertainty, dataSheetRatesHaveNoBand)
{
    for (Evaluated column : samples::sampleBoard()) {
        column.scenario.engine.idealKernels = true;
        const Report report = evaluate(column.scenario);
        EXPECT_FALSE(report.tpotSpread);
        EXPECT_FALSE(bandOf(*findMetric("tpot_ms"), report));
    }
}

TEST(Uncertainty, noClearWinnerIsSaidWhereBandsOverlapAndOnlyThere)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board.resize(2);
    for (Evaluated& column : board) {
        column.report.tpotSpread = Spread{.engine = 0.1};
        column.report.metrics->outputTokensPerDollar = 1e5;
    }
    const auto says = [&](double lead) {
        board[1].report.metrics->outputTokensPerDollar = 1e5 * lead;
        const Explanation explanation = explain(board, 0);
        std::string text = explanation.answer.text;
        for (const ExplanationSection& section : explanation.sections)
            for (const Sentence& sentence : section.sentences)
                text += " " + sentence.text;
        return text.find("lear winner") != std::string::npos;
    };
    // Each band ends a factor of exp(1.2816 x 0.1) = 1.137 away: they touch at a lead of 1.137^2 = 1.292.
    EXPECT_TRUE(says(1.28));
    EXPECT_FALSE(says(1.31));
}

TEST(Uncertainty, theFirstOfAResultIsClearOnlyWhereNoBandReachesItsOwn)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board.resize(3);
    const Metric& tpot = *findMetric("tpot_ms");
    const auto set = [&](std::array<double, 3> milliseconds, std::array<double, 3> spreads) {
        for (std::size_t i = 0; i < 3; ++i) {
            board[i].report.metrics->tpot = Seconds{1e-3 * milliseconds[i]};
            board[i].report.tpotSpread = spreads[i] > 0 ? std::optional(Spread{.engine = spreads[i]}) : std::nullopt;
        }
        return *standingOf(tpot, board);
    };
    using Columns = std::vector<std::size_t>;
    EXPECT_TRUE(set({20, 40, 60}, {0.1, 0.1, 0.1}).isClear());
    EXPECT_EQ(set({40, 20, 21}, {0.1, 0.1, 0.1}).best, 1u);
    EXPECT_EQ(set({40, 20, 21}, {0.1, 0.1, 0.1}).contenders, (Columns{2}));
    // The one that comes third can still be the best where its band is wide, and one without a band always can.
    EXPECT_EQ(set({20, 40, 60}, {0.1, 0.1, 0.9}).contenders, (Columns{2}));
    EXPECT_EQ(set({20, 40, 60}, {0.1, 0.0, 0.1}).contenders, (Columns{1}));
    EXPECT_FALSE(standingOf(tpot, std::span(board).first(1)));
    (void)set({20, 22, 60}, {0.1, 0.1, 0.1});
    const double shared = 20 * std::exp(deviationsOf80 * 0.1) - 22 / std::exp(deviationsOf80 * 0.1);
    EXPECT_NE(overlapText(tpot, board, 0, 1).find("overlap by " + numberText(shared)), std::string::npos)
        << overlapText(tpot, board, 0, 1);
}

TEST(Uncertainty, whereTheBandsOverlapTheAnswerNamesBothAndNoWinner)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board.resize(2);
    for (Evaluated& column : board)
        column.report.metrics->outputTokensPerDollar = 1e5;
    board[1].report.metrics->outputTokensPerDollar = 1.02e5;
    const Explanation open = explain(board, 0);
    EXPECT_TRUE(open.answer.text.starts_with("No clear winner between B and A")) << open.answer.text;
    for (const char* part : {"for B", "for A"})
        EXPECT_NE(open.paragraph.find(part), std::string::npos) << open.paragraph;
    board[1].report.metrics->outputTokensPerDollar = 9e5;
    const Explanation clear = explain(board, 0);
    EXPECT_TRUE(clear.answer.text.starts_with("B is the cheapest")) << clear.answer.text;
    for (const char* part : {"for B", "for A"})
        EXPECT_NE(clear.paragraph.find(part), std::string::npos) << clear.paragraph;
}

TEST(Uncertainty, theBadgeSaysHowMuchWasMeasuredOnTheVeryDevice)
{
    Evaluated column = samples::sampleBoard()[0];
    ASSERT_EQ(column.report.provenance, Provenance::calibrated);
    ASSERT_FALSE(column.report.decodeOps.empty());
    for (OpTime& one : column.report.decodeOps)
        one.origin = KernelOrigin::measured;
    EXPECT_EQ(basisBadge(column.report), "Calibrated");
    for (std::size_t i = 0; i < column.report.decodeOps.size(); ++i)
        column.report.decodeOps[i].origin = i % 2 == 0 ? KernelOrigin::measured : KernelOrigin::general;
    const Basis basis = basisOf(column.report.decodeOps);
    EXPECT_NEAR(basis.measured + basis.family + basis.general, 1.0, 1e-12);
    EXPECT_GT(basis.general, 0.01);
    EXPECT_EQ(basisBadge(column.report), "Calibrated " + percentText(basis.measured));
    EXPECT_NE(basisText(column).find("medians of all measured devices"), std::string::npos) << basisText(column);
    column.report.provenance = Provenance::generalDefault;
    column.report.tpotSpread = Spread{.engine = 0.1, .transfer = 0.2};
    EXPECT_NE(basisText(column).find("widens"), std::string::npos) << basisText(column);
}

TEST(Uncertainty, configurationsOnOneDeviceAndEngineShareTheirErrors)
{
    const Evaluated one = samples::sampleBoard()[0];
    Evaluated two = one;
    two.scenario.plan.replicas = 2;
    two.report.metrics->outputTokensPerDollar = *one.report.metrics->outputTokensPerDollar * 1.1;
    Evaluated other = two;
    other.scenario.system.device.id = "another";
    EXPECT_GT(*chanceOfLead(two, one, true), *chanceOfLead(other, one, true));
    EXPECT_NEAR(*chanceOfLead(two, one, true) + *chanceOfLead(one, two, true), 1.0, 1e-12);
}

} // namespace
} // namespace ridgepoint
