// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/architecture_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

namespace {

using nlohmann::json;

using FeedForwardOf = std::function<FeedForward(int layer)>;

void fill(Reading& r, const std::function<Attention(int)>& attention, const FeedForwardOf& feedForward)
{
    for (int i = 0; i < r.layerCount; ++i)
        r.out.layers.push_back({.count = 1, .attention = attention(i), .feedForward = feedForward(i), .formats = {}});
}

/// Heads and head dimension; `derived` says that the publisher's code takes hidden / heads when the latter is missing.
Attention groupedHeads(Reading& r, bool derived)
{
    Attention a;
    a.heads = r.fields.whole("num_attention_heads", 1, mostHeads);
    a.kvHeads = r.fields.wholeOr("num_key_value_heads", a.heads, 1, mostHeads);
    if (a.heads % a.kvHeads != 0)
        r.fields.mistake("num_key_value_heads",
                         fmt::format("is {}; it needs a divisor of the {} attention heads", a.kvHeads, a.heads));
    if (r.fields.has("head_dim") || !derived) {
        a.headDim = r.fields.whole("head_dim", 1, widest);
    } else {
        if (r.hidden() % a.heads != 0)
            r.fields.mistake("num_attention_heads",
                             fmt::format("is {}; it needs a divisor of hidden_size {}, or head_dim beside it", a.heads,
                                         r.hidden()));
        a.headDim = std::max(r.hidden() / a.heads, 1);
    }
    return a;
}

/// Width of the rotated part of a head.
int rotaryDim(Reading& r, int headDim)
{
    double share = r.fields.numberOr("partial_rotary_factor", 1.0, 0.0, 1.0);
    if (const json* parameters = r.fields.objectOr("rope_parameters")) {
        JsonFields inner(*parameters, r.fields.pointerTo("rope_parameters"), r.fields.mistakes());
        share = inner.numberOr("partial_rotary_factor", share, 0.0, 1.0);
    }
    return int(headDim * share);
}

enum class LayerType
{
    full,
    sliding,
    linear
};

/// "layer_types", one a layer; empty when the file has none.
std::vector<LayerType> layerTypes(Reading& r)
{
    std::vector<LayerType> types;
    const std::vector<std::string> names = r.fields.texts("layer_types");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == "full_attention")
            types.push_back(LayerType::full);
        else if (names[i] == "sliding_attention")
            types.push_back(LayerType::sliding);
        else if (names[i] == "linear_attention")
            types.push_back(LayerType::linear);
        else
            r.fields.mistakes().add(fmt::format("{}/{}", r.fields.pointerTo("layer_types"), i),
                                    fmt::format("is {}; known are full_attention, sliding_attention and "
                                                "linear_attention",
                                                shown(json(names[i]))));
    }
    if (!names.empty() && int(names.size()) != r.layerCount) {
        r.fields.mistake("layer_types", fmt::format("has {} entries; it needs one for each of the {} layers",
                                                    names.size(), r.layerCount));
        types.assign(std::size_t(r.layerCount), LayerType::full);
    }
    types.resize(names.empty() ? 0 : std::size_t(r.layerCount), LayerType::full);
    return types;
}

/// Window of each layer: from the layer types where given, else `rule` says which layers have one.
std::vector<int> windows(Reading& r, int window, const std::function<bool(int)>& rule)
{
    const std::vector<LayerType> types = layerTypes(r);
    std::vector<int> list(std::size_t(r.layerCount), 0);
    for (int i = 0; i < r.layerCount; ++i) {
        const LayerType type = types.empty() ? (rule(i) ? LayerType::sliding : LayerType::full) : types[std::size_t(i)];
        if (type == LayerType::linear) {
            r.fields.mistake("layer_types", "has linear_attention; this architecture has no such layers");
            break;
        }
        if (type != LayerType::sliding)
            continue;
        if (window <= 0) {
            r.fields.mistake("sliding_window", "is missing or switched off although layer_types has sliding_attention; "
                                               "it needs the tokens of the window");
            break;
        }
        list[std::size_t(i)] = window;
    }
    return list;
}

FeedForward denseLayer(Reading& r, bool bias = false)
{
    return {.width = r.fields.whole("intermediate_size", 1, widest), .gated = true, .bias = bias};
}

void checkExpertsPerToken(Reading& r, std::string_view key, const FeedForward& f)
{
    if (f.expertsPerToken > f.experts)
        r.fields.mistake(key, fmt::format("is {}; a token can use at most the {} experts there are", f.expertsPerToken,
                                          f.experts));
}

/// Llama, Mistral, Qwen2 and Qwen3: grouped attention and a gated feed-forward in every layer.
struct DenseTraits
{
    bool queryKeyValueBias = false;   ///< always there, whatever attention_bias says
    bool biasFlag = false;            ///< attention_bias switches all four projections
    bool qkNorm = false;
    bool derivedHeadDim = true;
    bool mlpBiasFlag = false;
    int norms = 2;
    enum class Window
    {
        none,
        always,
        upperLayers,
        allButEachLast   ///< every n-th layer sees all
    } window = Window::none;
    int pattern = 0;     ///< n of allButEachLast when the file has no sliding_window_pattern
};

void readDense(Reading& r, const DenseTraits& traits)
{
    Attention a = groupedHeads(r, traits.derivedHeadDim);
    r.out.network.rotaryDim = rotaryDim(r, a.headDim);
    const bool flagged = traits.biasFlag && r.fields.flagOr("attention_bias", false);
    a.bias = traits.queryKeyValueBias || flagged;
    a.outputBias = flagged;
    a.qkNorm = traits.qkNorm;
    const FeedForward dense = denseLayer(r, traits.mlpBiasFlag && r.fields.flagOr("mlp_bias", false));

    int window = 0, firstSliding = 0, pattern = 0;
    switch (traits.window) {
    case DenseTraits::Window::none: break;
    case DenseTraits::Window::always: window = r.fields.wholeOr("sliding_window", 0, 0, longestContext); break;
    case DenseTraits::Window::upperLayers: {
        const bool use = r.fields.flagOr("use_sliding_window", false);
        window = r.fields.wholeOr("sliding_window", 0, 0, longestContext);
        firstSliding = r.fields.wholeOr("max_window_layers", 28, 0, longestContext);
        if (!use)
            window = 0;
        break;
    }
    case DenseTraits::Window::allButEachLast:
        window = r.fields.whole("sliding_window", 1, longestContext);
        pattern = r.fields.wholeOr("sliding_window_pattern", traits.pattern, 1, mostLayers);
        r.fields.ignore("sliding_window_size");   // the same number under its older name
        break;
    }
    const std::vector<int> perLayer = windows(r, window, [&](int i) {
        return window > 0 && i >= firstSliding && (pattern == 0 || (i + 1) % pattern != 0);
    });
    fill(
        r,
        [&](int i) {
            Attention layer = a;
            layer.window = perLayer[std::size_t(i)];
            return layer;
        },
        [&](int) { return dense; });
    for (LayerGroup& layer : r.out.layers)
        layer.norms = traits.norms;
}

} // namespace

void readLlama(Reading& r)
{
    readDense(r, {.biasFlag = true, .mlpBiasFlag = true});
}

void readMistral(Reading& r)
{
    readDense(r, {.window = DenseTraits::Window::always});
}

void readQwen2(Reading& r)
{
    readDense(r, {.queryKeyValueBias = true, .window = DenseTraits::Window::upperLayers});
}

void readQwen3(Reading& r)
{
    readDense(r,
              {.biasFlag = true, .qkNorm = true, .derivedHeadDim = false, .window = DenseTraits::Window::upperLayers});
}

void readGemma(Reading& r)
{
    readDense(r, {.biasFlag = true, .derivedHeadDim = false});
}

void readGemma2(Reading& r)
{
    readDense(r, {.biasFlag = true,
                  .derivedHeadDim = false,
                  .norms = 4,
                  .window = DenseTraits::Window::allButEachLast,
                  .pattern = 2});
}

void readGemma3(Reading& r)
{
    readDense(r, {.biasFlag = true,
                  .qkNorm = true,
                  .derivedHeadDim = false,
                  .norms = 4,
                  .window = DenseTraits::Window::allButEachLast,
                  .pattern = 6});
}

void readPhi3(Reading& r)
{
    readDense(r, {.biasFlag = true, .window = DenseTraits::Window::always});
}

void readMixtral(Reading& r)
{
    Attention a = groupedHeads(r, true);
    r.out.network.rotaryDim = rotaryDim(r, a.headDim);
    a.window = r.fields.wholeOr("sliding_window", 0, 0, longestContext);
    FeedForward f;
    f.experts = r.fields.whole("num_local_experts", 1, mostExperts);
    f.expertsPerToken = r.fields.whole("num_experts_per_tok", 1, mostExperts);
    f.expertWidth = r.fields.whole("intermediate_size", 1, widest);
    checkExpertsPerToken(r, "num_experts_per_tok", f);
    fill(r, [&](int) { return a; }, [&](int) { return f; });
}

namespace {

/// Which layers of a Qwen mixture are dense.
FeedForwardOf qwenMixture(Reading& r, const FeedForward& mixture)
{
    const int step = r.fields.wholeOr("decoder_sparse_step", 1, 1, mostLayers);
    std::vector<int> denseLayers = r.fields.wholes("mlp_only_layers", 0, mostLayers);
    std::sort(denseLayers.begin(), denseLayers.end());
    const auto isDense = [=](int i) {
        return (i + 1) % step != 0 || std::binary_search(denseLayers.begin(), denseLayers.end(), i);
    };
    FeedForward dense;
    bool anyDense = false;
    for (int i = 0; i < r.layerCount; ++i)
        anyDense = anyDense || isDense(i);
    if (anyDense)
        dense = denseLayer(r);
    r.fields.ignore("intermediate_size");
    return [=](int i) { return isDense(i) ? dense : mixture; };
}

FeedForward qwenExperts(Reading& r)
{
    FeedForward f;
    f.experts = r.fields.whole("num_experts", 1, mostExperts);
    f.expertsPerToken = r.fields.whole("num_experts_per_tok", 1, mostExperts);
    f.expertWidth = r.fields.whole("moe_intermediate_size", 1, widest);
    checkExpertsPerToken(r, "num_experts_per_tok", f);
    return f;
}

void refuseWindow(Reading& r)
{
    if (r.fields.flagOr("use_sliding_window", false))
        r.fields.mistake("use_sliding_window", "is true; which layers of this architecture then have a window is not "
                                               "known, false is");
    r.fields.ignore("sliding_window");
    r.fields.ignore("max_window_layers");
}

} // namespace

void readQwen2Mixture(Reading& r)
{
    Attention a = groupedHeads(r, true);
    r.out.network.rotaryDim = rotaryDim(r, a.headDim);
    a.bias = r.fields.flagOr("qkv_bias", true);
    refuseWindow(r);
    FeedForward f = qwenExperts(r);
    f.sharedWidth = r.fields.whole("shared_expert_intermediate_size", 1, widest);
    f.sharedGate = true;
    fill(r, [&](int) { return a; }, qwenMixture(r, f));
}

void readQwen3Mixture(Reading& r)
{
    Attention a = groupedHeads(r, true);
    r.out.network.rotaryDim = rotaryDim(r, a.headDim);
    a.bias = a.outputBias = r.fields.flagOr("attention_bias", false);
    a.qkNorm = true;
    refuseWindow(r);
    fill(r, [&](int) { return a; }, qwenMixture(r, qwenExperts(r)));
}

namespace {

/// Gated linear attention in most layers, gated full attention in the others.
std::function<Attention(int)> hybridAttention(Reading& r)
{
    Attention full = groupedHeads(r, false);
    r.out.network.rotaryDim = rotaryDim(r, full.headDim);
    full.bias = full.outputBias = r.fields.flagOr("attention_bias", false);
    full.qkNorm = true;
    full.outputGate = r.fields.flagOr("attn_output_gate", true);

    Attention linear{.kind = AttentionKind::linear};
    linear.linearKeyHeads = r.fields.whole("linear_num_key_heads", 1, mostHeads);
    linear.linearValueHeads = r.fields.whole("linear_num_value_heads", 1, mostHeads);
    linear.linearKeyDim = r.fields.whole("linear_key_head_dim", 1, widest);
    linear.linearValueDim = r.fields.whole("linear_value_head_dim", 1, widest);
    linear.convolution = r.fields.whole("linear_conv_kernel_dim", 1, 1024);
    if (linear.linearValueHeads % linear.linearKeyHeads != 0)
        r.fields.mistake("linear_num_value_heads", fmt::format("is {}; it needs a multiple of the {} key heads",
                                                               linear.linearValueHeads, linear.linearKeyHeads));
    const std::string state = r.fields.textOr("mamba_ssm_dtype", "float32");
    if (state == "bfloat16" || state == "float16")
        linear.stateBytes = 2.0;
    else if (state != "float32")
        r.fields.mistake("mamba_ssm_dtype",
                         fmt::format("is {}; known are float32, bfloat16 and float16", shown(json(state))));

    const std::vector<LayerType> types = layerTypes(r);
    const int interval = r.fields.wholeOr("full_attention_interval", 4, 1, mostLayers);
    if (std::find(types.begin(), types.end(), LayerType::sliding) != types.end())
        r.fields.mistake("layer_types", "has sliding_attention; this architecture has no such layers");
    return [=](int i) {
        const bool isLinear = types.empty() ? (i + 1) % interval != 0 : types[std::size_t(i)] == LayerType::linear;
        return isLinear ? linear : full;
    };
}

} // namespace

void readQwenHybridMixture(Reading& r)
{
    const std::function<Attention(int)> attention = hybridAttention(r);
    FeedForward f = qwenExperts(r);
    f.sharedWidth = r.fields.whole("shared_expert_intermediate_size", 1, widest);
    f.sharedGate = true;
    fill(r, attention, qwenMixture(r, f));
}

void readGptOss(Reading& r)
{
    Attention a = groupedHeads(r, false);
    r.out.network.rotaryDim = rotaryDim(r, a.headDim);
    a.bias = a.outputBias = r.fields.flagOr("attention_bias", true);
    a.sinks = true;
    FeedForward f;
    f.experts = r.fields.whole("num_local_experts", 1, mostExperts);
    const std::string_view key = r.fields.has("num_experts_per_tok") ? "num_experts_per_tok" : "experts_per_token";
    f.expertsPerToken = r.fields.whole(key, 1, mostExperts);
    r.fields.ignore("experts_per_token");   // the same number under its older name
    f.expertWidth = r.fields.whole("intermediate_size", 1, widest);
    f.expertBias = f.routerBias = true;
    checkExpertsPerToken(r, key, f);
    const int window = r.fields.wholeOr("sliding_window", 128, 0, longestContext);
    const std::vector<int> perLayer = windows(r, window, [](int i) { return i % 2 == 0; });
    fill(
        r,
        [&](int i) {
            Attention layer = a;
            layer.window = perLayer[std::size_t(i)];
            return layer;
        },
        [&](int) { return f; });
}

namespace {

Attention latentAttention(Reading& r)
{
    Attention a{.kind = AttentionKind::latent};
    a.heads = r.fields.whole("num_attention_heads", 1, mostHeads);
    a.queryRank = r.fields.wholeOr("q_lora_rank", 0, 1, widest);
    a.kvRank = r.fields.whole("kv_lora_rank", 1, widest);
    a.nopeDim = r.fields.whole("qk_nope_head_dim", 1, widest);
    a.ropeDim = r.fields.whole("qk_rope_head_dim", 1, widest);
    a.valueDim = r.fields.whole("v_head_dim", 1, widest);
    r.out.network.rotaryDim = a.ropeDim;
    if (r.fields.has("qk_head_dim") && r.fields.whole("qk_head_dim", 1, widest) != a.nopeDim + a.ropeDim)
        r.fields.mistake("qk_head_dim",
                         fmt::format("is not qk_nope_head_dim + qk_rope_head_dim = {}", a.nopeDim + a.ropeDim));
    if (r.fields.flagOr("attention_bias", false))
        r.fields.mistake("attention_bias", "is true; with latent attention only false is known");
    // One latent entry serves all heads: the KV heads and the head dimension of the file say nothing, and the rotated
    // part has its own field.
    r.fields.ignore("rope_parameters");
    r.fields.ignore("num_key_value_heads");
    r.fields.ignore("head_dim");
    return a;
}

void addIndexer(Reading& r, Attention& a)
{
    a.indexHeads = r.fields.whole("index_n_heads", 1, mostHeads);
    a.indexDim = r.fields.whole("index_head_dim", 1, widest);
    a.indexTopK = r.fields.whole("index_topk", 1, longestContext);
}

/// Experts of DeepSeek and its relatives, after some dense layers.
void fillWithSharedExperts(Reading& r, const Attention& attention, bool correctionByDefault)
{
    FeedForward f;
    f.experts = r.fields.whole("n_routed_experts", 1, mostExperts);
    f.expertsPerToken = r.fields.whole("num_experts_per_tok", 1, mostExperts);
    f.expertWidth = r.fields.whole("moe_intermediate_size", 1, widest);
    checkExpertsPerToken(r, "num_experts_per_tok", f);
    const int shared = r.fields.wholeOr("n_shared_experts", 0, 0, mostExperts);
    if (double(shared) * f.expertWidth > widest)
        r.fields.mistake("n_shared_experts", fmt::format("is {}; with moe_intermediate_size {} that is wider than {}",
                                                         shared, f.expertWidth, widest));
    else
        f.sharedWidth = shared * f.expertWidth;
    const std::string routing = r.fields.textOr("topk_method", correctionByDefault ? "noaux_tc" : "greedy");
    if (routing == "noaux_tc")
        f.routerBias = true;
    else if (routing != "greedy" && routing != "group_limited_greedy")
        r.fields.mistake("topk_method", fmt::format("is {}; known are noaux_tc, greedy and group_limited_greedy",
                                                    shown(json(routing))));
    const int firstMixture = r.fields.wholeOr("first_k_dense_replace", 0, 0, mostLayers);
    const int frequency = r.fields.wholeOr("moe_layer_freq", 1, 1, mostLayers);
    const auto isMixture = [=](int i) { return i >= firstMixture && i % frequency == 0; };
    FeedForward dense;
    if (firstMixture > 0 || frequency > 1)
        dense = denseLayer(r);
    r.fields.ignore("intermediate_size");
    fill(r, [&](int) { return attention; }, [&](int i) { return isMixture(i) ? f : dense; });
}

} // namespace

void readDeepSeekV2(Reading& r)
{
    fillWithSharedExperts(r, latentAttention(r), false);
}

void readDeepSeekV3(Reading& r)
{
    fillWithSharedExperts(r, latentAttention(r), true);
}

void readSparseLatent(Reading& r)
{
    Attention a = latentAttention(r);
    addIndexer(r, a);
    fillWithSharedExperts(r, a, true);
}

} // namespace ridgepoint
