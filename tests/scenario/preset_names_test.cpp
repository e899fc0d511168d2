// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/preset_names.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Network network(std::string id, std::string name, std::vector<std::string> aliases, Format checkpoint = Format::bf16)
{
    Network n;
    n.id = std::move(id);
    n.name = std::move(name);
    n.aliases = std::move(aliases);
    n.checkpointFormat = checkpoint;
    return n;
}

Device device(std::string id, std::vector<std::string> aliases, double gigabytes)
{
    Device d;
    d.id = d.name = std::move(id);
    d.aliases = std::move(aliases);
    d.memoryCapacity = Bytes{gigabytes * 1e9};
    return d;
}

Presets presets()
{
    Presets p;
    p.networks = {network("llama-2-13b", "Llama 2 13B", {"meta-llama/Llama-2-13b-hf"}),
                  network("llama-3-8b", "Llama 3 8B", {}),
                  network("llama-3.1-8b", "Llama 3.1 8B", {}),
                  network("qwen2-57b-a14b", "Qwen2 57B A14B", {}),
                  network("qwen2.5-7b", "Qwen2.5 7B", {}),
                  network("qwen3-235b-a22b", "Qwen3 235B A22B", {}),
                  network("deepseek-r1", "DeepSeek R1", {"deepseek-ai/DeepSeek-V3"}, Format::fp8Block),
                  network("glm-5", "GLM-5", {}),
                  network("glm-5-fp8", "GLM-5 FP8", {}, Format::fp8Block),
                  network("phi-1.5", "phi-1.5", {})};
    p.devices = {device("a100-sxm-80gb", {"A100", "A100 80GB"}, 80), device("a100-sxm-40gb", {"A100 SXM4 40GB"}, 40),
                 device("a10", {"A10"}, 24), device("rtx-3090", {"RTX 3090"}, 24), device("rtx-3080", {"RTX 3080"}, 10),
                 device("rtx-3080-ti", {"RTX 3080 Ti"}, 12), device("m1-max", {"M1 Max 32-core"}, 64),
                 device("h100-sxm", {"H100", "H100 80GB"}, 80)};
    return p;
}

TEST(PresetNames, NetworksAreFoundHoweverTheyAreWritten)
{
    const Presets p = presets();
    const PresetNames names(p);
    const struct { const char* text; const char* id; } cases[] = {
        {"Llama-2-13B", "llama-2-13b"},
        {"meta-llama/Llama-2-13b-chat-hf", "llama-2-13b"},
        {"Llama 2 13 B", "llama-2-13b"},
        {"Llama-2-13B (labelled \"LLaMA v2\")", "llama-2-13b"},
        {"Meta_Llama_3.1_8b_it", "llama-3.1-8b"},
        {"Meta-Llama-3-8B-Instruct", "llama-3-8b"},
        {"unsloth/Llama-3.1-8B-Instruct-bnb-4bit", "llama-3.1-8b"},
        {"Qwen2.5-7B-Instruct AWQ/GPTQ int4", "qwen2.5-7b"},
        {"Qwen2.5-Coder-7B-Instruct-GPTQ-Int4", "qwen2.5-7b"},
        {"Qwen3-235B-A22B-128K", "qwen3-235b-a22b"},
        {"Qwen3-235B-A22B-Instruct-2507-FP8", "qwen3-235b-a22b"},
        {"unsloth_DeepSeek R1 BF16 (672.050B)", "deepseek-r1"},
        {"Deepseek-V3-0324", "deepseek-r1"},
        {"DeepSeek-R1 671B", "deepseek-r1"},
        {"GLM-5", "glm-5"},
        {"zai-org/GLM-5-FP8", "glm-5-fp8"},
        {"phi-1.5 1.3 B", "phi-1.5"},
    };
    for (const auto& c : cases) {
        const Network* found = names.network(c.text);
        ASSERT_TRUE(found) << c.text;
        EXPECT_EQ(found->id, c.id) << c.text;
    }
}

TEST(PresetNames, WhatIsNotKnownIsNotGuessed)
{
    const Presets p = presets();
    const PresetNames names(p);
    for (const char* text : {"Llama-2-7B", "Qwen2-7B", "Qwen2.5-72B", "GPT-5", "", "B", "Instruct", "Llama"})
        EXPECT_EQ(names.network(text), nullptr) << text;
    for (const char* text : {"RTX 3070", "A100-64GB", "", "NVIDIA", "80GB"})
        EXPECT_EQ(names.device(text), nullptr) << text;
}

TEST(PresetNames, DevicesAreFoundByCoreNameAndMemory)
{
    const Presets p = presets();
    const PresetNames names(p);
    const struct { const char* text; const char* id; } cases[] = {
        {"NVIDIA GeForce RTX 3090", "rtx-3090"},
        {"A100-SXM4-40GB", "a100-sxm-40gb"},
        {"A100-40GB", "a100-sxm-40gb"},
        {"A100-80GB (power-limited 330 W)", "a100-sxm-80gb"},
        {"A10-24GB", "a10"},
        {"RTX 3080", "rtx-3080"},
        {"NVIDIA GeForce RTX 3080 Ti", "rtx-3080-ti"},
        {"Apple M1 Max 32-core GPU", "m1-max"},
        {"M1 Max 32\xe2\x80\x91" "Core GPU", "m1-max"},
        {"H100-80GB class (79.22 GiB visible)", "h100-sxm"},
        {"A100/A800-80GB class (81920 MiB)", "a100-sxm-80gb"},
    };
    for (const auto& c : cases) {
        const Device* found = names.device(c.text);
        ASSERT_TRUE(found) << c.text;
        EXPECT_EQ(found->id, c.id) << c.text;
    }
}

TEST(PresetNames, MemoryIsReadFromALabel)
{
    EXPECT_EQ(labelledMemory("A800-80GB (40 GB free on each)"), 80);
    EXPECT_EQ(labelledMemory("Jetson AGX Thor 128 GB unified"), 128);
    EXPECT_EQ(labelledMemory("RTX 3090"), 0);
}

} // namespace
} // namespace ridgepoint
