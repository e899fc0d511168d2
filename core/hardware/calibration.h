// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hardware/device.h"

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

/// What a probe measured on one machine.
struct Calibration
{
    std::string id;
    std::string machine;      ///< processor name
    std::string conditions;   ///< what the values depend on: cores, caches, clock governor, kernels that ran
    std::string date;         ///< ISO
    std::string program;      ///< probe and version
    int units = 0;            ///< cores used
    double peakFlops = 0;     ///< FLOP/s that fractions are relative to; 0 when unknown
    double memory = 0;        ///< bytes that may be allotted; 0 when unknown
    std::vector<CalibrationSample> samples;
    bool operator==(const Calibration&) const = default;
};

/// The machine a calibration was measured on, as a device: its rates are the measured ones and nothing is lost on top.
///
///     bandwidth = the best STREAM triad with all cores on the largest arrays · fp32 peak = the best matrix product
///
/// fails    when the calibration holds no such samples
/// ignores  operators that were not measured run at those two rates; launches are not measured and cost nothing
[[nodiscard]] Result<Device> measuredDevice(const Calibration& calibration);

} // namespace ridgepoint
