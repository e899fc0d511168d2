// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/definitions.h"

#include "core/figures/catalog.h"
#include "core/insight/explanation.h"
#include "core/io/project_file.h"
#include "core/scenario/metrics.h"
#include "tests/scenario/board.h"

#include <gmock/gmock.h>

using namespace ridgepoint;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr Definitions usual;
constexpr Definitions others{.tpotWithFirst = true, .gigabytes = true, .macs = true, .linksBothWays = true};

const Metric& metricOf(const Definitions& definitions, std::string_view id)
{
    for (const Metric& metric : metrics(definitions))
        if (metric.id == id)
            return metric;
    ADD_FAILURE() << id;
    return metrics().front();
}

Figure figureOf(std::string_view id, const std::vector<Evaluated>& board, const Definitions& definitions)
{
    return findFigure(id)->make({board, 0, definitions});
}

TEST(Definitions, ReadWhatTheyWriteAndSayWhatIsPossible)
{
    Definitions read;
    for (const auto& [id, value] : chosen(others))
        ASSERT_TRUE(define(read, std::string(id) + "=" + std::string(value)));
    EXPECT_EQ(read, others);
    EXPECT_TRUE(chosen(usual).empty());
    EXPECT_THAT(define(read, "tpot=maybe").error().message, HasSubstr("without-first or with-first"));
    EXPECT_THAT(define(read, "peak=sparse").error().message, HasSubstr("tpot, memory, arithmetic, links"));
    EXPECT_THAT(define(read, "tpot").error().message, HasSubstr("it can be"));
}

TEST(Definitions, TheLabelAlwaysSaysWhatTheNumberIs)
{
    for (const Evaluated& column : samples::sampleBoard()) {
        const Report& report = column.report;
        for (const char* id : {"memory_used_gib", "memory_headroom_gib"}) {
            const Metric &gib = metricOf(usual, id), &gb = metricOf(others, id);
            EXPECT_EQ(gib.unit, "GiB");
            EXPECT_EQ(gb.unit, "GB");
            EXPECT_NEAR(*gb.get(report) * 1e9, *gib.get(report) * gibi, 1e-9 * *gib.get(report) * gibi);
        }
        const Metric &without = metricOf(usual, "tpot_ms"), &with = metricOf(others, "tpot_ms");
        EXPECT_THAT(std::string(without.label), Not(HasSubstr("with the first")));
        EXPECT_THAT(std::string(with.label), HasSubstr("with the first"));
        const double n = column.scenario.load.outputTokens;
        EXPECT_NEAR(*with.get(report) * n, report.metrics->requestLatency.value * 1e3, 1e-6) << "times tokens it is the whole request";
        EXPECT_NEAR(*with.get(report), (report.metrics->ttft.value + (n - 1) * report.metrics->tpot.value) / n * 1e3, 1e-9);
        EXPECT_TRUE(bandOf(with, report));
    }
}

TEST(Definitions, OnlyWhatTheyConcernChanges)
{
    const Report report = samples::sampleBoard()[0].report;
    ASSERT_EQ(metrics(others).size(), metrics().size());
    for (std::size_t i = 0; i < metrics().size(); ++i) {
        const Metric &before = metrics()[i], &after = metrics(others)[i], &back = metrics(usual)[i];
        EXPECT_EQ(before.id, after.id);
        EXPECT_EQ(before.get(report), back.get(report)) << "switching back gives the same";
        if (before.unit == after.unit && before.label == after.label)
            EXPECT_EQ(before.get(report), after.get(report)) << before.id;
        else
            EXPECT_NE(before.get(report), after.get(report)) << before.id;
    }
}

TEST(Definitions, AWaitWithoutEndIsNoTpotWithTheFirstToken)
{
    Scenario flooded = samples::sampleBoard()[0].scenario;
    flooded.load.arrivals = Arrivals::openLoop;
    flooded.load.requestRate = Frequency{1e4};
    const Report report = evaluate(flooded);
    EXPECT_TRUE(metricOf(usual, "tpot_ms").get(report));
    EXPECT_FALSE(metricOf(others, "tpot_ms").get(report));
    EXPECT_TRUE(isEndless(metricOf(others, "tpot_ms"), report));
}

TEST(Definitions, BarsOfMemoryAndTimeFollowWithTheirAxes)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const auto ledger = std::get<BarFigure>(figureOf("ledger", board, usual)), inGb = std::get<BarFigure>(figureOf("ledger", board, others));
    EXPECT_EQ(ledger.value.label, "Memory per device (GiB)");
    EXPECT_EQ(inGb.value.label, "Memory per device (GB)");
    for (std::size_t i = 0; i < board.size(); ++i)
        for (std::size_t p = 0; p < ledger.bars[i].parts.size(); ++p)
            EXPECT_NEAR(inGb.bars[i].parts[p].value * 1e9, ledger.bars[i].parts[p].value * gibi, 1.0);
    const auto time = std::get<BarFigure>(figureOf("breakdown", board, others));
    EXPECT_THAT(time.value.label, HasSubstr("with the first"));
    for (std::size_t i = 0; i < board.size(); ++i) {
        double sum = 0;
        for (const BarPart& part : time.bars[i].parts)
            sum += part.value;
        const double tpot = *metricOf(others, "tpot_ms").get(board[i].report);
        EXPECT_NEAR(sum, tpot, 1e-9 * tpot);
    }
    EXPECT_EQ(figureOf("ledger", board, usual), findFigure("ledger")->make({board, 0}));
}

TEST(Definitions, RooflineAndFrontierFollowWithTheirAxes)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const auto flop = std::get<LineFigure>(figureOf("roofline", board, usual)), mac = std::get<LineFigure>(figureOf("roofline", board, others));
    EXPECT_THAT(flop.x.label + flop.y.label, HasSubstr("FLOP"));
    EXPECT_THAT(mac.x.label + mac.y.label, Not(HasSubstr("FLOP")));
    ASSERT_EQ(flop.series.size(), mac.series.size());
    for (std::size_t s = 0; s < flop.series.size(); ++s)
        for (std::size_t p = 0; p < flop.series[s].points.size(); ++p) {
            const Point &a = flop.series[s].points[p], &b = mac.series[s].points[p];
            EXPECT_NEAR(a.x, 2 * b.x, 1e-9 * a.x);
            EXPECT_NEAR(a.y, 2 * b.y, 1e-9 * a.y);
            EXPECT_THAT(b.hover, Not(HasSubstr("FLOP")));
        }
    const auto frontier = std::get<LineFigure>(figureOf("frontier", board, others));
    EXPECT_THAT(frontier.x.label, HasSubstr("with the first token"));
    for (std::size_t i = 0; i < board.size(); ++i)
        for (const Point& point : frontier.series[i].points) {
            if (!point.emphasised)
                continue;
            EXPECT_NEAR(point.x, *metricOf(others, "tpot_ms").get(board[i].report), 1e-9 * point.x);
        }
}

TEST(Definitions, WordsFollow)
{
    const std::vector<Evaluated> alone{samples::sampleBoard()[0]};
    EXPECT_THAT(explain(alone, 0, others).answer.text, HasSubstr("TPOT with the first token of "));
    EXPECT_THAT(explain(alone, 0).answer.text, Not(HasSubstr("first token")));
    const Report small = samples::boardWithoutRoom()[1].report;
    EXPECT_THAT(verdictText(small), HasSubstr("GiB short"));
    EXPECT_THAT(verdictText(small, others), HasSubstr("GB short"));
    EXPECT_EQ(linkText(Bandwidth{450e9}, usual), "450\u00a0GB/s");
    EXPECT_EQ(linkText(Bandwidth{450e9}, others), "900\u00a0GB/s");
    EXPECT_EQ(linkName(others), "both ways");
    EXPECT_EQ(operationRateText(FlopRate{989e12}, usual), "989\u00a0TFLOP/s");
    EXPECT_EQ(operationRateText(FlopRate{989e12}, others), "494\u00a0TMAC/s");
}

TEST(Definitions, AProjectKeepsThem)
{
    const Presets& presets = samples::boardPresets();
    Project project{.configurations = *sampleComparison(presets), .baseline = 1};
    EXPECT_THAT(writeProject(project, presets), Not(HasSubstr("definitions")));
    project.definitions = others;
    const Result<Project> again = readProject(writeProject(project, presets), "board.yaml", presets);
    ASSERT_TRUE(again.has_value()) << again.error().text();
    EXPECT_EQ(again->definitions, others);
    const Result<Project> wrong = readProject("version: 1\ndefinitions: {tpot: sometimes}\nconfigurations: []\n", "b.yaml", presets);
    ASSERT_FALSE(wrong.has_value());
    EXPECT_THAT(wrong.error().text(), HasSubstr("b.yaml:2"));
}

} // namespace
