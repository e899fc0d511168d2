// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/base/unit_text.h"
#include "core/io/csv_table.h"
#include "core/scenario/knobs.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> choiceIds(const Knob& knob, const Scenario& scenario, const Presets& presets)
{
    std::vector<std::string> ids;
    for (const Choice& choice : knob.choices(scenario, presets))
        ids.push_back(choice.id);
    return ids;
}

/// A limit without powers of ten.
std::string limitText(double value)
{
    return value >= 1.0 || value == 0.0 ? fmt::format("{:.0f}", value) : plainNumber(value);
}

/// Range of a number, choices of a choice. Presets are many and change: they are named, not listed.
std::string takes(const Knob& knob, const Scenario& scenario, const Presets& presets)
{
    if (knob.kind == KnobKind::number)
        return fmt::format("{} … {}{}{}", limitText(knob.minimum), limitText(knob.maximum), knob.integer ? ", whole" : "",
                           knob.percent ? fmt::format(", or {} % … {} %", limitText(shownNumber(knob, knob.minimum)),
                                                      limitText(shownNumber(knob, knob.maximum)))
                                        : "");
    constexpr std::size_t few = 12;
    const std::vector<std::string> ids = choiceIds(knob, scenario, presets);
    if (knob.id.ends_with(".preset") || knob.id == "hardware.system" || ids.size() > few)
        return "an id that `presets` lists";
    return fmt::format("{}", fmt::join(ids, ", "));
}

Json knobsJson(const Scenario& scenario, const Presets& presets)
{
    Json list = Json::array();
    for (const Knob& knob : knobs()) {
        const bool isNumber = knob.kind == KnobKind::number;
        Json json{{"id", knob.id},
                  {"group", knob.group},
                  {"label", knob.label},
                  {"unit", knob.unit},
                  {"kind", isNumber ? "number" : "choice"}};
        json["minimum"] = isNumber ? Json(knob.minimum) : Json(nullptr);
        json["maximum"] = isNumber ? Json(knob.maximum) : Json(nullptr);
        json["whole"] = knob.integer;
        json["scale"] = !isNumber ? Json(nullptr) : Json(knob.scale == Scale::log2 ? "log2" : "linear");
        json["choices"] = isNumber ? Json(nullptr) : Json(choiceIds(knob, scenario, presets));
        json["help"] = knob.help;
        list.push_back(std::move(json));
    }
    return Json{{"knobs", std::move(list)}};
}

std::string knobsText(const Scenario& scenario, const Presets& presets)
{
    std::string text;
    std::string_view group;
    for (const Knob& knob : knobs()) {
        if (knob.group != group) {
            text += fmt::format("{}{}\n", text.empty() ? "" : "\n", knob.group);
            group = knob.group;
        }
        text += fmt::format("  {}{}\n", knob.id, knob.unit.empty() ? "" : fmt::format("  [{}]", knob.unit));
        text += "      " + wrapped(fmt::format("takes {}", takes(knob, scenario, presets)), 90, "      ") + "\n";
        text += "      " + wrapped(knob.help, 90, "      ") + "\n";
    }
    return text;
}

/// One line of the list of presets.
struct Entry
{
    std::string kind, id, name, facts, source;
    std::vector<std::string> aliases;
};

std::string urlOf(const Presets& presets, const std::string& key)
{
    const auto found = presets.sources.find(key);
    return found == presets.sources.end() ? "" : found->second.url;
}

std::string sourceKeys(const std::map<std::string, std::string>& sources)
{
    std::vector<std::string> keys;
    for (const auto& [fact, key] : sources)
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    return fmt::format("{}", fmt::join(keys, " "));
}

std::vector<Entry> entriesOf(const Presets& presets)
{
    std::vector<Entry> list;
    for (const Device& d : presets.devices)
        list.push_back(
            {"device", d.id, d.name,
             fmt::format("{} {}, {}{}",
                         d.memoryCapacity.value > 0 ? soldBytesText(d.memoryCapacity) : "capacity not set,",
                         d.memoryKind, bandwidthText(d.memoryBandwidth),
                         d.peak.bf16 ? ", BF16 " + flopRateText(*d.peak.bf16) : std::string()),
             sourceKeys(d.sources), d.aliases});
    for (const System& s : presets.systems)
        list.push_back({"system", s.id, s.name,
                        s.devicesPerNode == 1 ? fmt::format("{}", s.device.name)
                                              : fmt::format("{} × {} a node", s.devicesPerNode, s.device.name),
                        sourceKeys(s.sources), s.aliases});
    for (const Network& n : presets.networks) {
        const ParameterCount count = parameterCount(n);
        list.push_back({"network", n.id, n.name,
                        fmt::format("{} B parameters, {} B active, stored as {}", numberText(double(count.total) / 1e9),
                                    numberText(double(count.active) / 1e9), nameOf(n.checkpointFormat)),
                        n.source, n.aliases});
    }
    for (const EngineProfile& e : presets.engines)
        list.push_back({"engine", e.id, e.name, e.version, e.source, e.aliases});
    for (const Price& p : presets.prices)
        list.push_back({"price",
                        p.id,
                        p.name,
                        fmt::format("{}/h for {}, {}{}", dollarsText(Dollars{p.perDevice.value * 3600.0}), p.device,
                                    p.date, p.unverified ? ", unverified" : ""),
                        p.source,
                        {}});
    for (const KernelFamily& k : presets.kernels)
        list.push_back({"kernels", k.id, k.name, k.fitted ? "fitted to measurements" : "defaults", k.source, {}});
    for (const CalibrationSummary& c : presets.calibrations)
        list.push_back({"calibration", c.id, c.machine, fmt::format("{} samples, {}", c.samples, c.date), c.file, {}});
    return list;
}

Json presetsJson(const LoadedPresets& loaded)
{
    Json json{{"presets", Json::array()}, {"sources", Json::array()}, {"errors", Json::array()}};
    for (const Entry& entry : entriesOf(loaded.presets))
        json["presets"].push_back({{"kind", entry.kind},
                                   {"id", entry.id},
                                   {"name", entry.name},
                                   {"facts", entry.facts},
                                   {"aliases", entry.aliases},
                                   {"source", entry.source}});
    for (const auto& [key, source] : loaded.presets.sources)
        json["sources"].push_back({{"key", key},
                                   {"title", source.title},
                                   {"url", source.url},
                                   {"date", source.date},
                                   {"grade", source.grade},
                                   {"licence", source.licence}});
    for (const Error& error : loaded.errors)
        json["errors"].push_back(
            {{"file", error.file}, {"line", error.line}, {"column", error.column}, {"message", error.message}});
    return json;
}

std::string presetsText(const LoadedPresets& loaded)
{
    TextTable table;
    table.left = {true, true, true, true};
    std::string kind;
    for (const Entry& entry : entriesOf(loaded.presets)) {
        if (entry.kind != kind) {
            if (!kind.empty())
                table.rows.push_back({std::string()});
            table.rows.push_back({entry.kind});
            kind = entry.kind;
        }
        table.rows.push_back({"  " + entry.id, entry.name, entry.facts, entry.source});
    }
    std::string text = table.text() + "\nsources\n";
    for (const auto& [key, source] : loaded.presets.sources)
        text += fmt::format("  {}: {}{}\n", key, urlOf(loaded.presets, key),
                            source.date.empty() ? "" : " (" + source.date + ")");
    return text;
}

} // namespace

int runKnobs(const ListOptions& options)
{
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    const Scenario scenario = defaultScenario(loaded.presets).value_or(Scenario{});
    switch (options.form) {
    case Form::text: print(knobsText(scenario, loaded.presets)); break;
    case Form::json: printJson(knobsJson(scenario, loaded.presets)); break;
    case Form::csv: {
        std::string text = csvLine({"id", "group", "label", "unit", "takes", "help"});
        for (const Knob& knob : knobs())
            text += csvLine({std::string(knob.id), std::string(knob.group), std::string(knob.label),
                             std::string(knob.unit), takes(knob, scenario, loaded.presets), std::string(knob.help)});
        print(text);
        break;
    }
    }
    return exitValid;
}

int runPresets(const ListOptions& options)
{
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    switch (options.form) {
    case Form::text: print(presetsText(loaded)); break;
    case Form::json: printJson(presetsJson(loaded)); break;
    case Form::csv: {
        std::string text = csvLine({"kind", "id", "name", "facts", "source"});
        for (const Entry& entry : entriesOf(loaded.presets))
            text += csvLine({entry.kind, entry.id, entry.name, entry.facts, entry.source});
        print(text);
        break;
    }
    }
    for (const Error& error : loaded.errors)
        complain(notLoadedText(error), exitBadInput);
    return loaded.errors.empty() ? exitValid : exitBadInput;
}

} // namespace ridgepoint::app
