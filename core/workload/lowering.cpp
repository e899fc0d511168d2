// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lowering.h"

#include "core/workload/kv_cache.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double elementBytes = 2.0;   ///< of activations between operators

bool isFp8(Format format) { return format == Format::fp8 || format == Format::fp8Block; }
bool isFp4(Format format) { return format == Format::nvfp4 || format == Format::mxfp4; }

/// Puts operators of one device together; holds what all of them share.
class Lowering
{
public:
    Lowering(const Network& network, const ResolvedPrecision& precision, const Split& split, const StepShape& shape,
             std::vector<Op>& ops)
        : m_network(network), m_precision(precision), m_split(split.tensorParallel), m_groups(split.attentionData),
          m_expertParts(split.expertParallel), m_imbalance(split.expertImbalance), m_shape(shape), m_ops(ops),
          m_wide(precision.hasBf16 ? Math::bf16 : Math::fp32)
    {}

    void layers(const LayerGroup& group, double count)
    {
        m_count = count;
        const LayerFormats formats = formatsInUse(m_network, group, m_precision.weights);
        switch (group.attention.kind) {
        case AttentionKind::grouped: grouped(group.attention, formats); break;
        case AttentionKind::latent: latent(group.attention, formats); break;
        case AttentionKind::linear: linear(group.attention, formats); break;
        }
        allReduce(OpId::allReduceAttention);
        const FeedForward& f = group.feedForward;
        if (!f.isMixture()) {
            dense(f.width / m_split, f.gated, formats.dense, OpId::gateUp, OpId::down);
            if (!f.isNone())
                allReduce(OpId::allReduceFeedForward);
        } else if (m_groups <= 1.0) {
            mixture(f, formats);
            allReduce(OpId::allReduceFeedForward);
        } else {
            exchange(OpId::dispatch);
            mixture(f, formats);
            exchange(OpId::combine);
        }
        norms(group);
    }

    void embedding()
    {
        m_count = 1;
        stream(OpId::embedding, 2.0 * m_shape.tokens() * m_network.hidden * elementBytes, 1);
        allReduce(OpId::allReduceEmbedding);
    }

    void head()
    {
        m_count = 1;
        const double rows = m_shape.headTokens;
        matmul(OpId::head, rows, m_network.vocabulary / m_split, m_network.hidden,
               headFormatInUse(m_network, m_precision.weights));
        if (m_split > 1) {
            Op& op = add(OpId::gatherLogits, OpKind::allReduce);
            op.group = int(m_split);
            op.message = Bytes{rows * m_network.vocabulary * elementBytes};
        }
        stream(OpId::sampling, 3.0 * rows * m_network.vocabulary * 4.0, 1);   // fp32 logits: read, softmax, draw
    }

    void send(bool acrossNodes)
    {
        m_count = 1;
        Op& op = add(OpId::stageSend, OpKind::send);
        op.group = 2;
        op.acrossNodes = acrossNodes;
        op.message = Bytes{m_shape.tokens() * m_network.hidden * elementBytes / m_split};
    }

private:
    [[nodiscard]] double allTokens() const { return std::max(m_shape.tokens(), m_shape.groupTokens); }

    Op& add(OpId id, OpKind kind)
    {
        Op& op = m_ops.emplace_back();
        op.id = id;
        op.kind = kind;
        op.math = m_wide;
        op.count = m_count;
        return op;
    }

    void matmul(OpId id, double m, double n, double k, Format weight)
    {
        if (m <= 0.0 || n <= 0.0 || k <= 0.0)
            return;
        Op& op = add(id, OpKind::matmul);
        op.m = m;
        op.n = n;
        op.k = k;
        op.weight = weight;
        op.math = mathOf(weight, m_precision);
        op.quantizesInput = op.math == Math::fp8 || op.math == Math::fp4 || op.math == Math::int8;
        op.flops = Flops{2.0 * m * n * k};
        op.weightBytes = Bytes{n * k * bytesPerElement(weight)};
        op.activationBytes = Bytes{(m * k + m * n) * elementBytes};
    }

    void stream(OpId id, double bytes, double times)
    {
        Op& op = add(id, OpKind::stream);
        op.count = m_count * times;
        op.activationBytes = Bytes{bytes / times};
    }

    void allReduce(OpId id)
    {
        if (m_split <= 1)
            return;
        Op& op = add(id, OpKind::allReduce);
        op.group = int(m_split);
        op.message = Bytes{m_shape.tokens() * m_network.hidden * elementBytes};
    }

    /// Half an all-reduce over all devices of the stage: a gather or a scatter of every group's tokens.
    void exchange(OpId id)
    {
        Op& op = add(id, OpKind::allReduce);
        op.group = int(m_split * m_groups);
        op.message = Bytes{allTokens() * m_network.hidden * elementBytes};
    }

    /// Norms with their residual additions, rotary embedding and activation; engines fuse them into about two kernels.
    void norms(const LayerGroup& group)
    {
        const FeedForward& ffn = group.feedForward;
        const double width = ffn.isMixture() ? sharedWidth(ffn) : ffn.width / m_split;
        const double perToken = 2.0 * 4.0 * m_network.hidden + (ffn.gated ? 3.0 : 2.0) * width;
        stream(OpId::norms, m_shape.tokens() * perToken * elementBytes, 2);
    }

    /// On one device: attention groups do not exchange the tokens of shared experts, so each device has them whole.
    [[nodiscard]] double sharedWidth(const FeedForward& f) const
    {
        return m_groups > 1.0 ? f.sharedWidth : f.sharedWidth / m_split;
    }

    void grouped(const Attention& a, const LayerFormats& formats)
    {
        const double heads = a.heads / m_split;
        const double kvHeads = std::max(double(a.kvHeads), m_split) / m_split;   // replicated beyond one a device
        const double queryWidth = heads * a.headDim;
        matmul(OpId::queryKeyValue, m_shape.tokens(),
               queryWidth * (a.outputGate ? 2.0 : 1.0) + 2.0 * kvHeads * a.headDim, m_network.hidden, formats.attention);
        const double kvBytes = bytesPerElement(m_precision.kv);
        const auto attention = [&](OpKind kind, double sequences, double queries, double context) {
            Op& op = add(OpId::attention, kind);
            op.math = m_precision.kv == Format::fp8 && m_precision.hasFp8 ? Math::fp8 : m_wide;
            op.sequences = sequences;
            op.queries = queries;
            op.context = context;
            op.heads = heads;
            op.kvHeads = kvHeads;
            op.headDim = a.headDim;
            op.window = a.window;
            op.kvElementBytes = kvBytes;
            return &op;
        };
        if (m_shape.decodeSequences > 0.0) {
            const double b = m_shape.decodeSequences;
            const double q = m_shape.decodeQueries;
            Op* op = attention(OpKind::decodeAttention, b, q, m_shape.decodeContext);
            const double seen = a.window > 0 ? std::min(m_shape.decodeContext, double(a.window)) : m_shape.decodeContext;
            op->flops = Flops{4.0 * b * q * heads * a.headDim * seen};
            op->kvBytes = Bytes{2.0 * b * kvHeads * a.headDim * seen * kvBytes};
            op->activationBytes = Bytes{q * (4.0 * b * queryWidth + 2.0 * b * kvHeads * a.headDim * (2.0 + kvBytes))};
        }
        if (m_shape.prefillTokens > 0.0) {
            const double queries = m_shape.prefillTokens / m_shape.prefillSequences;
            Op* op = attention(OpKind::prefillAttention, m_shape.prefillSequences, queries, m_shape.prefillContext);
            op->flops = Flops{4.0 * m_shape.prefillSequences * heads * a.headDim *
                              causalPairs(queries, m_shape.prefillContext, a.window)};
            op->activationBytes = Bytes{4.0 * m_shape.prefillTokens * a.headDim * (heads + kvHeads)};
            op->kvBytes = Bytes{2.0 * m_shape.prefillTokens * a.headDim * kvHeads * (2.0 + kvBytes)};
        }
        matmul(OpId::attentionOutput, m_shape.tokens(), m_network.hidden, queryWidth, formats.attentionOutput);
    }

    void latent(const Attention& a, const LayerFormats& formats)
    {
        const double heads = a.heads / m_split;
        const double tokens = m_shape.tokens();
        const double queryDim = a.nopeDim + a.ropeDim;
        const double entry = a.kvRank + a.ropeDim;
        if (a.queryRank > 0) {
            matmul(OpId::latentDown, tokens, a.queryRank + entry, m_network.hidden, formats.attention);
            matmul(OpId::latentUp, tokens, heads * queryDim, a.queryRank, formats.attention);
        } else {
            matmul(OpId::latentDown, tokens, entry, m_network.hidden, formats.attention);
            matmul(OpId::latentUp, tokens, heads * queryDim, m_network.hidden, formats.attention);
        }
        const bool sparse = a.indexTopK > 0;
        if (sparse) {
            const double inner = a.queryRank > 0 ? a.queryRank : m_network.hidden;
            matmul(OpId::indexer, tokens, a.indexHeads * a.indexDim, inner, formats.indexer);
            matmul(OpId::indexer, tokens, a.indexDim + a.indexHeads, m_network.hidden, formats.indexer);
        }
        const double bytes = latentEntryBytes(a, m_precision.kv);
        // Absorbed: queries and outputs go through the latent space, so that the cache is read as it is.
        const auto product = [&](OpKind kind, double rows, double columns, double depth) {
            Op& op = add(OpId::absorbed, kind);
            op.m = rows;
            op.n = columns;
            op.k = depth;
            op.heads = heads;
            op.flops = Flops{2.0 * rows * heads * columns * depth};
            op.weightBytes = Bytes{heads * columns * depth * elementBytes};
            op.activationBytes = Bytes{rows * heads * (columns + depth) * elementBytes};
        };
        const auto absorbed = [&](double rows) {
            product(OpKind::absorbedQuery, rows, a.kvRank, a.nopeDim);
            product(OpKind::absorbedOutput, rows, a.valueDim, a.kvRank);
        };
        const auto scores = [&](double rows, double seen, double allPairs) {
            Op& op = add(OpId::indexer, OpKind::indexScores);
            op.math = m_precision.hasFp8 ? Math::fp8 : m_wide;
            op.flops = Flops{2.0 * a.indexHeads * a.indexDim * allPairs};
            op.kvBytes = Bytes{seen * (a.indexDim + 4.0)};
            op.activationBytes = Bytes{rows * a.indexHeads * a.indexDim * 1.0};
        };
        if (m_shape.decodeSequences > 0.0) {
            const double b = m_shape.decodeSequences;
            const double rows = b * m_shape.decodeQueries;
            const double seen = sparse ? std::min(m_shape.decodeContext, double(a.indexTopK)) : m_shape.decodeContext;
            absorbed(rows);
            if (sparse)
                scores(rows, b * m_shape.decodeContext, rows * m_shape.decodeContext);
            Op& op = add(OpId::attention, OpKind::latentDecode);
            op.sequences = b;
            op.queries = m_shape.decodeQueries;
            op.context = seen;
            op.heads = heads;
            op.kvHeads = 1;
            op.headDim = entry;
            op.valueDim = a.kvRank;
            op.kvElementBytes = bytesPerElement(m_precision.kv);
            op.flops = Flops{2.0 * rows * heads * seen * (2.0 * a.kvRank + a.ropeDim)};
            op.kvBytes = Bytes{b * seen * bytes};
            op.activationBytes = Bytes{rows * heads * (2.0 * a.kvRank + a.ropeDim) * elementBytes};
        }
        if (m_shape.prefillTokens > 0.0) {
            const double queries = m_shape.prefillTokens / m_shape.prefillSequences;
            const double context = m_shape.prefillContext;
            const double allPairs = m_shape.prefillSequences * causalPairs(queries, context, 0);
            if (sparse) {
                absorbed(m_shape.prefillTokens);
                scores(m_shape.prefillTokens, m_shape.prefillSequences * context, allPairs);
            } else {
                matmul(OpId::latentUp, m_shape.prefillTokens, heads * (a.nopeDim + a.valueDim), a.kvRank, formats.latentUp);
            }
            Op& op = add(OpId::attention, OpKind::latentPrefill);
            op.sequences = m_shape.prefillSequences;
            op.queries = queries;
            op.context = context;
            op.heads = heads;
            op.kvHeads = sparse ? 1 : heads;   // unpacked into keys and values of each head, or in the latent space
            op.headDim = sparse ? entry : queryDim;
            op.valueDim = sparse ? a.kvRank : a.valueDim;
            op.kvElementBytes = bytesPerElement(m_precision.kv);
            op.math = op.kvElementBytes < 2.0 && m_precision.hasFp8 ? Math::fp8 : m_wide;
            op.window = sparse ? a.indexTopK : 0;
            op.flops = Flops{sparse ? 2.0 * heads * (2.0 * a.kvRank + a.ropeDim) * m_shape.prefillSequences *
                                          causalPairs(queries, context, a.indexTopK)
                                    : 2.0 * heads * (a.nopeDim + a.ropeDim + a.valueDim) * allPairs};
            op.kvBytes = Bytes{m_shape.prefillTokens * bytes};
            op.activationBytes =
                Bytes{m_shape.prefillTokens * heads * (2.0 * (a.nopeDim + a.ropeDim) + 2.0 * a.valueDim) * elementBytes};
        }
        matmul(OpId::attentionOutput, tokens, m_network.hidden, heads * a.valueDim, formats.attentionOutput);
    }

    void linear(const Attention& a, const LayerFormats& formats)
    {
        const double keys = a.linearKeyHeads * a.linearKeyDim / m_split;
        const double values = a.linearValueHeads * a.linearValueDim / m_split;
        const double tokens = m_shape.tokens();
        matmul(OpId::queryKeyValue, tokens, 2.0 * keys + 2.0 * values + 2.0 * a.linearValueHeads / m_split,
               m_network.hidden, formats.attention);
        const double stateElements = values * a.linearKeyDim;
        const double moved = (2.0 * keys + 2.0 * values) * elementBytes;
        if (m_shape.decodeSequences > 0.0) {
            Op& op = add(OpId::linearState, OpKind::stream);
            op.flops = Flops{6.0 * m_shape.decodeSequences * m_shape.decodeQueries * stateElements};
            op.kvBytes = Bytes{2.0 * m_shape.decodeSequences * linearStateBytes(a, int(m_split))};
            op.activationBytes = Bytes{m_shape.decodeSequences * m_shape.decodeQueries * moved};
        }
        if (m_shape.prefillTokens > 0.0) {
            // Chunks of 64 tokens: products inside a chunk, and the state carried from one to the next.
            constexpr double chunk = 64.0;
            Op& op = add(OpId::linearState, OpKind::linearChunks);
            op.flops = Flops{m_shape.prefillTokens * (6.0 * stateElements + 2.0 * chunk * (keys + values))};
            op.kvBytes = Bytes{2.0 * m_shape.prefillSequences * linearStateBytes(a, int(m_split))};
            op.activationBytes = Bytes{2.0 * m_shape.prefillTokens * moved};
        }
        matmul(OpId::attentionOutput, tokens, m_network.hidden, values, formats.attentionOutput);
    }

    void dense(double width, bool gated, Format format, OpId first, OpId second)
    {
        matmul(first, m_shape.tokens(), (gated ? 2.0 : 1.0) * width, m_network.hidden, format);
        matmul(second, m_shape.tokens(), m_network.hidden, width, format);
    }

    void mixture(const FeedForward& f, const LayerFormats& formats)
    {
        const double tokens = allTokens();
        matmul(OpId::router, m_shape.tokens(), f.experts, m_network.hidden, formats.router);
        const double held = f.experts / m_expertParts;
        const double share = (m_expertParts > 1.0 ? m_imbalance : 1.0) / m_expertParts;   // of the fullest part
        Op& op = add(OpId::experts, OpKind::mixture);
        op.m = tokens;
        op.n = f.expertWidth * m_expertParts / (m_split * m_groups);
        op.k = m_network.hidden;
        op.weight = formats.experts;
        op.math = mathOf(formats.experts, m_precision);
        op.gated = f.gated;
        op.routedRows = tokens * f.expertsPerToken * share;
        op.activeExperts = std::min(held, distinctExperts(tokens, f.expertsPerToken, f.experts) * share);
        op.routerExperts = f.experts;
        op.routerTopK = f.expertsPerToken;
        const double matrices = f.gated ? 3.0 : 2.0;
        const double input = op.math == Math::fp8 || op.math == Math::int8 ? 1.0 : op.math == Math::fp4 ? 0.5625 : 2.0;
        op.flops = Flops{2.0 * op.routedRows * matrices * op.n * op.k};
        op.weightBytes = Bytes{op.activeExperts * matrices * op.n * op.k * bytesPerElement(formats.experts)};
        op.activationBytes =
            Bytes{4.0 * tokens * op.k + op.routedRows * (2.0 * op.k * (input + 2.0) + op.n * (4.0 + input))};
        if (f.sharedWidth > 0)
            dense(sharedWidth(f), f.gated, formats.shared, OpId::sharedGateUp, OpId::sharedDown);
    }

    const Network& m_network;
    const ResolvedPrecision& m_precision;
    double m_split;
    double m_groups;
    double m_expertParts;
    double m_imbalance;
    const StepShape& m_shape;
    std::vector<Op>& m_ops;
    Math m_wide;
    double m_count = 1;
};

} // namespace

double causalPairs(double queries, double context, double window)
{
    const double before = context - queries;
    const double free = window > 0.0 ? std::clamp(window - before, 0.0, queries) : queries;
    return free * before + free * (free + 1.0) / 2.0 + (queries - free) * window;
}

LayerFormats formatsInUse(const Network& network, const LayerGroup& group, const std::optional<Format>& weights)
{
    LayerFormats formats = group.formats;
    if (!weights)
        return formats;
    const bool quantised = network.checkpointFormat != Format::bf16;
    const auto apply = [&](Format& part) {
        if (!quantised || part != Format::bf16)
            part = *weights;
    };
    apply(formats.attention);
    apply(formats.attentionOutput);
    apply(formats.latentUp);
    apply(formats.indexer);
    apply(formats.dense);
    apply(formats.experts);
    apply(formats.shared);
    return formats;
}

Format headFormatInUse(const Network& network, const std::optional<Format>& weights)
{
    if (!weights || !isGguf(*weights) || network.headFormat != Format::bf16)
        return network.headFormat;
    return *weights == Format::q8_0 ? Format::q8_0 : Format::q6_k;
}

Math mathOf(Format weight, const ResolvedPrecision& p)
{
    const Format input = p.activations;
    const Math wide = p.hasBf16 ? Math::bf16 : Math::fp32;
    if (weight == Format::fp32)
        return Math::fp32;
    if (weight == Format::bf16)
        return wide;
    if (isFp4(input) && isFp4(weight) && p.hasFp4)
        return Math::fp4;
    if (isFp8(input) && weight != Format::int8 && p.hasFp8)
        return Math::fp8;
    if (input == Format::int8 && (weight == Format::int8 || weight == Format::int4 || weight == Format::int4Group32) &&
        p.hasInt8)
        return Math::int8;
    return wide;
}

double distinctExperts(double tokens, int topK, int experts)
{
    constexpr double shape = 2.0;
    const double load = tokens * topK / experts;
    const double touched = experts * (1.0 - std::pow(1.0 + load / shape, -shape));
    // One token goes to topK different experts, which independent draws do not know.
    return std::clamp(touched, std::min(1.0, tokens) * std::min(topK, experts), double(experts));
}

void lowerStep(const Network& network, const ResolvedPrecision& precision, const Split& split, const StepShape& shape,
               std::vector<Op>& ops)
{
    Lowering lowering(network, precision, split, shape, ops);
    const int layers = network.layerCount();
    const double perStage = std::ceil(double(layers) / split.stages);
    if (split.stages == 1)
        lowering.embedding();
    for (const LayerGroup& group : network.layers)
        lowering.layers(group, group.count * perStage / layers);
    if (shape.headTokens > 0.0)
        lowering.head();
    if (split.stages > 1)
        lowering.send(split.acrossNodes);
}

} // namespace ridgepoint
