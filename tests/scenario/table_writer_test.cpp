// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table_writer.h"

#include "core/scenario/metrics.h"
#include "tests/scenario/board.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

// Cells of a CSV text by RFC 4180.
std::vector<std::vector<std::string>> cellsOf(const std::string& text)
{
    std::vector<std::vector<std::string>> rows{{""}};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            rows.back().back() += text[i++];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ',')
            rows.back().emplace_back();
        else if (!quoted && c == '\n')
            rows.push_back({""});
        else if (quoted || c != '\r')
            rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

} // namespace

TEST(TableWriter, EveryRowOfACsvHasAsManyCellsAsItsHeader)
{
    for (const std::vector<Evaluated>& board : {samples::sampleBoard(), samples::boardWithoutRoom()}) {
        std::vector<std::string> texts{comparisonCsv(board)};
        for (const FigureEntry& entry : figureCatalog())
            texts.push_back(figureCsv(entry.make({board, 0, {}, &samples::boardPresets()})));
        for (const std::string& text : texts) {
            const auto rows = cellsOf(text);
            ASSERT_GT(rows.size(), 4u);
            for (const auto& row : rows)
                EXPECT_EQ(row.size(), rows[0].size()) << row[0];
            for (const char* never : {"nan", "inf,"})
                EXPECT_THAT(text, testing::Not(HasSubstr(never)));
        }
    }
}

TEST(TableWriter, QuotesCommasQuotesAndLineBreaks)
{
    BarFigure figure;
    figure.value.label = "Time (ms)";
    figure.bars.push_back({.name = "A, \"first\"\nline",
                           .configuration = 0,
                           .parts = {{"Weights", "weights", Tone::weights, 1.5}},
                           .totalLabel = {},
                           .note = {}});
    const auto rows = cellsOf(figureCsv(figure));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1][0], "A, \"first\"\nline");
    EXPECT_EQ(rows[1][4], "1.5");
}

TEST(TableWriter, ComparisonHasEveryMetricAndKnobInPlainNumbers)
{
    const std::vector<Evaluated> board = samples::boardWithoutRoom();
    const auto rows = cellsOf(comparisonCsv(board));
    EXPECT_EQ(rows.size(), 2 + metrics().size() + knobs().size());
    EXPECT_EQ(rows[0].size(), 4 + board.size());
    for (const auto& row : rows)
        if (row[1] == "tpot_ms") {
            EXPECT_NEAR(std::stod(row[4]), board[0].report.metrics->tpot.value * 1e3, 1e-9);
            EXPECT_EQ(row[5], "") << "infeasible is empty, never 0";
        } else if (row[1] == "load.input_tokens") {
            EXPECT_EQ(row[4], "4096");
        }
}

TEST(TableWriter, ReportHasItsDocumentedKeys)
{
    const auto json = reportJson(samples::sampleBoard()[0]);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items())
        keys.push_back(key);
    EXPECT_THAT(keys, testing::ElementsAre("name", "hardware", "scenario", "verdict", "short_by_bytes", "metrics",
                                           "breakdowns", "footprint", "operators", "findings", "not_modelled",
                                           "provenance", "band", "bands", "parameters", "active_parameters",
                                           "kv_bytes_per_token", "kv_format", "activation_format", "quality"));
    for (const Knob& knob : knobs())
        EXPECT_TRUE(json["scenario"].contains(std::string(knob.id))) << knob.id;
    for (const Metric& metric : metrics())
        EXPECT_TRUE(json["metrics"][std::string(metric.id)].is_number()) << metric.id;
    EXPECT_TRUE(json["operators"]["decode"].is_array());
    EXPECT_GT(json["operators"]["decode"].size(), 5u);
    double sum = 0;
    for (const auto& [cause, value] : json["breakdowns"]["tpot_ms"].items())
        sum += cause == "total" ? 0.0 : value.get<double>();
    EXPECT_NEAR(sum, json["metrics"]["tpot_ms"].get<double>(), 1e-9 * sum);
}

TEST(TableWriter, InfeasibleIsNullAndSaysWhy)
{
    const Evaluated column = samples::boardWithoutRoom()[1];
    const auto json = reportJson(column);
    EXPECT_EQ(json["verdict"], "does_not_fit");
    EXPECT_GT(json["short_by_bytes"].get<double>(), 0);
    for (const auto& [id, value] : json["metrics"].items())
        EXPECT_TRUE(value.is_null()) << id;
    EXPECT_TRUE(json["breakdowns"]["tpot_ms"].is_null());
    EXPECT_TRUE(json["footprint"].is_null());
    ASSERT_FALSE(json["findings"].empty());
    EXPECT_EQ(json["findings"][0]["severity"], "problem");
    EXPECT_FALSE(json["findings"][0]["text"].get<std::string>().empty());
}

TEST(TableWriter, AnUnknownRentIsNull)
{
    Evaluated column = samples::sampleBoard()[0];
    column.scenario.price.reset();
    column.report = evaluate(column.scenario);
    const auto json = reportJson(column);
    EXPECT_EQ(json["scenario"]["price.preset"], "unknown");
    EXPECT_TRUE(json["scenario"]["price.per_device_hour"].is_null());
    EXPECT_TRUE(json["metrics"]["cost_per_million_output"].is_null());
    EXPECT_TRUE(json["metrics"]["tpot_ms"].is_number());
}

TEST(TableWriter, FiguresAreJsonWithAxesThatNameUnits)
{
    const std::vector<Evaluated> sample = samples::sampleBoard();
    for (const FigureEntry& entry : figureCatalog()) {
        const auto json = figureJson(entry.make({sample, 0, {}, &samples::boardPresets()}));
        EXPECT_EQ(json["id"], entry.id);
        const std::string kind = json["kind"];
        const auto& axis = kind == "bars" || kind == "spans" ? json["value"] : json["x"];
        EXPECT_THAT(axis["label"].get<std::string>(), testing::EndsWith(")"));
        const std::map<std::string, std::string> contents{{"lines", "series"}, {"bars", "bars"}, {"spans", "rows"}, {"map", "cells"}};
        EXPECT_FALSE(json[contents.at(kind)].empty());
    }
}
