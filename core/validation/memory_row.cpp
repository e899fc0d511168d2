// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/memory_row.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace ridgepoint {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// --- the engine ------------------------------------------------------------------------------------------------------

struct EngineWord
{
    std::string_view word;
    MemoryEngine engine;
    std::string_view profile;      ///< id of the preset; empty: none
};

// The first word that stands in the text counts.
constexpr std::array engineWords{
    EngineWord{"tensorrt", MemoryEngine::tensorRtLlm, "tensorrt-llm"}, EngineWord{"trt-llm", MemoryEngine::tensorRtLlm, "tensorrt-llm"},
    EngineWord{"trtllm", MemoryEngine::tensorRtLlm, "tensorrt-llm"},   EngineWord{"llama.cpp", MemoryEngine::llamaCpp, "llama.cpp"},
    EngineWord{"ollama", MemoryEngine::llamaCpp, "llama.cpp"},         EngineWord{"lm studio", MemoryEngine::llamaCpp, "llama.cpp"},
    EngineWord{"koboldcpp", MemoryEngine::llamaCpp, "llama.cpp"},      EngineWord{"llamafile", MemoryEngine::llamaCpp, "llama.cpp"},
    EngineWord{"lmdeploy", MemoryEngine::lmDeploy, "tensorrt-llm"},    EngineWord{"turbomind", MemoryEngine::lmDeploy, "tensorrt-llm"},
    EngineWord{"sglang", MemoryEngine::sglang, "sglang"},              EngineWord{"vllm", MemoryEngine::vllm, "vllm"},
    EngineWord{"aphrodite", MemoryEngine::vllm, "vllm"},               EngineWord{"transformers", MemoryEngine::growing, ""},
    EngineWord{"hugging face", MemoryEngine::growing, ""},             EngineWord{"huggingface", MemoryEngine::growing, ""},
    EngineWord{"accelerate", MemoryEngine::growing, ""},               EngineWord{"litgpt", MemoryEngine::plain, ""},
    EngineWord{"lit-gpt", MemoryEngine::plain, ""},                    EngineWord{"lit-llama", MemoryEngine::plain, ""},
    EngineWord{"gpt-fast", MemoryEngine::plain, ""},                   EngineWord{"tinychat", MemoryEngine::plain, ""},
    EngineWord{"tgi", MemoryEngine::plain, ""},                        EngineWord{"text-generation", MemoryEngine::plain, ""},
    EngineWord{"exllama", MemoryEngine::plain, ""},                    EngineWord{"mlc", MemoryEngine::plain, ""},
    EngineWord{"mlx", MemoryEngine::plain, ""},                        EngineWord{"fastchat", MemoryEngine::growing, ""},
    EngineWord{"deepspeed", MemoryEngine::plain, ""},                  EngineWord{"lightllm", MemoryEngine::plain, ""},
    EngineWord{"autoawq", MemoryEngine::growing, ""},                  EngineWord{"autogptq", MemoryEngine::growing, ""}};

void readEngine(const Presets& presets, MemoryRow& row)
{
    const std::string text = lower(row.engineText);
    for (const EngineWord& known : engineWords)
        if (has(text, known.word)) {
            row.engine = known.engine;
            for (const EngineProfile& profile : presets.engines)
                if (profile.id == known.profile)
                    row.profile = &profile;
            return;
        }
}

// --- numbers ---------------------------------------------------------------------------------------------------------

std::optional<double> firstNumber(const CsvTable& table, std::size_t row, std::initializer_list<std::string_view> columns)
{
    for (const std::string_view column : columns)
        if (const auto value = table.number(row, column); value && *value > 0.0)
            return value;
    return std::nullopt;
}

std::string_view firstText(const CsvTable& table, std::size_t row, std::initializer_list<std::string_view> columns)
{
    for (const std::string_view column : columns)
        if (const std::string_view text = table.text(row, column); !text.empty())
            return text;
    return {};
}

int countOf(const std::optional<double>& value, int otherwise)
{
    constexpr double most = 100'000.0;
    return value && *value >= 1.0 && *value < most ? int(*value) : otherwise;
}

/// "40" of "(40 GB free on each)"; 0 when nothing of the kind is said.
double freeMemory(std::string_view text)
{
    const std::string words = lower(text);
    const std::size_t at = words.find(" gb free");
    if (at == std::string::npos)
        return 0.0;
    std::size_t begin = at;
    while (begin > 0 && (std::isdigit(static_cast<unsigned char>(words[begin - 1])) != 0 || words[begin - 1] == '.'))
        --begin;
    return begin < at ? std::strtod(words.c_str() + begin, nullptr) : 0.0;
}

/// 48 in "Kimi-Linear-48B-A3B", in billions; the largest where several are said.
std::optional<double> sizeInName(std::string_view text)
{
    std::optional<double> size;
    for (const std::string& word : wordsOf(withoutRemarks(text))) {
        if (word.size() < 2 || word.back() != 'b' || std::isdigit(static_cast<unsigned char>(word[0])) == 0)
            continue;
        char* end = nullptr;
        const double value = std::strtod(word.c_str(), &end);
        if (end == word.c_str() + word.size() - 1 && value > 0.0)
            size = std::max(size.value_or(0.0), value);
    }
    return size;
}

void readMemory(const CsvTable& table, std::size_t at, MemoryRow& row)
{
    constexpr double visibleShare = 0.985;     // of the label, where no log gives the figure
    constexpr double smallShareOfApple = 0.67, largeShareOfApple = 0.75, smallApple = 36.0;
    double stated = firstNumber(table, at, {"gpu_memory_total_GiB", "gpu_memory_GiB"}).value_or(0.0);
    const bool logged = stated > 0.0 && stated != std::floor(stated);
    if (stated <= 0.0)
        stated = labelledMemory(row.deviceText);
    if (logged) {
        row.visible = Bytes{stated * gibi};
        row.visibleKnown = true;
    } else if (row.device != nullptr) {
        row.visible = row.device->memoryVisible;
        row.visibleKnown = true;
    } else if (stated > 0.0) {
        row.visible = Bytes{visibleShare * stated * gibi};
    }
    const std::string name = lower(row.deviceText);
    const bool apple = has(name, "apple") || (row.device != nullptr && row.device->vendor == "Apple") ||
                       (name.size() > 1 && name[0] == 'm' && name[1] >= '1' && name[1] <= '9');
    if (apple) {
        // A name such as "M3 Max" comes with several sizes of memory; the row's own counts.
        const double gigabytes = stated > 0.0 ? stated : row.visible.value / 1e9;
        row.visible = Bytes{gigabytes * gibi * (gigabytes <= smallApple ? smallShareOfApple : largeShareOfApple)};
    }
    if (const double free = freeMemory(row.deviceText); free > 0.0)
        row.visible = std::min(row.visible, Bytes{free * gibi});
}

// --- what the cache holds --------------------------------------------------------------------------------------------

struct ElementWord
{
    std::string_view word;
    double bytes;
};

constexpr std::array elementWords{
    ElementWord{"fp8", 1.0},        ElementWord{"f8", 1.0},          ElementWord{"int8", 1.0},     ElementWord{"fp16", 2.0},
    ElementWord{"bf16", 2.0},       ElementWord{"f16", 2.0},         ElementWord{"bfloat16", 2.0}, ElementWord{"float16", 2.0},
    ElementWord{"half", 2.0},       ElementWord{"f32", 4.0},         ElementWord{"fp32", 4.0},     ElementWord{"q8_0", 1.0625},
    ElementWord{"q8", 1.0625},      ElementWord{"q6_0", 0.8125},     ElementWord{"q5_1", 0.75},    ElementWord{"q5_0", 0.6875},
    ElementWord{"q4_1", 0.625},     ElementWord{"q4_0", 0.5625},     ElementWord{"q4", 0.5625},    ElementWord{"iq4_nl", 0.5625},
    ElementWord{"nvfp4", 0.5625},   ElementWord{"fp4", 0.5625},      ElementWord{"int4", 0.5625},  ElementWord{"mxfp4", 0.53125},
    ElementWord{"fp8_e4m3", 1.0},   ElementWord{"fp8_e5m2", 1.0},    ElementWord{"fp8_ds_mla", 1.0}, ElementWord{"e4m3", 1.0},
    ElementWord{"e5m2", 1.0}};

std::optional<double> elementFrom(std::string_view text)
{
    std::string word;
    for (const char c : lower(text) + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        for (const ElementWord& known : elementWords)
            if (known.word == word)
                return known.bytes;
        word.clear();
    }
    return std::nullopt;
}

/// "turboquant K8V4", "turboquant 3-bit": bits of keys and of values, with a scale of 16 bit for 128 elements of 3 and 4 bit.
std::optional<CacheElements> turboQuant(const std::string& text)
{
    if (!has(text, "turboquant"))
        return std::nullopt;
    const auto bytesOfBits = [](double bits) { return bits >= 8.0 ? 1.0 : (bits + 0.4) / 8.0; };
    if (const std::size_t k = text.find('k', text.find("turboquant") + 10); k != std::string::npos && k + 3 < text.size() &&
        std::isdigit(static_cast<unsigned char>(text[k + 1])) != 0 && text[k + 2] == 'v')
        return CacheElements{.key = bytesOfBits(text[k + 1] - '0'), .value = bytesOfBits(text[k + 3] - '0')};
    for (const char c : text.substr(text.find("turboquant")))
        if (c >= '2' && c <= '8')
            return CacheElements{.key = bytesOfBits(c - '0'), .value = bytesOfBits(c - '0')};
    return std::nullopt;
}

void readElements(const CsvTable& table, std::size_t at, MemoryRow& row)
{
    const std::string_view text = table.text(at, "kv_cache_dtype");
    if (const auto found = cacheElementsFrom(text))
        row.elements = *found;
    else if (row.network != nullptr && row.network->checkpointKv != Format::bf16)
        row.elements = cacheElements(row.network->checkpointKv);
    const std::string kind = lower(table.text(at, "attention"));
    if (has(kind, "plain k and v"))
        row.elements.latent = LatentCache::plain;
    else if (has(kind, "transposed"))
        row.elements.latent = LatentCache::transposed;
}

/// "A + B" is two networks, "A + MTP" one with its own draft layers.
void readNetworks(const PresetNames& names, MemoryRow& row)
{
    const std::string text = withoutRemarks(row.modelText);
    row.network = names.network(row.modelText);
    const std::size_t plus = text.find('+');
    if (plus != std::string::npos) {
        if (row.network == nullptr)
            row.network = names.network(text.substr(0, plus));
        row.beside = names.network(text.substr(plus + 1));
    }
    // "Qwen3.6/3.8-27B": the first of the two.
    if (row.network == nullptr)
        if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
            if (const std::size_t dash = text.find('-', slash); dash != std::string::npos)
                row.network = names.network(text.substr(0, slash) + text.substr(dash));
            if (row.network == nullptr)
                row.network = names.network(text.substr(0, slash));
        }
    row.multiToken = has(lower(row.modelText), "mtp");
}

} // namespace

bool MemoryRow::hasMixture() const
{
    return network != nullptr && std::any_of(network->layers.begin(), network->layers.end(),
                                             [](const LayerGroup& group) { return group.feedForward.isMixture(); });
}

WeightSplit MemoryRow::weightSplit() const
{
    const bool paged = engine == MemoryEngine::vllm || engine == MemoryEngine::sglang;
    const bool wide = device != nullptr && !device->peak.fp8;
    return {.tensorParallel = tensorParallel,
            .stages = stages,
            .expertParallel = hasMixture() ? dataParallel : 1,
            .embeddingOnHost = engine == MemoryEngine::llamaCpp,
            .separateHead = engine == MemoryEngine::tensorRtLlm,
            .paddedExperts = paged,
            .marlinTiles = wide};
}

namespace {

/// Of the generations before Ampere, whose attention kernels are others.
bool lacksBf16(const Device& device)
{
    const auto note = device.notes.find("bf16");
    return note != device.notes.end() && has(note->second, "no bf16");
}

} // namespace

MemoryRow memoryRow(const CsvTable& table, std::size_t at, const Presets& presets, const PresetNames& names)
{
    MemoryRow row;
    row.row = at;
    row.id = std::string(table.text(at, "id"));
    if (row.id.empty())
        row.id = std::to_string(at + 1);
    row.engineText = std::string(firstText(table, at, {"engine", "framework"}));
    row.versionText = std::string(firstText(table, at, {"engine_version", "framework_version"}));
    row.date = std::string(table.text(at, "source_date"));
    row.modelText = std::string(table.text(at, "model"));
    row.deviceText = std::string(firstText(table, at, {"gpu_model", "gpu"}));
    row.parameters = firstNumber(table, at, {"params_B"});
    if (!row.parameters)
        row.parameters = sizeInName(row.modelText);
    readEngine(presets, row);
    readNetworks(names, row);
    row.device = names.device(row.deviceText);
    readMemory(table, at, row);
    row.devices = countOf(firstNumber(table, at, {"gpu_count"}), 1);
    row.devicesKnown = firstNumber(table, at, {"gpu_count", "tp"}).has_value();
    row.stages = countOf(firstNumber(table, at, {"pp"}), 1);
    row.dataParallel = countOf(firstNumber(table, at, {"dp"}), 1);
    const int rest = std::max(1, row.devices / (row.stages * row.dataParallel));
    row.tensorParallel = countOf(firstNumber(table, at, {"tp"}), rest);
    if (row.tensorParallel * row.stages * row.dataParallel > row.devices && row.devices > 1)
        row.dataParallel = 1;   // attention is data parallel inside the tensor-parallel group
    row.fraction = firstNumber(table, at, {"gpu_memory_utilization", "mem_fraction_static", "kv_free_fraction"});
    if (row.fraction && *row.fraction > 1.0)
        row.fraction.reset();
    row.context = firstNumber(table, at, {"max_model_len_tokens"});
    row.batchedTokens = firstNumber(table, at, {"max_num_batched_tokens"});
    row.sequences = firstNumber(table, at, {"max_num_seqs"});
    row.blockTokens = firstNumber(table, at, {"kv_block_size_tokens"});
    row.promptTokens = firstNumber(table, at, {"input_tokens"});
    row.flashAttention = has(table.text(at, "notes"), "flash_attn 1");
    if (row.network != nullptr)
        row.recipe = weightRecipe(*row.network, table.text(at, "weight_dtype"), table.text(at, "quantization"),
                                  row.modelText);
    if (row.network != nullptr)
        row.formatStated = !row.recipe.asStored || row.network->checkpointFormat != Format::bf16 ||
                           !table.text(at, "weight_dtype").empty() || !table.text(at, "quantization").empty();
    readElements(table, at, row);
    return row;
}

EngineProfile engineOf(const MemoryRow& row)
{
    if (row.profile == nullptr)
        return {};
    const double context = row.context.value_or(row.network != nullptr ? row.network->maximumContext : 0.0);
    std::string name = row.device != nullptr ? row.device->name + " " + row.deviceText : row.deviceText;
    if (row.device != nullptr && lacksBf16(*row.device))
        name += " before Ampere";
    // A version may stand in the engine's own name: "vLLM 0.11", "vLLM V0".
    std::string version = row.versionText + " " + row.engineText;
    const bool first = has(version, "V0");
    const bool digits = std::any_of(row.versionText.begin(), row.versionText.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!digits) {
        const std::string text = lower(row.engineText);
        const std::size_t dot = text.find('.');
        version = dot != std::string::npos && dot > 0 && std::isdigit(static_cast<unsigned char>(text[dot - 1])) != 0 &&
                          row.engine != MemoryEngine::llamaCpp
                      ? text.substr(dot - 1)
                      : std::string();
    }
    const std::string_view firstOfNewEngine = "2025-03";
    if (has(row.engineText, "fork")) {
        // A fork numbers its own versions. Forks of the first engine kept it; "before" a change is the version before.
        version = row.date < firstOfNewEngine ? "" : has(row.versionText, "before") ? "0.6.3" : "0.7";
    }
    if (first)
        version = "0.7";           // later versions still held the first engine
    // Drivers of devices that share the host's memory do not tell its size, so they get the defaults of small ones.
    const bool shared = row.device != nullptr && row.device->memoryKind.rfind("LPDDR", 0) == 0;
    double longest = context;
    if (row.engine == MemoryEngine::tensorRtLlm) {
        // Old builds reserve for a whole batch of longest prompts.
        constexpr double usualPrompt = 2048.0, usualBatch = 8.0;
        longest = row.sequences.value_or(usualBatch) * row.promptTokens.value_or(usualPrompt);
    }
    constexpr Bytes usedByOthers{2.3 * gibi};
    EngineProfile engine = atVersion(*row.profile, version, row.date, name, shared ? Bytes{} : row.visible, longest);
    if (shared) {
        // The operating system and its other programs count against the budget: 1.2 to 3.5 GiB in three logs.
        engine.runtimeFixed += usedByOthers;
        engine.runtimeSpread += usedByOthers * 0.6;
    }
    if (row.stages > 1 && engine.wholePromptTokens > 0) {
        // Those versions do not begin to cut long prompts by themselves where stages follow each other.
        engine.batchedTokens = engine.wholePromptTokens;
        engine.samplerCounted = true;
    }
    if (row.fraction)
        engine.memoryFraction = *row.fraction;
    constexpr double most = 10'000'000.0;
    if (row.batchedTokens && row.engine != MemoryEngine::llamaCpp)
        engine.batchedTokens = int(std::min(*row.batchedTokens, most));
    if (row.sequences)
        engine.maximumSequences = int(std::min(*row.sequences, most));
    if (row.blockTokens && *row.blockTokens <= 256.0)   // larger ones are blocks that a hybrid's states made
        engine.blockTokens = int(*row.blockTokens);
    return engine;
}

std::string missingOf(const MemoryRow& row)
{
    if (row.engine == MemoryEngine::unknown)
        return row.engineText.empty() ? "no engine is named" : "unknown engine " + row.engineText;
    if (row.modelText.empty())
        return "no network is named";
    if (row.network == nullptr)
        return "unknown network " + withoutRemarks(row.modelText).substr(0, 80);
    return {};
}

std::optional<CacheElements> cacheElementsFrom(std::string_view text)
{
    const std::string words = lower(text);
    if (const auto turbo = turboQuant(words))
        return turbo;
    const std::size_t k = words.find("k:"), v = words.find("v:");
    if (k == 0 && v != std::string::npos) {
        const auto key = elementFrom(std::string_view(words).substr(2, v - 2));
        const auto value = elementFrom(std::string_view(words).substr(v + 2));
        if (key && value)
            return CacheElements{.key = *key, .value = *value};
        return std::nullopt;
    }
    if (const std::size_t latent = words.find("c^kv:"); latent != std::string::npos) {
        const std::size_t copy = words.find("kv^t:");
        const auto key = elementFrom(std::string_view(words).substr(latent + 5));
        if (!key)
            return std::nullopt;
        CacheElements elements{.key = *key, .value = *key};
        if (copy != std::string::npos)
            if (const auto value = elementFrom(std::string_view(words).substr(copy + 5))) {
                elements.latent = LatentCache::transposed;
                elements.value = *value;
            }
        return elements;
    }
    const auto both = elementFrom(words);
    if (!both)
        return std::nullopt;
    const bool headScale = words.find("per-token-head") != std::string::npos || words.find("per token") != std::string::npos;
    const double bytes = headScale ? *both * 1.01 : *both;
    return CacheElements{.key = bytes, .value = bytes};
}

} // namespace ridgepoint
