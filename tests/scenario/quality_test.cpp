// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/quality.h"

#include "core/insight/explanation.h"
#include "core/io/preset_library.h"
#include "tests/scenario/board.h"

#include <gmock/gmock.h>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

Evaluated configured(std::string_view network, const std::vector<std::pair<std::string, std::string>>& knobs,
                     std::string_view system = "hgx-h100-8")
{
    const Presets& presets = samples::shippedPresets();
    Scenario scenario = *defaultScenario(presets);
    scenario.system = *findSystem(presets, system);
    scenario.network = *findNetwork(presets, network);
    scenario.precision = {};
    for (const auto& [knob, value] : knobs)
        scenario = *withKnob(scenario, knob, value, presets);
    return {scenario, evaluate(scenario)};
}

TEST(Quality, SixteenBitsLoseNothing)
{
    EXPECT_TRUE(qualityOf(configured("llama-3.1-8b", {{"precision.weights", "bf16"}, {"precision.kv", "bf16"}})).empty());
    EXPECT_EQ(qualitySummary(configured("llama-3.1-8b", {}), false), "none");
    EXPECT_EQ(qualitySummary(configured("llama-3.1-8b", {}), true), "none");
}

TEST(Quality, GivesWhatIsPublishedOfTheVeryNetworkAndFormats)
{
    const Evaluated fp8 = configured("llama-3.3-70b", {{"precision.weights", "fp8"}, {"precision.kv", "bf16"}});
    const std::vector<QualityPart> parts = qualityOf(fp8);
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts[0].formats, "FP8 weights and inputs");
    ASSERT_FALSE(parts[0].facts.empty());
    EXPECT_DOUBLE_EQ(parts[0].facts[0].baseline, 84.40);
    EXPECT_DOUBLE_EQ(parts[0].facts[0].value, 84.29);
    const std::string text = qualityText(parts[0]);
    EXPECT_THAT(text, HasSubstr("OpenLLM v1 84.40 → 84.29 (−0.13\u00a0%) of Llama 3.1 70B Instruct"));
    EXPECT_THAT(text, HasSubstr("published by Neural Magic, 2024-07-23"));
    EXPECT_EQ(qualitySummary(fp8, false), "at worst −0.38\u00a0% (MMLU)");
}

TEST(Quality, IsUnknownForOtherFormatsInputsAndNetworks)
{
    for (const Evaluated& one : {configured("llama-3.3-70b", {{"precision.weights", "fp8_block"}, {"precision.kv", "bf16"}}),
                                 configured("llama-3.3-70b", {{"precision.weights", "fp8"}, {"precision.kv", "bf16"}}, "hgx-a100-8"),
                                 configured("qwen3-32b", {{"precision.weights", "fp8"}, {"precision.kv", "bf16"}})}) {
        const std::vector<QualityPart> parts = qualityOf(one);
        ASSERT_EQ(parts.size(), 1U) << one.scenario.network.name;
        EXPECT_TRUE(parts[0].facts.empty()) << one.scenario.network.name;
        EXPECT_THAT(qualityText(parts[0]), HasSubstr("effect on quality unknown"));
        EXPECT_EQ(qualitySummary(one, false), "unknown");
    }
}

TEST(Quality, TheCacheIsJudgedApartFromTheWeights)
{
    const Evaluated both = configured("llama-3.3-70b", {{"precision.weights", "fp8"}, {"precision.kv", "fp8"}});
    ASSERT_EQ(qualityOf(both).size(), 2U);
    EXPECT_EQ(qualityOf(both)[1].formats, "FP8 KV cache");
    EXPECT_EQ(qualitySummary(both, false), "at worst −0.38\u00a0% (MMLU)");
    EXPECT_EQ(qualitySummary(both, true), "unknown");
}

TEST(Quality, WhatOthersAreHeldAgainstLosesNothing)
{
    EXPECT_TRUE(qualityOf(configured("deepseek-r1", {{"precision.kv", "bf16"}})).empty()) << "trained in FP8 blocks";
    const std::vector<QualityPart> fp4 =
        qualityOf(configured("deepseek-r1", {{"precision.weights", "nvfp4"}, {"precision.kv", "bf16"}}, "hgx-b200-8"));
    ASSERT_EQ(fp4.size(), 1U);
    EXPECT_EQ(fp4[0].facts.size(), 5U);
}

TEST(Quality, TheExplanationSaysItForEveryColumnWithFewBits)
{
    const std::vector<Evaluated> board = samples::sampleBoard();
    const Explanation explanation = explain(board, 0);
    for (std::size_t i = 0; i < board.size(); ++i)
        for (const QualityPart& part : qualityOf(board[i])) {
            bool said = false;
            for (const ExplanationSection& section : explanation.sections)
                for (const Sentence& sentence : section.sentences)
                    said = said || (sentence.text.ends_with(qualityText(part)) && sentence.knob == part.knob);
            EXPECT_TRUE(said) << i << ": " << part.formats;
        }
}

TEST(Quality, AdviceOfFewerBitsSaysWhatTheyDoToTheAnswers)
{
    int advised = 0;
    for (const std::string weights : {"bf16", "fp8"}) {
        const Evaluated column = configured("llama-3.3-70b", {{"precision.weights", weights}, {"precision.kv", "bf16"}}, "hgx-b200-8");
        for (const ExplanationSection& section : explain(std::vector<Evaluated>{column}, 0).sections)
            for (const Sentence& sentence : section.sentences)
                if (section.heading == "What would help most" && sentence.knob.starts_with("precision.")) {
                    ++advised;
                    EXPECT_THAT(sentence.text, testing::AnyOf(HasSubstr("effect on quality unknown"), HasSubstr("effect on quality at worst")));
                }
    }
    EXPECT_GT(advised, 0);
}

TEST(Quality, EveryFactHasASourceThatCanBeOpenedAndIsPlausible)
{
    const Presets& presets = samples::shippedPresets();
    int facts = 0;
    for (const Network& network : presets.networks)
        for (const QualityFact& fact : network.quality) {
            ++facts;
            const auto source = presets.sources.find(fact.source);
            ASSERT_NE(source, presets.sources.end()) << network.id << " cites " << fact.source;
            EXPECT_TRUE(source->second.url.starts_with("https://")) << fact.source;
            EXPECT_FALSE(fact.publisher.empty() || fact.checkpoint.empty() || fact.date.empty()) << network.id;
            EXPECT_GT(kept(fact), 0.7) << network.id << ", " << fact.benchmark;
            EXPECT_LT(kept(fact), 1.05) << network.id << ", " << fact.benchmark;
            EXPECT_LE(bytesPerElement(fact.weights), bytesPerElement(fact.reference)) << network.id;
        }
    EXPECT_GE(facts, 40);
}

TEST(Quality, FactsSurviveWritingAndReading)
{
    for (const char* id : {"llama-3.1-8b", "deepseek-r1"}) {
        const Network& network = *findNetwork(samples::shippedPresets(), id);
        const Result<Network> again = readNetwork(writeNetwork(network), network.id + ".yaml");
        ASSERT_TRUE(again.has_value()) << again.error().text();
        EXPECT_EQ(again->quality, network.quality);
    }
}

} // namespace
