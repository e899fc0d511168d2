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
        mistakes.add(pointer,
                     fmt::format("has fields that are not understood and may change how weights are stored: {}",
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
    for (const char* harmless :
         {"dynamic", "symmetric", "observer", "observer_kwargs", "scale_dtype", "zp_dtype", "actorder"})
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
                                        "float 4",
                                        kind.bits, kind.type));
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
                                         "groups of 16 or 32",
                                         kind.bits, kind.type, kind.group));
        } else {
            mistakes.add(where + "/weights", "is missing; it needs num_bits and type, such as 4 and \"int\"");
        }
        if (const json* inputs = fields.objectOr("input_activations")) {
            const NumberKind kind = numberKind(*inputs, where + "/input_activations", mistakes);
            if (const auto format = activationFormat(kind))
                recipe.activations = *format;
            else
                mistakes.add(
                    where + "/input_activations",
                    fmt::format("asks for inputs of {} bits of type \"{}\"; known are int 8, float 8 and float "
                                "4",
                                kind.bits, kind.type));
        }
        fields.ignore("output_activations");
        fields.ignore("format");
        std::vector<NamePattern> targets = patterns(fields, "targets");
        for (NamePattern& target : targets) {
            if (target.text() == "Linear")
                rule.everything = true;
            else if (target.text().find("lm_head") != std::string::npos)
                recipe.head = rule.weights;
            else if (!target.text().starts_with("re:") && target.text().find('.') == std::string::npos &&
                     std::isupper(static_cast<unsigned char>(target.text()[0])) != 0)
                mistakes.add(where + "/targets", fmt::format("names the class {}; known are \"Linear\", module names "
                                                             "and re: expressions",
                                                             target.text()));
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
        fields.mistake("weight_block_size",
                       fmt::format("is [{}]; known are blocks of 128 x 128 or none", fmt::join(block, ", ")));
    const std::string form = fields.textOr("fmt", "e4m3");
    if (lower(form).find("e4m3") == std::string::npos)
        fields.mistake("fmt", fmt::format("is \"{}\"; known is \"e4m3\"", form));
    quantizeEverything(recipe, block.empty() ? Format::fp8 : Format::fp8Block, Format::fp8);
    for (const char* key : {"modules_to_not_convert", "ignored_layers", "exclude_modules"}) {
        std::vector<NamePattern> more = patterns(fields, key);
        std::move(more.begin(), more.end(), std::back_inserter(recipe.ignored));
    }
    for (const char* harmless :
         {"activation_scheme", "activation_scale_ub", "is_checkpoint_fp8_serialized", "dequantize", "scale_fmt"})
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
                                            "bits in groups of 128 or more",
                                            bits, group));
    for (const char* key : {"modules_to_not_convert", "modules_to_convert_not"}) {
        std::vector<NamePattern> more = patterns(fields, key);
        std::move(more.begin(), more.end(), std::back_inserter(recipe.ignored));
    }
    if (fields.flagOr("lm_head", false) && !recipe.rules.empty())
        recipe.head = recipe.rules.back().weights;
    for (const char* harmless : {"desc_act",
                                 "sym",
                                 "true_sequential",
                                 "damp_percent",
                                 "zero_point",
                                 "version",
                                 "checkpoint_format",
                                 "meta",
                                 "static_groups",
                                 "dataset",
                                 "tokenizer",
                                 "backend",
                                 "use_exllama",
                                 "exllama_config",
                                 "use_cuda_fp16",
                                 "model_seqlen",
                                 "block_name_to_quantize",
                                 "batch_size",
                                 "pad_token_id",
                                 "max_input_length",
                                 "cache_block_outputs",
                                 "model_name_or_path",
                                 "model_file_base_name",
                                 "do_fuse",
                                 "fuse_max_seq_len",
                                 "pack_dtype",
                                 "quantizer",
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
            fields.mistake("group_size",
                           fmt::format("is {}; {} is known with groups of {}", group, name, algorithm.group));
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
        for (const char* harmless :
             {"format", "quantization_status", "global_compression_ratio", "producer", "version", "group_size"})
            fields.ignore(harmless);
    } else {
        fields.mistake("quant_method",
                       method.empty() ? std::string("is missing; known are fp8, fbgemm_fp8, mxfp4, compressed-tensors, "
                                                    "modelopt, awq and gptq")
                                      : fmt::format("is {}; known are fp8, fbgemm_fp8, mxfp4, compressed-tensors, "
                                                    "modelopt, awq and gptq",
                                                    shown(json(method))));
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

} // namespace ridgepoint
