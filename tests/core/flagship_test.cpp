// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison the program opens with: Llama-3.3-70B in FP8 on four systems.
#include "core/insight/explanation.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

std::vector<Evaluated> flagship(const char* engine, bool freeLinks)
{
    const Presets& presets = samples::shippedPresets();
    const Result<std::vector<Scenario>> scenarios = sampleComparison(presets);
    EXPECT_TRUE(scenarios) << scenarios.error().text();
    std::vector<Evaluated> columns;
    for (Scenario s : scenarios.value_or(std::vector<Scenario>{})) {
        s.engine = *findEngine(presets, engine);
        s.system.freeLinks = freeLinks;
        columns.push_back({s, evaluate(s)});
    }
    return columns;
}

double aggregateBandwidth(const Scenario& s)
{
    return s.plan.devicesPerReplica() * s.system.device.memoryBandwidth.value;
}

TEST(Flagship, HasAllFourSystemsWithTheStatedLoad)
{
    const std::vector<Evaluated> columns = flagship("vllm", false);
    ASSERT_EQ(columns.size(), 4u);
    const struct { const char* device; int devices; } expected[] = {
        {"h100-sxm", 8}, {"h200-sxm", 4}, {"mi300x", 8}, {"b200-sxm", 2}};
    for (std::size_t i = 0; i < 4; ++i) {
        const Scenario& s = columns[i].scenario;
        EXPECT_EQ(s.system.device.id, expected[i].device);
        EXPECT_EQ(s.plan.devices(), expected[i].devices);
        EXPECT_EQ(s.load.inputTokens, 4096);
        EXPECT_EQ(s.load.outputTokens, 1024);
        EXPECT_EQ(s.load.concurrency, 64);
        EXPECT_EQ(s.precision.weights, Format::fp8);
        EXPECT_TRUE(columns[i].report.feasible());
    }
    EXPECT_EQ(columns[2].report.provenance, Provenance::generalDefault);   // no AMD operator was ever measured
    EXPECT_EQ(columns[0].report.provenance, Provenance::calibrated);
}

TEST(Flagship, DecodesInTheOrderOfBandwidthOnTheIdealEngineWithFreeLinks)
{
    std::vector<Evaluated> columns = flagship("ideal", true);
    std::sort(columns.begin(), columns.end(), [](const Evaluated& a, const Evaluated& b) {
        return aggregateBandwidth(a.scenario) > aggregateBandwidth(b.scenario);
    });
    for (std::size_t i = 1; i < columns.size(); ++i)
        EXPECT_LT(columns[i - 1].report.metrics->decodeStep.value, columns[i].report.metrics->decodeStep.value);
    EXPECT_TRUE(inversions(columns).empty());
}

TEST(Flagship, NamesACauseForEveryInversion)
{
    const std::vector<Evaluated> columns = flagship("vllm", false);
    std::size_t inverted = 0;
    for (const Evaluated& a : columns)
        for (const Evaluated& b : columns)
            if (aggregateBandwidth(a.scenario) > aggregateBandwidth(b.scenario) &&
                a.report.metrics->decodeStep > b.report.metrics->decodeStep)
                ++inverted;
    const std::vector<Sentence> sentences = inversions(columns);
    EXPECT_EQ(sentences.size(), inverted);
    for (const Sentence& sentence : sentences)
        EXPECT_NE(sentence.text.find("ms"), std::string::npos) << sentence.text;
}

TEST(Flagship, IsAlsoGivenPerDevicePerDollarAndPerWatt)
{
    for (const Evaluated& column : flagship("vllm", false)) {
        for (const char* id : {"output_tokens_per_s_per_device", "output_tokens_per_dollar", "output_tokens_per_joule"}) {
            const Metric* metric = findMetric(id);
            ASSERT_NE(metric, nullptr) << id;
            const std::optional<double> value = metric->get(column.report);
            ASSERT_TRUE(value) << id << " " << column.scenario.name;
            EXPECT_GT(*value, 0.0);
        }
    }
}

} // namespace
} // namespace ridgepoint
