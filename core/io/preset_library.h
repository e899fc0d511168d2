// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/presets.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint {

/// What was read and what was not: one faulty file never takes the others away.
struct LoadedPresets
{
    Presets presets;
    std::vector<Error> errors;
};

/// Reads every preset below the folders; a later folder overrides an id of an earlier one.
///
/// folders  each with devices/ systems/ networks/ engines/ prices/ kernels/ calibrations/ and sources.yaml; what is
///          missing is skipped, a missing first folder is an error
[[nodiscard]] LoadedPresets loadPresets(const std::vector<std::filesystem::path>& folders);

/// The shipped folder: $RIDGEPOINT_PRESETS, else beside the program (../share/ridgepoint/presets), else the source tree.
[[nodiscard]] std::filesystem::path shippedPresetFolder(const std::filesystem::path& programFolder);

/// The user's own folder: $XDG_DATA_HOME/ridgepoint/presets or ~/.local/share/ridgepoint/presets.
[[nodiscard]] std::filesystem::path userPresetFolder();

// A network from and to YAML text; `file` is what errors call it, and its name without extension becomes the id.
// Reading what was written gives an equal network. The source is not looked up here.
[[nodiscard]] Result<Network> readNetwork(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeNetwork(const Network& network);

} // namespace ridgepoint
