// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch_command.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace ridgepoint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

Scenario with(std::vector<std::pair<std::string, KnobValue>> values)
{
    const Presets& presets = samples::shippedPresets();
    Scenario scenario = *defaultScenario(presets);
    for (const auto& [id, value] : values)
        scenario = *withKnob(scenario, id, value, presets);
    return scenario;
}

/// The word after an option; empty when it is missing or the last.
std::string valueOf(const LaunchCommand& command, const std::string& option)
{
    const auto found = std::find(command.words.begin(), command.words.end(), option);
    return found == command.words.end() || found + 1 == command.words.end() ? "" : *(found + 1);
}

TEST(LaunchCommand, CarriesWhatTheEstimateAssumes)
{
    const Scenario s = with({{"engine.preset", std::string("vllm")}, {"parallel.tp", 4.0}, {"engine.max_sequences", 300.0},
                             {"engine.memory_fraction", 0.87}, {"engine.batched_tokens", 4096.0},
                             {"precision.kv", std::string("fp8")}, {"parallel.replicas", 2.0}});
    const LaunchCommand command = *launchCommand(s);
    EXPECT_EQ(command.words.front(), "vllm");
    EXPECT_EQ(valueOf(command, "--tensor-parallel-size"), "4");
    EXPECT_EQ(valueOf(command, "--max-num-seqs"), "300");
    EXPECT_EQ(valueOf(command, "--gpu-memory-utilization"), "0.87");
    EXPECT_EQ(valueOf(command, "--max-num-batched-tokens"), "4096");
    EXPECT_EQ(valueOf(command, "--kv-cache-dtype"), "fp8");
    EXPECT_THAT(command.text(), HasSubstr("# Start it 2 times, on 4 devices each"));
    EXPECT_GE(std::stoi(valueOf(command, "--max-model-len")), s.load.inputTokens + s.load.outputTokens);
}

TEST(LaunchCommand, CountsTheDevicesOfAllAttentionGroupsWhereTheEngineDoes)
{
    const std::vector<std::pair<std::string, KnobValue>> plan = {{"network.preset", std::string("deepseek-r1")},
                                                                 {"hardware.system", std::string("hgx-h200-8")},
                                                                 {"parallel.tp", 1.0},
                                                                 {"parallel.attention_dp", 8.0},
                                                                 {"parallel.ep", 8.0}};
    const auto on = [&](const char* engine) {
        auto values = plan;
        values.emplace_back("engine.preset", std::string(engine));
        return *launchCommand(with(values));
    };
    EXPECT_EQ(valueOf(on("vllm"), "--tensor-parallel-size"), "1");
    EXPECT_EQ(valueOf(on("vllm"), "--data-parallel-size"), "8");
    EXPECT_THAT(on("vllm").text(), HasSubstr("--enable-expert-parallel"));
    EXPECT_EQ(valueOf(on("sglang"), "--tp-size"), "8");
    EXPECT_EQ(valueOf(on("sglang"), "--dp-size"), "8");
    EXPECT_EQ(valueOf(on("sglang"), "--ep-size"), "8");
    EXPECT_EQ(valueOf(on("tensorrt-llm"), "--tp_size"), "8");
    EXPECT_THAT(on("tensorrt-llm").settings, HasSubstr("enable_attention_dp: true"));
}

TEST(LaunchCommand, SaysWhatIsStillMissing)
{
    Scenario s = with({{"precision.weights", std::string("int4")}});
    s.network.aliases.clear();
    s.network.name = "Don't panic";
    const std::string text = launchCommand(s)->text();
    EXPECT_THAT(text, HasSubstr("# Put the path or the published name of Don't panic in place of CHECKPOINT."));
    EXPECT_THAT(text, HasSubstr("choose a checkpoint in that format"));
    EXPECT_THAT(text, Not(HasSubstr("--quantization")));
}

TEST(LaunchCommand, QuotesForAShell)
{
    Scenario s = with({});
    s.network.aliases = {"me/it's $HOME"};
    EXPECT_THAT(launchCommand(s)->text(), HasSubstr("'me/it'\\''s $HOME'"));
}

TEST(LaunchCommand, IsRefusedForTheIdealEngine)
{
    const Result<LaunchCommand> command = launchCommand(with({{"engine.preset", std::string("ideal")}}));
    ASSERT_FALSE(command);
    EXPECT_THAT(command.error().message, HasSubstr("vLLM, SGLang and TensorRT-LLM"));
}

} // namespace
