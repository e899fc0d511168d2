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
constexpr double largestExact = 9007199254740992.0;   // 2^53

/// Calls visit(elements, elements used for one token, bytes per element, split) for every tensor of a layer. Counts are
/// doubles: products of whole numbers that are exact below 2^53 and cannot overflow above it.
template <typename Visit>
void visitGrouped(double hidden, const Attention& a, const LayerFormats& formats, Visit&& visit)
{
    const double b = bytesPerElement(formats.attention);
    const double queries = double(a.heads) * a.headDim;
    const double keys = double(a.kvHeads) * a.headDim;
    const auto all = [&](double n, double bytes, Split split) { visit(n, n, bytes, split); };
    all(hidden * queries * (a.outputGate ? 2 : 1), b, Split::sharded);
    all(hidden * keys * 2, b, Split::keyValue);
    all(queries * hidden, bytesPerElement(formats.attentionOutput), Split::sharded);
    if (a.bias) {
        all(queries * (a.outputGate ? 2 : 1), plainBytes, Split::sharded);
        all(keys * 2, plainBytes, Split::keyValue);
    }
    if (a.outputBias)
        all(hidden, plainBytes, Split::replicated);
    if (a.qkNorm)
        all(2.0 * a.headDim, plainBytes, Split::replicated);
    if (a.sinks)
        all(a.heads, plainBytes, Split::sharded);
}

template <typename Visit>
void visitLatent(double hidden, const Attention& a, const LayerFormats& formats, Visit&& visit)
{
    const double b = bytesPerElement(formats.attention);
    const double queries = double(a.heads) * (a.nopeDim + a.ropeDim);
    const auto all = [&](double n, double bytes, Split split) { visit(n, n, bytes, split); };
    if (a.queryRank > 0) {
        all(hidden * a.queryRank, b, Split::replicated);
        all(a.queryRank, plainBytes, Split::replicated);
        all(a.queryRank * queries, b, Split::sharded);
    } else {
        all(hidden * queries, b, Split::sharded);
    }
    all(hidden * (a.kvRank + a.ropeDim), b, Split::replicated);
    all(a.kvRank, plainBytes, Split::replicated);
    all(double(a.kvRank) * a.heads * (a.nopeDim + a.valueDim), bytesPerElement(formats.latentUp), Split::sharded);
    all(double(a.heads) * a.valueDim * hidden, bytesPerElement(formats.attentionOutput), Split::sharded);
    if (a.indexHeads > 0) {
        const double index = bytesPerElement(formats.indexer);
        const double queryInput = a.queryRank > 0 ? a.queryRank : hidden;
        all(queryInput * a.indexHeads * a.indexDim, index, Split::replicated);
        all(hidden * a.indexDim, index, Split::replicated);
        all(2.0 * a.indexDim, plainBytes, Split::replicated); // layer norm of the keys, with its bias
        all(hidden * a.indexHeads, plainBytes, Split::replicated); // weight of each indexer head
    }
}

template <typename Visit>
void visitLinear(double hidden, const Attention& a, const LayerFormats& formats, Visit&& visit)
{
    const double b = bytesPerElement(formats.attention);
    const double keys = double(a.linearKeyHeads) * a.linearKeyDim;
    const double values = double(a.linearValueHeads) * a.linearValueDim;
    const auto all = [&](double n, double bytes, Split split) { visit(n, n, bytes, split); };
    all(hidden * (2 * keys + values), b, Split::sharded);
    all(hidden * values, b, Split::sharded); // output gate
    all(2 * hidden * a.linearValueHeads, plainBytes, Split::sharded); // projections of decay and step
    all((2 * keys + values) * a.convolution, plainBytes, Split::sharded);
    all(2.0 * a.linearValueHeads, plainBytes, Split::sharded); // decay, step offset
    all(a.linearValueDim, plainBytes, Split::replicated); // norm of the output
    all(values * hidden, bytesPerElement(formats.attentionOutput), Split::sharded);
}

template <typename Visit>
void visitFeedForward(double hidden, const FeedForward& f, const LayerFormats& formats, Visit&& visit)
{
    const auto all = [&](double n, double bytes, Split split) { visit(n, n, bytes, split); };
    const double inputs = f.gated ? 2 : 1;
    if (f.isNone())
        return;
    if (!f.isMixture()) {
        all(hidden * f.width * (inputs + 1), bytesPerElement(formats.dense), Split::sharded);
        if (f.bias) {
            all(f.width * inputs, plainBytes, Split::sharded);
            all(hidden, plainBytes, Split::replicated);
        }
        return;
    }
    const auto routed = [&](double each, double bytes, Split split) {
        visit(each * f.experts, each * f.expertsPerToken, bytes, split);
    };
    all(hidden * f.experts, bytesPerElement(formats.router), Split::replicated);
    if (f.routerBias)
        all(f.experts, plainBytes, Split::replicated);
    routed(hidden * f.expertWidth * (inputs + 1), bytesPerElement(formats.experts), Split::sharded);
    if (f.expertBias) {
        routed(f.expertWidth * inputs, plainBytes, Split::sharded);
        routed(hidden, plainBytes, Split::replicated);
    }
    if (f.sharedWidth > 0)
        all(hidden * f.sharedWidth * (inputs + 1), bytesPerElement(formats.shared), Split::sharded);
    if (f.sharedGate)
        all(hidden, plainBytes, Split::replicated);
}

template <typename Visit>
void visitLayer(const Network& network, const LayerGroup& group, const LayerFormats& formats, Visit&& visit)
{
    const double hidden = network.hidden;
    visit(group.norms * hidden, group.norms * hidden, plainBytes, Split::replicated);
    switch (group.attention.kind) {
    case AttentionKind::grouped: visitGrouped(hidden, group.attention, formats, visit); break;
    case AttentionKind::latent: visitLatent(hidden, group.attention, formats, visit); break;
    case AttentionKind::linear: visitLinear(hidden, group.attention, formats, visit); break;
    }
    visitFeedForward(hidden, group.feedForward, formats, visit);
}

/// Sharded and replicated bytes of one layer.
StoredWeights storedLayer(const Network& network, const LayerGroup& group, const LayerFormats& formats,
                          int tensorParallel)
{
    const double t = std::max(tensorParallel, 1);
    const double kvHeads = std::max(group.attention.kvHeads, 1);
    StoredWeights stored;
    visitLayer(network, group, formats, [&](double elements, double, double bytes, Split split) {
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
        visitLayer(network, group, group.formats, [&](double elements, double used, double, Split) {
            total += elements * group.count;
            active += used * group.count;
        });
    return {.total = whole(total), .active = whole(active), .embedding = whole(embedding)};
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
