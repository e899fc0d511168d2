// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/fine_tune_memory.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double elementBytes = 2.0;

/// 16-bit elements a token leaves in a layer: inputs of norms and products, queries, keys, values, both halves of the
/// gated feed-forward and their product.
double keptElements(const Network& network, const LayerGroup& group)
{
    const Attention& a = group.attention;
    const double hidden = network.hidden;
    // Norms without a mean keep their inputs in 32 bit too.
    double elements = (group.feedForward.gated ? 6.0 : 3.0) * hidden;
    switch (a.kind) {
    case AttentionKind::grouped: elements += 2.0 * a.heads * a.headDim + 2.0 * a.kvHeads * a.headDim; break;
    case AttentionKind::latent: elements += double(a.heads) * (2.0 * (a.nopeDim + a.ropeDim) + 2.0 * a.valueDim); break;
    case AttentionKind::linear:
        elements += 2.0 * a.linearKeyHeads * a.linearKeyDim + 3.0 * a.linearValueHeads * a.linearValueDim;
        break;
    }
    const FeedForward& f = group.feedForward;
    const double width = f.isMixture() ? double(f.expertsPerToken) * f.expertWidth + f.sharedWidth : f.width;
    return elements + (f.gated ? 4.0 : 2.0) * width;
}

} // namespace

TrainedShape trainedShape(const Network& network, const WeightRecipe& recipe)
{
    TrainedShape shape;
    const ParameterCount count = parameterCount(network);
    shape.parameters = double(count.total) + network.towerParameters;
    shape.embedding = double(count.embedding) * (network.tiedEmbedding ? 1.0 : 2.0);
    shape.weights = recipeWeights(network, recipe, {});
    shape.layers = network.layerCount();
    shape.hidden = network.hidden;
    shape.vocabulary = network.vocabulary;
    for (const LayerGroup& group : network.layers) {
        shape.heads = std::max(shape.heads, double(group.attention.heads));
        shape.layerElements += keptElements(network, group) * group.count / shape.layers;
    }
    return shape;
}

TrainedShape trainedShape(double billions, double bytesPerParameter)
{
    // 12 h^2 elements a layer, and as many layers as h / 128, which published dense networks keep to.
    constexpr double giga = 1e9, elementsOfLayer = 12.0, hiddenPerLayer = 128.0, usualVocabulary = 64'000.0;
    TrainedShape shape;
    shape.parameters = billions * giga;
    shape.weights = Bytes{shape.parameters * bytesPerParameter};
    shape.hidden = std::cbrt(shape.parameters * hiddenPerLayer / elementsOfLayer);
    shape.layers = shape.hidden / hiddenPerLayer;
    shape.heads = shape.layers;
    shape.vocabulary = usualVocabulary;
    shape.embedding = 2.0 * shape.vocabulary * shape.hidden;
    shape.layerElements = 21.0 * shape.hidden;
    return shape;
}

FineTuneMemory fineTuneMemory(const TrainedShape& shape, const FineTune& run)
{
    FineTuneMemory memory;
    const double devices = std::max(run.devices, 1);
    const double trained = run.full ? shape.parameters : run.trained;
    const auto share = [&](int stage) { return run.splitStage >= stage ? devices : 1.0; };
    const Bytes base = run.full ? Bytes{trained * run.weightBytes} : shape.weights + Bytes{trained * run.weightBytes};
    memory.weights = base / share(3);
    if (run.gatheredWhole && share(3) > 1.0)
        memory.weights += base;
    memory.gradients = Bytes{trained * run.gradientBytes} / share(2);
    memory.states = Bytes{trained * run.stateBytes} / share(1);
    if (run.weightsOnHost) {
        memory.host += base;
        memory.weights = base / std::max(1.0, shape.layers) * 2.0;   // the layers at work
    }
    if (run.statesOnHost || run.weightsOnHost) {
        memory.host += Bytes{trained * run.stateBytes};
        memory.states = {};
    }
    const double perLayer = shape.layerElements * elementBytes;
    double scores = 0.0;
    if (!run.fusedAttention)
        scores = shape.heads * run.sequence * 2.5 * elementBytes;   // before and after the softmax, and the mask of dropout
    const double logits = shape.vocabulary * run.logitBytes;
    const double layer = perLayer + scores;
    const double perToken = run.checkpointing
        ? shape.layers * shape.hidden * elementBytes + std::max(layer, logits)
        : shape.layers * layer + logits;
    memory.activations = Bytes{run.tokens * perToken};
    memory.workspace = run.workspace;
    return memory;
}

} // namespace ridgepoint
