// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"

#include "app/cli/text_table.h"
#include "core/io/network_import.h"
#include "core/io/project_file.h"
#include "core/io/text_file.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

namespace fs = std::filesystem;

fs::path programFolder()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::current_path(error) : program.parent_path();
}

bool isFile(const std::string& text)
{
    std::error_code error;
    return (text.ends_with(".json") || text.ends_with(".yaml")) && fs::is_regular_file(text, error);
}

/// Why text that names a file is none that describes a network. A folder may share its name with an id.
std::optional<std::string> notANetworkFile(const std::string& text, const Presets& presets)
{
    std::error_code error;
    if (isFile(text) || parseKnobValue(*findKnob("network.preset"), text, {}, presets))
        return std::nullopt;
    if (fs::is_directory(text, error))
        return fmt::format("--network \"{}\" is a folder; name the config.json in it", text);
    if (fs::exists(text, error))
        return fmt::format("--network \"{}\" is neither a .json nor a .yaml file", text);
    if (text.ends_with(".json") || text.ends_with(".yaml") || text.ends_with(".yml") ||
        text.find('/') != std::string::npos)
        return fmt::format("--network \"{}\": there is no such file", text);
    return std::nullopt;
}

/// A network in a file joins the presets; its id stands for it from then on.
Result<std::string> addNetworkFile(const std::string& file, Presets& presets)
{
    Result<Network> network = fail("");
    if (file.ends_with(".json")) {
        network = importNetwork(file);
    } else {
        const Result<std::string> text = readTextFile(file);
        network = text ? readNetwork(*text, file) : fail(text.error());
    }
    if (!network)
        return fail(network.error());
    std::erase_if(presets.networks, [&](const Network& other) { return other.id == network->id; });
    presets.networks.push_back(*network);
    return network->id;
}

Result<Scenario> withText(const Scenario& scenario, std::string_view id, std::string_view value, const Presets& presets)
{
    const Knob* knob = findKnob(id);
    if (knob == nullptr)
        return withKnob(scenario, id, KnobValue(std::string(value)), presets);   // says which knobs there are
    const Result<KnobValue> parsed = parseKnobValue(*knob, value, scenario, presets);
    if (!parsed)
        return fail(parsed.error());
    return withKnob(scenario, id, *parsed, presets);
}

Result<Scenario> withAssignment(const Scenario& scenario, std::string_view text, const Presets& presets)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return fail(fmt::format("\"{}\" sets nothing; it needs knob=value, such as load.concurrency=64", text));
    return withText(scenario, text.substr(0, equals), text.substr(equals + 1), presets);
}

/// The system comes first, since it resets the plan and the price; a list of knobs follows in its own order.
Result<Scenario> applied(Scenario scenario, const ScenarioOptions& options, const Presets& presets)
{
    for (const auto& [id, value] : {std::pair{"hardware.system", &options.system},
                                    {"network.preset", &options.network},
                                    {"engine.preset", &options.engine},
                                    {"price.preset", &options.price}}) {
        if (value->empty())
            continue;
        Result<Scenario> next = withText(scenario, id, *value, presets);
        if (!next)
            return next;
        scenario = std::move(*next);
    }
    for (const std::string& set : options.sets) {
        Result<Scenario> next = withAssignment(scenario, set, presets);
        if (!next)
            return next;
        scenario = std::move(*next);
    }
    return scenario;
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// "hgx-h100-8,parallel.tp=8,name=ours": a part without "=" is the system.
Result<Scenario> column(const std::string& text, const ScenarioOptions& shared, const Presets& presets)
{
    Result<Scenario> scenario = defaultScenario(presets);
    if (!scenario)
        return scenario;
    ScenarioOptions options = shared;
    std::string name;
    for (const std::string& part : split(text, ',')) {
        if (part.starts_with("name="))
            name = part.substr(5);
        else if (part.find('=') != std::string::npos)
            options.sets.push_back(part);
        else if (!part.empty())
            options.system = part;
    }
    // A system among the sets would undo what was set before it.
    std::stable_partition(options.sets.begin(), options.sets.end(),
                          [](const std::string& set) { return set.starts_with("hardware.system="); });
    scenario = applied(*std::move(scenario), options, presets);
    if (scenario && !name.empty())
        scenario->name = name;
    return scenario;
}

Result<std::vector<Scenario>> buildScenarios(const ScenarioOptions& options, const std::string& projectFile,
                                             const std::vector<std::string>& columns, bool single, Columns& out)
{
    std::vector<Scenario> scenarios;
    if (!columns.empty()) {
        for (const std::string& text : columns) {
            Result<Scenario> scenario = column(text, options, out.presets);
            if (!scenario)
                return fail(scenario.error());
            scenarios.push_back(std::move(*scenario));
        }
        return scenarios;
    }
    if (!projectFile.empty()) {
        Result<Project> project = loadProject(projectFile, out.presets);
        if (!project)
            return fail(project.error());
        out.baseline = project->baseline;
        out.definitions = project->definitions;
        scenarios = std::move(project->configurations);
        if (single) {
            scenarios = {scenarios.at(out.baseline)};
            out.baseline = 0;
        }
    } else if (single) {
        Result<Scenario> scenario = defaultScenario(out.presets);
        if (!scenario)
            return fail(scenario.error());
        scenarios = {std::move(*scenario)};
    } else {
        Result<std::vector<Scenario>> sample = sampleComparison(out.presets);
        if (!sample)
            return sample;
        scenarios = std::move(*sample);
    }
    for (Scenario& scenario : scenarios) {
        Result<Scenario> next = applied(scenario, options, out.presets);
        if (!next)
            return fail(next.error());
        scenario = std::move(*next);
    }
    return scenarios;
}

} // namespace

LoadedPresets loadAllPresets(const std::vector<std::string>& more)
{
    std::vector<fs::path> folders{shippedPresetFolder(programFolder())};
    if (const fs::path own = userPresetFolder(); !own.empty())
        folders.push_back(own);
    folders.insert(folders.end(), more.begin(), more.end());
    return loadPresets(folders);
}

Result<Columns> readColumns(const ScenarioOptions& options, const std::string& projectFile,
                            const std::vector<std::string>& columns, bool single)
{
    LoadedPresets loaded = loadAllPresets(options.presetFolders);
    for (const Error& error : loaded.errors)
        complain(notLoadedText(error), exitBadInput);
    Columns out;
    out.presets = std::move(loaded.presets);
    ScenarioOptions resolved = options;
    if (const std::optional<std::string> why = notANetworkFile(options.network, out.presets))
        return fail(*why);
    if (isFile(options.network)) {
        const Result<std::string> id = addNetworkFile(options.network, out.presets);
        if (!id)
            return fail(id.error());
        resolved.network = *id;
    }
    if (columns.size() > maximumConfigurations)
        return fail(
            fmt::format("{} columns are too many; at most {} are compared", columns.size(), maximumConfigurations));
    Result<std::vector<Scenario>> scenarios = buildScenarios(resolved, projectFile, columns, single, out);
    if (!scenarios)
        return fail(scenarios.error());
    out.scenarios = std::move(*scenarios);
    for (const std::string& text : options.defines)
        if (const Result<void> read = define(out.definitions, text); !read)
            return fail(read.error());
    return out;
}

std::string notLoadedText(const Error& error)
{
    return (error.file.empty() ? "" : "not loaded: ") + error.text();
}

int complain(const std::string& message, ExitCode code)
{
    fmt::print(stderr, "ridgepoint-cli: {}\n", withoutControls(message));
    return code;
}

int complain(const Error& error, ExitCode code)
{
    return complain(error.text(), code);
}

void print(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void printJson(const nlohmann::ordered_json& json)
{
    print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

} // namespace ridgepoint::app
