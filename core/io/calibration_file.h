// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint {

/// One measured value.
struct CalibrationSample
{
    std::string probe;        ///< such as "stream_triad"
    std::string shape;        ///< such as "bytes=268435456 threads=2"
    double value = 0;         ///< median
    double low = 0, high = 0; ///< first and third quartile
    int repeats = 0;
    std::string unit;         ///< "B/s", "FLOP/s" or "s"
    bool operator==(const CalibrationSample&) const = default;
};

/// What a probe writes and the core reads.
struct Calibration
{
    std::string id;
    std::string machine;      ///< processor name
    std::string conditions;   ///< what else the values hang on: caches, clock governor, kernels; may be empty
    std::string date;         ///< ISO 8601, a day or a UTC time
    std::string program;      ///< probe and version
    int units = 0;            ///< cores used
    double peakFlops = 0;     ///< FLOP/s that fractions are relative to; 0 when unknown
    std::vector<CalibrationSample> samples;
    bool operator==(const Calibration&) const = default;
};

inline constexpr int calibrationVersion = 1;

/// fails    for syntax, unknown keys or versions, and values that cannot be, with line and column and what would be right
[[nodiscard]] Result<Calibration> readCalibration(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeCalibration(const Calibration& calibration);
[[nodiscard]] Result<Calibration> loadCalibration(const std::filesystem::path& file);

/// Writes beside the target and renames; refuses what `readCalibration` would not read back.
[[nodiscard]] Result<void> saveCalibration(const Calibration& calibration, const std::filesystem::path& file);

} // namespace ridgepoint
