// SPDX-License-Identifier: GPL-3.0-or-later
// The worked examples of the memory analysis (fieldMemory §10): inputs, then what logs or arithmetic say.
#include "core/cost/footprint.h"
#include "core/cost/local_memory.h"
#include "core/scenario/presets.h"
#include "core/serving/static_fraction.h"
#include "core/workload/cache_layout.h"
#include "core/workload/weight_recipe.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

const Network& network(const char* id)
{
    const Network* found = findNetwork(samples::shippedPresets(), id);
    EXPECT_TRUE(found) << id;
    static const Network none;
    return found ? *found : none;
}

const EngineProfile& engine(const char* id)
{
    const EngineProfile* found = findEngine(samples::shippedPresets(), id);
    EXPECT_TRUE(found) << id;
    static const EngineProfile none;
    return found ? *found : none;
}

double gib(Bytes bytes) { return bytes.value / gibi; }

double weights(const char* id, const char* format = "", int tensorParallel = 1)
{
    const Network& n = network(id);
    return recipeWeights(n, weightRecipe(n, format, {}, {}), {.tensorParallel = tensorParallel}).value;
}

constexpr Bytes h100{79.18 * gibi};

EngineProfile vllm(const char* version, double context, const char* device = "H100", Bytes visible = h100)
{
    return atVersion(engine("vllm"), version, {}, device, visible, context);
}

TEST(MemoryExamples, WeightsOfPlainCheckpoints)
{
    EXPECT_DOUBLE_EQ(weights("llama-3.1-8b"), 16094076928.0);   // 1
    const struct { const char* id; double gib; } cases[] = {    // 2
        {"llama-3-8b", 14.9595}, {"qwen3-32b", 61.034}, {"mistral-small-3.2-24b", 44.756}, {"pixtral-12b", 23.868}};
    for (const auto& c : cases)
        EXPECT_NEAR(weights(c.id) / gibi, c.gib, 0.002) << c.id;
}

TEST(MemoryExamples, WeightsOfQuantisedCheckpoints)
{
    EXPECT_NEAR(weights("llama-3.3-70b", "fp8") / gibi, 67.698, 0.068);      // 3
    EXPECT_NEAR(weights("llama-3.3-70b", "fp8", 2) / gibi, 33.865, 0.034);
    EXPECT_NEAR(weights("llama-3.1-405b-fp8", "fp8", 8) / gibi, 57.73, 0.06);   // 4, sixteen KV heads in the file
    EXPECT_NEAR(weights("qwen3-30b-a3b", "bf16", 4) / gibi, 14.245, 0.0145);    // 5, gates on every device
}

TEST(MemoryExamples, ExpertsOfMxfp4AreStoredInTilesOfTheirKernel)
{
    const Network& n = network("gpt-oss-120b");
    const WeightRecipe recipe = weightRecipe(n, "mxfp4", {}, {});
    EXPECT_NEAR(gib(recipeWeights(n, recipe, {.paddedExperts = true})), 64.55, 0.32);   // 6
    EXPECT_LT(gib(recipeWeights(n, recipe, {})), 62.0);
    const Network& small = network("gpt-oss-20b");
    EXPECT_NEAR(gib(recipeWeights(small, weightRecipe(small, "mxfp4", {}, {}),
                                  {.paddedExperts = true, .marlinTiles = true})), 13.67, 0.07);
}

TEST(MemoryExamples, SamplerPeakOfBothEngines)
{
    const auto peak = [](const EngineProfile& profile, int vocabulary, int hidden) {
        Network n = samples::llama8b();
        n.vocabulary = vocabulary;
        n.hidden = hidden;
        n.layers[0].feedForward.width = 1024;   // keeps the forward pass below the sampler
        return gib(memoryBudget(h100, Bytes{}, n, 1, profile).activations);
    };
    const EngineProfile second = vllm("0.11.0", 16000);   // 7
    EXPECT_EQ(second.maximumSequences, 1024);
    EXPECT_EQ(second.batchedTokens, 8192);
    EXPECT_NEAR(peak(second, 128256, 4096), 4.759, 0.01);
    EXPECT_NEAR(peak(second, 151936, 5120), 5.643, 0.01);
    EXPECT_NEAR(peak(second, 201088, 2880), 7.381, 0.01);
    EXPECT_NEAR(peak(vllm("0.7.3", 4096), 152064, 3584), 1.424, 0.01);   // 8
    EXPECT_NEAR(peak(vllm("0.6.5", 8192), 128256, 4096), 1.259, 0.01);
}

TEST(MemoryExamples, UncutPromptsMakeTheForwardPassLarge)
{
    const Bytes card{23.58 * gibi};   // 9
    const Network& n = network("llama-3.1-8b");
    EngineProfile first = vllm("0.6", 29000, "RTX 3090", card);
    EXPECT_EQ(first.batchedTokens, 29000);
    first.runtimeFixed = Bytes{0.35 * gibi};
    const MemoryBudget budget = memoryBudget(card, Bytes{weights("llama-3.1-8b")}, n, 1, first);
    EXPECT_DOUBLE_EQ(budget.activations.value, 3207168000.0);
    EXPECT_NEAR(gib(budget.pool), 2.90, 0.029);
    // Longer contexts are cut into chunks: 29 000 tokens are refused, 35 000 start.
    const EngineProfile cut = vllm("0.6", 35000, "RTX 3090", card);
    EXPECT_EQ(cut.batchedTokens, 512);
    EXPECT_NEAR(gib(memoryBudget(card, Bytes{weights("llama-3.1-8b")}, n, 1, cut).activations), 0.06, 0.01);
}

TEST(MemoryExamples, PoolOfAnH100)
{
    EngineProfile second = vllm("0.11.0", 16000);   // 10
    const Network& n = network("llama-3.1-8b");
    const Bytes loaded{weights("llama-3.1-8b")};
    const CacheRules rules{.blockTokens = 128};
    const CacheLayout layout = cacheLayout(n, {}, 1, rules);
    const Bytes pool = memoryBudget(h100, loaded, n, 1, second).pool;
    EXPECT_NEAR(gib(pool), 51.38, 0.02);
    EXPECT_NEAR(poolCapacity(layout, rules, pool, 16000, 8192).tokens, 420864, 128);
    second.maximumSequences = 256;
    EXPECT_NEAR(gib(memoryBudget(h100, loaded, n, 1, second).pool), 54.88, 0.02);

    const Network& qwen = network("qwen3-32b");   // 11
    const CacheLayout large = cacheLayout(qwen, {}, 1, rules);
    second.maximumSequences = 1024;
    EXPECT_NEAR(gib(memoryBudget(h100, Bytes{weights("qwen3-32b")}, qwen, 1, second).pool), 4.45, 0.02);
    EXPECT_NEAR(blocksOfRequest(large, rules, 16000, 8192) * large.blockBytes() / gibi, 3.91, 0.02);
    EXPECT_NEAR(blocksOfRequest(large, rules, 32000, 8192) * large.blockBytes() / gibi, 7.81, 0.02);
    second.memoryFraction = 0.95;
    EXPECT_NEAR(gib(memoryBudget(h100, Bytes{64.38 * gibi}, network("gpt-oss-120b"), 1, second).pool), 3.33, 0.02);
}

Network hybrid(int linearLayers, int valueHeads, int fullLayers, int kvHeads)
{
    Network n = samples::llama8b();
    LayerGroup full = n.layers[0], linear = n.layers[0];
    full.count = fullLayers;
    full.attention.kvHeads = kvHeads;
    full.attention.headDim = 256;
    linear.count = linearLayers;
    linear.attention = {};
    linear.attention.kind = AttentionKind::linear;
    linear.attention.linearKeyHeads = 16;
    linear.attention.linearValueHeads = valueHeads;
    linear.attention.linearKeyDim = linear.attention.linearValueDim = 128;
    linear.attention.convolution = 4;
    n.layers = {full, linear};
    return n;
}

TEST(MemoryExamples, HybridWithADraftHead)
{
    const Network n = hybrid(36, 64, 12, 2);   // 12
    const CacheRules rules{.stateMode = StateMode::aligned, .speculated = 1, .draftLayers = 1};
    const CacheLayout layout = cacheLayout(n, cacheElements(Format::fp8), 1, rules);
    EXPECT_DOUBLE_EQ(layout.pageBytes, 4292608.0);
    EXPECT_DOUBLE_EQ(layout.smallestBlock(), 4192);
    EXPECT_EQ(layout.groupLayers, 13);
    EXPECT_EQ(layout.groups(), 4);
    EXPECT_DOUBLE_EQ(blocksOfRequest(layout, rules, 262144, 2048), 72);
    const PoolCapacity capacity = poolCapacity(layout, rules, Bytes{24.05 * gibi}, 262144, 2048);
    EXPECT_DOUBLE_EQ(capacity.blocks, 462);
    EXPECT_DOUBLE_EQ(capacity.printed, 482080);
    EXPECT_NEAR(capacity.concurrency, 6.42, 0.005);
    EXPECT_NEAR(capacity.tokens, 1682090, 1);
}

TEST(MemoryExamples, HybridWithoutDraft)
{
    const Network n = hybrid(48, 48, 16, 4);   // 13
    const CacheRules rules;
    const CacheLayout layout = cacheLayout(n, {}, 1, rules);
    EXPECT_DOUBLE_EQ(layout.smallestBlock(), 784);
    EXPECT_DOUBLE_EQ(layout.pageBytes, 3211264.0);
    EXPECT_EQ(layout.groupLayers, 16);
    EXPECT_DOUBLE_EQ(blocksOfRequest(layout, rules, 32768, 16384), 45);
    const PoolCapacity capacity = poolCapacity(layout, rules, Bytes{1487.5 * layout.blockBytes()}, 32768, 16384);
    EXPECT_DOUBLE_EQ(capacity.printed, 290864);
    EXPECT_NEAR(capacity.concurrency, 33.04, 0.005);
    EXPECT_NEAR(layout.blockBytes() * 1487 / gibi, 71.1, 0.1);
}

TEST(MemoryExamples, WindowAndGlobalLayersShareOnePool)
{
    const Network& gemma = network("gemma-4-26b-a4b");   // 14
    const CacheRules rules;
    const CacheLayout layout = cacheLayout(gemma, cacheElements(Format::fp8), 1, rules);
    EXPECT_DOUBLE_EQ(layout.pageBytes, 65536);
    EXPECT_EQ(layout.groupLayers, 5);
    EXPECT_EQ(layout.groups(), 6);
    EXPECT_DOUBLE_EQ(blocksOfRequest(layout, rules, 131072, 2048), 5061);
    const PoolCapacity capacity = poolCapacity(layout, rules, Bytes{51.62 * gibi}, 131072, 2048);
    EXPECT_DOUBLE_EQ(capacity.blocks, 169148);
    EXPECT_NEAR(capacity.concurrency, 33.42, 0.005);
    EXPECT_DOUBLE_EQ(capacity.printed, 451056);

    Network small = samples::llama8b();   // 16
    LayerGroup full = small.layers[0], window = small.layers[0];
    full.attention.kvHeads = window.attention.kvHeads = 1;
    full.attention.headDim = window.attention.headDim = 256;
    full.count = 7;
    window.count = 28;
    window.attention.window = 512;
    small.layers = {full, window};
    const CacheLayout shared = cacheLayout(small, {}, 1, rules);
    const PoolCapacity held = poolCapacity(shared, rules, Bytes{0.93 * gibi}, 32768, 2048);
    EXPECT_NEAR(held.tokens, 105972, 640);
    EXPECT_NEAR(held.concurrency, 3.23, 0.02);
}

TEST(MemoryExamples, WindowPolicyDecidesHowMuchGptOssKeeps)
{
    const Network& n = network("gpt-oss-120b");   // 15
    EngineProfile profile = engine("vllm");
    const auto need = [&](int tokens) {
        profile.batchedTokens = tokens;
        return cacheOfRequest(n, Format::bf16, profile, 1, 1, 131072);
    };
    EXPECT_DOUBLE_EQ(need(1024).value, 4874895360.0);
    EXPECT_NEAR(gib(need(2048)), 4.575, 0.0005);
    EXPECT_NEAR(gib(need(8192)), 4.786, 0.0005);
    profile.windowPolicy = WindowPolicy::full;
    const Bytes all = need(1024);
    profile.windowPolicy = WindowPolicy::exact;
    EXPECT_NEAR(all / need(1024), 2.0, 0.01);
}

TEST(MemoryExamples, LatentEntriesByLayout)
{
    const Attention& dense = network("deepseek-r1").layers[0].attention;   // 17
    EXPECT_DOUBLE_EQ(61 * cacheBytesPerToken(dense, Format::bf16, 8), 70272.0);
    const auto bytes = [&](double element, LatentCache kept) {
        return 61 * cacheBytesPerToken(dense, CacheElements{element, element, kept}, 1);
    };
    EXPECT_DOUBLE_EQ(bytes(2.0, LatentCache::plain), 4997120.0);
    EXPECT_DOUBLE_EQ(bytes(1.0625, LatentCache::latent), 37332.0);
    EXPECT_DOUBLE_EQ(bytes(2.0, LatentCache::transposed), 132736.0);
    Attention sparse = dense;
    sparse.indexTopK = 2048;
    EXPECT_DOUBLE_EQ(61 * cacheBytesPerToken(sparse, Format::fp8, 8), 40016.0);
    EXPECT_DOUBLE_EQ(61 * cacheBytesPerToken(dense, Format::fp8, 8), 35136.0);
    const CacheRules rules{.blockTokens = 128};
    const CacheLayout flash = cacheLayout(network("glm-4.7-flash"), {}, 2, rules);
    EXPECT_NEAR(poolCapacity(flash, rules, Bytes{19.36 * gibi}, 202752, 8192).tokens, 383872, 128);
}

TEST(MemoryExamples, PoolsOfTensorRtLlmAreExact)
{
    const CacheRules rules{.blockTokens = 64};   // 18
    const CacheLayout layout = cacheLayout(network("llama-7b"), {}, 1, rules);
    EXPECT_DOUBLE_EQ(poolCapacity(layout, rules, Bytes{69524783104.0}, 2048, 8192).tokens, 132608);
    const CacheLayout small = cacheLayout(network("qwen2.5-0.5b"), {}, 1, rules);
    EXPECT_NEAR(poolCapacity(small, rules, Bytes{4.53 * gibi}, 2048, 8192).tokens, 395776, 448);
}

TEST(MemoryExamples, ProfilingOfDecember2023CountsTheContext)
{
    const Bytes a100{79.15 * gibi};   // 19
    const Network& n = network("llama-2-7b");
    const CacheRules rules;
    const CacheLayout layout = cacheLayout(n, {}, 1, rules);
    const auto tokens = [&](const char* version) {
        const EngineProfile profile = vllm(version, 4096, "A100", a100);
        return poolCapacity(layout, rules, memoryBudget(a100, Bytes{weights("llama-2-7b")}, n, 1, profile).pool, 4096, 4096).tokens;
    };
    EXPECT_NEAR(tokens("0.2.x (before fix)"), 119472, 600);
    EXPECT_NEAR(tokens("0.2.x (after fix)"), 117888, 600);
}

TEST(MemoryExamples, TheDriverRankDecides)
{
    const Bytes card{23.55 * gibi};   // 20
    const Network& n = network("qwen2.5-14b");
    EngineProfile profile = vllm("0.7.x", 131072, "RTX 4090", card);
    EXPECT_EQ(profile.batchedTokens, 2048);
    profile.memoryFraction = 0.98;
    profile.runtimePerPeer = {};   // no NVLink
    const CacheRules rules;
    const CacheLayout layout = cacheLayout(n, {}, 2, rules);
    // The rotary table of this checkpoint has 131072 positions.
    Network distilled = n;
    distilled.maximumContext = 131072;
    const Bytes loaded = recipeWeights(distilled, {}, {.tensorParallel = 2});
    const Bytes pool = memoryBudget(card, loaded, distilled, 2, profile).pool;
    EXPECT_NEAR(poolCapacity(layout, rules, pool, 131072, 2048).tokens, 81536, 0.02 * 81536);
    EXPECT_NEAR(gib(memoryBudget(card, loaded, distilled, 2, profile).activations), 1.41, 0.01);
    profile.samplerCounted = false;   // another rank: the forward pass alone
    EXPECT_LT(gib(memoryBudget(card, loaded, distilled, 2, profile).activations), 0.2);
}

TEST(MemoryExamples, EncodersOfPackedImagesHoldAllScores)
{
    const Bytes card{47.53 * gibi};
    const Network& n = network("pixtral-12b");
    // Two images of 4096 patches: 8 B x 16 heads x 8192^2 = 8 GiB; and no more than two sequences are sampled.
    const auto peak = [&](const char* version) {
        return gib(memoryBudget(card, Bytes{weights("pixtral-12b")}, n, 1, vllm(version, 8192, "", card)).activations);
    };
    EXPECT_NEAR(peak("0.6.3"), 8.0, 1e-9);
    EXPECT_LT(peak("0.7"), 1.1);
    EXPECT_NEAR(peak("0.9"), 1.22, 0.01);
}

TEST(MemoryExamples, LatentAttentionOfTurboMindIsKeptForEachHead)
{
    const Network& n = network("glm-4.7-flash");
    CacheElements elements;
    elements.latent = LatentCache::perHead;
    for (const int split : {1, 4}) {
        double bytes = 0;
        for (const LayerGroup& group : n.layers)
            bytes += group.count * cacheBytesPerToken(group.attention, elements, split);
        EXPECT_DOUBLE_EQ(bytes, 47.0 * 20 / split * 576 * 4) << split;
    }
}

TEST(MemoryExamples, CommunicatorsGrowFasterBeyondTwoDevices)
{
    const EngineProfile profile = vllm("0.11", 8192);
    const double expected[] = {0.13, 0.55, 2.5, 6.4};
    for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(gib(memoryBudget(h100, {}, network("llama-3.1-8b"), 1 << i, profile).runtime), expected[i], 1e-6) << i;
    EXPECT_NEAR(gib(memoryBudget(h100, {}, network("llama-3.1-8b"), 4, profile, false).runtime), 0.13, 1e-6);   // no links
}

TEST(MemoryExamples, HeadsAreReplicated)
{
    const Network& n = network("qwen3-235b-a22b");   // 21
    for (const int split : {4, 8}) {
        double bytes = 0;
        for (const LayerGroup& group : n.layers)
            bytes += group.count * cacheBytesPerToken(group.attention, Format::bf16, split);
        EXPECT_DOUBLE_EQ(bytes, 48128.0) << split;
    }
}

TEST(MemoryExamples, StaticFractionOfSglang)
{
    EXPECT_DOUBLE_EQ(staticFraction(Bytes{81559 * mebi}, 1, 1, 8192, 256), 0.835);   // 22
    EXPECT_DOUBLE_EQ(staticFraction(Bytes{81559 * mebi}, 4, 1, 8192, 512), 0.824);
    EXPECT_DOUBLE_EQ(staticFraction(Bytes{143771 * mebi}, 8, 1, 8192, 512), 0.897);
    EXPECT_DOUBLE_EQ(defaultStaticFraction(Bytes{81559 * mebi}, 4, 1, "2026-01"), 0.824);
}

TEST(MemoryExamples, LlamaCppWithoutFlashAttention)
{
    const Network& n = network("llama-3-8b");   // 23
    const WeightRecipe f16 = weightRecipe(n, "F16", {}, {});
    LocalRun run{.context = 8192};
    LocalMemory memory = localMemory(n, f16, run);
    EXPECT_DOUBLE_EQ(memory.compute.value / mebi, 560.0);
    EXPECT_NEAR(gib(memory.weights), 13.979, 0.001);
    EXPECT_DOUBLE_EQ(gib(memory.cacheOfAll), 1.0);
    run.devices = 2;
    EXPECT_NEAR(localMemory(n, f16, run).compute.value / mebi, 640.0, 0.03);
    run = {.context = 512};
    EXPECT_DOUBLE_EQ(localMemory(n, f16, run).compute.value / mebi, 258.5);
    // A mix of four to six bits: 4.3 GiB on one card, and 2.237, 1.277 and 0.79 GiB on the fullest of 2, 4 and 8.
    const WeightRecipe mix = weightRecipe(n, {}, "Q4_K - Medium", {});
    const struct { int cards; double gib; } cases[] = {{1, 4.3}, {2, 2.237}, {4, 1.277}, {8, 0.79}};
    for (const auto& c : cases)
        EXPECT_NEAR(gib(localMemory(n, mix, {.context = 8192, .devices = c.cards}).weights), c.gib, 0.004 * c.gib) << c.cards;
}

TEST(MemoryExamples, LlamaCppWithFlashAttention)
{
    const Network& n = network("qwen3-235b-a22b");   // 24
    LocalRun run{.context = 65536, .microBatch = 4096, .flashAttention = true, .elements = {1.0625, 1.0625}};
    EXPECT_NEAR(localMemory(n, {}, run).compute.value / mebi, 2502, 1);
    EXPECT_NEAR(gib(localMemory(n, {}, run).cacheOfAll), 6.2422, 0.0001);
    run.microBatch = 2048;
    EXPECT_NEAR(localMemory(n, {}, run).compute.value / mebi, 1251, 1);
    run.microBatch = 512;
    EXPECT_NEAR(localMemory(network("deepseek-r1"), {}, run).compute.value / mebi, 6081, 1);
}

TEST(MemoryExamples, FewerSequencesGiveAnH100MoreCache)
{
    const Network& n = network("llama-3.1-8b");
    EngineProfile profile = engine("vllm");
    const auto pool = [&](int sequences) {
        profile.maximumSequences = sequences;
        return footprint(*findDevice(samples::shippedPresets(), "h100-sxm"), n, {}, {}, profile, 4096, 1).kvPool;
    };
    EXPECT_NEAR(gib(pool(256) - pool(1024)), 3.5, 0.05);
}

} // namespace
} // namespace ridgepoint
