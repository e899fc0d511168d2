// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/architectures.h"

#include "core/io/architecture_fields.h"
#include "core/io/architecture_readers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

using nlohmann::json;

struct Architecture
{
    std::string_view name;
    std::string_view modelType;
    void (*read)(Reading&);
    bool nested = false;   ///< the text part lies under "text_config"
    const char* defaults = nullptr;   ///< fields the publisher's code fills in, where they are not those of all others
};

constexpr const char* gemmaDefaults = R"({"tie_word_embeddings": true})";
constexpr const char* gemma3Defaults = R"({"tie_word_embeddings": true, "num_attention_heads": 8,
    "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 262208, "max_position_embeddings": 131072})";

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
    Architecture{"GemmaForCausalLM", "gemma", readGemma, false, gemmaDefaults},
    Architecture{"Gemma2ForCausalLM", "gemma2", readGemma2, false, gemmaDefaults},
    Architecture{"Gemma3ForCausalLM", "gemma3_text", readGemma3, false, gemma3Defaults},
    Architecture{"Gemma3ForConditionalGeneration", "gemma3", readGemma3, true, gemma3Defaults},
    Architecture{"Phi3ForCausalLM", "phi3", readPhi3},
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
        mistakes.add("/architectures",
                     fmt::format("is missing; it needs one of {}", fmt::join(knownArchitectures(), ", ")));
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
        outer->mistake("tie_word_embeddings",
                       fmt::format("is {}, under text_config it is {}; both need the same value", outside, inside));
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
    fields.mistake(
        unread.front(),
        fmt::format("is not understood for {}, nor {}; take {} out of a copy of the file if the network does "
                    "not depend on {}",
                    architecture,
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

/// The fields of the text part with those the publisher's code fills in.
json withDefaults(const json& fields, const char* defaults)
{
    json filled = fields;
    const json usual = defaults != nullptr ? json::parse(defaults) : json::object();
    for (const auto& [key, value] : usual.items())
        if (!filled.contains(key) || filled.at(key).is_null())
            filled[key] = value;
    return filled;
}

void nameTowers(const json& config, Network& network)
{
    for (const auto& [key, what] :
         {std::pair{"vision_config", "vision tower"}, std::pair{"audio_config", "audio tower"}})
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
        const json filled = withDefaults(config, architecture->defaults);
        JsonFields fields(filled, "", mistakes);
        Reading reading{.fields = fields, .out = out, .layerCount = 0};
        readShared(reading, nullptr);
        if (!mistakes.first)   // what follows divides by what was read
            architecture->read(reading);
        if (!mistakes.first)
            refuseUnread(fields, std::string(architecture->name));
    } else {
        const json* text = top.objectOr("text_config");
        if (text == nullptr) {
            top.mistake("text_config",
                        fmt::format("is missing; {} has the fields of its text part there", architecture->name));
            return out;
        }
        const json filled = withDefaults(*text, architecture->defaults);
        JsonFields inner(filled, "/text_config", mistakes);
        Reading reading{.fields = inner, .out = out, .layerCount = 0};
        readShared(reading, &top);
        if (!mistakes.first)
            architecture->read(reading);
        if (!mistakes.first)
            refuseUnread(inner, std::string(architecture->name));
        if (!mistakes.first)
            refuseUnread(top, std::string(architecture->name));
    }
    nameTowers(config, out.network);
    return out;
}

} // namespace ridgepoint
