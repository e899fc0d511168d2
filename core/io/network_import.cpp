// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/network_import.h"

#include "core/io/architectures.h"
#include "core/io/json_reader.h"
#include "core/io/layer_formats.h"
#include "core/io/quantization_recipe.h"
#include "core/io/text_file.h"
#include "core/workload/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace ridgepoint {

namespace {

using nlohmann::json;

/// "meta-llama--Meta-Llama-3.1-8B_config.json" and "Meta-Llama-3.1-8B/config.json" are both Meta-Llama-3.1-8B.
std::string nameFrom(const std::string& file)
{
    const std::filesystem::path path(file);
    std::string stem = path.stem().string();
    for (const std::string_view ending : {"_config", ".config", "-config"})
        if (stem.size() > ending.size() && stem.ends_with(ending))
            stem.resize(stem.size() - ending.size());
    if (stem == "config") {
        const std::string folder = path.parent_path().filename().string();
        stem = folder.empty() || folder == "." || folder == ".." ? "network" : folder;
    }
    if (const std::size_t organisation = stem.find("--"); organisation != std::string::npos)
        stem.erase(0, organisation + 2);
    return stem.empty() ? "network" : stem;
}

std::string idFrom(const std::string& name)
{
    std::string id;
    for (const char c : name) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x80 && std::isalnum(u) != 0)
            id += char(std::tolower(u));
        else if ((c == '.' || c == '-') && !id.empty())
            id += c;
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && (id.back() == '-' || id.back() == '.'))
        id.pop_back();
    return id.empty() ? "network" : id;
}

/// Equal layers become one group; the order of first appearance is kept.
std::vector<LayerGroup> grouped(const std::vector<LayerGroup>& layers)
{
    std::vector<LayerGroup> groups;
    for (const LayerGroup& layer : layers) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const LayerGroup& group) {
            return group.attention == layer.attention && group.feedForward == layer.feedForward &&
                   group.formats == layer.formats && group.norms == layer.norms;
        });
        if (same == groups.end())
            groups.push_back(layer);
        else
            ++same->count;
    }
    return groups;
}

/// The format that holds most of the quantised weights.
Format mainFormat(const Network& network, Format base)
{
    struct Choice
    {
        Format LayerFormats::* part;
        bool (*present)(const LayerGroup&);
    };
    const auto always = [](const LayerGroup&) { return true; };
    const auto mixture = [](const LayerGroup& g) { return g.feedForward.isMixture(); };
    const auto dense = [](const LayerGroup& g) { return !g.feedForward.isMixture(); };
    for (const Choice& choice : {Choice{&LayerFormats::experts, mixture}, Choice{&LayerFormats::dense, dense},
                                 Choice{&LayerFormats::shared, mixture}, Choice{&LayerFormats::attention, always},
                                 Choice{&LayerFormats::attentionOutput, always},
                                 Choice{&LayerFormats::latentUp, always}, Choice{&LayerFormats::indexer, always}})
        for (const LayerGroup& group : network.layers)
            if (choice.present(group) && group.formats.*choice.part != base)
                return group.formats.*choice.part;
    return base;
}

/// The recipe in the configuration, in the file beside it, or nothing; both must agree.
std::optional<QuantizationRecipe> findRecipe(const json& config, const json* quantFile, JsonMistakes& mistakes,
                                             JsonMistakes& quantMistakes)
{
    std::optional<QuantizationRecipe> inside;
    for (const char* path : {"/quantization_config", "/text_config/quantization_config", "/compression_config"}) {
        const json::json_pointer pointer(path);
        if (inside || !config.contains(pointer) || config.at(pointer).is_null())
            continue;
        inside = readQuantizationConfig(config.at(pointer), path, mistakes);
    }
    if (quantFile == nullptr)
        return inside;
    std::optional<QuantizationRecipe> beside = readQuantizationFile(*quantFile, quantMistakes);
    if (inside && beside && !inside->rules.empty() && inside->rules.front().weights != beside->rules.front().weights)
        quantMistakes.add("/quantization/quant_algo",
                          fmt::format("stores weights as {}, the configuration beside it as {}; keep the file that "
                                      "belongs to the checkpoint",
                                      idOf(beside->rules.front().weights), idOf(inside->rules.front().weights)));
    if (inside && beside && !beside->kv)
        beside->kv = inside->kv;
    return beside;
}

Result<void> applyRecipe(const QuantizationRecipe& recipe, std::vector<LayerGroup>& layers, Format base)
{
    if (Result<void> possible = checkPatterns(recipe, int(layers.size())); !possible)
        return possible;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Result<LayerFormats> formats = formatsOf(recipe, layers[i], int(i), base);
        if (!formats)
            return fail(formats.error());
        layers[i].formats = *formats;
    }
    return {};
}

Result<Network> build(const json& config, const std::string& configName, const json* quantFile,
                      const std::string& quantName)
{
    JsonMistakes mistakes{.file = configName, .first = {}};
    ReadNetwork read = readArchitecture(config, mistakes);
    if (mistakes.first)
        return fail(*mistakes.first);
    JsonMistakes quantMistakes{.file = quantName, .first = {}};
    const std::optional<QuantizationRecipe> recipe = findRecipe(config, quantFile, mistakes, quantMistakes);
    for (const JsonMistakes* found : {&mistakes, &quantMistakes})
        if (found->first)
            return fail(*found->first);

    Network network = std::move(read.network);
    network.name = nameFrom(configName);
    network.id = idFrom(network.name);
    network.source = std::filesystem::path(configName).filename().string();
    for (LayerGroup& layer : read.layers) {
        layer.count = 1;
        layer.formats = {read.base, read.base, read.base, read.base, read.base, read.base, read.base, read.base};
    }
    network.embeddingFormat = network.headFormat = network.checkpointFormat = network.checkpointActivations = read.base;
    if (recipe) {
        if (Result<void> applied = applyRecipe(*recipe, read.layers, read.base); !applied)
            return fail(applied.error());
        network.checkpointActivations = recipe->activations;
        network.headFormat = recipe->head.value_or(read.base);
        network.checkpointKv = recipe->kv.value_or(Format::bf16);
    }
    network.layers = grouped(read.layers);
    network.checkpointFormat = mainFormat(network, read.base);
    if (network.checkpointFormat == read.base)   // a recipe that leaves everything out quantises nothing
        network.checkpointActivations = read.base;

    constexpr double mostParameters = 1e15;
    if (double(parameterCount(network).total) > mostParameters)
        return fail(Error{.message = "describes more than 10^15 parameters; check the sizes of layers and experts",
                          .file = configName,
                          .line = 0,
                          .column = 0,
                          .pointer = {}});
    return network;
}

/// X_config.json -> X_hf_quant_config.json, config.json -> hf_quant_config.json; nothing when there is none.
std::optional<std::filesystem::path> quantFileBeside(const std::filesystem::path& configFile)
{
    const std::string name = configFile.filename().string();
    constexpr std::string_view ending = "config.json";
    if (!name.ends_with(ending))
        return std::nullopt;
    const std::filesystem::path beside =
        configFile.parent_path() / (name.substr(0, name.size() - ending.size()) + "hf_quant_config.json");
    std::error_code error;
    if (!std::filesystem::is_regular_file(beside, error))
        return std::nullopt;
    return beside;
}

} // namespace

Result<Network> importNetworkText(const std::string& configText, const std::string& configName,
                                  const std::string& quantText, const std::string& quantName)
{
    try {
        const Result<json> config = readJson(configText, configName);
        if (!config)
            return fail(config.error());
        if (quantText.empty())
            return build(*config, configName, nullptr, quantName);
        const Result<json> quant = readJson(quantText, quantName);
        if (!quant)
            return fail(quant.error());
        return build(*config, configName, &*quant, quantName);
    } catch (const json::exception& error) {
        return fail(Error{.message = fmt::format("cannot be read: {}", error.what()),
                          .file = configName,
                          .line = 0,
                          .column = 0,
                          .pointer = {}});
    }
}

Result<Network> importNetwork(const std::filesystem::path& configFile)
{
    const Result<std::string> config = readTextFile(configFile);
    if (!config)
        return fail(config.error());
    std::string quant, quantName;
    if (const auto beside = quantFileBeside(configFile)) {
        Result<std::string> text = readTextFile(*beside);
        if (!text)
            return fail(text.error());
        quant = std::move(*text);
        quantName = beside->string();
    }
    // "config.json" alone gets its name from the folder it lies in.
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(configFile, error);
    Result<Network> network = importNetworkText(*config, configFile.string(), quant, quantName);
    if (network && configFile.parent_path().empty() && !error) {
        network->name = nameFrom(absolute.string());
        network->id = idFrom(network->name);
    }
    return network;
}

} // namespace ridgepoint
