// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/knob_axis.h"
#include "core/sweep/limits.h"
#include "tests/support/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

std::vector<double> numbers(const KnobAxis& axis)
{
    std::vector<double> result;
    for (const KnobValue& value : axis.values)
        result.push_back(std::get<double>(value));
    return result;
}

struct Text
{
    std::string text;
    std::vector<double> values;
};

TEST(KnobAxis, ReadsListsAndRanges)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario scenario = *defaultScenario(presets);
    const Text cases[] = {
        {"load.concurrency=1,4,16", {1, 4, 16}},
        {"load.concurrency = 4, 4 ,2", {4, 2}},
        {"load.concurrency=1..8", {1, 2, 4, 8}},
        {"load.concurrency=1..10", {1, 2, 4, 8, 10}},
        {"load.concurrency=1..27*3", {1, 3, 9, 27}},
        {"load.concurrency=1..4*1.1", {1, 2, 3, 4}},
        {"load.concurrency=10..30+10,7", {10, 20, 30, 7}},
        {"load.prefix_hits=0..0.9+0.3", {0, 0.3, 0.6, 0.9}},
        {"load.request_rate=1e0..1e1+4.5", {1, 5.5, 10}},
        {"load.request_rate=1..1e+1+9", {1, 10}},
    };
    for (const Text& one : cases) {
        const Result<KnobAxis> axis = parseKnobAxis(one.text, scenario, presets);
        ASSERT_TRUE(axis) << one.text << ": " << axis.error().text();
        const std::vector<double> values = numbers(*axis);
        ASSERT_EQ(values.size(), one.values.size()) << one.text;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(values[i], one.values[i], 1e-9) << one.text;
    }
}

TEST(KnobAxis, TakesChoicesByIdAndAllOfThem)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario scenario = *defaultScenario(presets);
    const Result<KnobAxis> two = parseKnobAxis("precision.kv=bf16,fp8", scenario, presets);
    ASSERT_TRUE(two);
    EXPECT_EQ(two->values, (std::vector<KnobValue>{"bf16", "fp8"}));
    const Result<KnobAxis> all = parseKnobAxis("precision.kv=all", scenario, presets);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->values.size(), findKnob("precision.kv")->choices(scenario, presets).size());
}

TEST(KnobAxis, SaysWhatIsWrongWithAnAxis)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario scenario = *defaultScenario(presets);
    const std::pair<std::string, std::string> cases[] = {
        {"load.concurrency", "knob=values"},
        {"load.concurency=1", "load.concurrency"},
        {"load.concurrency=", "no values"},
        {"load.concurrency=1,,2", "spare comma"},
        {"load.concurrency=8..1", "smaller number first"},
        {"load.concurrency=1..8*1", "factor above 1"},
        {"load.concurrency=1..8+0", "step above 0"},
        {"load.concurrency=1..8+nan", "step above 0"},
        {"load.concurrency=1..8+2x", "step above 0"},
        {"load.concurrency=0..8", "65536"},
        {"load.prefix_hits=0..0.9*2", "begin above 0"},
        {"load.request_rate=1..1000+0.0001", "at most 10000"},
        {"precision.kv=fp7", "fp8"},
    };
    for (const auto& [text, part] : cases) {
        const Result<KnobAxis> axis = parseKnobAxis(text, scenario, presets);
        ASSERT_FALSE(axis) << text;
        EXPECT_THAT(axis.error().message, HasSubstr(part)) << text;
    }
}

TEST(Limit, IsReadAndSaysWhatItIs)
{
    const Result<Limit> limit = parseLimit(" ttft_ms <= 500");
    ASSERT_TRUE(limit);
    EXPECT_EQ(*limit, (Limit{"ttft_ms", true, 500}));
    EXPECT_EQ(limitText(*limit), "TTFT, mean ≤ 500\u00a0ms");
    EXPECT_EQ(*parseLimit("output_tokens_per_s>1e3"), (Limit{"output_tokens_per_s", false, 1000}));
    for (const char* text : {"ttft_ms", "ttft_ms=5", "ttft<=5", "ttft_ms<=", "ttft_ms<=fast", "ttft_ms<=inf", "ttft_ms<=nan"})
        EXPECT_FALSE(parseLimit(text)) << text;
}

TEST(Limit, IsBrokenByWhatIsNotKnown)
{
    EXPECT_FALSE(holds({"cost_per_million_tokens", true, 1.0}, std::nullopt));
    EXPECT_TRUE(holds({"tpot_ms", true, 1.0}, 1.0));
    EXPECT_FALSE(holds({"tpot_ms", false, 1.0}, 0.9));
}

} // namespace
