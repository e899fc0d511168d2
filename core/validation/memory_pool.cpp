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
        engine.memoryFraction = defaultStaticFraction(row.visible, row.tensorParallel, row.stages, row.date);
    return engine;
}

/// Devices of these makers run forks whose warm-up and graphs no rule here describes.
bool isForeign(const MemoryRow& row)
{
    if (row.device != nullptr && row.device->category != "gpu" && row.engine == MemoryEngine::vllm)
        return true;
    for (const char* word : {"HPU", "Gaudi", "Tenstorrent", "Neuron", "TPU"})
        if (row.engineText.find(word) != std::string::npos)
            return true;
    return false;
}

} // namespace

Bytes RowPool::request(double tokens) const
{
    return Bytes{blocksOfRequest(layout, rules, tokens, engine.batchedTokens) * layout.blockBytes() * layerShare};
}

PoolCapacity RowPool::capacity(Bytes pool) const
{
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
    CacheElements elements = row.elements;
    if (pool.engine.expandedLatent)
        elements.latent = LatentCache::expanded;
    pool.layout = cacheLayout(network, elements, row.tensorParallel, pool.rules);
    const double layers = network.layerCount();
    pool.layerShare = std::ceil(layers / row.stages) / layers;
    pool.weights = recipeWeights(network, row.recipe, row.weightSplit());
    Bytes spread = pool.weights * row.recipe.spread;
    if (row.beside != nullptr) {
        const Bytes more = recipeWeights(*row.beside, weightRecipe(*row.beside, {}, {}, {}), row.weightSplit());
        pool.weights += more;
        spread += more * 0.02;
    }
    pool.budget = memoryBudget(row.visible, pool.weights, network, row.tensorParallel, pool.engine);
    constexpr double labelSpread = 0.01;   // of memory that only a label is known of
    pool.uncertainty = pool.budget.uncertainty + spread + row.visible * (row.visibleKnown ? 0.0 : labelSpread);
    return pool;
}

} // namespace ridgepoint
