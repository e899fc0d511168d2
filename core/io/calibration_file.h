// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hardware/calibration.h"

#include <filesystem>
#include <string>

namespace ridgepoint {

inline constexpr int calibrationVersion = 1;

/// fails    for syntax, unknown keys or versions, and values that cannot be, with line and column and what would be right
[[nodiscard]] Result<Calibration> readCalibration(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeCalibration(const Calibration& calibration);
[[nodiscard]] Result<Calibration> loadCalibration(const std::filesystem::path& file);

/// Writes beside the target and renames; refuses what `readCalibration` would not read back.
[[nodiscard]] Result<void> saveCalibration(const Calibration& calibration, const std::filesystem::path& file);

} // namespace ridgepoint
