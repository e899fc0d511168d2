// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/catalog.h"
#include "core/insight/comparison.h"
#include "core/scenario/metrics.h"
#include "tests/scenario/board.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

Figure figure(std::string_view id, const std::vector<Evaluated>& board)
{
    return findFigure(id)->make({board, 0});
}
LineFigure lines(std::string_view id, const std::vector<Evaluated>& board)
{
    return std::get<LineFigure>(figure(id, board));
}
BarFigure bars(std::string_view id, const std::vector<Evaluated>& board)
{
    return std::get<BarFigure>(figure(id, board));
}

void expectSound(const Axis& axis)
{
    EXPECT_THAT(axis.label, testing::MatchesRegex(".+ \\(.+\\)")) << "an axis names its unit";
}

void expectSound(const LineFigure& figure)
{
    expectSound(figure.x);
    expectSound(figure.y);
    const auto fits = [](double value, const Axis& axis) {
        return std::isfinite(value) && (axis.scale == AxisScale::linear || value > 0);
    };
    for (const Series& series : figure.series)
        for (const Point& point : series.points) {
            EXPECT_TRUE(fits(point.x, figure.x) && fits(point.y, figure.y)) << series.name;
            EXPECT_TRUE(point.weight >= 0 && point.weight <= 1) << series.name;
            EXPECT_FALSE(point.key.empty() || point.hover.empty()) << series.name;
        }
    for (const Arrow& arrow : figure.arrows)
        EXPECT_TRUE(fits(arrow.x0, figure.x) && fits(arrow.x1, figure.x) && fits(arrow.y0, figure.y) &&
                    fits(arrow.y1, figure.y));
}

void expectSound(const BarFigure& figure)
{
    expectSound(figure.value);
    for (const Bar& bar : figure.bars) {
        EXPECT_NE(bar.parts.empty(), bar.note.empty()) << "a bar has parts or says why not";
        for (const BarPart& part : bar.parts)
            EXPECT_TRUE(std::isfinite(part.value) && part.value > 0 && !part.key.empty()) << part.name;
    }
}

void expectSound(const SpanFigure& figure)
{
    expectSound(figure.value);
    EXPECT_FALSE(figure.rows.empty());
    for (const SpanRow& row : figure.rows) {
        EXPECT_NE(row.spans.empty(), row.note.empty()) << "a row has spans or says why not: " << row.name;
        for (const Span& span : row.spans) {
            EXPECT_TRUE(std::isfinite(span.from) && std::isfinite(span.to)) << row.name;
            EXPECT_FALSE(span.name.empty() || span.hover.empty()) << row.name;
        }
    }
}

void expectSound(const HeatFigure& figure)
{
    expectSound(figure.x);
    expectSound(figure.y);
    expectSound(figure.value);
    EXPECT_EQ(figure.cells.size(), figure.xTicks.size() * figure.yTicks.size());
    EXPECT_FALSE(figure.subtitle.empty());
    for (const HeatCell& cell : figure.cells) {
        EXPECT_TRUE(!cell.value || std::isfinite(*cell.value));
        EXPECT_FALSE(cell.hover.empty());
    }
}

std::vector<std::vector<Evaluated>> boards()
{
    std::vector<std::vector<Evaluated>> result{samples::sampleBoard(), samples::boardWithoutRoom(), {}};
    result.push_back({result[0][2]});
    result.push_back({result[1][1]});
    result.push_back({result[0][0], result[0][0]});
    std::mt19937_64 random(7);
    for (int board = 0; board < 20; ++board) {
        std::vector<Scenario> columns;
        for (int i = 0; i < 8; ++i)
            columns.push_back(samples::randomScenario(random, samples::boardPresets()));
        result.push_back(samples::evaluated(columns));
    }
    return result;
}

double sum(const Bar& bar)
{
    double total = 0;
    for (const BarPart& part : bar.parts)
        total += part.value;
    return total;
}

} // namespace

// The bars of a waterfall touch each other and lead from one total to the other.
TEST(Figures, AWaterfallAddsUpToTheDifference)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    for (const Metric& metric : metrics())
        for (std::size_t other = 1; other < board.size(); ++other) {
            const auto figure = std::get<SpanFigure>(
                findFigure("waterfall")->make({.configurations = board, .baseline = 0, .presets = &samples::boardPresets(), .metric = metric.id, .column = other}));
            const auto start = metric.get(board[0].report), end = metric.get(board[other].report);
            if (!start || !end) {
                EXPECT_TRUE(figure.rows.front().spans.empty());
                continue;
            }
            ASSERT_GT(figure.rows.size(), 2u) << metric.id;
            double at = figure.rows.front().spans.front().to;
            EXPECT_EQ(at, *start);
            for (std::size_t i = 1; i + 1 < figure.rows.size(); ++i) {
                EXPECT_EQ(figure.rows[i].spans.front().from, at);
                at = figure.rows[i].spans.front().to;
            }
            EXPECT_NEAR(at, *end, 1e-9 * std::abs(*end)) << metric.id;
            EXPECT_EQ(figure.rows.back().spans.front().to, *end);
        }
}

TEST(Figures, ATornadoStartsFromThePresentValueAndNamesKnobs)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const auto figure = std::get<SpanFigure>(
        findFigure("tornado")->make({.configurations = board, .baseline = 0, .presets = &samples::boardPresets(), .metric = "tpot_ms", .column = 1}));
    ASSERT_GT(figure.rows.size(), 3u);
    double widest = 1e300;
    for (const SpanRow& row : figure.rows) {
        ASSERT_NE(findKnob(row.key), nullptr) << row.key;
        double low = *figure.reference, high = low;
        for (const Span& span : row.spans) {
            EXPECT_EQ(span.from, *figure.reference);
            low = std::min(low, span.to);
            high = std::max(high, span.to);
        }
        EXPECT_LE(high - low, widest * (1 + 1e-9)) << row.name;
        widest = high - low;
    }
}

TEST(Figures, OddsOfAColumnFillTheWholeRow)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const auto figure = std::get<SpanFigure>(findFigure("odds")->make({board, 0, {}, &samples::boardPresets()}));
    ASSERT_EQ(figure.rows.size(), board.size());
    for (const SpanRow& row : figure.rows) {
        ASSERT_FALSE(row.spans.empty()) << row.note;
        EXPECT_EQ(row.spans.front().from, 0);
        EXPECT_NEAR(row.spans.back().to, 100, 1e-9);
    }
}

// A cell of the map is what the scenario gives with the two values set by hand, and limits are told apart from memory.
TEST(Figures, AMapAgreesWithEvaluate)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const std::vector<Limit> limits{{"tpot_ms", true, 20}};
    const auto figure = std::get<HeatFigure>(findFigure("map")->make(
        {.configurations = board, .baseline = 0, .presets = &samples::boardPresets(), .metric = "tpot_ms", .column = 0, .xKnob = "parallel.tp", .yKnob = "load.concurrency", .limits = limits}));
    ASSERT_GT(figure.cells.size(), 20u);
    ASSERT_TRUE(figure.presentX && figure.presentY);
    EXPECT_EQ(figure.at(*figure.presentX, *figure.presentY).value, findMetric("tpot_ms")->get(board[0].report));
    std::set<CellState> seen;
    for (std::size_t row = 0; row < figure.yTicks.size(); ++row)
        for (std::size_t column = 0; column < figure.xTicks.size(); ++column) {
            Scenario s = board[0].scenario;
            s.plan.tensorParallel = std::stoi(figure.xTicks[column]);
            std::string digits;
            for (const char c : figure.yTicks[row])
                if (c != ',')
                    digits += c;
            s.load.concurrency = std::stoi(digits);
            const Report report = evaluate(s);
            const HeatCell& cell = figure.at(column, row);
            const std::optional<double> value = findMetric("tpot_ms")->get(report);
            EXPECT_EQ(cell.value.has_value(), value.has_value()) << column << ", " << row;
            if (value) {
                EXPECT_DOUBLE_EQ(*cell.value, *value);
            }
            EXPECT_EQ(cell.state == CellState::allowed, value && *value <= 20);
            seen.insert(cell.state);
        }
    EXPECT_GE(seen.size(), 2u);
}

// Beyond what is answered nothing is promised: such cells are no results.
TEST(Figures, AMapOfRequestRatesEndsWhereTheQueueHasNoEnd)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board[0].scenario.load.arrivals = Arrivals::openLoop;
    board[0].scenario.load.requestRate = Frequency{2.0};
    board[0].report = evaluate(board[0].scenario);
    const auto figure = std::get<HeatFigure>(
        findFigure("map")->make({.configurations = board, .presets = &samples::boardPresets(), .metric = "tpot_ms", .column = 0}));
    std::size_t endless = 0;
    for (const HeatCell& cell : figure.cells)
        endless += cell.hover.find("without end") != std::string::npos && !cell.value && cell.state == CellState::breaksLimit;
    EXPECT_GT(endless, 3u);
    EXPECT_NE(figure.subtitle.find(fmt::format("{} are sent more", endless)), std::string::npos) << figure.subtitle;
}

TEST(Figures, AreCalledInTheOrderOfTheWindow)
{
    std::vector<std::string_view> ids;
    const std::vector<Evaluated> sample = samples::sampleBoard();
    for (const FigureEntry& entry : figureCatalog()) {
        ids.push_back(entry.id);
        EXPECT_FALSE(entry.title.empty() || entry.help.empty());
        const Figure made = entry.make({sample, 0, {}, &samples::boardPresets()});
        EXPECT_EQ(idOf(made), entry.id);
        EXPECT_EQ(titleOf(made), entry.title);
        EXPECT_TRUE(descriptionOf(made).ends_with('.'));
    }
    ids.resize(std::min<std::size_t>(ids.size(), 4));   // further figures follow these
    EXPECT_THAT(ids, testing::ElementsAre("roofline", "breakdown", "ledger", "frontier"));
    EXPECT_EQ(findFigure("pie"), nullptr);
}

TEST(Figures, HaveUnitsAndFiniteValuesForAnyBoard)
{
    for (const std::vector<Evaluated>& board : boards())
        for (const FigureEntry& entry : figureCatalog())
            for (std::size_t baseline = 0; baseline <= board.size(); ++baseline) {
                SCOPED_TRACE(entry.id);
                std::visit([](const auto& one) { expectSound(one); }, entry.make({board, baseline, {}, &samples::boardPresets()}));
            }
}

TEST(Figures, PartsOfTheBreakdownSumToTpot)
{
    for (const std::vector<Evaluated>& board : boards())
        for (const Bar& bar : bars("breakdown", board).bars)
            if (!bar.parts.empty()) {
                const double tpot = board[std::size_t(bar.configuration)].report.metrics->tpot.value * 1e3;
                EXPECT_NEAR(sum(bar), tpot, 1e-9 * tpot);
            }
}

TEST(Figures, PartsOfTheLedgerSumToTheVisibleMemory)
{
    for (const std::vector<Evaluated>& board : boards())
        for (const Bar& bar : bars("ledger", board).bars)
            if (!bar.parts.empty()) {
                const double visible = board[std::size_t(bar.configuration)].report.footprint->visible.value / gibi;
                EXPECT_NEAR(sum(bar), visible, 1e-9 * visible);
            }
}

TEST(Figures, WhatCannotRunIsANoteAndNeverZero)
{
    const std::vector<Evaluated> board = samples::boardWithoutRoom();
    for (const std::string_view id : {"breakdown", "ledger"}) {
        const BarFigure figure = bars(id, board);
        ASSERT_EQ(figure.bars.size(), board.size());
        EXPECT_THAT(figure.bars[1].note, HasSubstr("does not fit"));
        EXPECT_THAT(figure.description, HasSubstr("B does not fit"));
    }
    for (const std::string_view id : {"roofline", "frontier"}) {
        const LineFigure figure = lines(id, board);
        EXPECT_THAT(figure.subtitle, HasSubstr("B does not fit"));
        for (const Series& series : figure.series)
            EXPECT_TRUE(series.configuration != 1 || series.points.empty()) << series.name;
    }
}

TEST(Roofline, NoOperatorIsAboveItsRoof)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const LineFigure figure = lines("roofline", board);
    int dots = 0;
    for (const Series& series : figure.series) {
        if (series.line)
            continue;
        const Device& device = board[std::size_t(series.configuration)].scenario.system.device;
        for (const Point& point : series.points) {
            const double roof = std::min(device.memoryBandwidth.value * point.x, device.peak.fp8->value) / 1e12;
            EXPECT_LE(point.y, roof * (1 + 1e-9)) << point.hover;
            EXPECT_THAT(point.hover, HasSubstr("TFLOP/s"));
            ++dots;
        }
    }
    EXPECT_GT(dots, 20);
}

TEST(Roofline, RoofIsTheSlopeOfMemoryAndTheDensePeakOfTheArithmeticInUse)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const LineFigure figure = lines("roofline", board);
    const Series& roof = figure.series.front();
    ASSERT_EQ(roof.points.size(), 3u);
    const Device& h100 = board[0].scenario.system.device;
    EXPECT_NEAR(roof.points[0].y / roof.points[0].x, h100.memoryBandwidth.value / 1e12, 1e-9);
    EXPECT_NEAR(roof.points[1].y, h100.peak.fp8->value / 1e12, 1e-9);
    EXPECT_EQ(roof.points[1].y, roof.points[2].y);
}

TEST(Roofline, ArrowsLeadFromTheBaselineToTheSameOperatorOfAnotherColumn)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const LineFigure figure = lines("roofline", board);
    ASSERT_GT(figure.arrows.size(), 4u);
    const auto at = [&](double x, double y, int column) {
        for (const Series& series : figure.series)
            for (const Point& point : series.points)
                if (series.configuration == column && point.x == x && point.y == y)
                    return point.key;
        return std::string();
    };
    const auto order = ranking(board).order;
    const int other = int(order[0] == 0 ? order[1] : order[0]);
    for (const Arrow& arrow : figure.arrows) {
        const std::string key = at(arrow.x0, arrow.y0, 0);
        EXPECT_FALSE(key.empty());
        EXPECT_EQ(at(arrow.x1, arrow.y1, other), key);
        EXPECT_TRUE(arrow.label.empty() || arrow.label.ends_with("×")) << arrow.label;
    }
}

TEST(Frontier, PresentLoadIsEmphasisedOnceAndEqualsTheReport)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    board[0].scenario.load.concurrency = 48;
    board[0].report = evaluate(board[0].scenario);
    const LineFigure figure = lines("frontier", board);
    ASSERT_EQ(figure.series.size(), board.size());
    for (std::size_t i = 0; i < board.size(); ++i) {
        const auto& points = figure.series[i].points;
        ASSERT_EQ(std::count_if(points.begin(), points.end(), [](const Point& p) { return p.emphasised; }), 1);
        const Point& present = *std::find_if(points.begin(), points.end(), [](const Point& p) { return p.emphasised; });
        EXPECT_EQ(present.y, board[i].report.metrics->outputPerDevice.value);
        EXPECT_EQ(present.key, fmt::format("concurrency.{}", board[i].scenario.load.concurrency));
        EXPECT_GE(points.size(), 8u);
        EXPECT_TRUE(figure.series[i].endLabel.starts_with(columnLetter(i) + " · "));
    }
}

TEST(Frontier, OfAnOpenLoopIsTheCurveOfRequestsInsideWithItsOwnPoint)
{
    std::vector<Evaluated> board = samples::sampleBoard();
    for (Evaluated& column : board) {
        column.scenario.load.arrivals = Arrivals::openLoop;
        column.scenario.load.requestRate = Frequency{0.8};
        column.report = evaluate(column.scenario);
    }
    for (const Series& series : lines("frontier", board).series) {
        EXPECT_GT(series.points.size(), 4U) << series.name;
        const auto emphasised = [](const Point& point) { return point.emphasised; };
        ASSERT_EQ(std::count_if(series.points.begin(), series.points.end(), emphasised), 1) << series.name;
        const Point& now = *std::find_if(series.points.begin(), series.points.end(), emphasised);
        EXPECT_NEAR(now.y, board[std::size_t(series.configuration)].report.metrics->outputPerDevice.value, 1e-9);
    }
}

TEST(Frontier, EndsWhereFurtherRequestsWouldOnlyWait)
{
    std::vector<Evaluated> board{samples::sampleBoard()[0]};
    board[0].scenario.load.inputTokens = 60000;
    board[0].scenario.load.concurrency = 1;
    board[0].report = evaluate(board[0].scenario);
    ASSERT_TRUE(board[0].report.feasible());
    const double most = board[0].report.footprint->maximumConcurrency;
    ASSERT_LT(most, 256);
    const auto points = lines("frontier", board).series[0].points;
    const auto concurrency = [](const Point& point) { return std::stoi(point.key.substr(point.key.find('.') + 1)); };
    EXPECT_GT(concurrency(points.back()), most);
    EXPECT_LE(concurrency(points[points.size() - 2]), most);
    EXPECT_THAT(points.back().hover, HasSubstr("wait"));
}
