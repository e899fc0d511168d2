// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include "core/base/result.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint {

/// What a project file holds: the configurations of a board. On disk each is preset ids plus the knobs that differ from
/// what the presets give; networks that no shipped preset holds are embedded whole.
struct Project
{
    std::vector<Scenario> configurations;    ///< 1 to 8
    std::size_t baseline = 0;
    Definitions definitions = {};            ///< that the numbers are shown in
    bool operator==(const Project&) const = default;
};

inline constexpr int projectVersion = 1;
inline constexpr std::size_t maximumConfigurations = 8;

[[nodiscard]] Result<Project> readProject(const std::string& text, const std::string& file, const Presets& presets);
[[nodiscard]] std::string writeProject(const Project& project, const Presets& presets);
[[nodiscard]] Result<Project> loadProject(const std::filesystem::path& file, const Presets& presets);

/// Writes beside the target and renames: a failure leaves the old file whole.
[[nodiscard]] Result<void> saveProject(const Project& project, const std::filesystem::path& file, const Presets& presets);

} // namespace ridgepoint
