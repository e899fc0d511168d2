// SPDX-License-Identifier: GPL-3.0-or-later
// How far TPOT is from a sample of measured serving runs. A change that makes a group worse by more than a point fails.
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace ridgepoint {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line)
{
    std::vector<std::string> list;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');)
        list.push_back(cell);
    return list;
}

std::vector<Row> readRows(const std::string& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> names = cells(line);
    std::vector<Row> rows;
    while (std::getline(stream, line)) {
        std::vector<std::string> values = cells(line);
        values.resize(names.size());
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            row[names[i]] = values[i];
    }
    return rows;
}

Scenario scenarioOf(const Row& row)
{
    const Presets& presets = samples::shippedPresets();
    Scenario s;
    s.system = *findSystem(presets, row.at("system"));
    s.engine = *findEngine(presets, row.at("engine"));
    s.network = *findNetwork(presets, row.at("network"));
    s.precision.weights = formatFromId(row.at("weights"));
    s.precision.kv = formatFromId(row.at("kv"));
    s.plan.tensorParallel = std::stoi(row.at("tp"));
    s.load = {.inputTokens = std::stoi(row.at("input_tokens")), .outputTokens = std::stoi(row.at("output_tokens")),
              .concurrency = std::stoi(row.at("concurrency")), .batching = BatchingMode::continuous};
    if (!row.at("batched_tokens").empty())
        s.engine.batchedTokens = std::stoi(row.at("batched_tokens"));
    return s;
}

struct Errors
{
    std::vector<double> values;
    [[nodiscard]] double mean() const
    {
        double sum = 0;
        for (const double value : values)
            sum += value;
        return sum / double(values.size());
    }
    [[nodiscard]] double median()
    {
        std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
        return values[values.size() / 2];
    }
};

TEST(Serving, TpotIsNoFurtherFromTheMeasurementsThanItWas)
{
    std::map<std::string, Errors> groups;
    for (const Row& row : readRows(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/serving/sample.csv")) {
        const Report report = evaluate(scenarioOf(row));
        // A run that was measured and is said not to fit counts as wholly wrong.
        const double error =
            report.feasible() ? std::abs(report.metrics->tpot.value * 1e3 / std::stod(row.at("tpot_ms")) - 1.0) : 1.0;
        for (const std::string& group : {std::string("all"), row.at("engine"), row.at("system")})
            groups[group].values.push_back(100.0 * error);
    }
    // Mean and median absolute error in percent, rounded up, as of the calibrations that ship.
    const struct { const char* group; double mean, median; } known[] = {
        {"all", 10.6, 8.1},         {"vllm", 6.9, 6.0},        {"sglang", 12.2, 8.8},    {"tensorrt-llm", 13.5, 12.2},
        {"hgx-h100-8", 13.6, 10.2}, {"hgx-h200-8", 11.0, 9.1}, {"hgx-b200-8", 9.6, 7.0},
    };
    for (const auto& k : known) {
        Errors& errors = groups[k.group];
        ASSERT_GE(errors.values.size(), 10u) << k.group;
        std::printf("%-14s %3zu rows, TPOT off by %.1f %% mean, %.1f %% median\n", k.group, errors.values.size(),
                    errors.mean(), errors.median());
        EXPECT_LE(errors.mean(), k.mean + 1.0) << k.group;
        EXPECT_LE(errors.median(), k.median + 1.0) << k.group;
    }
}

} // namespace
} // namespace ridgepoint
