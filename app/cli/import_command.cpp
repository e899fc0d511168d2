// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/base/unit_text.h"
#include "core/io/network_import.h"
#include "core/io/preset_library.h"
#include "core/io/text_file.h"
#include "core/workload/kv_cache.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Remark
{
    std::string code;
    std::string text;
};

std::string counted(int count, std::string_view one)
{
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// What a reader of the numbers should know about them.
std::vector<Remark> remarks(const Network& network)
{
    std::vector<Remark> list;
    list.push_back({"counted", "Parameters are those of the text part: embedding, head, norms, biases and all experts; "
                               "active ones are used for one token, the embedding in full."});
    if (!network.leftOut.empty())
        list.push_back({"left_out", fmt::format("Left out: {}.", fmt::join(network.leftOut, ", "))});
    if (network.checkpointFormat != Format::bf16 && network.checkpointFormat != Format::fp32)
        list.push_back(
            {"quantised", fmt::format("The checkpoint stores its quantised parts as {} and quantises inputs "
                                      "to {}.",
                                      nameOf(network.checkpointFormat), nameOf(network.checkpointActivations))});
    std::map<int, int> windowed, sparse;   // tokens -> layers
    int linear = 0;
    for (const LayerGroup& group : network.layers) {
        const Attention& a = group.attention;
        if (a.window > 0)
            windowed[a.window] += group.count;
        if (a.indexTopK > 0)
            sparse[a.indexTopK] += group.count;
        if (a.kind == AttentionKind::linear)
            linear += group.count;
    }
    for (const auto& [tokens, layers] : windowed)
        list.push_back({"window", fmt::format("{} of {} layers see only the last {} tokens.", layers,
                                              network.layerCount(), countText(tokens))});
    for (const auto& [tokens, layers] : sparse)
        list.push_back({"sparse", fmt::format("{} of {} layers attend to at most {} cached tokens.", layers,
                                              network.layerCount(), countText(tokens))});
    if (linear > 0)
        list.push_back({"linear", fmt::format("{} of {} layers keep a state of fixed size in place of a cache.", linear,
                                              network.layerCount())});
    return list;
}

std::int64_t kvBytes(const Network& network, Format format)
{
    return std::llround(kvBytesPerToken(network, format).value);
}

Json bytesByFormat(const Network& network)
{
    Json json;
    for (const Format format : {Format::bf16, Format::fp8})
        json[std::string(idOf(format))] = kvBytes(network, format);
    return json;
}

double weightBytes(const Network& network)
{
    const StoredWeights stored = storedWeights(network, {}, 1);
    return (stored.total() - stored.rotaryTable).value;
}

Json importJson(const Network& network, const fs::path& file, const std::string& saved)
{
    const ParameterCount count = parameterCount(network);
    Json json{{"file", file.string()},
              {"id", network.id},
              {"name", network.name},
              {"aliases", network.aliases},
              {"architecture", network.architecture},
              {"parameters", count.total},
              {"active_parameters", count.active},
              {"embedding_parameters", count.embedding},
              {"kv_bytes_per_token", kvBytes(network, Format::bf16)},
              {"kv_bytes_per_token_by_format", bytesByFormat(network)},
              {"weight_bytes", std::llround(weightBytes(network))},
              {"layers", network.layerCount()},
              {"hidden", network.hidden},
              {"vocabulary", network.vocabulary},
              {"maximum_context", network.maximumContext},
              {"weight_format", idOf(network.checkpointFormat)},
              {"activation_format", idOf(network.checkpointActivations)},
              {"kv_format", idOf(network.checkpointKv)},
              {"left_out", network.leftOut},
              {"findings", Json::array()}};
    for (const Remark& remark : remarks(network))
        json["findings"].push_back(
            {{"code", remark.code}, {"severity", "information"}, {"knob", nullptr}, {"text", remark.text}});
    json["saved"] = saved.empty() ? Json(nullptr) : Json(saved);
    return json;
}

std::string attentionText(const Attention& a)
{
    switch (a.kind) {
    case AttentionKind::grouped:
        return fmt::format("{} heads of {}, {} for keys and values{}", a.heads, a.headDim, a.kvHeads,
                           a.window > 0 ? fmt::format(", window {}", a.window) : "");
    case AttentionKind::latent:
        return fmt::format("{} heads, latent {} + {}{}", a.heads, a.kvRank, a.ropeDim,
                           a.indexTopK > 0 ? fmt::format(", sparse {}", a.indexTopK) : "");
    case AttentionKind::linear:
        return fmt::format("linear, {} heads of {} x {}", a.linearValueHeads, a.linearKeyDim, a.linearValueDim);
    }
    return "";
}

std::string feedForwardText(const FeedForward& f)
{
    if (f.isNone())
        return "no feed-forward";
    if (!f.isMixture())
        return fmt::format("width {}", f.width);
    return fmt::format("{} experts of {}, {} a token{}", f.experts, f.expertWidth, f.expertsPerToken,
                       f.sharedWidth > 0 ? fmt::format(", shared {}", f.sharedWidth) : "");
}

std::string importText(const Network& network, const std::string& saved)
{
    const ParameterCount count = parameterCount(network);
    TextTable table;
    table.left = {true, true};
    const auto row = [&](std::string_view label, const std::string& value) {
        table.rows.push_back({std::string(label), value});
    };
    row("Network", network.name);
    row("Id", network.id);
    row("Architecture", network.architecture);
    row("Parameters", fmt::format("{} ({} active)", countText(double(count.total)), countText(double(count.active))));
    row("Hidden size", countText(network.hidden));
    row("Vocabulary", fmt::format("{}{}", countText(network.vocabulary), network.tiedEmbedding ? ", tied" : ""));
    row("Longest context", fmt::format("{} tokens", countText(network.maximumContext)));
    row("Weights",
        fmt::format("{} as stored, {}", bytesText(Bytes{weightBytes(network)}), nameOf(network.checkpointFormat)));
    row("KV cache",
        fmt::format("{} B per token in 16 bits, {} B in FP8", countText(kvBytesPerToken(network, Format::bf16).value),
                    countText(kvBytesPerToken(network, Format::fp8).value)));
    for (const LayerGroup& group : network.layers)
        row(counted(group.count, "layer"),
            fmt::format("{}; {}", attentionText(group.attention), feedForwardText(group.feedForward)));
    std::string text = table.text() + "\n";
    for (const Remark& remark : remarks(network))
        text += wrapped("- " + remark.text, 100, "  ") + "\n";
    if (!saved.empty())
        text += fmt::format("\nSaved as {}\n", saved);
    return text;
}

bool isId(const std::string& text)
{
    return !text.empty() && text.front() != '.' && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    });
}

/// A preset that is saved must be readable, and its names must not be those of another network.
Result<void> checkPreset(const Network& network)
{
    if (const Result<Network> read = readNetwork(writeNetwork(network), network.id + ".yaml"); !read)
        return fail(read.error());
    std::vector<std::string> names = network.aliases;
    names.push_back(network.id);
    const LoadedPresets loaded = loadAllPresets({});
    for (const Network& other : loaded.presets.networks) {
        if (other.id == network.id)
            continue;
        std::vector<std::string> taken = other.aliases;
        taken.push_back(other.id);
        for (const std::string& name : names)
            if (std::find(taken.begin(), taken.end(), name) != taken.end())
                return fail(fmt::format("the name \"{}\" is taken by the network {}; choose another --id or --alias",
                                        name, other.id));
    }
    return {};
}

/// Where the network was written; empty when it should not be.
Result<std::string> savePreset(const Network& network, bool save)
{
    if (!save)
        return std::string();
    const fs::path folder = userPresetFolder();
    if (folder.empty())
        return fail("there is no folder of your own to save into; set HOME or XDG_DATA_HOME");
    std::error_code error;
    fs::create_directories(folder / "networks", error);
    const fs::path file = folder / "networks" / (network.id + ".yaml");
    if (Result<void> written = writeTextFile(file, writeNetwork(network)); !written)
        return fail(written.error());
    return file.string();
}

} // namespace

int runImport(const ImportOptions& options)
{
    Result<Network> network = importNetwork(options.file);
    if (!network)
        return complain(network.error(), exitBadInput);
    if (!options.id.empty() && !isId(options.id))
        return complain(fmt::format("--id \"{}\" does not do; it needs lower-case letters, digits, dots and dashes",
                                    options.id),
                        exitBadInput);
    if (!options.id.empty())
        network->id = options.id;
    if (!options.name.empty())
        network->name = options.name;
    if (!options.source.empty())
        network->source = options.source;
    network->aliases = options.aliases;
    if (options.save)
        if (const Result<void> usable = checkPreset(*network); !usable)
            return complain(usable.error(), exitBadInput);
    const Result<std::string> saved = savePreset(*network, options.save);
    if (!saved)
        return complain(saved.error(), exitNotAvailable);
    switch (options.form) {
    case ImportOptions::Form::json: printJson(importJson(*network, options.file, *saved)); break;
    case ImportOptions::Form::yaml: print(writeNetwork(*network)); break;
    case ImportOptions::Form::text: print(importText(*network, *saved)); break;
    }
    return exitValid;
}

} // namespace ridgepoint::app
