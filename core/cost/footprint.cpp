// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/footprint.h"

#include "core/workload/kv_cache.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Tokens of a window layer and the residual streams are held in 16 bit between operators.
constexpr double elementBytes = 2.0;

/// Prompt chunks keep 1.48 residual streams beside the logits of the sampler.
constexpr double samplerStreams = 1.48;

double roundUp(double value, double step) { return std::ceil(value / step) * step; }

/// Peak of the buffers of one forward pass and of sampling. [B]
double activationPeak(const Network& network, const EngineProfile& engine, int tensorParallel)
{
    if (engine.memoryPolicy == MemoryPolicy::ideal)
        return 0.0;
    const double tokens = engine.batchedTokens;
    const double sequences = std::min(engine.maximumSequences, engine.batchedTokens);
    double forward = 0.0;
    for (const LayerGroup& group : network.layers) {
        const FeedForward& f = group.feedForward;
        const double width = f.expertWidth / double(tensorParallel);
        const double inner = f.isMixture()
            ? f.expertsPerToken * (std::max(2.0 * width, double(network.hidden)) + width)
            : 3.0 * f.width / tensorParallel;
        forward = std::max(forward, tokens * elementBytes * (inner + 3.0 * network.hidden));
    }
    const double sampler = engine.samplerBytesPerLogit * sequences * network.vocabulary +
                           samplerStreams * tokens * network.hidden * elementBytes;
    return std::max(sampler, forward);
}

} // namespace

Bytes cacheOfRequest(const Network& network, Format kv, const EngineProfile& engine, int tensorParallel, int stages,
                     double tokens)
{
    const bool blocks = engine.windowPolicy == WindowPolicy::blocks;
    double block = blocks ? engine.blockTokens : 1.0;
    double state = 0.0;
    double perToken = 0.0;
    for (const LayerGroup& group : network.layers) {
        perToken = std::max(perToken, cacheBytesPerToken(group.attention, kv, tensorParallel));
        if (group.attention.kind == AttentionKind::linear)
            state = std::max(state, linearStateBytes(group.attention, tensorParallel));
    }
    // Hybrids: a block of attention is made as large as a state, so that one pool serves both.
    if (blocks && state > 0.0 && perToken > 0.0)
        block = engine.blockTokens * std::ceil(state / (engine.blockTokens * perToken));

    double bytes = 0.0;
    for (const LayerGroup& group : network.layers) {
        const Attention& a = group.attention;
        if (a.kind == AttentionKind::linear) {
            bytes += group.count * (blocks && perToken > 0.0 ? block * perToken : state);
            continue;
        }
        double kept = roundUp(tokens, block);
        if (a.window > 0 && engine.windowPolicy == WindowPolicy::exact)
            kept = std::min(tokens, double(a.window));
        else if (a.window > 0 && blocks)
            kept = std::min(kept, (std::ceil(std::min(a.window - 1.0 + engine.batchedTokens, tokens) / block) + 1.0) * block);
        bytes += group.count * kept * cacheBytesPerToken(a, kv, tensorParallel);
    }
    const double layers = network.layerCount();
    return Bytes{bytes * std::ceil(layers / stages) / layers};
}

Bytes weightsOnDevice(const Network& network, const std::optional<Format>& weights, int tensorParallel, int stages)
{
    std::vector<LayerFormats> formats;
    formats.reserve(network.layers.size());
    for (const LayerGroup& group : network.layers)
        formats.push_back(formatsInUse(network, group, weights));
    const StoredWeights stored = storedWeights(network, formats, tensorParallel);
    const double layers = network.layerCount();
    const Bytes share = (stored.sharded + stored.replicated) * (std::ceil(layers / stages) / layers);
    // The embedding lies on the first stage and the head on the last; tied ones are kept on both.
    const Bytes ends = stages == 1 ? stored.embedding + stored.head : std::max(stored.embedding, stored.head);
    return share + ends + stored.rotaryTable;
}

namespace {

/// What attention groups change of the weights on a device: experts are cut over all groups, shared experts are whole.
Bytes groupsChange(const Network& network, const std::optional<Format>& weights, const Plan& plan)
{
    if (plan.attentionData <= 1)
        return {};
    double bytes = 0.0;
    for (const LayerGroup& group : network.layers) {
        const FeedForward& f = group.feedForward;
        if (!f.isMixture())
            continue;
        const LayerFormats formats = formatsInUse(network, group, weights);
        const double matrices = (f.gated ? 3.0 : 2.0) * network.hidden;
        const double experts = matrices * f.experts * f.expertWidth * bytesPerElement(formats.experts);
        const double shared = matrices * f.sharedWidth * bytesPerElement(formats.shared);
        bytes += group.count * (experts * (1.0 / plan.devicesPerStage() - 1.0 / plan.tensorParallel) +
                                shared * (1.0 - 1.0 / plan.tensorParallel));
    }
    const double layers = network.layerCount();
    return Bytes{bytes * std::ceil(layers / plan.pipelineParallel) / layers};
}

} // namespace

Footprint footprint(const Device& device, const Network& network, const ResolvedPrecision& precision, const Plan& plan,
                    const EngineProfile& engine, double tokens, double asked)
{
    const int split = plan.tensorParallel;
    Footprint f;
    f.visible = device.memoryVisible;
    f.weights = weightsOnDevice(network, precision.weights, split, plan.pipelineParallel) +
                groupsChange(network, precision.weights, plan);
    f.activations = Bytes{activationPeak(network, engine, split)};
    f.runtime = engine.runtimeFixed + engine.runtimePerDoubling * std::log2(double(split));
    f.graphs = engine.graphs;
    f.kvPerRequest = cacheOfRequest(network, precision.kv, engine, split, plan.pipelineParallel, tokens);
    f.kvPerToken = f.kvPerRequest / tokens;

    const Bytes used = f.weights + f.activations + f.runtime + f.graphs;
    switch (engine.memoryPolicy) {
    case MemoryPolicy::ideal: f.kvPool = f.visible - used; break;
    case MemoryPolicy::budget: f.kvPool = f.visible * engine.memoryFraction - used; break;
    case MemoryPolicy::staticPool: {
        // Activations and graphs lie outside the static fraction; where they do not fit there, they take from the pool.
        const Bytes fixed = (f.visible - f.runtime) * engine.memoryFraction - f.weights;
        f.kvPool = std::min(fixed, f.visible - used);
        break;
    }
    case MemoryPolicy::freeFraction: {
        const Bytes free = f.visible - used;
        f.kvPool = free.value > 0.0 ? free * engine.memoryFraction : free;
        break;
    }
    }
    f.reserve = f.visible - used - f.kvPool;

    const double perRequest = f.kvPerRequest.value;
    const double fits = f.kvPool.value > 0.0 && perRequest > 0.0 ? std::floor(f.kvPool.value / perRequest) : 0.0;
    const double groups = plan.attentionData;   // each keeps the cache of its own requests
    f.maximumConcurrency = groups * fits;
    f.kvCapacityTokens =
        perRequest > 0.0 && f.kvPool.value > 0.0 ? groups * std::floor(f.kvPool.value / perRequest * tokens) : 0.0;
    const double running = std::min({asked / groups, fits, double(engine.maximumSequences)});
    f.kvNeeded = f.kvPerRequest * running;
    f.kvFree = f.kvPool - f.kvNeeded;
    return f;
}

} // namespace ridgepoint
