// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/weight_recipe.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

/// Bits of an element in a GGUF file: of most matrices, of value and down projections in the mean, and of the head.
struct Mix
{
    std::string_view name;
    double bits;
    double promoted;
    double head;
};

constexpr double q6 = 6.5625;

// Block formats are exact. The mixes K_S, K_M and K_L store value and down projections of some layers in more bits.
constexpr std::array mixes{
    Mix{"f32", 32, 32, 32},         Mix{"f16", 16, 16, 16},          Mix{"bf16", 16, 16, 16},
    Mix{"q8_0", 8.5, 8.5, 8.5},     Mix{"q6_k", q6, q6, q6},         Mix{"q5_1", 6, 6, q6},
    Mix{"q5_0", 5.5, 5.5, q6},      Mix{"q5_k_m", 5.5, 6.03, q6},    Mix{"q5_k_s", 5.5, 5.5, q6},
    Mix{"q5_k", 5.5, 6.03, q6},     Mix{"q4_1", 5, 5, q6},           Mix{"q4_0", 4.5, 4.5, q6},
    Mix{"q4_k_m", 4.5, 5.53, q6},   Mix{"q4_k_s", 4.5, 4.64, q6},    Mix{"q4_k", 4.5, 5.53, q6},
    Mix{"q3_k_l", 3.4375, 5.5, q6}, Mix{"q3_k_m", 3.4375, 4.6, q6},  Mix{"q3_k_s", 3.4375, 3.4375, q6},
    Mix{"q3_k", 3.4375, 4.6, q6},   Mix{"q2_k", 2.625, 3.5, q6},     Mix{"q2_k_s", 2.625, 2.8, q6},
    Mix{"iq4_nl", 4.5, 4.5, q6},    Mix{"iq4_xs", 4.25, 4.4, q6},    Mix{"iq3_m", 3.44, 4.2, q6},
    Mix{"iq3_s", 3.44, 3.44, q6},   Mix{"iq3_xs", 3.3, 3.3, q6},     Mix{"iq3_xxs", 3.06, 3.3, 5.5},
    Mix{"iq2_m", 2.56, 3.06, 5.5},  Mix{"iq2_s", 2.5, 2.6, 5.5},     Mix{"iq2_xs", 2.31, 2.6, 5.5},
    Mix{"iq2_xxs", 2.06, 2.6, 5.5}, Mix{"iq1_m", 1.75, 2.06, 5.5},   Mix{"iq1_s", 1.56, 2.06, 5.5},
    Mix{"tq1_0", 1.69, 1.69, q6},   Mix{"tq2_0", 2.06, 2.06, q6},    Mix{"q8", 8.5, 8.5, 8.5},
    Mix{"q6", q6, q6, q6},          Mix{"q5", 5.5, 6.03, q6},        Mix{"q4", 4.5, 5.53, q6},
    Mix{"q3", 3.4375, 4.6, q6},     Mix{"q2", 2.625, 3.5, q6}};

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Whether `word` stands in `text` with nothing of a word before or behind it.
bool hasWord(std::string_view text, std::string_view word)
{
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !isWordPart(text[at - 1]);
        const bool ends = at + word.size() == text.size() || !isWordPart(text[at + word.size()]);
        if (begins && ends)
            return true;
    }
    return false;
}

template <std::size_t N>
bool hasAny(std::string_view text, const std::array<std::string_view, N>& words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return hasWord(text, word); });
}

constexpr double plainSpread = 0.003;
constexpr double recipeSpread = 0.02;    // what stays in 16 bit is told by the usual recipe of the format
constexpr double latentSpread = 0.05;    // of 4 bit: whose latent attention keeps 16 bit in the recipes that are published
constexpr double unsureSpread = 0.12;    // recipes of hybrids and multimodal networks differ by who made them

std::optional<WeightRecipe> ggufRecipe(const std::string& text)
{
    // "Q4_K - Medium" is how a log says Q4_K_M.
    std::string mix = text;
    for (const auto& [from, to] : {std::pair{" - medium", "_m"}, std::pair{" - small", "_s"}, std::pair{" - large", "_l"}})
        if (const std::size_t at = mix.find(from); at != std::string::npos)
            mix.replace(at, std::string_view(from).size(), to);
    // Names that people give to mixes of their own, such as UD-Q4_K_XL, are near the plain mix.
    for (const auto& [from, to] : {std::pair{"_k_xl", "_k_m"}, std::pair{"_xxl", "_m"}})
        if (const std::size_t at = mix.find(from); at != std::string::npos)
            mix.replace(at, std::string_view(from).size(), to);
    for (const Mix& known : mixes) {
        const bool word = hasWord(mix, known.name);
        if (word && known.name != "f16" && known.name != "bf16" && known.name != "f32")
            return WeightRecipe{.name = std::string(known.name), .asStored = false, .linear = known.bits / 8.0,
                                .promoted = known.promoted / 8.0, .head = known.head / 8.0, .attention = true,
                                .ends = true, .spread = recipeSpread};
    }
    return std::nullopt;
}

std::optional<WeightRecipe> recipeIn(const std::string& text, const Network& network)
{
    const auto make = [](std::string_view name, double bytes, double spread) {
        return WeightRecipe{.name = std::string(name), .asStored = false, .linear = bytes, .promoted = bytes,
                            .head = bytes, .attention = true, .ends = false, .spread = spread};
    };
    if (text.empty())
        return std::nullopt;
    const bool latent = std::any_of(network.layers.begin(), network.layers.end(), [](const LayerGroup& group) {
        return group.attention.kind == AttentionKind::latent;
    });
    if (const auto gguf = ggufRecipe(text))
        return gguf;
    using Words = std::array<std::string_view, 3>;
    const bool bits4 = text.find("4-bit") != std::string::npos || text.find("4bit") != std::string::npos;
    const bool bits8 = text.find("8-bit") != std::string::npos || text.find("8bit") != std::string::npos;
    const bool double4 = text.find("-dq") != std::string::npos || text.find("double") != std::string::npos;
    if (hasAny(text, Words{"nf4", "bnb", "bitsandbytes"}) && !hasWord(text, "int8") && !bits8)
        return make("nf4", double4 ? 0.516 : 0.5625, recipeSpread);
    if (hasAny(text, Words{"nvfp4", "fp4", "w4a4"})) {
        // The makers of this format leave attention alone where layers are of several kinds.
        bool several = network.towerParameters > 0;
        for (const LayerGroup& group : network.layers)
            several = several || group.attention.kind == AttentionKind::linear || group.attention.window > 0;
        WeightRecipe recipe = make("nvfp4", 0.5625, several ? unsureSpread : latent ? latentSpread : recipeSpread);
        recipe.attention = !several && !latent;
        return recipe;
    }
    if (hasWord(text, "mxfp4"))
        return make("mxfp4", 0.53125, recipeSpread);
    if (hasWord(text, "bfp8"))
        return make("bfp8", 1.0625, recipeSpread);
    constexpr std::array<std::string_view, 7> fourBits{"awq", "gptq", "int4", "w4a16", "autoround", "hqq", "w4a8"};
    if (hasWord(text, "int8") || hasWord(text, "w8a8") || hasWord(text, "w8a16") || hasWord(text, "smoothquant") ||
        hasWord(text, "quanto") || bits8)
        return make("int8", 1.0, recipeSpread);
    if (hasAny(text, fourBits) || bits4) {
        WeightRecipe recipe = make("int4", 0.5 + 2.5 / 128.0, latent ? latentSpread : recipeSpread);
        recipe.attention = !latent;
        return recipe;
    }
    if (text.find("fp8") != std::string::npos || hasWord(text, "f8") || hasWord(text, "fbgemm"))
        return make("fp8", 1.0, recipeSpread);
    if (hasWord(text, "fp32") || hasWord(text, "float32") || hasWord(text, "f32"))
        return make("fp32", 4.0, plainSpread);
    constexpr std::array<std::string_view, 6> sixteen{"bf16", "fp16", "f16", "bfloat16", "float16", "half"};
    if (hasAny(text, sixteen))
        return make("bf16", 2.0, plainSpread);
    return std::nullopt;
}

/// Share of a part's elements that belong to value and down projections.
double promotedShare(const LayerGroup& group, WeightPart part)
{
    const Attention& a = group.attention;
    switch (part) {
    case WeightPart::attention:
        return a.kind == AttentionKind::grouped ? double(a.kvHeads) / (a.heads * (a.outputGate ? 2.0 : 1.0) + 2.0 * a.kvHeads)
                                                : 0.0;
    case WeightPart::dense:
    case WeightPart::experts:
    case WeightPart::shared: return group.feedForward.gated ? 1.0 / 3.0 : 0.5;
    default: return 0.0;
    }
}

double roundUp(double value, double step) { return std::ceil(value / step) * step; }

/// How much larger kernels of mxfp4 store experts than their elements are.
double expertPadding(const Network& network, const LayerGroup& group, const WeightSplit& split)
{
    if (!split.paddedExperts || !group.feedForward.isMixture() || group.formats.experts != Format::mxfp4)
        return 1.0;
    constexpr double hiddenTile = 256.0, widthTile = 128.0;
    double padding = roundUp(network.hidden, hiddenTile) / network.hidden;
    if (split.marlinTiles) {
        const double width = group.feedForward.expertWidth / double(split.tensorParallel);
        padding *= roundUp(width, widthTile) / width;
    }
    return padding;
}

LayerFormats formatsOf(const LayerGroup& group, const WeightRecipe& recipe)
{
    LayerFormats formats = group.formats;
    if (!recipe.asStored)   // the bytes come from the recipe; this only marks what it reaches
        formats = LayerFormats{};
    return formats;
}

} // namespace

std::optional<double> ggufBytes(std::string_view mix)
{
    const std::string wanted = lower(mix);
    for (const Mix& known : mixes)
        if (known.name == wanted)
            return known.bits / 8.0;
    return std::nullopt;
}

WeightRecipe weightRecipe(const Network& network, std::string_view dtype, std::string_view quantization,
                          std::string_view modelName)
{
    std::optional<WeightRecipe> found;
    for (const std::string_view text : {quantization, dtype, modelName}) {
        found = recipeIn(lower(text), network);
        if (found)
            break;
    }
    WeightRecipe stored;
    stored.spread = network.checkpointFormat == Format::bf16 ? plainSpread : recipeSpread;
    if (!found)
        return stored;
    const std::string_view own = idOf(network.checkpointFormat);
    const bool same = own.substr(0, found->name.size()) == found->name;
    if (same)
        return stored;
    // A table that calls a natively quantised checkpoint "bf16" means its activations, unless a copy in 16 bit is named.
    if (found->name == "bf16" && network.checkpointFormat == Format::mxfp4)
        return stored;
    return *found;
}

Bytes recipeWeights(const Network& network, const WeightRecipe& recipe, const WeightSplit& split)
{
    const int t = std::max(split.tensorParallel, 1);
    const double layers = network.layerCount();
    const double share = std::ceil(layers / split.stages) / layers;
    double bytes = 0.0;
    for (const LayerGroup& group : network.layers) {
        const LayerFormats formats = formatsOf(group, recipe);
        const LayerElements elements = layerElements(network, group, t);
        for (const WeightPart part : allWeightParts) {
            const double count = elements.at(part);
            double each = bytesOf(part, formats);
            const bool ofAttention = part == WeightPart::attention || part == WeightPart::attentionOutput ||
                                     part == WeightPart::latentUp || part == WeightPart::indexer;
            const bool reached = part != WeightPart::plain && part != WeightPart::router &&
                                 (recipe.attention || !ofAttention);
            if (!recipe.asStored)
                each = reached || recipe.linear >= 4.0
                    ? recipe.linear + (recipe.promoted - recipe.linear) * promotedShare(group, part)
                    : 2.0;
            double scale = share * group.count;
            if (part == WeightPart::experts)
                scale *= expertPadding(network, group, split) / split.expertParallel;
            bytes += count * each * scale;
        }
    }
    const double table = double(network.vocabulary) * network.hidden / t;
    const auto end = [&](Format format, double bytesOfEnd) {
        if (recipe.asStored)
            return bytesPerElement(format);
        return recipe.ends || recipe.linear >= 4.0 ? bytesOfEnd : 2.0;
    };
    const double embedding = split.embeddingOnHost && !network.tiedEmbedding
        ? 0.0
        : table * end(network.embeddingFormat, network.tiedEmbedding ? recipe.head : recipe.linear);
    const double head = network.tiedEmbedding && !split.separateHead ? 0.0 : table * end(network.headFormat, recipe.head);
    bytes += split.stages == 1 ? embedding + head
                               : std::max(embedding, network.tiedEmbedding ? embedding : head);
    bytes += 2.0 * network.hidden * (1.0 + network.learnedPositions);
    bytes += split.embeddingOnHost ? 0.0 : double(network.maximumContext) * network.rotaryDim * 2.0;
    bytes += 2.0 * network.towerParameters / t;
    return Bytes{bytes};
}

} // namespace ridgepoint
