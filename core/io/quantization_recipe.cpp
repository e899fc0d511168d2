// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/quantization_recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ridgepoint {

namespace {

using nlohmann::json;

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::vector<NamePattern> patterns(JsonFields& fields, std::string_view key)
{
    std::vector<NamePattern> list;
    const std::vector<std::string> names = fields.texts(key);
    for (std::size_t i = 0; i < names.size(); ++i) {
        Result<NamePattern> pattern = NamePattern::parse(names[i]);
        if (!pattern) {
            fields.mistakes().add(fmt::format("{}/{}", fields.pointerTo(key), i), pattern.error().message);
            break;
        }
        list.push_back(std::move(*pattern));
    }
    return list;
}

/// Names the fields nobody asked for: they may change what is stored.
void refuseUnread(const JsonFields& fields, JsonMistakes& mistakes, const std::string& pointer)
{
    const std::vector<std::string> unread = fields.unread();
    if (!unread.empty())
        mistakes.add(pointer, fmt::format("has fields that are not understood and may change how weights are stored: {}",
                                          fmt::join(unread, ", ")));
}

struct NumberKind
{
    int bits = 0;
    std::string type;      ///< int or float
    std::string strategy;
    int group = 0;         ///< 0: none
    std::vector<int> block;
};

std::optional<Format> weightFormat(const NumberKind& kind)
{
    if (kind.type == "int" && kind.bits == 4 && kind.group == 32)
        return Format::int4Group32;
    if (kind.type == "int" && kind.bits == 4 && kind.group == 128)
        return Format::int4;
    if (kind.type == "int" && kind.bits == 8)
        return Format::int8;
    if (kind.type == "float" && kind.bits == 8 && !kind.block.empty())
        return kind.block == std::vector{128, 128} ? std::optional(Format::fp8Block) : std::nullopt;
    if (kind.type == "float" && kind.bits == 8 && kind.group == 0)
        return Format::fp8;
    if (kind.type == "float" && kind.bits == 4 && kind.group == 16)
        return Format::nvfp4;
    if (kind.type == "float" && kind.bits == 4 && kind.group == 32)
        return Format::mxfp4;
    return std::nullopt;
}

std::optional<Format> activationFormat(const NumberKind& kind)
{
    if (kind.bits == 16)
        return Format::bf16;
    if (kind.type == "int" && kind.bits == 8)
        return Format::int8;
    if (kind.type == "float" && kind.bits == 8)
        return Format::fp8;
    if (kind.type == "float" && kind.bits == 4)
        return kind.group == 32 ? Format::mxfp4 : Format::nvfp4;
    return std::nullopt;
}

/// A description of numbers as compressed-tensors writes it.
NumberKind numberKind(const json& object, const std::string& pointer, JsonMistakes& mistakes)
{
    JsonFields fields(object, pointer, mistakes);
    NumberKind kind;
    kind.bits = fields.whole("num_bits", 1, 32);
    kind.type = fields.textOr("type", "int");
    kind.strategy = fields.textOr("strategy", "");
    kind.group = fields.wholeOr("group_size", 0, -1, 1 << 20);
    if (kind.group < 0)
        kind.group = 0;
    kind.block = fields.wholes("block_structure", 1, 1 << 20);
    for (const char* harmless : {"dynamic", "symmetric", "observer", "observer_kwargs", "scale_dtype", "zp_dtype",
                                 "actorder"})
        fields.ignore(harmless);
    refuseUnread(fields, mistakes, pointer);
    return kind;
}

void readKvScheme(JsonFields& fields, std::string_view key, QuantizationRecipe& recipe)
{
    const json* scheme = fields.objectOr(key);
    if (scheme == nullptr)
        return;
    const NumberKind kind = numberKind(*scheme, fields.pointerTo(key), fields.mistakes());
    if (kind.type == "float" && kind.bits == 8)
        recipe.kv = Format::fp8;
    else if (kind.type == "int" && kind.bits == 8)
        recipe.kv = Format::int8;
    else if (kind.type == "float" && kind.bits == 4)
        recipe.kv = Format::nvfp4;
    else
        fields.mistake(key, fmt::format("asks for a cache of {} bits of type \"{}\"; known are float 8, int 8 and "
                                        "float 4", kind.bits, kind.type));
}

/// config_groups of compressed-tensors, which ModelOpt writes too.
void readGroups(const json& groups, const std::string& pointer, QuantizationRecipe& recipe, JsonMistakes& mistakes)
{
    for (const auto& [name, group] : groups.items()) {
        const std::string where = pointer + "/" + name;
        JsonFields fields(group, where, mistakes);
        QuantizationRecipe::Rule rule;
        if (const json* weights = fields.objectOr("weights")) {
            const NumberKind kind = numberKind(*weights, where + "/weights", mistakes);
            if (const auto format = weightFormat(kind))
                rule.weights = *format;
            else
                mistakes.add(where + "/weights",
                             fmt::format("stores {} bits of type \"{}\" in groups of {}; known are int 4 in groups of "
                                         "32 or 128, int 8, float 8 whole or in blocks of 128 x 128, and float 4 in "
                                         "groups of 16 or 32", kind.bits, kind.type, kind.group));
        } else {
            mistakes.add(where + "/weights", "is missing; it needs num_bits and type, such as 4 and \"int\"");
        }
        if (const json* inputs = fields.objectOr("input_activations")) {
            const NumberKind kind = numberKind(*inputs, where + "/input_activations", mistakes);
            if (const auto format = activationFormat(kind))
                recipe.activations = *format;
            else
                mistakes.add(where + "/input_activations",
                             fmt::format("asks for inputs of {} bits of type \"{}\"; known are int 8, float 8 and float "
                                         "4", kind.bits, kind.type));
        }
        fields.ignore("output_activations");
        fields.ignore("format");
        std::vector<NamePattern> targets = patterns(fields, "targets");
        for (NamePattern& target : targets) {
            if (target.text() == "Linear")
                rule.everything = true;
            else if (target.text().find("lm_head") != std::string::npos)
                recipe.head = rule.weights;
            else if (!target.text().starts_with("re:") && target.text().find('.') == std::string::npos
                     && std::isupper(static_cast<unsigned char>(target.text()[0])) != 0)
                mistakes.add(where + "/targets", fmt::format("names the class {}; known are \"Linear\", module names "
                                                             "and re: expressions", target.text()));
            else
                rule.targets.push_back(std::move(target));
        }
        refuseUnread(fields, mistakes, where);
        recipe.rules.push_back(std::move(rule));
    }
}

void quantizeEverything(QuantizationRecipe& recipe, Format weights, Format activations)
{
    recipe.rules.push_back({.everything = true, .targets = {}, .weights = weights});
    recipe.activations = activations;
}

void readFp8(JsonFields& fields, QuantizationRecipe& recipe)
{
    const std::vector<int> block = fields.wholes("weight_block_size", 1, 1 << 20);
    if (!block.empty() && block != std::vector{128, 128})
        fields.mistake("weight_block_size", fmt::format("is [{}]; known are blocks of 128 x 128 or none",
                                                        fmt::join(block, ", ")));
    const std::string form = fields.textOr("fmt", "e4m3");
    if (lower(form).find("e4m3") == std::string::npos)
        fields.mistake("fmt", fmt::format("is \"{}\"; known is \"e4m3\"", form));
    quantizeEverything(recipe, block.empty() ? Format::fp8 : Format::fp8Block, Format::fp8);
    for (const char* key : {"modules_to_not_convert", "ignored_layers", "exclude_modules"}) {
        std::vector<NamePattern> more = patterns(fields, key);
        std::move(more.begin(), more.end(), std::back_inserter(recipe.ignored));
    }
    for (const char* harmless : {"activation_scheme", "activation_scale_ub", "is_checkpoint_fp8_serialized",
                                 "dequantize", "scale_fmt"})
        fields.ignore(harmless);
    const std::string kv = fields.textOr("kv_cache_scheme", "");
    if (!kv.empty())
        fields.mistake("kv_cache_scheme", fmt::format("is \"{}\"; it needs an object or null", kv));
}

/// GPTQ and AWQ: groups of whole numbers.
void readGroupedInteger(JsonFields& fields, QuantizationRecipe& recipe)
{
    const std::string bitsKey = fields.has("w_bit") ? "w_bit" : "bits";
    const std::string groupKey = fields.has("q_group_size") ? "q_group_size" : "group_size";
    const int bits = fields.whole(bitsKey, 1, 16);
    const int group = fields.whole(groupKey, -1, 1 << 20);
    if (bits == 4 && group == 128)
        quantizeEverything(recipe, Format::int4, Format::bf16);
    else if (bits == 8 && (group == -1 || group >= 128))
        quantizeEverything(recipe, Format::int8, Format::bf16);
    else
        fields.mistake(bitsKey, fmt::format("asks for {} bits in groups of {}; known are 4 bits in groups of 128 and 8 "
                                            "bits in groups of 128 or more", bits, group));
    for (const char* key : {"modules_to_not_convert", "modules_to_convert_not"}) {
        std::vector<NamePattern> more = patterns(fields, key);
        std::move(more.begin(), more.end(), std::back_inserter(recipe.ignored));
    }
    if (fields.flagOr("lm_head", false) && !recipe.rules.empty())
        recipe.head = recipe.rules.back().weights;
    for (const char* harmless :
         {"desc_act", "sym", "true_sequential", "damp_percent", "zero_point", "version", "checkpoint_format", "meta",
          "static_groups", "dataset", "tokenizer", "backend", "use_exllama", "exllama_config", "use_cuda_fp16",
          "model_seqlen", "block_name_to_quantize", "batch_size", "pad_token_id", "max_input_length", "cache_block_outputs",
          "model_name_or_path", "model_file_base_name", "do_fuse", "fuse_max_seq_len", "pack_dtype", "quantizer",
          "module_name_preceding_first_block"})
        fields.ignore(harmless);
}

struct Algorithm
{
    std::string_view name;
    Format weights, activations;
    int group;   ///< 0: any
};

constexpr std::array modelOptAlgorithms{
    Algorithm{"FP8", Format::fp8, Format::fp8, 0},
    Algorithm{"FP8_PER_CHANNEL_PER_TOKEN", Format::fp8, Format::fp8, 0},
    Algorithm{"FP8_PB_WO", Format::fp8Block, Format::bf16, 128},
    Algorithm{"NVFP4", Format::nvfp4, Format::nvfp4, 16},
    Algorithm{"NVFP4_AWQ", Format::nvfp4, Format::nvfp4, 16},
    Algorithm{"W4A16_NVFP4", Format::nvfp4, Format::bf16, 16},
    Algorithm{"W4A16_AWQ", Format::int4, Format::bf16, 128},
    Algorithm{"INT4_AWQ", Format::int4, Format::bf16, 128},
    Algorithm{"W4A8_AWQ", Format::int4, Format::fp8, 128},
    Algorithm{"W8A16", Format::int8, Format::bf16, 0},
    Algorithm{"W8A8_SQ_PER_CHANNEL", Format::int8, Format::int8, 0},
};

void readModelOptAlgorithm(JsonFields& fields, QuantizationRecipe& recipe)
{
    const std::string name = fields.textOr("quant_algo", "");
    const int group = fields.wholeOr("group_size", 0, 0, 1 << 20);
    for (const Algorithm& algorithm : modelOptAlgorithms) {
        if (algorithm.name != name)
            continue;
        if (algorithm.group > 0 && group > 0 && group != algorithm.group)
            fields.mistake("group_size", fmt::format("is {}; {} is known with groups of {}", group, name,
                                                     algorithm.group));
        quantizeEverything(recipe, algorithm.weights, algorithm.activations);
        return;
    }
    std::vector<std::string_view> known;
    for (const Algorithm& algorithm : modelOptAlgorithms)
        known.push_back(algorithm.name);
    fields.mistake("quant_algo", fmt::format("is \"{}\"; known are {}", name, fmt::join(known, ", ")));
}

void readModelOptKv(JsonFields& fields, QuantizationRecipe& recipe)
{
    const std::string name = fields.textOr("kv_cache_quant_algo", "");
    if (name == "FP8")
        recipe.kv = Format::fp8;
    else if (name == "INT8")
        recipe.kv = Format::int8;
    else if (name == "NVFP4")
        recipe.kv = Format::nvfp4;
    else if (!name.empty())
        fields.mistake("kv_cache_quant_algo", fmt::format("is \"{}\"; known are FP8, INT8 and NVFP4", name));
}

} // namespace

std::optional<QuantizationRecipe> readQuantizationConfig(const json& object, const std::string& pointer,
                                                         JsonMistakes& mistakes)
{
    JsonFields fields(object, pointer, mistakes);
    QuantizationRecipe recipe;
    recipe.pointer = pointer;
    recipe.file = mistakes.file;
    recipe.method = fields.textOr("quant_method", "");
    const std::string& method = recipe.method;
    if (method == "fp8" || method == "fbgemm_fp8") {
        readFp8(fields, recipe);
    } else if (method == "mxfp4") {
        recipe.expertsOnly = true;
        quantizeEverything(recipe, Format::mxfp4, Format::bf16);
        recipe.ignored = patterns(fields, "modules_to_not_convert");
        fields.ignore("dequantize");
    } else if (method == "awq" || method == "gptq") {
        readGroupedInteger(fields, recipe);
    } else if (method == "compressed-tensors" || method == "modelopt" || method == "modelopt_fp4") {
        if (const json* groups = fields.objectOr("config_groups")) {
            readGroups(*groups, pointer + "/config_groups", recipe, mistakes);
            fields.ignore("quant_algo");
        } else if (method != "compressed-tensors") {
            readModelOptAlgorithm(fields, recipe);
        } else {
            fields.mistake("config_groups", "is missing; compressed-tensors says there what it stores in which format");
        }
        for (const char* key : {"ignore", "exclude_modules"}) {
            std::vector<NamePattern> more = patterns(fields, key);
            std::move(more.begin(), more.end(), std::back_inserter(recipe.ignored));
        }
        readKvScheme(fields, "kv_cache_scheme", recipe);
        readModelOptKv(fields, recipe);
        for (const char* harmless : {"format", "quantization_status", "global_compression_ratio", "producer", "version",
                                     "group_size"})
            fields.ignore(harmless);
    } else {
        fields.mistake("quant_method",
                       method.empty() ? std::string("is missing; known are fp8, fbgemm_fp8, mxfp4, compressed-tensors, "
                                                    "modelopt, awq and gptq")
                                      : fmt::format("is {}; known are fp8, fbgemm_fp8, mxfp4, compressed-tensors, "
                                                    "modelopt, awq and gptq", shown(json(method))));
        return std::nullopt;
    }
    refuseUnread(fields, mistakes, pointer);
    if (mistakes.first)
        return std::nullopt;
    return recipe;
}

std::optional<QuantizationRecipe> readQuantizationFile(const json& document, JsonMistakes& mistakes)
{
    JsonFields outer(document, "", mistakes);
    outer.ignore("producer");
    const json* object = outer.objectOr("quantization");
    if (object == nullptr) {
        outer.mistake("quantization", "is missing; a hf_quant_config.json says there what is stored in which format");
        return std::nullopt;
    }
    refuseUnread(outer, mistakes, "");
    JsonFields fields(*object, "/quantization", mistakes);
    QuantizationRecipe recipe;
    recipe.method = "modelopt";
    recipe.pointer = "/quantization";
    recipe.file = mistakes.file;
    readModelOptAlgorithm(fields, recipe);
    readModelOptKv(fields, recipe);
    recipe.ignored = patterns(fields, "exclude_modules");
    for (const char* harmless : {"has_zero_point", "pre_quant_scale", "smoothquant_val"})
        fields.ignore(harmless);
    refuseUnread(fields, mistakes, "/quantization");
    if (mistakes.first)
        return std::nullopt;
    return recipe;
}

namespace {

/// Where decoder layers live in the checkpoints of the known architectures.
constexpr std::array<std::string_view, 3> layerPrefixes{"model.", "model.language_model.", "language_model.model."};

/// The names one stored matrix goes by, in checkpoints and in engines that fuse it with its neighbours.
using Names = std::vector<std::string_view>;

struct Part
{
    Format LayerFormats::* format;
    bool experts = false;
    std::vector<Names> modules;
};

void addAttention(const Attention& attention, std::vector<Part>& parts)
{
    switch (attention.kind) {
    case AttentionKind::grouped:
        parts.push_back({&LayerFormats::attention, false,
                         {{"self_attn.q_proj", "self_attn.qkv_proj"},
                          {"self_attn.k_proj", "self_attn.qkv_proj"},
                          {"self_attn.v_proj", "self_attn.qkv_proj"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"self_attn.o_proj"}}});
        break;
    case AttentionKind::latent:
        if (attention.queryRank > 0)
            parts.push_back({&LayerFormats::attention, false,
                             {{"self_attn.q_a_proj", "self_attn.fused_qkv_a_proj"},
                              {"self_attn.q_b_proj"},
                              {"self_attn.kv_a_proj_with_mqa", "self_attn.fused_qkv_a_proj"}}});
        else
            parts.push_back(
                {&LayerFormats::attention, false, {{"self_attn.q_proj"}, {"self_attn.kv_a_proj_with_mqa"}}});
        parts.push_back({&LayerFormats::latentUp, false, {{"self_attn.kv_b_proj"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"self_attn.o_proj"}}});
        if (attention.indexHeads > 0)
            parts.push_back({&LayerFormats::indexer, false, {{"self_attn.indexer.wq_b"}, {"self_attn.indexer.wk"}}});
        break;
    case AttentionKind::linear:
        parts.push_back({&LayerFormats::attention, false,
                         {{"linear_attn.in_proj_qkv", "linear_attn.in_proj_qkvz"},
                          {"linear_attn.in_proj_z", "linear_attn.in_proj_qkvz"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"linear_attn.out_proj"}}});
        break;
    }
}

std::vector<Part> partsOf(const LayerGroup& layer)
{
    std::vector<Part> parts;
    addAttention(layer.attention, parts);
    if (!layer.feedForward.isMixture()) {
        parts.push_back({&LayerFormats::dense, false,
                         {{"mlp.gate_proj", "mlp.gate_up_proj"}, {"mlp.up_proj", "mlp.gate_up_proj"}, {"mlp.down_proj"}}});
        return parts;
    }
    parts.push_back({&LayerFormats::experts, true,
                     {{"mlp.experts.0.gate_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w1"},
                      {"mlp.experts.0.up_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w3"},
                      {"mlp.experts.0.down_proj", "mlp.experts.down_proj", "block_sparse_moe.experts.0.w2"}}});
    if (layer.feedForward.sharedWidth > 0)
        parts.push_back({&LayerFormats::shared, false,
                         {{"mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj"},
                          {"mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj"},
                          {"mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj"}}});
    return parts;
}

/// The names of one module of layer `index`, in full.
std::vector<std::string> fullNames(const Names& names, int index)
{
    std::vector<std::string> full;
    for (const std::string_view prefix : layerPrefixes)
        for (const std::string_view name : names)
            full.push_back(fmt::format("{}layers.{}.{}", prefix, index, name));
    return full;
}

/// The rules of a recipe with the patterns that can reach one layer.
struct LayerRecipe
{
    LayerRecipe(const QuantizationRecipe& recipe, int index)
    {
        const auto select = [&](const std::vector<NamePattern>& all) {
            std::vector<const NamePattern*> some;
            for (const NamePattern& pattern : all)
                if (pattern.layer() < 0 || pattern.layer() == index)
                    some.push_back(&pattern);
            return some;
        };
        ignored = select(recipe.ignored);
        for (const QuantizationRecipe::Rule& rule : recipe.rules)
            rules.emplace_back(&rule, select(rule.targets));
    }

    [[nodiscard]] Format formatOf(const std::vector<std::string>& names, Format base) const
    {
        const auto hit = [&](const NamePattern* pattern) {
            return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return pattern->matches(name); });
        };
        if (std::any_of(ignored.begin(), ignored.end(), hit))
            return base;
        for (const auto& [rule, targets] : rules)
            if (rule->everything || std::any_of(targets.begin(), targets.end(), hit))
                return rule->weights;
        return base;
    }

    std::vector<const NamePattern*> ignored;
    std::vector<std::pair<const QuantizationRecipe::Rule*, std::vector<const NamePattern*>>> rules;
};

} // namespace

Result<LayerFormats> formatsOf(const QuantizationRecipe& recipe, const LayerGroup& layer, int index, Format base)
{
    LayerFormats formats{base, base, base, base, base, base, base, base};
    const LayerRecipe here(recipe, index);
    for (const Part& part : partsOf(layer)) {
        if (recipe.expertsOnly && !part.experts)
            continue;
        std::optional<Format> first;
        for (const Names& names : part.modules) {
            const Format format = here.formatOf(fullNames(names, index), base);
            if (first && format != *first)
                return fail(Error{.message = fmt::format("stores {} of layer {} as {} and {} as {}; modules of one kind "
                                                         "need one format", part.modules.front().front(), index,
                                                         idOf(*first), names.front(), idOf(format)),
                                  .file = recipe.file, .line = 0, .column = 0, .pointer = recipe.pointer});
            first = format;
        }
        formats.*part.format = first.value_or(base);
    }
    return formats;
}

Result<void> checkPatterns(const QuantizationRecipe& recipe, int layers)
{
    constexpr double mostWork = 1e8;   // comparisons, about a second; the largest known recipe takes a seventh
    constexpr double namesPerLayer = 60;
    constexpr double modulesPerLayer = 12;
    double work = 0;
    const auto check = [&](const NamePattern& pattern) -> Result<void> {
        if (pattern.layer() >= 0)   // all other layers are told apart by their number
            work += pattern.work() * namesPerLayer + modulesPerLayer * layers;
        else
            work += pattern.work() * namesPerLayer * layers;
        const bool known = pattern.layer() < 0 || pattern.prefix().empty() || pattern.prefix().starts_with("mtp.")
            || std::find(layerPrefixes.begin(), layerPrefixes.end(), pattern.prefix()) != layerPrefixes.end()
            || pattern.prefix().find("vision") != std::string::npos || pattern.prefix().find("visual") != std::string::npos
            || pattern.prefix().find("audio") != std::string::npos;
        if (!known)
            return fail(Error{.message = fmt::format("names {}; layers are known under {}", shown(json(pattern.text())),
                                                     fmt::join(layerPrefixes, ", ")),
                              .file = recipe.file, .line = 0, .column = 0, .pointer = recipe.pointer});
        if (work > mostWork)
            return fail(Error{.message = "names too many modules; list whole layers with * instead",
                              .file = recipe.file, .line = 0, .column = 0, .pointer = recipe.pointer});
        return {};
    };
    for (const NamePattern& pattern : recipe.ignored)
        if (Result<void> result = check(pattern); !result)
            return result;
    for (const QuantizationRecipe::Rule& rule : recipe.rules)
        for (const NamePattern& pattern : rule.targets)
            if (Result<void> result = check(pattern); !result)
                return result;
    return {};
}

} // namespace ridgepoint
