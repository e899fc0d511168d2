// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/footprint.h"
#include "core/workload/kv_cache.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

using namespace literals;

Footprint onOne(const Network& network, EngineProfile engine, double tokens, double asked)
{
    return footprint(samples::roundDevice(), network, {}, {}, engine, tokens, asked);
}

TEST(Weights, OfLlama8bAreExact)
{
    EXPECT_DOUBLE_EQ(weightsOnDevice(samples::llama8b(), {}, 1, 1).value, 16094076928.0);
}

TEST(ActivationPeak, IsTheSamplerForVllmDefaults)
{
    const struct { int vocabulary, hidden; double gib; } cases[] = {
        {128256, 4096, 4.759}, {151936, 5120, 5.643}, {201088, 2880, 7.381}};
    for (const auto& c : cases) {
        Network network = samples::llama8b();
        network.vocabulary = c.vocabulary;
        network.hidden = c.hidden;
        network.layers[0].feedForward.width = 1024;   // keeps the forward pass below the sampler
        EXPECT_NEAR(onOne(network, samples::vllmEngine(), 1024, 1).activations.value / gibi, c.gib, 0.01);
    }
}

TEST(ActivationPeak, IsTheForwardPassWhenPrefillIsNotChunked)
{
    EngineProfile engine = samples::vllmEngine();
    engine.batchedTokens = 29000;
    engine.maximumSequences = 1;
    EXPECT_DOUBLE_EQ(onOne(samples::llama8b(), engine, 29000, 1).activations.value, 3207168000.0);
}

TEST(CachePool, OfLlama8bOnAnH100MatchesTheLog)
{
    EngineProfile engine = samples::vllmEngine();
    engine.blockTokens = 128;
    const Footprint many = onOne(samples::llama8b(), engine, 1024, 1);
    EXPECT_NEAR(many.kvPool.value / gibi, 51.38, 0.02);
    EXPECT_NEAR(std::floor(many.kvPool.value / (128.0 * 131072.0)) * 128.0, 420864, 256);
    engine.maximumSequences = 256;
    EXPECT_NEAR(onOne(samples::llama8b(), engine, 1024, 1).kvPool.value / gibi, 54.88, 0.02);
}

TEST(Cache, OfGptOssDependsOnTheWindowPolicy)
{
    const Network network = samples::gptOss120b();
    EngineProfile engine = samples::vllmEngine();
    engine.batchedTokens = 1024;
    const auto need = [&](WindowPolicy policy) {
        engine.windowPolicy = policy;
        return cacheOfRequest(network, Format::bf16, engine, 1, 1, 131072).value / gibi;
    };
    EXPECT_NEAR(need(WindowPolicy::exact), 4.504, 0.0005);
    EXPECT_NEAR(need(WindowPolicy::blocks), 4.540, 0.0005);
    EXPECT_NEAR(need(WindowPolicy::full), 9.0, 0.01);
    engine.windowPolicy = WindowPolicy::blocks;
    EXPECT_DOUBLE_EQ(cacheOfRequest(network, Format::bf16, engine, 1, 1, 131072).value, 4874895360.0);
}

TEST(Experts, AreAllResidentButReadOnlyWhereTouched)
{
    const Network network = samples::gptOss120b();
    const double experts = 36.0 * 128 * 3 * 2880 * 2880 * bytesPerElement(Format::mxfp4);
    const double resident = weightsOnDevice(network, {}, 1, 1).value;
    EXPECT_GT(resident, experts);
    EXPECT_NEAR(resident / gibi, 60.7, 0.5);   // as stored, without the padding of a kernel
    const auto read = [&](double sequences) {
        std::vector<Op> ops;
        lowerStep(network, {}, {}, {.decodeSequences = sequences, .decodeContext = 1000, .headTokens = sequences}, ops);
        double bytes = 0;
        for (const Op& op : ops)
            if (op.id == OpId::experts)
                bytes += op.weightBytes.value * op.count;
        return bytes;
    };
    EXPECT_NEAR(read(1) / experts, 4.0 / 128, 1e-9);
    EXPECT_LT(read(8) / experts, 8 * 4.0 / 128);
    EXPECT_GT(read(8), read(1));
    EXPECT_NEAR(read(4096) / experts, 1.0, 0.01);
}

TEST(Cache, HeadsAreReplicatedBeyondTheirNumber)
{
    const Attention a = samples::llama70b().layers[0].attention;
    EXPECT_DOUBLE_EQ(cacheBytesPerToken(a, Format::bf16, 1), 4096.0);
    EXPECT_DOUBLE_EQ(cacheBytesPerToken(a, Format::bf16, 8), 512.0);
    EXPECT_DOUBLE_EQ(cacheBytesPerToken(a, Format::bf16, 16), 512.0);
    // Qwen3-235B: 4 heads, 94 layers of 128.
    Attention qwen = a;
    qwen.kvHeads = 4;
    EXPECT_DOUBLE_EQ(94 * cacheBytesPerToken(qwen, Format::bf16, 4), 48128.0);
    EXPECT_DOUBLE_EQ(94 * cacheBytesPerToken(qwen, Format::bf16, 8), 48128.0);
}

TEST(Cache, LatentEntriesAreNotDivided)
{
    const Network network = samples::deepSeek();
    for (const int split : {1, 2, 8, 16}) {
        EXPECT_DOUBLE_EQ(61 * cacheBytesPerToken(network.layers[0].attention, Format::bf16, split), 70272.0);
        EXPECT_DOUBLE_EQ(cacheBytesPerToken(network.layers[0].attention, Format::fp8, split), 576.0);
    }
    Attention sparse = network.layers[0].attention;
    sparse.indexTopK = 2048;
    sparse.indexDim = 128;
    sparse.indexHeads = 32;
    EXPECT_DOUBLE_EQ(cacheBytesPerToken(sparse, Format::fp8, 8), 656.0 + 132.0);
}

TEST(Cache, LinearAttentionKeepsAStateOfFixedSize)
{
    Network network = samples::llama8b();
    LayerGroup linear = network.layers[0];
    linear.count = 48;
    linear.attention.kind = AttentionKind::linear;
    linear.attention.linearKeyHeads = 16;
    linear.attention.linearValueHeads = 48;
    linear.attention.linearKeyDim = linear.attention.linearValueDim = 128;
    linear.attention.convolution = 4;
    EXPECT_DOUBLE_EQ(linearStateBytes(linear.attention, 1), 3207168.0);
    LayerGroup full = network.layers[0];
    full.count = 16;
    full.attention.kvHeads = 4;
    full.attention.headDim = 256;
    network.layers = {full, linear};
    // vLLM: a block of attention as large as a state is 784 tokens and 3,211,264 B; 42 blocks and 3 groups of states.
    EngineProfile engine = samples::vllmEngine();
    EXPECT_DOUBLE_EQ(cacheOfRequest(network, Format::bf16, engine, 1, 1, 32768).value, 45.0 * 3211264 * 16);
    engine.windowPolicy = WindowPolicy::exact;
    EXPECT_DOUBLE_EQ(cacheOfRequest(network, Format::bf16, engine, 1, 1, 32768).value,
                     16.0 * 32768 * 4096 + 48.0 * 3207168);
}

TEST(Ledger, SumsToTheVisibleMemory)
{
    for (const MemoryPolicy policy :
         {MemoryPolicy::ideal, MemoryPolicy::budget, MemoryPolicy::staticPool, MemoryPolicy::freeFraction}) {
        EngineProfile engine = samples::vllmEngine();
        engine.memoryPolicy = policy;
        const Footprint f = onOne(samples::llama8b(), engine, 5120, 16);
        const Bytes sum = f.weights + f.kvNeeded + f.kvFree + f.activations + f.runtime + f.graphs + f.reserve;
        EXPECT_NEAR(sum.value / f.visible.value, 1.0, 1e-12);
        EXPECT_GE(f.reserve.value, -1.0);
        EXPECT_GE(f.kvFree.value, 0.0);
    }
}

} // namespace
} // namespace ridgepoint
