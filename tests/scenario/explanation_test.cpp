// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/explanation.h"

#include "core/base/unit_text.h"
#include "core/figures/catalog.h"
#include "tests/scenario/board.h"

#include <algorithm>
#include <gmock/gmock.h>

using namespace ridgepoint;
using testing::HasSubstr;
using testing::Not;

namespace {

const ExplanationSection* sectionOf(const Explanation& explanation, std::string_view heading)
{
    for (const ExplanationSection& section : explanation.sections)
        if (section.heading == heading)
            return &section;
    return nullptr;
}

std::string textOf(const Explanation& explanation)
{
    std::string text = explanation.answer.text + "\n" + explanation.paragraph + "\n";
    for (const ExplanationSection& section : explanation.sections) {
        text += section.heading + "\n";
        for (const Sentence& sentence : section.sentences)
            text += sentence.text + "\n";
    }
    return text;
}

std::vector<Evaluated> changed(std::vector<Evaluated> board, void (*change)(Scenario&))
{
    for (Evaluated& column : board) {
        change(column.scenario);
        column.report = evaluate(column.scenario);
    }
    return board;
}

double bandwidthOf(const Evaluated& column)
{
    return column.scenario.system.device.memoryBandwidth.value * column.scenario.plan.tensorParallel;
}

} // namespace

TEST(Explanation, AnswerNamesTheCheapestWithItsNumber)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const Ranking rank = ranking(board);
    ASSERT_TRUE(rank.byCost);
    for (std::size_t i = 1; i < rank.order.size(); ++i)
        EXPECT_LE(scoreOf(board[rank.order[i - 1]], true), scoreOf(board[rank.order[i]], true));
    const std::size_t best = rank.order.front();
    const Sentence answer = explain(board, 0).answer;
    EXPECT_EQ(answer.configuration, int(best));
    EXPECT_TRUE(answer.text.starts_with(columnLetter(best) + " is the cheapest"));
    EXPECT_THAT(answer.text, HasSubstr(dollarsText(Dollars{1e6 / *board[best].report.metrics->outputTokensPerDollar})));
}

TEST(Explanation, WithoutAllPricesTheOutputPerDeviceDecidesAndTheTextSaysSo)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board[2].scenario.price.reset();
    board[2].report = evaluate(board[2].scenario);
    EXPECT_FALSE(ranking(board).byCost);
    const std::string text = explain(board, 0).answer.text;
    EXPECT_THAT(text, HasSubstr("most output of a device"));
    EXPECT_THAT(text, HasSubstr("rent is unknown"));
}

TEST(Explanation, NumbersOfEveryColumnAreThoseOfItsReport)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const Explanation explanation = explain(board, 0);
    const ExplanationSection* limits = sectionOf(explanation, "What limits each configuration");
    ASSERT_NE(limits, nullptr);
    ASSERT_EQ(limits->sentences.size(), board.size());
    for (std::size_t i = 0; i < board.size(); ++i) {
        const Report& report = board[i].report;
        const Cause cause = bindingCause(report.tpot);
        for (const Cause other : allCauses)
            EXPECT_GE(report.tpot[cause], report.tpot[other]);
        const std::string& text = limits->sentences[i].text;
        EXPECT_THAT(text, HasSubstr(percentText(report.tpot[cause] / report.tpot.total())));
        EXPECT_THAT(text, HasSubstr(numberText(report.tpot.total().value * 1e3)));
        EXPECT_THAT(text, HasSubstr(secondsText(report.metrics->ttft)));
    }
}

TEST(Explanation, SpeaksOfTheRateOfAnOpenLoopAndOfAWaitWithoutEnd)
{
    const auto calm = changed(samples::sampleBoard(), [](Scenario& s) {
        s.load.arrivals = Arrivals::openLoop;
        s.load.requestRate = Frequency{0.5};
    });
    const std::string atEase = textOf(explain(calm, 0));
    EXPECT_THAT(atEase, HasSubstr("0.500 requests/s"));
    EXPECT_THAT(atEase, Not(HasSubstr("free place")));
    const auto flooded = changed(samples::sampleBoard(), [](Scenario& s) {
        s.load.arrivals = Arrivals::openLoop;
        s.load.requestRate = Frequency{1e4};
    });
    const std::string tooMuch = textOf(explain(flooded, 0));
    EXPECT_THAT(tooMuch, HasSubstr("the wait for the first token has no end"));
    EXPECT_THAT(tooMuch, Not(HasSubstr("The first token takes")));
    EXPECT_THAT(tooMuch, Not(HasSubstr("sees the first token after")));
}

TEST(Explanation, WhatHelpsWasTriedAndHelps)
{
    for (const std::vector<Evaluated>& board : {samples::sampleBoard(), samples::boardWithoutRoom()}) {
        const Explanation explanation = explain(board, 0);
        const ExplanationSection* section = sectionOf(explanation, "What would help most");
        ASSERT_NE(section, nullptr);
        for (const Sentence& sentence : section->sentences) {
            EXPECT_TRUE(sentence.knob.empty() || findKnob(sentence.knob) != nullptr) << sentence.knob;
            if (sentence.configuration < 0 || !board[std::size_t(sentence.configuration)].report.feasible())
                continue;
            EXPECT_THAT(sentence.text, testing::ContainsRegex("output \\+[0-9]+"));
        }
    }
}

TEST(Explanation, WhatDoesNotFitIsSaidWithWhatIsMissing)
{
    const std::vector<Evaluated> board = samples::boardWithoutRoom();
    const std::string text = textOf(explain(board, 0));
    EXPECT_THAT(text, HasSubstr("B does not fit: " + bytesText(board[1].report.shortBy) + " short"));
    const std::vector<Evaluated> alone{board[1]};
    EXPECT_THAT(explain(alone, 0).answer.text, HasSubstr("No configuration can serve this"));
}

TEST(Explanation, EqualColumnsAreNotRanked)
{
    const Evaluated one = samples::sampleBoard()[0];
    const Explanation explanation = explain(std::vector<Evaluated>{one, one}, 0);
    EXPECT_THAT(explanation.answer.text, HasSubstr("A and B are equally the cheapest"));
    EXPECT_THAT(textOf(explanation), Not(HasSubstr("comes first")));
    EXPECT_THAT(textOf(explanation), Not(HasSubstr("as much as")));
}

TEST(Explanation, UnlikeWorkIsSaidToBeUnlike)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    EXPECT_THAT(explain(board, 0).answer.text, Not(HasSubstr("unlike work")));
    board[1].scenario.load.outputTokens *= 2;
    board[1].report = evaluate(board[1].scenario);
    EXPECT_THAT(explain(board, 0).answer.text, HasSubstr("unlike work"));
}

TEST(Explanation, AColumnThatDoesNotFitIsOfferedTheWiderGroupOfItsFinding)
{
    Evaluated column = samples::sampleBoard()[0];
    column.scenario.plan = {.tensorParallel = 1, .pipelineParallel = 1, .replicas = 1};
    column.report = evaluate(column.scenario);
    ASSERT_FALSE(column.report.feasible());
    EXPECT_THAT(textOf(explain(std::vector<Evaluated>{column}, 0)),
                HasSubstr("Run A as 1 replica × TP 2: then it fits"));
}

TEST(Explanation, NoMoreReplicasAreOfferedThanTheKnobTakes)
{
    Evaluated column = samples::sampleBoard()[0];
    column.scenario.plan = {.tensorParallel = 4, .pipelineParallel = 1, .replicas = 1024};
    column.report = evaluate(column.scenario);
    EXPECT_THAT(textOf(explain(std::vector<Evaluated>{column}, 0)), Not(HasSubstr("2048 replicas")));
}

TEST(Explanation, SaysWhatIsLeftOutAndHowWideTheBandsAre)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    std::string text = textOf(explain(board, 0));
    for (const char* part : {"percentiles of latency", "80 % band of TPOT and throughput: A ", "in 8 cases of 10",
                             "/h per device"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, Not(HasSubstr("Band unknown")));
    for (Evaluated& column : board)
        column.report.tpotSpread.reset();
    text = textOf(explain(board, 0));
    for (const char* part : {"Band unknown", "band is unknown"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST(Explanation, PointsAtFiguresThatExistAndHoldsForAnyBoard)
{
    std::mt19937_64 random(11);
    for (int i = 0; i < 60; ++i) {
        std::vector<Scenario> columns;
        for (int count = i % 9; count > 0; --count)
            columns.push_back(samples::randomScenario(random, samples::boardPresets()));
        const std::vector<Evaluated> board = samples::evaluated(columns);
        const Explanation explanation = explain(board, std::size_t(i % 3));
        EXPECT_FALSE(explanation.answer.text.empty());
        EXPECT_FALSE(explanation.paragraph.empty());
        for (const ExplanationSection& section : explanation.sections)
            for (const Sentence& sentence : section.sentences) {
                EXPECT_TRUE(sentence.figure.empty() || findFigure(sentence.figure) != nullptr) << sentence.figure;
                EXPECT_LT(sentence.configuration, int(board.size()));
            }
        for (const char* never : {" nan", " inf", " -", "unknown\u00a0ms", "(unknown"})
            EXPECT_THAT(textOf(explanation), Not(HasSubstr(never)));
    }
}

TEST(Inversions, AreAbsentOnIdealKernelsWithFreeLinks)
{
    const std::vector<Evaluated> board = changed(samples::sampleBoard(), [](Scenario& s) {
        s.engine = *findEngine(samples::boardPresets(), "ideal");
        s.system.freeLinks = true;
    });
    EXPECT_TRUE(inversions(board).empty());
    std::vector<const Evaluated*> byBandwidth;
    for (const Evaluated& column : board)
        byBandwidth.push_back(&column);
    std::sort(byBandwidth.begin(), byBandwidth.end(),
              [](const Evaluated* a, const Evaluated* b) { return bandwidthOf(*a) > bandwidthOf(*b); });
    for (std::size_t i = 1; i < byBandwidth.size(); ++i)
        EXPECT_LE(byBandwidth[i - 1]->report.metrics->decodeStep, byBandwidth[i]->report.metrics->decodeStep);
}

TEST(Inversions, PrintTheCauseWithTheLargestDifference)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board[2].scenario.system.device.linkBandwidth = Bandwidth{20e9};
    board[2].report = evaluate(board[2].scenario);
    ASSERT_GT(bandwidthOf(board[2]), bandwidthOf(board[0]));
    ASSERT_GT(board[2].report.metrics->decodeStep, board[0].report.metrics->decodeStep);
    const std::vector<Sentence> sentences = inversions(board);
    const auto of = [&](const std::string& start) {
        return std::find_if(sentences.begin(), sentences.end(),
                            [&](const Sentence& s) { return s.text.starts_with(start); });
    };
    const auto found = of("C has more aggregate bandwidth than A");
    ASSERT_NE(found, sentences.end());
    const double more =
        (board[2].report.decodeStep[Cause::communication] - board[0].report.decodeStep[Cause::communication]).value;
    EXPECT_THAT(found->text, HasSubstr("communication between devices takes " + numberText(more * 1e3)));
    EXPECT_EQ(of("A has more aggregate bandwidth than C"), sentences.end());
}

TEST(Inversions, SayWhenTheStepsServeUnlikeNumbersOfRequests)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board = {board[0], board[0]};
    board[0].scenario.load.concurrency = 64;
    board[0].scenario.system.device.memoryBandwidth = 1.05 * board[1].scenario.system.device.memoryBandwidth;
    board[1].scenario.load.concurrency = 2;
    for (Evaluated& column : board)
        column.report = evaluate(column.scenario);
    const std::vector<Sentence> sentences = inversions(board);
    ASSERT_FALSE(sentences.empty());
    EXPECT_THAT(sentences[0].text, HasSubstr("a step of A writes for 64 requests"));
    EXPECT_THAT(sentences[0].text, HasSubstr("of B for 2 requests"));
}

TEST(Inversions, EveryInvertedPairHasACause)
{
    std::mt19937_64 random(5);
    for (int i = 0; i < 200; ++i) {
        const std::vector<Evaluated> board =
            samples::evaluated({samples::randomScenario(random, samples::boardPresets()),
                                samples::randomScenario(random, samples::boardPresets())});
        if (!board[0].report.feasible() || !board[1].report.feasible())
            continue;
        const bool inverted =
            (bandwidthOf(board[0]) > bandwidthOf(board[1]) * (1 + 1e-6)) &&
            board[0].report.metrics->decodeStep.value > board[1].report.metrics->decodeStep.value * (1 + 1e-6);
        const std::vector<Sentence> sentences = inversions(board);
        const auto names = [](const Sentence& s) { return s.text.starts_with("A has more"); };
        EXPECT_EQ(std::any_of(sentences.begin(), sentences.end(), names), inverted);
    }
}
