// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/memory_pool.h"

#include "core/serving/static_fraction.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// LMDeploy takes a fraction of what is free after the weights, in blocks of 64 tokens.
EngineProfile lmDeployProfile()
{
    EngineProfile engine;
    engine.memoryPolicy = MemoryPolicy::freeFraction;
    engine.memoryFraction = 0.8;
    engine.runtimeFixed = Bytes{0.5 * gibi};
    engine.runtimeSpread = Bytes{0.5 * gibi};
    engine.windowPolicy = WindowPolicy::full;
    engine.maximumSequences = 128;
    engine.blockTokens = 64;
    return engine;
}

constexpr double multimodalShare = 0.95;   ///< of SGLang's default fraction, left for the encoder

EngineProfile profileOf(const MemoryRow& row)
{
    if (row.engine == MemoryEngine::lmDeploy) {
        EngineProfile engine = lmDeployProfile();
        if (row.fraction)
            engine.memoryFraction = *row.fraction;
        return engine;
    }
    EngineProfile engine = engineOf(row);
    if (row.engine == MemoryEngine::sglang && !row.fraction)
        engine.memoryFraction = defaultStaticFraction(row.visible, row.tensorParallel, row.stages, row.date) *
                                (row.network->towerParameters > 0 ? multimodalShare : 1.0);
    return engine;
}

} // namespace

bool isForeign(const MemoryRow& row)
{
    if (row.device != nullptr && row.device->category != "gpu" && row.engine == MemoryEngine::vllm)
        return true;
    for (const char* word : {"HPU", "Gaudi", "Tenstorrent", "Neuron", "TPU"})
        if (row.engineText.find(word) != std::string::npos)
            return true;
    return false;
}

/// SGLang: states get r/(1 + r) of the pool, r = 0.9; windows have a pool of their own with 0.8 tokens for each of the
/// layers without one.
double sglangBytesPerToken(const CacheLayout& layout)
{
    constexpr double stateRatio = 0.9, windowRatio = 0.8;
    double full = 0.0, window = 0.0;
    for (const CacheKind& kind : layout.kinds)
        if (!kind.state)
            (kind.window > 0 ? window : full) += kind.layers * kind.bytesPerToken;
    const double bytes = full > 0.0 ? full + windowRatio * window : window;
    return layout.hasStates() ? bytes * (1.0 + stateRatio) : bytes;
}

Bytes rowWeights(const MemoryRow& row)
{
    Bytes weights = recipeWeights(*row.network, row.recipe, row.weightSplit());
    if (row.multiToken) {
        // The head is one more layer of the kind that keeps a cache, and a projection of two hidden states to one.
        Network head = *row.network;
        head.vocabulary = head.maximumContext = head.learnedPositions = 0;
        head.towerParameters = 0;
        for (const LayerGroup& group : row.network->layers)
            if (group.attention.kind != AttentionKind::linear)
                head.layers = {group};
        head.layers.resize(1);
        head.layers.front().count = 1;
        // Published recipes of nvfp4 leave it in 16 bit (nvidia/Qwen3.5-397B-A17B-NVFP4, nvidia/GLM-5-NVFP4).
        const bool leftOut = row.recipe.name == "nvfp4" || row.network->checkpointFormat == Format::nvfp4;
        const WeightRecipe recipe = leftOut ? weightRecipe(head, "fp16", {}, {}) : row.recipe;
        weights += recipeWeights(head, recipe, row.weightSplit()) +
                   Bytes{4.0 * head.hidden * head.hidden / row.tensorParallel};
    }
    if (row.beside != nullptr)
        weights += recipeWeights(*row.beside, weightRecipe(*row.beside, {}, {}, {}), row.weightSplit());
    return weights;
}

Bytes RowPool::request(double tokens) const
{
    return Bytes{blocksOfRequest(layout, rules, tokens, engine.batchedTokens) * layout.blockBytes() * layerShare};
}

PoolCapacity RowPool::capacity(Bytes pool) const
{
    if (bytesPerToken > 0.0) {
        const double page = std::max(1, rules.blockTokens);
        const double tokens = std::max(0.0, std::floor(pool.value / (bytesPerToken * layerShare * page)) * page);
        return {.blocks = tokens / page, .concurrency = tokens / context, .tokens = tokens, .printed = tokens};
    }
    return poolCapacity(layout, rules, pool / layerShare, context, engine.batchedTokens);
}

Result<RowPool> rowPool(const MemoryRow& row)
{
    if (const std::string missing = missingOf(row); !missing.empty())
        return fail(missing);
    if (row.profile == nullptr && row.engine != MemoryEngine::lmDeploy)
        return fail("no rule for the memory of " + row.engineText);
    if (isForeign(row))
        return fail("the memory of " + row.engineText + " on " + row.deviceText + " is not modelled");
    if (row.visible.value <= 0.0)
        return fail(row.deviceText.empty() ? "no device is named and no memory given" : "unknown device " + row.deviceText);
    const Network& network = *row.network;
    RowPool pool;
    pool.engine = profileOf(row);
    pool.context = row.context.value_or(network.maximumContext);
    pool.rules.blockTokens = pool.engine.blockTokens;
    pool.rules.windowed = pool.engine.windowPolicy != WindowPolicy::full;
    pool.rules.draftLayers = row.multiToken ? 1 : 0;
    pool.rules.speculated = row.multiToken ? 1 : 0;
    pool.rules.stateMode = row.multiToken ? StateMode::aligned : StateMode::single;
    CacheElements elements = row.elements;
    if (pool.engine.expandedLatent)
        elements.latent = LatentCache::expanded;
    // Blocks of TurboMind were sized for keys and values of every head until this was mended.
    constexpr std::string_view mended = "2026-04";
    if (row.engine == MemoryEngine::lmDeploy && row.engineText.find("orch") == std::string::npos && !row.date.empty() &&
        row.date < mended)
        elements.latent = LatentCache::perHead;
    pool.layout = cacheLayout(network, elements, row.tensorParallel, pool.rules);
    if (row.engine == MemoryEngine::sglang)
        pool.bytesPerToken = sglangBytesPerToken(pool.layout);
    const double layers = network.layerCount();
    pool.layerShare = std::ceil(layers / row.stages) / layers;
    pool.weights = rowWeights(row);
    const Bytes spread = pool.weights * row.recipe.spread;
    pool.budget = memoryBudget(row.visible, pool.weights, network, row.tensorParallel, pool.engine,
                               row.device == nullptr || row.device->linkBandwidth.value > 0.0);
    constexpr double labelSpread = 0.01;   // of memory that only a label is known of
    // A fraction that is not stated was often set, and then by what the network needs.
    const double fractionSpread = row.engine == MemoryEngine::sglang ? 0.05 : 0.10;
    constexpr Bytes encoderSpread{2.0 * gibi};   // encoders of images and sound have peaks of their own
    pool.uncertainty = pool.budget.uncertainty + spread + row.visible * (row.visibleKnown ? 0.0 : labelSpread) +
                       row.visible * (row.fraction ? 0.0 : fractionSpread);
    if (row.engine == MemoryEngine::vllm && network.towerParameters > 0)
        pool.uncertainty += encoderSpread;
    constexpr double otherVendor = 0.1;          // of memory: other drivers and libraries, and no start-up that tells
    if (row.engine == MemoryEngine::vllm && row.device != nullptr && row.device->vendor != "NVIDIA")
        pool.uncertainty += row.visible * otherVendor;
    constexpr double savedByFourBits = 0.7;
    pool.upperUncertainty = pool.uncertainty + pool.weights * (row.formatStated ? 0.0 : savedByFourBits);
    return pool;
}

} // namespace ridgepoint
