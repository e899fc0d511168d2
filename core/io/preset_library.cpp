// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_library.h"

#include "core/io/calibration_file.h"
#include "core/io/operator_calibration_file.h"
#include "core/io/preset_yaml.h"
#include "core/io/text_file.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace ridgepoint {

namespace {

namespace fs = std::filesystem;

Error fileError(const fs::path& file, std::string message)
{
    Error error;
    error.file = file.string();
    error.message = std::move(message);
    return error;
}

/// Files of a folder with this ending, by id, so that "r1" stands before "r1-distill"; a folder that is not there has none.
std::vector<fs::path> filesIn(const fs::path& folder, std::string_view ending)
{
    std::vector<fs::path> files;
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
        if (entry.path().extension() == ending)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) { return a.stem() < b.stem(); });
    return files;
}

/// Puts the value in place of one with the same id, else at the end.
template <typename T>
void place(std::vector<T>& values, T value)
{
    const auto same = std::find_if(values.begin(), values.end(), [&](const T& other) { return other.id == value.id; });
    if (same == values.end())
        values.push_back(std::move(value));
    else
        *same = std::move(value);
}

/// Reads every file of one kind; `read(text, file)` gives a Result.
template <typename T, typename Read>
void loadFolder(const fs::path& folder, std::vector<T>& values, std::vector<Error>& errors, const Read& read)
{
    for (const fs::path& file : filesIn(folder, ".yml"))
        errors.push_back(fileError(file, "is not read; rename it to end in .yaml"));
    for (const fs::path& file : filesIn(folder, ".yaml")) {
        const Result<std::string> text = readTextFile(file);
        if (!text) {
            errors.push_back(text.error());
            continue;
        }
        Result<T> value = read(*text, file.string());
        if (value)
            place(values, std::move(*value));
        else
            errors.push_back(value.error());
    }
}

void loadSources(const fs::path& folder, LoadedPresets& loaded)
{
    const fs::path file = folder / "sources.yaml";
    std::error_code code;
    if (!fs::exists(file, code))
        return;
    const Result<std::string> text = readTextFile(file);
    const auto sources = text ? readSources(*text, file.string()) : fail(text.error());
    if (!sources) {
        loaded.errors.push_back(sources.error());
        return;
    }
    for (const auto& [key, source] : *sources)
        loaded.presets.sources.insert_or_assign(key, source);
}

/// Samples of a probe are also a device: the machine they were measured on. Measured operators belong to a device.
Result<CalibrationSummary> readSummary(const std::string& text, const std::string& file, const PresetContext& context,
                                       Presets& presets)
{
    if (isOperatorCalibration(text)) {
        Result<OperatorCalibration> operators = readOperatorCalibration(text, file, context);
        if (!operators)
            return fail(operators.error());
        CalibrationSummary summary{.id = operators->id, .machine = operators->device, .date = operators->date,
                                   .file = file, .samples = 0};
        for (const MeasuredKernel& kernel : operators->kernels)
            summary.samples += fitOf(kernel.kernel).rows;
        place(presets.deviceKernels, std::move(*operators));
        return summary;
    }
    const Result<Calibration> calibration = readCalibration(text, file);
    if (!calibration)
        return fail(calibration.error());
    if (Result<Device> device = measuredDevice(*calibration))
        place(presets.devices, std::move(*device));
    return CalibrationSummary{.id = calibration->id,
                              .machine = calibration->machine,
                              .date = calibration->date,
                              .file = file,
                              .samples = int(calibration->samples.size())};
}

void loadOneFolder(const fs::path& folder, LoadedPresets& loaded)
{
    Presets& presets = loaded.presets;
    std::vector<Error>& errors = loaded.errors;
    loadSources(folder, loaded);
    PresetContext context{.sources = &presets.sources, .devices = {}, .kernels = {}};
    const auto with = [&](auto read) {
        return [&context, read](const std::string& text, const std::string& file) { return read(text, file, context); };
    };
    std::vector<FamilyPreset> families;
    loadFolder(folder / "kernels", families, errors, with(readKernelFamily));
    for (FamilyPreset& family : families) {
        place(presets.kernels, std::move(family.family));
        place(presets.familyKernels, std::move(family.kernels));
    }
    context.kernels = presets.kernels;
    loadFolder(folder / "devices", presets.devices, errors, with(readDevice));
    context.devices = presets.devices;
    loadFolder(folder / "systems", presets.systems, errors, with(readSystem));
    loadFolder(folder / "engines", presets.engines, errors, with(readEngine));
    loadFolder(folder / "prices", presets.prices, errors, with(readPrice));
    loadFolder(folder / "networks", presets.networks, errors, readNetwork);
    loadFolder(folder / "calibrations", presets.calibrations, errors,
               [&](const std::string& text, const std::string& file) { return readSummary(text, file, context, presets); });
}

/// A name may stand for one thing only, or a measurement joins the wrong one.
template <typename T>
void reportSharedNames(std::string_view kind, const std::vector<T>& values, std::vector<Error>& errors)
{
    std::map<std::string, std::string> owners;
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> shared;
    for (const T& value : values) {
        std::set<std::string> names(value.aliases.begin(), value.aliases.end());
        names.insert(value.id);
        for (const std::string& name : names) {
            const auto [owner, isNew] = owners.emplace(name, value.id);
            if (!isNew && owner->second != value.id)
                shared[{owner->second, value.id}].push_back(name);
        }
    }
    for (const auto& [both, names] : shared)
        errors.push_back(fileError({}, fmt::format("the {}s {} and {} share the name{} \"{}\"; keep {} in one", kind,
                                                   both.first, both.second, names.size() == 1 ? "" : "s",
                                                   fmt::join(names, "\", \""), names.size() == 1 ? "it" : "each")));
}

System systemOfOne(const Device& device)
{
    System system;
    system.id = device.id;
    system.name = device.name;
    system.device = device;
    return system;
}

/// What a family says nothing of is as in the general one.
void completeFamilies(Presets& presets)
{
    const auto general = std::find_if(presets.kernels.begin(), presets.kernels.end(),
                                      [](const KernelFamily& family) { return family.id == "default"; });
    if (general == presets.kernels.end())
        return;
    for (KernelFamily& family : presets.kernels)
        for (const OperatorCalibration& own : presets.familyKernels)
            if (own.id == family.id && family.id != general->id)
                for (const KernelSlot& slot : kernelSlots())
                    if (!find(own, slot.name, {}))
                        place(family, slot.name, *kernelOf(*general, slot.name));
}

/// Devices and systems hold what is there after all folders are read; a device that no system holds becomes one of its
/// own.
void joinSystems(Presets& presets)
{
    completeFamilies(presets);
    for (Device& device : presets.devices) {
        for (const KernelFamily& family : presets.kernels)
            if (family.id == device.kernels.id)
                device.kernels = family;
        for (const OperatorCalibration& operators : presets.deviceKernels)
            if (operators.device == device.id)
                apply(operators, device);
    }
    std::set<std::string> held;
    for (System& system : presets.systems) {
        held.insert(system.device.id);
        for (const Device& device : presets.devices)
            if (device.id == system.device.id)
                system.device = device;
    }
    for (const Device& device : presets.devices)
        if (!held.contains(device.id))
            place(presets.systems, systemOfOne(device));
}

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

} // namespace

LoadedPresets loadPresets(const std::vector<fs::path>& folders)
{
    LoadedPresets loaded;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        std::error_code code;
        if (fs::is_directory(folders[i], code))
            loadOneFolder(folders[i], loaded);
        else if (i == 0)
            loaded.errors.push_back(fileError(folders[i], "there is no preset folder here; set RIDGEPOINT_PRESETS to "
                                                          "the folder that holds sources.yaml"));
    }
    joinSystems(loaded.presets);
    reportSharedNames("device", loaded.presets.devices, loaded.errors);
    reportSharedNames("system", loaded.presets.systems, loaded.errors);
    reportSharedNames("network", loaded.presets.networks, loaded.errors);
    reportSharedNames("engine", loaded.presets.engines, loaded.errors);
    return loaded;
}

fs::path shippedPresetFolder(const fs::path& programFolder)
{
    if (const std::string chosen = environment("RIDGEPOINT_PRESETS"); !chosen.empty())
        return chosen;
    std::error_code code;
    const fs::path start = fs::weakly_canonical(programFolder, code);
    fs::path installed = (start / ".." / "share" / "ridgepoint" / "presets").lexically_normal();
    if (fs::exists(installed / "sources.yaml", code))
        return installed;
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
        if (fs::exists(folder / "presets" / "sources.yaml", code))
            return folder / "presets";
        if (folder == folder.root_path())
            break;
    }
    return installed;
}

fs::path userPresetFolder()
{
    if (const std::string data = environment("XDG_DATA_HOME"); !data.empty() && fs::path(data).is_absolute())
        return fs::path(data) / "ridgepoint" / "presets";
    const std::string home = environment("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".local" / "share" / "ridgepoint" / "presets";
}

} // namespace ridgepoint
