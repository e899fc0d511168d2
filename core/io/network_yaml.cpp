// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_library.h"
#include "core/io/yaml_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <span>

namespace ridgepoint {

namespace {

constexpr unsigned grouped = 1, latent = 2, linear = 4, everyKind = grouped | latent | linear;

constexpr std::array attentionKinds{std::pair{std::string_view("grouped"), AttentionKind::grouped},
                                    std::pair{std::string_view("latent"), AttentionKind::latent},
                                    std::pair{std::string_view("linear"), AttentionKind::linear}};

unsigned bitOf(AttentionKind kind)
{
    switch (kind) {
    case AttentionKind::grouped: return grouped;
    case AttentionKind::latent: return latent;
    case AttentionKind::linear: return linear;
    }
    return 0;
}

// The tables below are the schema: reader and writer both walk them. A field is read and written for the kinds of
// attention it belongs to and must be there for those of `required`.
struct AttentionCount
{
    std::string_view key;
    int Attention::* field;
    unsigned kinds;
    unsigned required;
};
constexpr std::array attentionCounts{AttentionCount{"heads", &Attention::heads, everyKind, grouped | latent},
                                     AttentionCount{"kv_heads", &Attention::kvHeads, everyKind, grouped},
                                     AttentionCount{"head_dim", &Attention::headDim, everyKind, grouped},
                                     AttentionCount{"window", &Attention::window, grouped | latent, 0},
                                     AttentionCount{"query_rank", &Attention::queryRank, latent, 0},
                                     AttentionCount{"kv_rank", &Attention::kvRank, latent, latent},
                                     AttentionCount{"nope_dim", &Attention::nopeDim, latent, latent},
                                     AttentionCount{"rope_dim", &Attention::ropeDim, latent, latent},
                                     AttentionCount{"value_dim", &Attention::valueDim, latent, latent},
                                     AttentionCount{"index_heads", &Attention::indexHeads, latent, 0},
                                     AttentionCount{"index_dim", &Attention::indexDim, latent, 0},
                                     AttentionCount{"index_top_k", &Attention::indexTopK, latent, 0},
                                     AttentionCount{"key_heads", &Attention::linearKeyHeads, linear, linear},
                                     AttentionCount{"value_heads", &Attention::linearValueHeads, linear, linear},
                                     AttentionCount{"key_dim", &Attention::linearKeyDim, linear, linear},
                                     AttentionCount{"value_head_dim", &Attention::linearValueDim, linear, linear},
                                     AttentionCount{"convolution", &Attention::convolution, linear, 0}};

struct AttentionFlag
{
    std::string_view key;
    bool Attention::* field;
};
constexpr std::array attentionFlags{AttentionFlag{"bias", &Attention::bias},
                                    AttentionFlag{"output_bias", &Attention::outputBias},
                                    AttentionFlag{"qk_norm", &Attention::qkNorm},
                                    AttentionFlag{"sinks", &Attention::sinks},
                                    AttentionFlag{"output_gate", &Attention::outputGate}};

struct FeedForwardCount
{
    std::string_view key;
    int FeedForward::* field;
};
constexpr std::array feedForwardCounts{FeedForwardCount{"width", &FeedForward::width},
                                       FeedForwardCount{"experts", &FeedForward::experts},
                                       FeedForwardCount{"experts_per_token", &FeedForward::expertsPerToken},
                                       FeedForwardCount{"expert_width", &FeedForward::expertWidth},
                                       FeedForwardCount{"shared_width", &FeedForward::sharedWidth}};

struct FeedForwardFlag
{
    std::string_view key;
    bool FeedForward::* field;
};
constexpr std::array feedForwardFlags{FeedForwardFlag{"gated", &FeedForward::gated},
                                      FeedForwardFlag{"bias", &FeedForward::bias},
                                      FeedForwardFlag{"expert_bias", &FeedForward::expertBias},
                                      FeedForwardFlag{"router_bias", &FeedForward::routerBias},
                                      FeedForwardFlag{"shared_gate", &FeedForward::sharedGate}};

struct LayerFormat
{
    std::string_view key;
    Format LayerFormats::* field;
};
constexpr std::array layerFormats{
    LayerFormat{"attention", &LayerFormats::attention}, LayerFormat{"attention_output", &LayerFormats::attentionOutput},
    LayerFormat{"latent_up", &LayerFormats::latentUp},  LayerFormat{"indexer", &LayerFormats::indexer},
    LayerFormat{"dense", &LayerFormats::dense},         LayerFormat{"experts", &LayerFormats::experts},
    LayerFormat{"shared", &LayerFormats::shared},       LayerFormat{"router", &LayerFormats::router}};

struct NetworkFormat
{
    std::string_view key;
    Format Network::* field;
};
constexpr std::array networkFormats{NetworkFormat{"checkpoint", &Network::checkpointFormat},
                                    NetworkFormat{"activations", &Network::checkpointActivations},
                                    NetworkFormat{"kv", &Network::checkpointKv},
                                    NetworkFormat{"embedding", &Network::embeddingFormat},
                                    NetworkFormat{"head", &Network::headFormat}};

std::vector<std::pair<std::string_view, Format>> formatNames()
{
    std::vector<std::pair<std::string_view, Format>> names;
    for (const Format format : allFormats)
        names.emplace_back(idOf(format), format);
    return names;
}

constexpr YamlFields::Range anyCount{0, 16'777'216};
constexpr YamlFields::Range atLeastOne{1, 16'777'216};

void checkAttention(YamlFields& fields, const Attention& attention)
{
    if (attention.kind == AttentionKind::grouped && attention.kvHeads > 0 && attention.heads % attention.kvHeads != 0)
        fields.refuse("kv_heads",
                      fmt::format("kv_heads is {}; it must divide the {} heads", attention.kvHeads, attention.heads));
    const bool anyIndex = attention.indexHeads > 0 || attention.indexDim > 0 || attention.indexTopK > 0;
    const bool allIndex = attention.indexHeads > 0 && attention.indexDim > 0 && attention.indexTopK > 0;
    if (anyIndex && !allIndex)
        fields.refuse("index_top_k", "sparse attention needs index_heads, index_dim and index_top_k, all above 0");
    if (attention.kind == AttentionKind::linear && attention.linearKeyHeads > 0 &&
        attention.linearValueHeads % attention.linearKeyHeads != 0)
        fields.refuse("value_heads", fmt::format("value_heads is {}; it must be a multiple of the {} key_heads",
                                                 attention.linearValueHeads, attention.linearKeyHeads));
}

Attention readAttention(YamlFields& fields)
{
    Attention attention;
    attention.kind = fields.choice<AttentionKind>("kind", attentionKinds);
    const unsigned kind = bitOf(attention.kind);
    for (const AttentionCount& count : attentionCounts) {
        if (count.required & kind)
            attention.*count.field = fields.integer(count.key, atLeastOne);
        else if (count.kinds & kind)
            attention.*count.field = fields.integer(count.key, anyCount, 0);
    }
    for (const AttentionFlag& flag : attentionFlags)
        attention.*flag.field = fields.boolean(flag.key, false);
    if (attention.kind == AttentionKind::linear)
        attention.stateBytes = fields.number("state_bytes", {0.5, 8}, Attention{}.stateBytes);
    if (!fields.failed())
        checkAttention(fields, attention);
    return attention;
}

FeedForward readFeedForward(YamlFields& fields)
{
    FeedForward forward;
    for (const FeedForwardCount& count : feedForwardCounts)
        forward.*count.field = fields.integer(count.key, anyCount, 0);
    for (const FeedForwardFlag& flag : feedForwardFlags)
        forward.*flag.field = fields.boolean(flag.key, FeedForward{}.*flag.field);
    if (fields.failed())
        return forward;
    if ((forward.width > 0) == (forward.experts > 0))
        fields.refuse("width", "a layer is dense (width) or a mixture (experts); set one of the two above 0, or leave "
                               "feed_forward out");
    else if (forward.experts > 0 && (forward.expertsPerToken < 1 || forward.expertsPerToken > forward.experts))
        fields.refuse("experts_per_token", fmt::format("experts_per_token is {}; it must be from 1 to the {} experts",
                                                       forward.expertsPerToken, forward.experts));
    else if (forward.experts > 0 && forward.expertWidth < 1)
        fields.refuse("expert_width", "expert_width is 0; a mixture needs the width of one expert");
    return forward;
}

LayerGroup readLayer(YamlFields& fields)
{
    LayerGroup group;
    group.count = fields.integer("count", {1, 10'000});
    fields.map("attention", true, [&](YamlFields& inner) { group.attention = readAttention(inner); });
    fields.map("feed_forward", false, [&](YamlFields& inner) { group.feedForward = readFeedForward(inner); });
    group.norms = fields.integer("norms", {0, 16}, group.norms);
    const auto formats = formatNames();
    fields.map("formats", false, [&](YamlFields& inner) {
        for (const LayerFormat& format : layerFormats)
            group.formats.*format.field = inner.choice(format.key, formats, Format::bf16);
    });
    return group;
}

QualityFact readQuality(YamlFields& fields)
{
    QualityFact fact;
    const auto formats = formatNames();
    fact.weights = fields.choice("weights", formats, Format::bf16);
    fact.activations = fields.choice("activations", formats, Format::bf16);
    fact.kv = fields.choice("kv", formats, Format::bf16);
    fact.reference = fields.choice("reference", formats, Format::bf16);
    fact.checkpoint = fields.text("checkpoint");
    fact.benchmark = fields.text("benchmark");
    fact.isShare = fields.has("kept_percent");
    constexpr YamlFields::Range score{0.01, 1e6};
    fact.baseline = fact.isShare ? 100.0 : fields.number("baseline", score);
    fact.value = fields.number(fact.isShare ? "kept_percent" : "value", score);
    fact.publisher = fields.text("publisher");
    fact.source = fields.text("source");
    fact.date = fields.text("date");
    if (fact.weights == fact.reference && fact.activations == Format::bf16 && fact.kv == Format::bf16)
        fields.refuse("weights", "a comparison needs weights, activations or kv that differ from its reference");
    return fact;
}

bool isPlainText(std::string_view text)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isPlain = [&](char c) {
        return isLetter(c) || (c >= '0' && c <= '9') || std::string_view(" ._/()+-").find(c) != std::string_view::npos;
    };
    if (text.empty() || !isLetter(text.front()) || text.back() == ' ')
        return false;
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return lower != "null" && std::all_of(text.begin(), text.end(), isPlain);
}

std::string yamlText(std::string_view text)
{
    if (isPlainText(text))
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            quoted += fmt::format("\\x{:02x}", unsigned(byte));
        else
            quoted += c;
    }
    return quoted + "\"";
}

std::string yamlList(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
        list += (list.empty() ? "" : ", ") + yamlText(text);
    return "[" + list + "]";
}

using Pairs = std::vector<std::string>;

void addPair(Pairs& pairs, std::string_view key, std::string_view value)
{
    pairs.push_back(fmt::format("{}: {}", key, value));
}

/// "{a: 1, b: 2}" on one line, or broken so that no line of it is longer than 100 characters.
std::string flowMap(const Pairs& pairs, std::string_view indent)
{
    constexpr std::size_t longestLine = 100;
    std::string text = "{", line;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::string piece = pairs[i] + (i + 1 < pairs.size() ? "," : "");
        if (!line.empty() && line.size() + 1 + piece.size() > longestLine) {
            text += line + "\n" + std::string(indent);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + piece;
    }
    return text + line + "}";
}

Pairs attentionPairs(const Attention& attention)
{
    Pairs pairs;
    for (const auto& [name, kind] : attentionKinds)
        if (kind == attention.kind)
            addPair(pairs, "kind", name);
    const unsigned kind = bitOf(attention.kind);
    for (const AttentionCount& count : attentionCounts)
        if ((count.kinds & kind) && attention.*count.field != 0)
            addPair(pairs, count.key, std::to_string(attention.*count.field));
    for (const AttentionFlag& flag : attentionFlags)
        if (attention.*flag.field)
            addPair(pairs, flag.key, "true");
    if (attention.kind == AttentionKind::linear && attention.stateBytes != Attention{}.stateBytes)
        addPair(pairs, "state_bytes", plainNumber(attention.stateBytes));
    return pairs;
}

Pairs feedForwardPairs(const FeedForward& forward)
{
    Pairs pairs;
    for (const FeedForwardCount& count : feedForwardCounts)
        if (forward.*count.field != 0)
            addPair(pairs, count.key, std::to_string(forward.*count.field));
    for (const FeedForwardFlag& flag : feedForwardFlags)
        if (forward.*flag.field != FeedForward{}.*flag.field)
            addPair(pairs, flag.key, forward.*flag.field ? "true" : "false");
    return pairs;
}

template <typename Owner, typename Table>
Pairs formatPairs(const Owner& owner, const Table& table)
{
    Pairs pairs;
    for (const auto& format : table)
        if (owner.*format.field != Format::bf16)
            addPair(pairs, format.key, idOf(owner.*format.field));
    return pairs;
}

void addQuality(std::string& text, const QualityFact& fact)
{
    Pairs pairs;
    const std::pair<std::string_view, Format> formats[] = {
        {"weights", fact.weights}, {"activations", fact.activations}, {"kv", fact.kv}, {"reference", fact.reference}};
    for (const auto& [key, format] : formats)
        if (format != Format::bf16)
            addPair(pairs, key, idOf(format));
    addPair(pairs, "checkpoint", yamlText(fact.checkpoint));
    addPair(pairs, "benchmark", yamlText(fact.benchmark));
    if (fact.isShare) {
        addPair(pairs, "kept_percent", plainNumber(fact.value));
    } else {
        addPair(pairs, "baseline", plainNumber(fact.baseline));
        addPair(pairs, "value", plainNumber(fact.value));
    }
    addPair(pairs, "publisher", yamlText(fact.publisher));
    addPair(pairs, "source", yamlText(fact.source));
    addPair(pairs, "date", yamlText(fact.date));
    fmt::format_to(std::back_inserter(text), "  - {}\n", flowMap(pairs, "    "));
}

} // namespace

Result<Network> readNetwork(const std::string& text, const std::string& file)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    YamlFields fields(*root, errors);
    Network network;
    network.id = std::filesystem::path(file).stem().string();
    network.name = fields.text("name");
    network.architecture = fields.text("architecture", {});
    network.aliases = fields.texts("aliases");
    network.hidden = fields.integer("hidden", atLeastOne);
    network.vocabulary = fields.integer("vocabulary", atLeastOne);
    network.maximumContext = fields.integer("maximum_context", {1, 1'073'741'824});
    network.rotaryDim = fields.integer("rotary_dim", anyCount, 0);
    network.learnedPositions = fields.integer("learned_positions", anyCount, 0);
    network.tiedEmbedding = fields.boolean("tied_embedding", false);
    network.towerParameters = fields.number("tower_parameters", {0, 1e12}, 0.0);
    fields.map("packed_images", false, [&](YamlFields& inner) {
        network.packedPatches = inner.integer("patches", atLeastOne);
        network.packedImageTokens = inner.integer("tokens", atLeastOne);
        network.packedHeads = inner.integer("heads", atLeastOne);
    });
    const auto formats = formatNames();
    fields.map("precision", false, [&](YamlFields& inner) {
        for (const NetworkFormat& format : networkFormats)
            network.*format.field = inner.choice(format.key, formats, Format::bf16);
    });
    network.leftOut = fields.texts("left_out");
    network.source = fields.text("source", {});
    if (fields.has("quality"))
        fields.maps("quality", [&](YamlFields& inner) { network.quality.push_back(readQuality(inner)); });
    fields.maps("layers", [&](YamlFields& inner) { network.layers.push_back(readLayer(inner)); });
    fields.finish();
    return finished(errors, std::move(network));
}

std::string writeNetwork(const Network& network)
{
    std::string text = "# SPDX-License-Identifier: GPL-3.0-or-later\n";
    const auto line = [&](std::string_view key, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
    };
    line("name", yamlText(network.name));
    if (!network.architecture.empty())
        line("architecture", yamlText(network.architecture));
    if (!network.aliases.empty())
        line("aliases", yamlList(network.aliases));
    line("hidden", std::to_string(network.hidden));
    line("vocabulary", std::to_string(network.vocabulary));
    line("maximum_context", std::to_string(network.maximumContext));
    if (network.rotaryDim != 0)
        line("rotary_dim", std::to_string(network.rotaryDim));
    if (network.learnedPositions != 0)
        line("learned_positions", std::to_string(network.learnedPositions));
    if (network.tiedEmbedding)
        line("tied_embedding", "true");
    if (network.towerParameters > 0)
        line("tower_parameters", plainNumber(network.towerParameters));
    if (network.packedPatches > 0)
        line("packed_images", fmt::format("{{patches: {}, tokens: {}, heads: {}}}", network.packedPatches,
                                          network.packedImageTokens, network.packedHeads));
    if (const Pairs formats = formatPairs(network, networkFormats); !formats.empty())
        line("precision", flowMap(formats, "  "));
    if (!network.leftOut.empty())
        line("left_out", yamlList(network.leftOut));
    if (!network.source.empty())
        line("source", yamlText(network.source));
    if (!network.quality.empty())
        text += "quality:\n";
    for (const QualityFact& fact : network.quality)
        addQuality(text, fact);
    text += "layers:\n";
    for (const LayerGroup& group : network.layers) {
        fmt::format_to(std::back_inserter(text), "  - count: {}\n    attention: {}\n", group.count,
                       flowMap(attentionPairs(group.attention), "      "));
        if (!group.feedForward.isNone())
            fmt::format_to(std::back_inserter(text), "    feed_forward: {}\n",
                           flowMap(feedForwardPairs(group.feedForward), "      "));
        if (group.norms != LayerGroup{}.norms)
            fmt::format_to(std::back_inserter(text), "    norms: {}\n", group.norms);
        if (const Pairs formats = formatPairs(group.formats, layerFormats); !formats.empty())
            fmt::format_to(std::back_inserter(text), "    formats: {}\n", flowMap(formats, "      "));
    }
    return text;
}

} // namespace ridgepoint
