// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/architectures.h"

#include "core/io/architecture_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

namespace ridgepoint {

namespace {

using nlohmann::json;

constexpr int mostLayers = 10'000;
constexpr int mostHeads = 100'000;
constexpr int widest = 10'000'000;
constexpr int mostExperts = 100'000;
constexpr int longestContext = 1'000'000'000;

/// What a reader of one architecture works on.
struct Reading
{
    JsonFields& fields;
    ReadNetwork& out;
    int layerCount = 0;

    [[nodiscard]] int hidden() const { return out.network.hidden; }
};

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
        r.fields.mistake("num_key_value_heads", fmt::format("is {}; it needs a divisor of the {} attention heads",
                                                            a.kvHeads, a.heads));
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

enum class LayerType { full, sliding, linear };

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
                                                "linear_attention", shown(json(names[i]))));
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
    enum class Window { none, always, upperLayers } window = Window::none;
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

    int window = 0, firstSliding = 0;
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
    }
    const std::vector<int> perLayer = windows(r, window, [&](int i) { return window > 0 && i >= firstSliding; });
    fill(r, [&](int i) {
        Attention layer = a;
        layer.window = perLayer[std::size_t(i)];
        return layer;
    }, [&](int) { return dense; });
}

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
    readDense(r, {.biasFlag = true, .qkNorm = true, .derivedHeadDim = false,
                  .window = DenseTraits::Window::upperLayers});
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
        r.fields.mistake("mamba_ssm_dtype", fmt::format("is {}; known are float32, bfloat16 and float16",
                                                        shown(json(state))));

    const std::vector<LayerType> types = layerTypes(r);
    const int interval = r.fields.wholeOr("full_attention_interval", 4, 1, mostLayers);
    if (std::find(types.begin(), types.end(), LayerType::sliding) != types.end())
        r.fields.mistake("layer_types", "has sliding_attention; this architecture has no such layers");
    return [=](int i) {
        const bool isLinear = types.empty() ? (i + 1) % interval != 0 : types[std::size_t(i)] == LayerType::linear;
        return isLinear ? linear : full;
    };
}

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
    fill(r, [&](int i) {
        Attention layer = a;
        layer.window = perLayer[std::size_t(i)];
        return layer;
    }, [&](int) { return f; });
}

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
        r.fields.mistake("qk_head_dim", fmt::format("is not qk_nope_head_dim + qk_rope_head_dim = {}",
                                                    a.nopeDim + a.ropeDim));
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

struct Architecture
{
    std::string_view name;
    std::string_view modelType;
    void (*read)(Reading&);
    bool nested = false;   ///< the text part lies under "text_config"
};

constexpr std::array architectures{
    Architecture{"LlamaForCausalLM", "llama", readLlama},
    Architecture{"MistralForCausalLM", "mistral", readMistral},
    Architecture{"MixtralForCausalLM", "mixtral", readMixtral},
    Architecture{"Qwen2ForCausalLM", "qwen2", readQwen2},
    Architecture{"Qwen2MoeForCausalLM", "qwen2_moe", readQwen2Mixture},
    Architecture{"Qwen3ForCausalLM", "qwen3", readQwen3},
    Architecture{"Qwen3MoeForCausalLM", "qwen3_moe", readQwen3Mixture},
    Architecture{"Qwen3NextForCausalLM", "qwen3_next", readQwenHybridMixture},
    Architecture{"Qwen3_5MoeForConditionalGeneration", "qwen3_5_moe", readQwenHybridMixture, true},
    Architecture{"DeepseekV2ForCausalLM", "deepseek_v2", readDeepSeekV2},
    Architecture{"DeepseekV3ForCausalLM", "deepseek_v3", readDeepSeekV3},
    Architecture{"DeepseekV32ForCausalLM", "deepseek_v32", readSparseLatent},
    Architecture{"KimiK25ForConditionalGeneration", "kimi_k25", readDeepSeekV3, true},
    Architecture{"GlmMoeDsaForCausalLM", "glm_moe_dsa", readSparseLatent},
    Architecture{"GptOssForCausalLM", "gpt_oss", readGptOss},
};

/// Keys of an object that no known architecture reads or passes over.
void collectStrange(const json& object, const std::string& prefix, std::vector<std::string>& strange)
{
    if (!object.is_object())
        return;
    for (const auto& [key, value] : object.items())
        if (!isPassedOver(key) && !isUsualField(key) && !value.is_null())
            strange.push_back(prefix + key);
}

void refuseUnknown(const json& config, const std::string& name, const char* pointer, JsonMistakes& mistakes)
{
    std::vector<std::string> strange;
    collectStrange(config, "", strange);
    if (config.contains("text_config"))
        collectStrange(config.at("text_config"), "text_config.", strange);
    constexpr std::size_t most = 12;
    std::string fields = strange.empty() ? std::string("its fields are known, but not how it puts them together")
                                         : std::string("fields not understood: ");
    if (strange.size() > most) {
        const std::size_t more = strange.size() - most;
        strange.resize(most);
        fields += fmt::format("{} and {} more", fmt::join(strange, ", "), more);
    } else {
        fields += fmt::format("{}", fmt::join(strange, ", "));
    }
    mistakes.add(pointer, fmt::format("{} is not known; {}. Known are {}", shown(json(name)), fields,
                                      fmt::join(knownArchitectures(), ", ")));
}

/// By "architectures", or by "model_type" when that is missing, as the publisher's loader does.
const Architecture* findArchitecture(const json& config, JsonMistakes& mistakes)
{
    JsonFields fields(config, "", mistakes);
    const std::vector<std::string> names = fields.texts("architectures");
    const std::string type = fields.textOr("model_type", "");
    if (mistakes.first)
        return nullptr;
    if (names.empty() && type.empty()) {
        mistakes.add("/architectures", fmt::format("is missing; it needs one of {}",
                                                   fmt::join(knownArchitectures(), ", ")));
        return nullptr;
    }
    if (names.size() > 1) {
        mistakes.add("/architectures", fmt::format("has {} entries; it needs one", names.size()));
        return nullptr;
    }
    for (const Architecture& architecture : architectures)
        if (names.empty() ? architecture.modelType == type : architecture.name == names.front())
            return &architecture;
    if (names.empty())
        refuseUnknown(config, type, "/model_type", mistakes);
    else
        refuseUnknown(config, names.front(), "/architectures/0", mistakes);
    return nullptr;
}

Format baseFormat(JsonFields& fields, JsonFields* outer)
{
    for (JsonFields* from : {&fields, outer})
        for (const char* key : {"dtype", "torch_dtype"}) {
            if (from == nullptr || !from->has(key))
                continue;
            const std::string name = from->textOr(key, "");
            if (name == "float32")
                return Format::fp32;
            if (name != "bfloat16" && name != "float16" && name != "auto")
                from->mistake(key, fmt::format("is {}; known are bfloat16, float16 and float32", shown(json(name))));
            return Format::bf16;
        }
    return Format::bf16;
}

bool tied(JsonFields& fields, JsonFields* outer)
{
    const bool inside = fields.flagOr("tie_word_embeddings", false);
    if (outer == nullptr)
        return inside;
    const bool outside = outer->flagOr("tie_word_embeddings", false);
    if (fields.has("tie_word_embeddings") && outer->has("tie_word_embeddings") && inside != outside)
        outer->mistake("tie_word_embeddings", fmt::format("is {}, under text_config it is {}; both need the same value",
                                                          outside, inside));
    return fields.has("tie_word_embeddings") ? inside : outside;
}

void refuseUnread(JsonFields& fields, const std::string& architecture)
{
    std::vector<std::string> unread;
    for (std::string& key : fields.unread())
        if (!isPassedOver(key))
            unread.push_back(std::move(key));
    if (unread.empty())
        return;
    fields.mistake(unread.front(),
                   fmt::format("is not understood for {}, nor {}; take {} out of a copy of the file if the network does "
                               "not depend on {}", architecture,
                               unread.size() == 1 ? "is there another such field"
                                                  : fmt::format("are {}", fmt::join(unread.begin() + 1, unread.end(), ", ")),
                               unread.size() == 1 ? "it" : "them", unread.size() == 1 ? "it" : "them"));
}

void readShared(Reading& r, JsonFields* outer)
{
    Network& network = r.out.network;
    network.hidden = r.fields.whole("hidden_size", 1, 1'000'000);
    network.vocabulary = r.fields.whole("vocab_size", 1, 100'000'000);
    network.maximumContext = r.fields.whole("max_position_embeddings", 1, longestContext);
    network.tiedEmbedding = tied(r.fields, outer);
    r.out.base = baseFormat(r.fields, outer);
    r.layerCount = r.fields.whole("num_hidden_layers", 1, mostLayers);
    for (const char* key : {"num_nextn_predict_layers", "mtp_num_hidden_layers"}) {
        const int layers = r.fields.wholeOr(key, 0, 0, mostLayers);
        if (layers > 0)
            network.leftOut.push_back(fmt::format("{} multi-token prediction layer{}", layers, layers == 1 ? "" : "s"));
    }
}

void nameTowers(const json& config, Network& network)
{
    for (const auto& [key, what] : {std::pair{"vision_config", "vision tower"}, std::pair{"audio_config", "audio tower"}})
        if (config.contains(key) && config.at(key).is_object() && !config.at(key).empty())
            network.leftOut.push_back(what);
}

} // namespace

std::vector<std::string_view> knownArchitectures()
{
    std::vector<std::string_view> names;
    for (const Architecture& architecture : architectures)
        names.push_back(architecture.name);
    return names;
}

ReadNetwork readArchitecture(const json& config, JsonMistakes& mistakes)
{
    ReadNetwork out;
    JsonFields top(config, "", mistakes);
    if (mistakes.first)
        return out;
    const Architecture* architecture = findArchitecture(config, mistakes);
    if (architecture == nullptr)
        return out;
    out.network.architecture = architecture->name;
    if (!architecture->nested) {
        Reading reading{.fields = top, .out = out, .layerCount = 0};
        readShared(reading, nullptr);
        if (!mistakes.first)   // what follows divides by what was read
            architecture->read(reading);
    } else {
        const json* text = top.objectOr("text_config");
        if (text == nullptr) {
            top.mistake("text_config", fmt::format("is missing; {} has the fields of its text part there",
                                                   architecture->name));
            return out;
        }
        JsonFields inner(*text, "/text_config", mistakes);
        Reading reading{.fields = inner, .out = out, .layerCount = 0};
        readShared(reading, &top);
        if (!mistakes.first)
            architecture->read(reading);
        if (!mistakes.first)
            refuseUnread(inner, std::string(architecture->name));
    }
    if (!mistakes.first)
        refuseUnread(top, std::string(architecture->name));
    nameTowers(config, out.network);
    return out;
}

} // namespace ridgepoint
