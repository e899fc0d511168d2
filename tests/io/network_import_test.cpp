// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/network_import.h"
#include "core/io/preset_library.h"
#include "core/io/text_file.h"
#include "core/workload/kv_cache.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ridgepoint {
namespace {

const std::filesystem::path configs = RIDGEPOINT_SOURCE_DIR "/tests/validation/data/model_configs";

Network imported(const std::string& stem)
{
    const Result<Network> network = importNetwork(configs / (stem + "_config.json"));
    EXPECT_TRUE(network) << stem << ": " << network.error().text();
    return network ? *network : Network{};
}

double totalWeightBytes(const Network& network)
{
    const StoredWeights stored = storedWeights(network, {}, 1);
    return (stored.total() - stored.rotaryTable).value;
}

struct Count
{
    std::string stem;
    std::int64_t total;
};

TEST(NetworkImport, CountsParametersToTheLastDigit)
{
    for (const Count& published :
         {Count{"meta-llama--Meta-Llama-3.1-8B", 8'030'261'248},
          Count{"meta-llama--Meta-Llama-3.1-70B", 70'553'706'496},
          Count{"nvidia--Llama-3.1-70B-Instruct-FP8", 70'553'706'496},
          Count{"written--Llama-3.1-405B", 405'853'388'800}, Count{"written--Mixtral-8x7B-v0.1", 46'702'792'704},
          Count{"written--Qwen2.5-7B", 7'615'616'512}, Count{"deepseek-ai--DeepSeek-R1", 671'026'419'200},
          Count{"openai--gpt-oss-120b", 116'829'156'672}, Count{"Qwen--Qwen3-235B-A22B-FP8", 235'093'634'560},
          Count{"zai-org--GLM-5", 743'911'218'432}, Count{"zai-org--GLM-5-FP8", 743'911'218'432},
          Count{"nvidia--GLM-5-NVFP4", 743'911'218'432}, Count{"moonshotai--Kimi-K2.5", 1'026'408'232'448},
          Count{"nvidia--Kimi-K2.5-NVFP4", 1'026'408'232'448}, Count{"Qwen--Qwen3.5-397B-A17B", 396'346'350'336},
          Count{"nvidia--Qwen3.5-397B-A17B-NVFP4", 396'346'350'336}, Count{"written--gemma-2-9b", 9'241'705'984},
          Count{"written--gemma-3-1b", 999'885'952}, Count{"written--Phi-3-mini-4k", 3'821'079'552}})
        EXPECT_EQ(parameterCount(imported(published.stem)).total, published.total) << published.stem;
}

TEST(NetworkImport, CountsActiveParametersWithTheExpertsOfOneToken)
{
    // Published, in billions to the digits the publishers state.
    EXPECT_NEAR(double(parameterCount(imported("deepseek-ai--DeepSeek-R1")).active), 37e9, 0.6e9);
    const ParameterCount oss = parameterCount(imported("openai--gpt-oss-120b"));
    EXPECT_NEAR(double(oss.active - oss.embedding), 5.1e9, 0.05e9);   // its publisher leaves the embedding out
    EXPECT_NEAR(double(parameterCount(imported("Qwen--Qwen3-235B-A22B-FP8")).active), 22e9, 0.5e9);
    EXPECT_NEAR(double(parameterCount(imported("Qwen--Qwen3.5-397B-A17B")).active), 17e9, 0.7e9);
    EXPECT_NEAR(double(parameterCount(imported("written--Mixtral-8x7B-v0.1")).active), 12.9e9, 0.05e9);
    const ParameterCount dense = parameterCount(imported("meta-llama--Meta-Llama-3.1-8B"));
    EXPECT_EQ(dense.active, dense.total);
    EXPECT_EQ(dense.embedding, 128256ll * 4096);
}

TEST(NetworkImport, CountsCacheBytesOfAToken)
{
    const auto bytes = [](const std::string& stem, Format kv) { return kvBytesPerToken(imported(stem), kv).value; };
    EXPECT_EQ(bytes("meta-llama--Meta-Llama-3.1-8B", Format::bf16), 131'072);
    EXPECT_EQ(bytes("meta-llama--Meta-Llama-3.1-70B", Format::bf16), 327'680);
    EXPECT_EQ(bytes("deepseek-ai--DeepSeek-R1", Format::bf16), 70'272);
    EXPECT_EQ(bytes("deepseek-ai--DeepSeek-R1", Format::fp8), 61 * 576);
    EXPECT_EQ(bytes("written--Qwen2.5-7B", Format::bf16), 57'344);
    EXPECT_EQ(bytes("zai-org--GLM-5", Format::fp8), 78 * (656 + 132));
    EXPECT_EQ(bytes("Qwen--Qwen3.5-397B-A17B", Format::bf16), 15 * 2 * 2 * 256 * 2);
    EXPECT_EQ(bytes("openai--gpt-oss-120b", Format::bf16), 36 * 2 * 8 * 64 * 2);
}

TEST(NetworkImport, ImportsEveryConfigurationOfTheFolder)
{
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(configs)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with("_config.json") || name.ends_with("_hf_quant_config.json"))
            continue;
        ++files;
        const Result<Network> network = importNetwork(entry.path());
        ASSERT_TRUE(network) << network.error().text();
        EXPECT_EQ(network->source, name);
        EXPECT_FALSE(network->layers.empty());
        EXPECT_GT(network->rotaryDim, 0) << name;
    }
    EXPECT_EQ(files, 20);
}

TEST(NetworkImport, ReadsTheLayersOfGemmaInTheirPattern)
{
    const Network second = imported("written--gemma-2-9b");
    ASSERT_EQ(second.layers.size(), 2u);
    EXPECT_EQ(second.layers[0].attention.window, 4096) << "the first layer has the window";
    EXPECT_EQ(second.layers[1].attention.window, 0);
    EXPECT_EQ(second.layers[0].count, 21);
    EXPECT_EQ(second.layers[0].norms, 4);
    EXPECT_FALSE(second.layers[0].attention.qkNorm);
    EXPECT_TRUE(second.tiedEmbedding) << "which its file does not say";

    const Network third = imported("written--gemma-3-4b");
    ASSERT_EQ(third.layers.size(), 2u);
    EXPECT_EQ(third.layers[0].count, 29);
    EXPECT_EQ(third.layers[0].attention.window, 1024);
    EXPECT_EQ(third.layers[1].count, 5) << "every sixth sees all";
    EXPECT_EQ(third.layers[1].attention.kvHeads, 4) << "which its file leaves to the publisher's code";
    EXPECT_EQ(third.vocabulary, 262208);
    EXPECT_TRUE(third.layers[0].attention.qkNorm);
    EXPECT_EQ(third.leftOut, std::vector<std::string>{"vision tower"});
}

TEST(NetworkImport, ReadsTheRecipeOfEachCheckpoint)
{
    const Network r1 = imported("deepseek-ai--DeepSeek-R1");
    EXPECT_EQ(r1.checkpointFormat, Format::fp8Block);
    EXPECT_EQ(r1.checkpointActivations, Format::fp8);
    ASSERT_EQ(r1.layers.size(), 2u);
    EXPECT_EQ(r1.layers[1].formats.attention, Format::fp8Block);
    EXPECT_EQ(r1.layers[1].formats.router, Format::bf16);
    EXPECT_EQ(r1.headFormat, Format::bf16);

    const Network oss = imported("openai--gpt-oss-120b");
    EXPECT_EQ(oss.checkpointFormat, Format::mxfp4);
    EXPECT_EQ(oss.checkpointActivations, Format::bf16);
    EXPECT_EQ(oss.layers[0].formats.experts, Format::mxfp4);
    EXPECT_EQ(oss.layers[0].formats.attention, Format::bf16);

    const Network kimi = imported("moonshotai--Kimi-K2.5");
    EXPECT_EQ(kimi.checkpointFormat, Format::int4Group32);
    ASSERT_EQ(kimi.layers.size(), 2u);
    EXPECT_EQ(kimi.layers[0].formats.dense, Format::bf16);
    EXPECT_EQ(kimi.layers[1].formats.experts, Format::int4Group32);
    EXPECT_EQ(kimi.layers[1].formats.shared, Format::bf16);
    EXPECT_EQ(kimi.layers[1].formats.latentUp, Format::bf16);

    const Network kimiFp4 = imported("nvidia--Kimi-K2.5-NVFP4");
    EXPECT_EQ(kimiFp4.layers[0].formats.dense, Format::nvfp4);
    EXPECT_EQ(kimiFp4.layers[1].formats.attention, Format::bf16);
    EXPECT_EQ(kimiFp4.layers[1].formats.shared, Format::nvfp4);
    EXPECT_EQ(kimiFp4.checkpointKv, Format::fp8);
    EXPECT_EQ(kimiFp4.checkpointActivations, Format::nvfp4);

    const Network glm = imported("nvidia--GLM-5-NVFP4");
    EXPECT_EQ(glm.layers[1].formats.experts, Format::nvfp4);
    EXPECT_EQ(glm.layers[1].formats.indexer, Format::bf16);
    EXPECT_EQ(glm.layers[1].formats.attentionOutput, Format::bf16);
    EXPECT_EQ(imported("zai-org--GLM-5-FP8").layers[1].formats.indexer, Format::fp8Block);

    const Network qwen = imported("nvidia--Qwen3.5-397B-A17B-NVFP4");
    ASSERT_EQ(qwen.layers.size(), 2u);
    for (const LayerGroup& group : qwen.layers) {
        EXPECT_EQ(group.formats.attention, Format::bf16);
        EXPECT_EQ(group.formats.shared, Format::bf16);
        EXPECT_EQ(group.formats.experts, Format::nvfp4);
    }
    EXPECT_EQ(qwen.checkpointKv, Format::fp8);

    const Network llama = imported("nvidia--Llama-3.1-70B-Instruct-FP8");
    EXPECT_EQ(llama.checkpointFormat, Format::fp8);
    EXPECT_EQ(llama.checkpointKv, Format::fp8);
    EXPECT_EQ(llama.layers[0].formats.attentionOutput, Format::fp8);
}

TEST(NetworkImport, StoresAsManyBytesAsThePublishedCheckpoints)
{
    // FP8 70B: linear layers 68,451,041,280 elements at one byte, embedding and head at two (fieldMemory example 3).
    EXPECT_NEAR(totalWeightBytes(imported("nvidia--Llama-3.1-70B-Instruct-FP8")),
                68'451'041'280.0 + 2.0 * 2'101'346'304.0 + 2.0 * (161 * 8192), 1.0);
    // gpt-oss: experts at 4.25 bits, the rest at 16 (fieldMemory example 6, without the padding of kernels).
    const double experts = 114'661'785'600.0;
    EXPECT_NEAR(totalWeightBytes(imported("openai--gpt-oss-120b")), experts * 0.53125 + 2'167'371'072.0 * 2, 1.0);
    // Four-bit checkpoints of networks with most weights in experts lie between 0.5625 and 0.65 bytes an element.
    for (const char* stem : {"nvidia--GLM-5-NVFP4", "nvidia--Kimi-K2.5-NVFP4", "nvidia--Qwen3.5-397B-A17B-NVFP4",
                             "moonshotai--Kimi-K2.5"}) {
        const Network network = imported(stem);
        const double perElement = totalWeightBytes(network) / double(parameterCount(network).total);
        EXPECT_GT(perElement, 0.5625) << stem;
        EXPECT_LT(perElement, 0.65) << stem;
    }
}

TEST(NetworkImport, GivesWhatTheShippedPresetsSay)
{
    struct Pair
    {
        std::string preset, config;
    };
    for (const Pair& pair :
         {Pair{"llama-3.1-8b", "meta-llama--Meta-Llama-3.1-8B"},
          Pair{"llama-3.3-70b", "meta-llama--Meta-Llama-3.1-70B"}, Pair{"llama-3.1-405b", "written--Llama-3.1-405B"},
          Pair{"mixtral-8x7b", "written--Mixtral-8x7B-v0.1"}, Pair{"qwen2.5-7b", "written--Qwen2.5-7B"},
          Pair{"qwen3-235b-a22b", "Qwen--Qwen3-235B-A22B-FP8"}, Pair{"deepseek-r1", "deepseek-ai--DeepSeek-R1"},
          Pair{"gpt-oss-120b", "openai--gpt-oss-120b"}, Pair{"kimi-k2.5", "moonshotai--Kimi-K2.5"},
          Pair{"kimi-k2.5-nvfp4", "nvidia--Kimi-K2.5-NVFP4"}, Pair{"qwen3.5-397b-a17b", "Qwen--Qwen3.5-397B-A17B"},
          Pair{"qwen3.5-397b-a17b-nvfp4", "nvidia--Qwen3.5-397B-A17B-NVFP4"}, Pair{"glm-5", "zai-org--GLM-5"},
          Pair{"glm-5-fp8", "zai-org--GLM-5-FP8"}, Pair{"glm-5-nvfp4", "nvidia--GLM-5-NVFP4"}}) {
        const std::string file = std::string(RIDGEPOINT_SOURCE_DIR "/presets/networks/") + pair.preset + ".yaml";
        const Result<std::string> text = readTextFile(file);
        ASSERT_TRUE(text) << text.error().text();
        Result<Network> preset = readNetwork(*text, file);
        ASSERT_TRUE(preset) << preset.error().text();
        Network network = imported(pair.config);
        network.id = preset->id;
        network.name = preset->name;
        network.aliases = preset->aliases;
        network.source = preset->source;
        network.towerParameters = preset->towerParameters;   // a configuration does not say
        network.quality = preset->quality;
        EXPECT_EQ(*preset, network) << pair.preset;
    }
}

TEST(NetworkImport, KeepsWindowsOfEachLayer)
{
    const Network oss = imported("openai--gpt-oss-120b");
    ASSERT_EQ(oss.layers.size(), 2u);
    EXPECT_EQ(oss.layers[0].count, 18);
    EXPECT_EQ(oss.layers[0].attention.window, 128);
    EXPECT_EQ(oss.layers[1].attention.window, 0);
    EXPECT_TRUE(oss.layers[0].attention.sinks);
    EXPECT_EQ(imported("written--Qwen2.5-7B").layers.size(), 1u);
    EXPECT_EQ(imported("written--Qwen2.5-7B").layers[0].attention.window, 0);
}

TEST(NetworkImport, NamesWhatItLeavesOut)
{
    const std::vector<std::string> qwen = imported("Qwen--Qwen3.5-397B-A17B").leftOut;
    EXPECT_EQ(qwen, (std::vector<std::string>{"1 multi-token prediction layer", "vision tower"}));
    EXPECT_EQ(imported("moonshotai--Kimi-K2.5").leftOut, std::vector<std::string>{"vision tower"});
    EXPECT_TRUE(imported("openai--gpt-oss-120b").leftOut.empty());
}

TEST(NetworkImport, NamesTheNetworkAfterItsFile)
{
    EXPECT_EQ(imported("meta-llama--Meta-Llama-3.1-8B").id, "meta-llama-3.1-8b");
    EXPECT_EQ(imported("meta-llama--Meta-Llama-3.1-8B").name, "Meta-Llama-3.1-8B");
    const std::string text = R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 64, "vocab_size": 100,
        "max_position_embeddings": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128})";
    EXPECT_EQ(importNetworkText(text, "a/b/Tiny Net/config.json", "", "")->id, "tiny-net");
    EXPECT_EQ(importNetworkText(text, "config.json", "", "")->id, "network");
}

TEST(NetworkImport, TakesThePublishersDefaultsForMissingFields)
{
    const std::string text = R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 64, "vocab_size": 100,
        "max_position_embeddings": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128})";
    const Result<Network> network = importNetworkText(text, "tiny_config.json", "", "");
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_EQ(network->layers[0].attention.kvHeads, 4);
    EXPECT_EQ(network->layers[0].attention.headDim, 16);
    EXPECT_FALSE(network->tiedEmbedding);
    EXPECT_EQ(network->layers[0].count, 2);
}

} // namespace
} // namespace ridgepoint
