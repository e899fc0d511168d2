// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_library.h"
#include "core/workload/parameters.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Network denseNetwork()
{
    Network network;
    network.id = "dense";
    network.name = "Dense 8B";
    network.architecture = "LlamaForCausalLM";
    network.aliases = {"meta/Dense-8B", "8", "null", "with \"quotes\" and: colon", "naïve"};
    network.hidden = 4096;
    network.vocabulary = 128256;
    network.maximumContext = 131072;
    network.rotaryDim = 128;
    network.source = "modelConfigs";
    LayerGroup group;
    group.count = 32;
    group.attention.heads = 32;
    group.attention.kvHeads = 8;
    group.attention.headDim = 128;
    group.feedForward.width = 14336;
    network.layers = {group};
    return network;
}

Network windowedMixture()
{
    Network network = denseNetwork();
    network.id = "mixture";
    network.tiedEmbedding = true;
    network.checkpointFormat = Format::mxfp4;
    network.checkpointActivations = Format::fp8;
    network.checkpointKv = Format::fp8;
    network.embeddingFormat = Format::fp32;
    network.headFormat = Format::fp8Block;
    network.leftOut = {"vision tower"};
    LayerGroup group = network.layers.front();
    group.count = 18;
    group.attention.window = 128;
    group.attention.bias = group.attention.outputBias = group.attention.qkNorm = true;
    group.attention.sinks = group.attention.outputGate = true;
    group.feedForward = {};
    group.feedForward.gated = false;
    group.feedForward.experts = 128;
    group.feedForward.expertsPerToken = 4;
    group.feedForward.expertWidth = 2880;
    group.feedForward.expertBias = group.feedForward.routerBias = group.feedForward.sharedGate = true;
    group.feedForward.sharedWidth = 512;
    group.formats = {Format::fp8,         Format::fp8Block, Format::int8,  Format::int4,
                     Format::int4Group32, Format::nvfp4,    Format::mxfp4, Format::fp32};
    network.layers.push_back(group);
    return network;
}

Network latentAndLinear()
{
    Network network = denseNetwork();
    network.id = "latent";
    LayerGroup latent = network.layers.front();
    latent.attention = {};
    latent.attention.kind = AttentionKind::latent;
    latent.attention.heads = 128;
    latent.attention.queryRank = 1536;
    latent.attention.kvRank = 512;
    latent.attention.nopeDim = 128;
    latent.attention.ropeDim = 64;
    latent.attention.valueDim = 128;
    latent.attention.indexHeads = 64;
    latent.attention.indexDim = 128;
    latent.attention.indexTopK = 2048;
    LayerGroup linear = network.layers.front();
    linear.attention = {};
    linear.attention.kind = AttentionKind::linear;
    linear.attention.linearKeyHeads = 16;
    linear.attention.linearValueHeads = 64;
    linear.attention.linearKeyDim = 128;
    linear.attention.linearValueDim = 128;
    linear.attention.convolution = 4;
    linear.attention.stateBytes = 2.0;
    network.layers = {latent, linear};
    return network;
}

TEST(NetworkYaml, ReadsBackWhatWasWritten)
{
    for (const Network& network : {denseNetwork(), windowedMixture(), latentAndLinear()}) {
        const std::string text = writeNetwork(network);
        const Result<Network> again = readNetwork(text, "folder/" + network.id + ".yaml");
        ASSERT_TRUE(again) << again.error().text() << "\n" << text;
        EXPECT_EQ(*again, network) << text;
    }
}

TEST(NetworkYaml, KeepsLayersWithoutFeedForwardAndExtraNorms)
{
    const char* text = "name: Hybrid\nhidden: 512\nvocabulary: 1000\nmaximum_context: 2048\nlearned_positions: 2050\n"
                       "layers:\n  - count: 2\n    attention: {kind: grouped, heads: 8, kv_heads: 2, head_dim: 64}\n"
                       "    norms: 1\n  - count: 3\n    attention: {kind: grouped, heads: 8, kv_heads: 2, head_dim: 64}\n"
                       "    feed_forward: {width: 2048}\n    norms: 4\n";
    const Result<Network> network = readNetwork(text, "hybrid.yaml");
    ASSERT_TRUE(network) << network.error().text();
    EXPECT_TRUE(network->layers[0].feedForward.isNone());
    EXPECT_EQ(network->layers[0].norms, 1);
    EXPECT_EQ(network->layers[1].norms, 4);
    EXPECT_EQ(network->learnedPositions, 2050);
    const Result<Network> again = readNetwork(writeNetwork(*network), "hybrid.yaml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *network);
    // Attention 655 360 a layer; feed-forward 3 x 512 x 2048; norms 1 and 4 x 512; embedding twice; positions; last norm.
    EXPECT_EQ(parameterCount(*network).total, 5 * 655'360 + 3 * 3'145'728 + (2 * 1 + 3 * 4) * 512 + 2 * 512'000 + 2050 * 512 + 512);
}

TEST(NetworkYaml, WritesOnlyWhatDiffersFromTheDefault)
{
    const std::string text = writeNetwork(denseNetwork());
    for (const char* absent : {"tied_embedding", "precision", "formats", "window", "left_out", "gated"})
        EXPECT_EQ(text.find(absent), std::string::npos) << absent << " in\n" << text;
}

TEST(NetworkYaml, KeepsLinesReadable)
{
    for (const Network& network : {denseNetwork(), windowedMixture(), latentAndLinear()}) {
        const std::string text = writeNetwork(network);
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            EXPECT_LE(end - at, 120u) << text;
            at = end + 1;
        }
    }
}

} // namespace
} // namespace ridgepoint
