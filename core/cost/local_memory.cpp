// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/local_memory.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double driverContext = 0.25 * gibi;
constexpr double wordBytes = 4.0;          ///< intermediate results are held in 32 bit

double cacheOfLayer(const Attention& a, const LocalRun& run)
{
    if (a.kind == AttentionKind::linear)
        return linearStateBytes(a, 1);
    double kept = run.context;
    if (a.window > 0 && run.windowed)
        kept = std::min(kept, a.window + run.microBatch);
    return kept * cacheBytesPerToken(a, run.elements, 1);
}

double computeBuffer(const Network& network, const LocalRun& run)
{
    const double u = std::min(run.microBatch, run.context);
    const double n = run.context;
    double heads = 0.0;
    bool latent = false;
    for (const LayerGroup& group : network.layers) {
        heads = std::max(heads, double(group.attention.heads));
        latent = latent || group.attention.kind == AttentionKind::latent;
    }
    const double vocabulary = network.vocabulary, hidden = network.hidden;
    if (latent && run.flashAttention && run.elements.latent == LatentCache::latent) {
        constexpr double expanded = 320.0 * 2.0;   // key and value of one head in 16 bit
        constexpr double shortContext = 8192.0;
        const double perToken = heads * expanded + (run.elements.key < 2.0 ? 1024.0 : 0.0) + wordBytes * u;
        const double fixed = u <= 512.0 ? 769.0 : 900.0 + 0.15 * u;
        return n * perToken + (n < shortContext ? 270.0 : fixed) * mebi;
    }
    if (run.flashAttention)
        return (vocabulary + 2.0 * hidden) * u * wordBytes;
    double bytes = std::max((vocabulary + hidden) * u, (heads * n + n + 4.0 * hidden) * u) * wordBytes;
    if (run.devices > 1)
        bytes += (4.0 * n + 2.0 * hidden) * u * wordBytes;
    return bytes;
}

/// Layers of which a K mix stores value and down projections in more bits: the first and last eighth and every third
/// between them.
bool hasMoreBits(int layer, int layers)
{
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

} // namespace

LocalMemory localMemory(const Network& network, const WeightRecipe& recipe, const LocalRun& run)
{
    LocalMemory memory;
    const WeightSplit whole{.embeddingOnHost = true};
    const int layers = network.layerCount();
    Network bare = network;   // layers alone, to know what the last device holds besides
    bare.vocabulary = 0;
    bare.towerParameters = 0;
    const double all = recipeWeights(network, recipe, whole).value;
    // The mix's mean is that of one half of the layers in few bits and one in more.
    WeightRecipe few = recipe, more = recipe;
    few.promoted = recipe.linear;
    more.promoted = 2.0 * recipe.promoted - recipe.linear;
    const double perLayer = recipeWeights(bare, recipe, whole).value / layers;
    const double fewBits = recipeWeights(bare, few, whole).value / layers;
    const double moreBits = recipeWeights(bare, more, whole).value / layers;
    double cache = 0.0;
    for (const LayerGroup& group : network.layers)
        cache += group.count * cacheOfLayer(group.attention, run);
    memory.cacheOfAll = Bytes{cache};
    // Items are the layers and the head; item i lies on device floor(i n / items).
    const int items = layers + 1;
    for (int device = 0; device < run.devices; ++device) {
        const auto firstOf = [&](int d) { return int(std::ceil(double(d) * items / run.devices)); };
        const int count = firstOf(device + 1) - firstOf(device);
        const bool last = device == run.devices - 1;
        const double here = double(last ? count - 1 : count);
        double weights = last ? all - perLayer * layers : 0.0;
        for (int i = 0; i < int(here); ++i)
            weights += run.devices == 1 ? perLayer : hasMoreBits(firstOf(device) + i, layers) ? moreBits : fewBits;
        const double kept = cache * here / layers;
        if (weights + kept >= (memory.weights + memory.cache).value) {
            memory.weights = Bytes{weights};
            memory.cache = Bytes{kept};
        }
    }
    memory.compute = Bytes{computeBuffer(network, run)};
    memory.context = Bytes{driverContext};
    return memory;
}

} // namespace ridgepoint
