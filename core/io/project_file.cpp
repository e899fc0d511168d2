// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project_file.h"

#include "core/base/unit_text.h"
#include "core/io/preset_library.h"
#include "core/io/text_file.h"
#include "core/io/yaml_reader.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace ridgepoint {
namespace {

constexpr std::string_view pricePreset = "price.preset";

// The knobs that bring in a preset; they come first within their group in the knob table.
bool isPresetKnob(const Knob& knob)
{
    return knob.id.ends_with(".preset") || knob.id == "hardware.system";
}

// What no preset gives is always written, so that a file keeps its meaning when a default changes.
bool alwaysWritten(const Knob& knob)
{
    return knob.group == "Precision" || knob.group == "Parallelism" || knob.group == "Load";
}

void put(Presets& presets, const Network& network)
{
    std::erase_if(presets.networks, [&](const Network& one) { return one.id == network.id; });
    presets.networks.push_back(network);
}

// --- writing ---------------------------------------------------------------------------------------------------------

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string plainValue(const KnobValue& value)
{
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? plainNumber(*number) : std::get<std::string>(value);
}

Pairs knobPairs(const Scenario& scenario, const Presets& presets)
{
    Pairs pairs;
    Scenario base;
    for (const Knob& knob : knobs()) {
        if (!isPresetKnob(knob))
            continue;
        KnobValue value = knob.get(scenario);
        Result<Scenario> next = withKnob(base, knob.id, value, presets);
        if (!next && knob.id == pricePreset) { // a price of one's own: its rent follows
            value = std::string("unknown");
            next = withKnob(base, knob.id, value, presets);
        }
        if (next)
            base = *std::move(next);
        pairs.emplace_back(knob.id, plainValue(value));
    }
    for (const Knob& knob : knobs())
        if (!isPresetKnob(knob) && (alwaysWritten(knob) || knob.get(base) != knob.get(scenario)))
            pairs.emplace_back(knob.id, plainValue(knob.get(scenario)));
    return pairs;
}

/// The networks that no preset holds, each under an id that nothing else has.
struct Embedded
{
    Presets known; ///< the presets with these networks
    std::vector<Network> networks;

    /// The id by which the file calls a network.
    std::string idFor(const Network& network)
    {
        std::string id = network.id.empty() ? "network" : network.id;
        for (int copy = 2;; ++copy) {
            const auto place = std::find_if(known.networks.begin(), known.networks.end(),
                                            [&](const Network& one) { return one.id == id; });
            Network renamed = network;
            renamed.id = id;
            if (place == known.networks.end()) {
                known.networks.push_back(renamed);
                networks.push_back(std::move(renamed));
                return id;
            }
            if (*place == renamed)
                return id;
            id = fmt::format("{}-{}", network.id, copy);
        }
    }
};

// --- reading ---------------------------------------------------------------------------------------------------------

struct Reader
{
    YamlErrors errors;
    Presets presets; ///< with the networks of the file

    void refuse(const YamlNode& where, std::string message) { errors.add(where, std::move(message)); }

    void readNetworks(const YamlNode& map)
    {
        if (map.kind != YamlNode::Kind::map)
            return refuse(map, "networks needs one network under each name");
        for (std::size_t i = 0; i < map.items.size(); ++i) {
            const YamlNode& text = map.items[i];
            if (text.kind != YamlNode::Kind::scalar)
                return refuse(text, "a network is a block of text that starts with \"|\"");
            Result<Network> network = readNetwork(text.text, map.keys[i].text + ".yaml");
            if (!network) {
                // The block starts one line below its mark; its columns are moved by the indentation.
                constexpr int indentation = 4;
                YamlNode where = text;
                where.line = map.keys[i].line + std::max(0, network.error().line);
                where.column = network.error().column + indentation;
                return refuse(where, fmt::format("network {}: {}", map.keys[i].text, network.error().message));
            }
            network->id = map.keys[i].text;
            put(presets, *network);
        }
    }

    Scenario readKnobs(const YamlNode& map)
    {
        Scenario scenario;
        std::vector<std::string> ids;
        for (const Knob& knob : knobs())
            ids.emplace_back(knob.id);
        for (const YamlNode& key : map.keys)
            if (findKnob(key.text) == nullptr) {
                const std::string guess = nearest(key.text, ids);
                refuse(key, fmt::format("no knob has the id \"{}\"{}", key.text,
                                        guess.empty() ? "; the command \"knobs\" lists them"
                                                      : fmt::format("; did you mean \"{}\"?", guess)));
            }
        for (const Knob& knob : knobs()) {
            const auto key = std::find_if(map.keys.begin(), map.keys.end(),
                                          [&](const YamlNode& one) { return one.text == knob.id; });
            if (key == map.keys.end()) {
                if (isPresetKnob(knob) && knob.id != pricePreset)
                    refuse(map, fmt::format("{} is missing; add a line \"{}: …\"", knob.id, knob.id));
                continue;
            }
            const YamlNode& node = map.items[std::size_t(key - map.keys.begin())];
            if (node.kind != YamlNode::Kind::scalar) {
                refuse(node, fmt::format("{} needs a single value", knob.id));
                continue;
            }
            apply(scenario, knob, node);
        }
        return scenario;
    }

    void apply(Scenario& scenario, const Knob& knob, const YamlNode& node)
    {
        const Result<KnobValue> value = parseKnobValue(knob, node.text, scenario, presets);
        if (!value)
            return refuse(node, fmt::format("{}: {}", knob.id, value.error().message));
        Result<Scenario> next = withKnob(scenario, knob.id, *value, presets);
        if (!next)
            return refuse(node, fmt::format("{}: {}", knob.id, next.error().message));
        scenario = *std::move(next);
    }

    Scenario readConfiguration(const YamlNode& map)
    {
        Scenario scenario;
        std::string name;
        bool hasKnobs = false;
        if (map.kind != YamlNode::Kind::map) {
            refuse(map, "a configuration has a name and knobs");
            return scenario;
        }
        for (std::size_t i = 0; i < map.items.size(); ++i) {
            const YamlNode& key = map.keys[i];
            const YamlNode& value = map.items[i];
            if (key.text == "name" && value.kind == YamlNode::Kind::scalar) {
                name = value.text;
            } else if (key.text == "knobs" && value.kind == YamlNode::Kind::map) {
                scenario = readKnobs(value);
                hasKnobs = true;
            } else if (key.text == "name" || key.text == "knobs") {
                refuse(value,
                       fmt::format("{} needs {}", key.text, key.text == "name" ? "a text" : "a mapping of knob ids"));
            } else {
                refuse(key, fmt::format("\"{}\" is no key of a configuration; name and knobs are", key.text));
            }
        }
        if (!hasKnobs)
            refuse(map, "knobs is missing; add the knobs of the configuration");
        scenario.name = name;
        return scenario;
    }
};

const YamlNode* itemOf(const YamlNode& map, std::string_view key)
{
    for (std::size_t i = 0; i < map.keys.size(); ++i)
        if (map.keys[i].text == key)
            return &map.items[i];
    return nullptr;
}

void readBaseline(Reader& reader, const YamlNode& node, Project& project)
{
    const std::size_t count = project.configurations.size();
    const bool letter = node.text.size() == 1 && node.text[0] >= 'A' && std::size_t(node.text[0] - 'A') < count;
    if (letter)
        project.baseline = std::size_t(node.text[0] - 'A');
    else
        reader.refuse(node, fmt::format("baseline is \"{}\"; it must be a column from A to {}", node.text,
                                        char('A' + int(std::max<std::size_t>(1, count)) - 1)));
}

void readDefinitions(Reader& reader, const YamlNode& map, Project& project)
{
    if (map.kind != YamlNode::Kind::map)
        return reader.refuse(map, "definitions is no mapping; write such as {tpot: with-first}");
    for (std::size_t i = 0; i < map.keys.size(); ++i)
        if (const Result<void> read = define(project.definitions, map.keys[i].text + "=" + map.items[i].text); !read)
            reader.refuse(map.items[i], read.error().message);
}

void checkKeys(Reader& reader, const YamlNode& root)
{
    const std::vector<std::string> known{"version", "baseline", "definitions", "networks", "configurations"};
    for (const YamlNode& key : root.keys)
        if (std::find(known.begin(), known.end(), key.text) == known.end())
            reader.refuse(key, fmt::format("\"{}\" is no key of a project; {} are", key.text, oneOf(known)));
}

} // namespace

Result<Project> readProject(const std::string& text, const std::string& file, const Presets& presets)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    Reader reader{{file, {}, {}}, presets};

    // The version comes first: what a newer program wrote may have other keys.
    const YamlNode* version = itemOf(*root, "version");
    if (version == nullptr)
        reader.refuse(*root, "version is missing; a project file starts with \"version: 1\"");
    else if (version->text != std::to_string(projectVersion))
        reader.refuse(*version,
                      fmt::format("version is \"{}\"; this program reads version {}", version->text, projectVersion));
    if (reader.errors.first)
        return fail(*reader.errors.first);
    checkKeys(reader, *root);

    Project project;
    if (const YamlNode* networks = itemOf(*root, "networks"))
        reader.readNetworks(*networks);
    if (const YamlNode* definitions = itemOf(*root, "definitions"))
        readDefinitions(reader, *definitions, project);
    const YamlNode* configurations = itemOf(*root, "configurations");
    if (configurations == nullptr)
        reader.refuse(*root, "configurations is missing; add a list of 1 to 8 configurations");
    else if (configurations->kind != YamlNode::Kind::list || configurations->items.empty() ||
             configurations->items.size() > maximumConfigurations)
        reader.refuse(*configurations, fmt::format("configurations has {} entries; it must be a list of 1 to {}",
                                                   configurations->items.size(), maximumConfigurations));
    else
        for (const YamlNode& one : configurations->items)
            project.configurations.push_back(reader.readConfiguration(one));
    if (const YamlNode* baseline = itemOf(*root, "baseline"))
        readBaseline(reader, *baseline, project);
    return finished(reader.errors, std::move(project));
}

std::string writeProject(const Project& project, const Presets& presets)
{
    Embedded embedded{presets, {}};
    std::vector<Scenario> scenarios = project.configurations;
    for (Scenario& scenario : scenarios)
        scenario.network.id = embedded.idFor(scenario.network);
    YAML::Emitter out;
    out << YAML::BeginMap << YAML::Key << "version" << YAML::Value << projectVersion;
    out << YAML::Key << "baseline" << YAML::Value << std::string(1, char('A' + int(project.baseline)));
    if (const auto definitions = chosen(project.definitions); !definitions.empty()) {
        out << YAML::Key << "definitions" << YAML::Value << YAML::BeginMap;
        for (const auto& [id, value] : definitions)
            out << YAML::Key << std::string(id) << YAML::Value << std::string(value);
        out << YAML::EndMap;
    }
    if (!embedded.networks.empty()) {
        out << YAML::Key << "networks" << YAML::Value << YAML::BeginMap;
        for (const Network& network : embedded.networks)
            out << YAML::Key << network.id << YAML::Value << YAML::Literal << writeNetwork(network);
        out << YAML::EndMap;
    }
    out << YAML::Key << "configurations" << YAML::Value << YAML::BeginSeq;
    for (const Scenario& scenario : scenarios) {
        out << YAML::BeginMap;
        if (!scenario.name.empty())
            out << YAML::Key << "name" << YAML::Value << YAML::DoubleQuoted << scenario.name;
        out << YAML::Key << "knobs" << YAML::Value << YAML::BeginMap;
        for (const auto& [id, value] : knobPairs(scenario, embedded.known))
            out << YAML::Key << id << YAML::Value << value;
        out << YAML::EndMap << YAML::EndMap;
    }
    out << YAML::EndSeq << YAML::EndMap;
    return std::string("# Ridgepoint project\n") + out.c_str() + "\n";
}

Result<Project> loadProject(const std::filesystem::path& file, const Presets& presets)
{
    const Result<std::string> text = readTextFile(file);
    return text ? readProject(*text, file.string(), presets) : fail(text.error());
}

Result<void> saveProject(const Project& project, const std::filesystem::path& file, const Presets& presets)
{
    return writeTextFile(file, writeProject(project, presets));
}

} // namespace ridgepoint
