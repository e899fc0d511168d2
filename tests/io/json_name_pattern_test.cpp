// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/name_pattern.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ridgepoint {
namespace {

bool matches(const std::string& pattern, const std::string& name)
{
    const Result<NamePattern> parsed = NamePattern::parse(pattern);
    EXPECT_TRUE(parsed) << pattern << ": " << parsed.error().text();
    return parsed && parsed->matches(name);
}

TEST(NamePattern, PlainNamesMatchWholeComponents)
{
    EXPECT_TRUE(matches("lm_head", "lm_head"));
    EXPECT_TRUE(matches("model.layers.0.self_attn", "model.layers.0.self_attn.q_proj"));
    EXPECT_TRUE(matches("mlp.gate", "model.layers.0.mlp.gate"));
    EXPECT_FALSE(matches("mlp.gate", "model.layers.0.mlp.gate_proj"));
    EXPECT_FALSE(matches("layers.1", "model.layers.10.mlp.gate"));
}

TEST(NamePattern, StarsMatchNamesAndTheModulesInThem)
{
    EXPECT_TRUE(matches("model.layers.*.self_attn", "model.layers.7.self_attn.q_proj"));
    EXPECT_TRUE(matches("model.layers.0.self_attn*", "model.layers.0.self_attn.q_proj"));
    EXPECT_TRUE(matches("*.mlp.shared_expert.*", "model.layers.3.mlp.shared_expert.up_proj"));
    EXPECT_FALSE(matches("*.mlp.shared_expert.*", "model.layers.3.mlp.experts.0.up_proj"));
    EXPECT_FALSE(matches("model.layers.?.mlp", "model.layers.10.mlp.gate_proj"));
}

TEST(NamePattern, ExpressionsMatchAtTheBeginning)
{
    const std::string kimi = "re:.*mlp\\.(gate|up|gate_up|down)_proj.*";
    EXPECT_TRUE(matches(kimi, "model.layers.0.mlp.gate_proj"));
    EXPECT_TRUE(matches(kimi, "model.layers.0.mlp.gate_up_proj"));
    EXPECT_FALSE(matches(kimi, "model.layers.0.mlp.experts.0.gate_proj"));
    EXPECT_TRUE(matches("re:.*gate$", "model.layers.0.mlp.gate"));
    EXPECT_FALSE(matches("re:.*gate$", "model.layers.0.mlp.gate_proj"));
    EXPECT_FALSE(matches("re:gate", "mlp.gate"));
    EXPECT_TRUE(matches("re:model\\.layers\\.(\\d|1[0-5])\\.", "model.layers.15.mlp"));
    EXPECT_FALSE(matches("re:model\\.layers\\.(\\d|1[0-5])\\.", "model.layers.16.mlp"));
    EXPECT_TRUE(matches("re:[^x]+a{2,3}b?$", "zaaab"));
    EXPECT_FALSE(matches("re:^a{2}$", "aaa"));
    EXPECT_TRUE(matches("re:(?:ab|c)+$", "abcab"));
    EXPECT_TRUE(matches("re:a.*?b", "axxb"));
}

TEST(NamePattern, TellsTheLayerItSpeaksOf)
{
    const auto layer = [](const char* text) { return NamePattern::parse(text)->layer(); };
    EXPECT_EQ(layer("model.layers.12.self_attn*"), 12);
    EXPECT_EQ(NamePattern::parse("model.layers.12.self_attn*")->prefix(), "model.");
    EXPECT_EQ(layer("model.layers.1*"), -1);
    EXPECT_EQ(layer("*.layers.1.mlp"), -1);
    EXPECT_EQ(layer("lm_head"), -1);
}

TEST(NamePattern, RefusesWhatItDoesNotUnderstand)
{
    for (const char* text : {"re:(a", "re:a)", "re:[a", "re:*a", "re:(?=a)", "re:\\b", "re:a\\", "re:a{3,1}",
                             "re:(?P<x>a)", "re:[z-a]", ""})
        EXPECT_FALSE(NamePattern::parse(text)) << text;
}

} // namespace
} // namespace ridgepoint
