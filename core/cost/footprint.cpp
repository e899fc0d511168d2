// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/footprint.h"

#include "core/workload/cache_layout.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Tokens of a window layer and the residual streams are held in 16 bit between operators.
constexpr double elementBytes = 2.0;
constexpr double wordBytes = 4.0;

/// Prompt chunks keep 1.48 residual streams beside the logits of the sampler.
constexpr double samplerStreams = 1.48;

double samplerPeak(const Network& network, const EngineProfile& engine)
{
    int sequences = std::min(engine.maximumSequences, engine.batchedTokens);
    if (engine.imagesForSequences && network.packedImageTokens > 0)
        sequences = std::min(sequences, std::max(1, engine.batchedTokens / network.packedImageTokens));
    return engine.samplerBytesPerLogit * sequences * network.vocabulary;
}

/// Scores of an encoder that attends over the patches of all images of a step at once and holds them whole: in 16 bit,
/// as the softmax in 32 bit, and in 16 bit again.
double encoderPeak(const Network& network, const EngineProfile& engine)
{
    if (!engine.packedImageScores || network.packedPatches <= 0)
        return 0.0;
    constexpr double bytesOfScore = 8.0;
    const double patches = double(std::max(1, engine.batchedTokens / network.packedImageTokens)) * network.packedPatches;
    return bytesOfScore * network.packedHeads * patches * patches;
}

/// What attention of a whole prompt holds on devices whose kernels are old.
double oldAttentionPeak(const Network& network, const EngineProfile& engine)
{
    return engine.oldAttention * engine.batchedTokens * network.hidden;
}

/// Peak of the buffers of one forward pass and of sampling. [B]
double activationPeak(const Network& network, const EngineProfile& engine, int tensorParallel)
{
    if (engine.memoryPolicy == MemoryPolicy::ideal)
        return 0.0;
    const double tokens = engine.batchedTokens;
    if (engine.memoryPolicy == MemoryPolicy::wholeContext)
        return (double(network.vocabulary) + 2.0 * network.hidden) * tokens * wordBytes;
    double forward = 0.0;
    for (const LayerGroup& group : network.layers) {
        const FeedForward& f = group.feedForward;
        const double width = f.expertWidth / double(tensorParallel);
        const double inner = f.isMixture()
            ? f.expertsPerToken * (std::max(2.0 * width, double(network.hidden)) + width)
            : 3.0 * f.width / tensorParallel;
        forward = std::max(forward, tokens * elementBytes * (inner + 3.0 * network.hidden));
    }
    forward = std::max(forward + oldAttentionPeak(network, engine), encoderPeak(network, engine));
    if (!engine.samplerCounted)
        return forward;
    return std::max(samplerPeak(network, engine) + samplerStreams * tokens * network.hidden * elementBytes, forward);
}

constexpr int fewDevices = 2;              ///< up to here the runtime is known from logs
constexpr Bytes manyDevicesSpread{1.5 * gibi};
constexpr double oldAttentionSpread = 0.6;     ///< one start-up gives the constant
constexpr double encoderSpread = 0.1;

Bytes runtimeOf(const EngineProfile& engine, int tensorParallel)
{
    const double second = tensorParallel > 1 ? 1.0 : 0.0;
    const double further = std::max(0, tensorParallel - 2);
    const Bytes each = engine.runtimePerFurtherPeer.value > 0.0 ? engine.runtimePerFurtherPeer : engine.runtimePerPeer;
    return engine.runtimeFixed + engine.runtimePerPeer * second + each * further;
}

} // namespace

Bytes cacheOfRequest(const Network& network, Format kv, const EngineProfile& engine, int tensorParallel, int stages,
                     double tokens)
{
    CacheElements elements = cacheElements(kv);
    if (engine.expandedLatent)
        elements.latent = LatentCache::expanded;
    const double layers = network.layerCount();
    const double share = std::ceil(layers / stages) / layers;
    if (engine.windowPolicy == WindowPolicy::blocks) {
        const CacheRules rules{.blockTokens = engine.blockTokens};
        const CacheLayout layout = cacheLayout(network, elements, tensorParallel, rules);
        return Bytes{blocksOfRequest(layout, rules, tokens, engine.batchedTokens) * layout.blockBytes() * share};
    }
    double bytes = 0.0;
    for (const LayerGroup& group : network.layers) {
        const Attention& a = group.attention;
        if (a.kind == AttentionKind::linear) {
            bytes += group.count * linearStateBytes(a, tensorParallel);
            continue;
        }
        const bool window = a.window > 0 && engine.windowPolicy == WindowPolicy::exact;
        bytes += group.count * (window ? std::min(tokens, double(a.window)) : tokens) *
                 cacheBytesPerToken(a, elements, tensorParallel);
    }
    return Bytes{bytes * share};
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
    return share + ends + stored.tower + stored.rotaryTable;
}

MemoryBudget memoryBudget(Bytes visible, Bytes weights, const Network& network, int tensorParallel,
                          const EngineProfile& engine, bool linked)
{
    MemoryBudget budget;
    budget.activations = Bytes{activationPeak(network, engine, tensorParallel)};
    budget.runtime = runtimeOf(engine, linked ? tensorParallel : 1);
    budget.graphs = engine.graphs;
    const Bytes free = visible - weights - budget.activations - budget.runtime - budget.graphs;
    switch (engine.memoryPolicy) {
    case MemoryPolicy::ideal:
    case MemoryPolicy::wholeContext: budget.pool = free; break;
    case MemoryPolicy::budget: budget.pool = free - visible * (1.0 - engine.memoryFraction); break;
    case MemoryPolicy::staticPool: {
        // Activations and graphs lie outside the static fraction; where they do not fit there, they take from the pool.
        const Bytes fixed = (visible - budget.runtime) * engine.memoryFraction - weights;
        budget.pool = std::min(fixed, free);
        break;
    }
    case MemoryPolicy::freeFraction: budget.pool = free.value > 0.0 ? free * engine.memoryFraction : free; break;
    }
    if (engine.memoryPolicy != MemoryPolicy::ideal)
        budget.uncertainty = (tensorParallel <= fewDevices ? engine.runtimeSpread : manyDevicesSpread) +
                             Bytes{engine.samplerSpread * samplerPeak(network, engine)} + engine.graphsSpread +
                             Bytes{oldAttentionSpread * oldAttentionPeak(network, engine)} +
                             Bytes{encoderSpread * encoderPeak(network, engine)};
    return budget;
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
    if (engine.memoryPolicy == MemoryPolicy::wholeContext && !network.tiedEmbedding)
        f.weights -= Bytes{double(network.vocabulary) * network.hidden / split * bytesPerElement(network.embeddingFormat)};
    const MemoryBudget budget = memoryBudget(f.visible, f.weights, network, split, engine, device.linkBandwidth.value > 0.0);
    f.activations = budget.activations;
    f.runtime = budget.runtime;
    f.graphs = budget.graphs;
    f.kvPool = budget.pool;
    constexpr double weightSpread = 0.003;
    f.uncertainty = budget.uncertainty + f.weights * (engine.idealKernels ? 0.0 : weightSpread);
    f.kvPerRequest = cacheOfRequest(network, precision.kv, engine, split, plan.pipelineParallel, tokens);
    f.kvPerToken = f.kvPerRequest / tokens;
    const Bytes used = f.weights + f.activations + f.runtime + f.graphs;
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
