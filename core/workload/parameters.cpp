// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/parameters.h"

#include <algorithm>
#include <cassert>

namespace ridgepoint {

namespace {

/// How a tensor is laid over the devices of a tensor-parallel group.
enum class Split
{
    sharded,
    replicated,
    keyValue
};

constexpr double plainBytes = 2.0;              // bytes of an element that no recipe quantises
constexpr WeightPart plain = WeightPart::plain;
constexpr double largestExact = 9007199254740992.0;   // 2^53

/// Calls visit(elements, elements used for one token, part, split) for every tensor of a layer. Counts are
/// doubles: products of whole numbers that are exact below 2^53 and cannot overflow above it.
template <typename Visit>
void visitGrouped(double hidden, const Attention& a, Visit&& visit)
{
    const WeightPart b = WeightPart::attention;
    const double queries = double(a.heads) * a.headDim;
    const double keys = double(a.kvHeads) * a.headDim;
    const auto all = [&](double n, WeightPart part, Split split) { visit(n, n, part, split); };
    all(hidden * queries * (a.outputGate ? 2 : 1), b, Split::sharded);
    all(hidden * keys * 2, b, Split::keyValue);
    all(queries * hidden, WeightPart::attentionOutput, Split::sharded);
    if (a.bias) {
        all(queries * (a.outputGate ? 2 : 1), plain, Split::sharded);
        all(keys * 2, plain, Split::keyValue);
    }
    if (a.outputBias)
        all(hidden, plain, Split::replicated);
    if (a.qkNorm)
        all(2.0 * a.headDim, plain, Split::replicated);
    if (a.sinks)
        all(a.heads, plain, Split::sharded);
}

template <typename Visit>
void visitLatent(double hidden, const Attention& a, Visit&& visit)
{
    const WeightPart b = WeightPart::attention;
    const double queries = double(a.heads) * (a.nopeDim + a.ropeDim);
    const auto all = [&](double n, WeightPart part, Split split) { visit(n, n, part, split); };
    if (a.queryRank > 0) {
        all(hidden * a.queryRank, b, Split::replicated);
        all(a.queryRank, plain, Split::replicated);
        all(a.queryRank * queries, b, Split::sharded);
    } else {
        all(hidden * queries, b, Split::sharded);
    }
    all(hidden * (a.kvRank + a.ropeDim), b, Split::replicated);
    all(a.kvRank, plain, Split::replicated);
    all(double(a.kvRank) * a.heads * (a.nopeDim + a.valueDim), WeightPart::latentUp, Split::sharded);
    all(double(a.heads) * a.valueDim * hidden, WeightPart::attentionOutput, Split::sharded);
    if (a.indexHeads > 0) {
        const WeightPart index = WeightPart::indexer;
        const double queryInput = a.queryRank > 0 ? a.queryRank : hidden;
        all(queryInput * a.indexHeads * a.indexDim, index, Split::replicated);
        all(hidden * a.indexDim, index, Split::replicated);
        all(2.0 * a.indexDim, plain, Split::replicated); // layer norm of the keys, with its bias
        all(hidden * a.indexHeads, plain, Split::replicated); // weight of each indexer head
    }
}

template <typename Visit>
void visitLinear(double hidden, const Attention& a, Visit&& visit)
{
    const WeightPart b = WeightPart::attention;
    const double keys = double(a.linearKeyHeads) * a.linearKeyDim;
    const double values = double(a.linearValueHeads) * a.linearValueDim;
    const auto all = [&](double n, WeightPart part, Split split) { visit(n, n, part, split); };
    all(hidden * (2 * keys + values), b, Split::sharded);
    all(hidden * values, b, Split::sharded); // output gate
    all(2 * hidden * a.linearValueHeads, plain, Split::sharded); // projections of decay and step
    all((2 * keys + values) * a.convolution, plain, Split::sharded);
    all(2.0 * a.linearValueHeads, plain, Split::sharded); // decay, step offset
    all(a.linearValueDim, plain, Split::replicated); // norm of the output
    all(values * hidden, WeightPart::attentionOutput, Split::sharded);
}

template <typename Visit>
void visitFeedForward(double hidden, const FeedForward& f, Visit&& visit)
{
    const auto all = [&](double n, WeightPart part, Split split) { visit(n, n, part, split); };
    const double inputs = f.gated ? 2 : 1;
    if (f.isNone())
        return;
    if (!f.isMixture()) {
        all(hidden * f.width * (inputs + 1), WeightPart::dense, Split::sharded);
        if (f.bias) {
            all(f.width * inputs, plain, Split::sharded);
            all(hidden, plain, Split::replicated);
        }
        return;
    }
    const auto routed = [&](double each, WeightPart part, Split split) {
        visit(each * f.experts, each * f.expertsPerToken, part, split);
    };
    all(hidden * f.experts, WeightPart::router, Split::replicated);
    if (f.routerBias)
        all(f.experts, plain, Split::replicated);
    routed(hidden * f.expertWidth * (inputs + 1), WeightPart::experts, Split::sharded);
    if (f.expertBias) {
        routed(f.expertWidth * inputs, plain, Split::sharded);
        routed(hidden, plain, Split::replicated);
    }
    if (f.sharedWidth > 0)
        all(hidden * f.sharedWidth * (inputs + 1), WeightPart::shared, Split::sharded);
    if (f.sharedGate)
        all(hidden, plain, Split::replicated);
}

template <typename Visit>
void visitLayer(const Network& network, const LayerGroup& group, Visit&& visit)
{
    const double hidden = network.hidden;
    visit(group.norms * hidden, group.norms * hidden, plain, Split::replicated);
    switch (group.attention.kind) {
    case AttentionKind::grouped: visitGrouped(hidden, group.attention, visit); break;
    case AttentionKind::latent: visitLatent(hidden, group.attention, visit); break;
    case AttentionKind::linear: visitLinear(hidden, group.attention, visit); break;
    }
    visitFeedForward(hidden, group.feedForward, visit);
}

/// Sharded and replicated bytes of one layer.
StoredWeights storedLayer(const Network& network, const LayerGroup& group, const LayerFormats& formats,
                          int tensorParallel)
{
    const double t = std::max(tensorParallel, 1);
    const double kvHeads = std::max(group.attention.kvHeads, 1);
    StoredWeights stored;
    visitLayer(network, group, [&](double elements, double, WeightPart part, Split split) {
        const double bytes = bytesOf(part, formats);
        switch (split) {
        case Split::sharded: stored.sharded += Bytes{elements * bytes / t}; break;
        case Split::replicated: stored.replicated += Bytes{elements * bytes}; break;
        case Split::keyValue: stored.sharded += Bytes{elements * bytes * std::max(kvHeads, t) / kvHeads / t}; break;
        }
    });
    return stored;
}

std::int64_t whole(double count)
{
    return std::int64_t(std::min(count, largestExact));
}

} // namespace

ParameterCount parameterCount(const Network& network)
{
    const double embedding = double(network.vocabulary) * network.hidden;
    double total = embedding * (network.tiedEmbedding ? 1 : 2) + network.hidden * (1.0 + network.learnedPositions);
    double active = total;
    for (const LayerGroup& group : network.layers)
        visitLayer(network, group, [&](double elements, double used, WeightPart, Split) {
            total += elements * group.count;
            active += used * group.count;
        });
    return {.total = whole(total), .active = whole(active), .embedding = whole(embedding)};
}

double bytesOf(WeightPart part, const LayerFormats& formats)
{
    switch (part) {
    case WeightPart::attention: return bytesPerElement(formats.attention);
    case WeightPart::attentionOutput: return bytesPerElement(formats.attentionOutput);
    case WeightPart::latentUp: return bytesPerElement(formats.latentUp);
    case WeightPart::indexer: return bytesPerElement(formats.indexer);
    case WeightPart::dense: return bytesPerElement(formats.dense);
    case WeightPart::experts: return bytesPerElement(formats.experts);
    case WeightPart::shared: return bytesPerElement(formats.shared);
    case WeightPart::router: return bytesPerElement(formats.router);
    case WeightPart::plain: break;
    }
    return plainBytes;
}

LayerElements layerElements(const Network& network, const LayerGroup& group, int tensorParallel)
{
    const double t = std::max(tensorParallel, 1);
    const double kvHeads = std::max(group.attention.kvHeads, 1);
    LayerElements sums;
    visitLayer(network, group, [&](double elements, double, WeightPart part, Split split) {
        double held = elements;
        if (split == Split::sharded)
            held = elements / t;
        else if (split == Split::keyValue)
            held = elements * std::max(kvHeads, t) / kvHeads / t;
        sums.counts[std::size_t(part)] += held;
    });
    return sums;
}

Bytes layerWeightBytes(const Network& network, const LayerGroup& group, const LayerFormats& formats, int tensorParallel)
{
    const StoredWeights stored = storedLayer(network, group, formats, tensorParallel);
    return stored.sharded + stored.replicated;
}

StoredWeights storedWeights(const Network& network, std::span<const LayerFormats> formats, int tensorParallel)
{
    assert(formats.empty() || formats.size() == network.layers.size());
    const double t = std::max(tensorParallel, 1);
    const double table = double(network.vocabulary) * network.hidden / t;
    StoredWeights stored;
    stored.replicated = Bytes{network.hidden * plainBytes};
    stored.embedding = Bytes{table * bytesPerElement(network.embeddingFormat) +
                             double(network.learnedPositions) * network.hidden * plainBytes};
    if (!network.tiedEmbedding)
        stored.head = Bytes{table * bytesPerElement(network.headFormat)};
    stored.tower = Bytes{network.towerParameters * plainBytes / t};
    stored.rotaryTable = Bytes{double(network.maximumContext) * network.rotaryDim * plainBytes};
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const LayerGroup& group = network.layers[i];
        const LayerFormats& stores = formats.empty() ? group.formats : formats[i];
        const StoredWeights layer = storedLayer(network, group, stores, tensorParallel);
        stored.sharded += layer.sharded * group.count;
        stored.replicated += layer.replicated * group.count;
    }
    return stored;
}

} // namespace ridgepoint
