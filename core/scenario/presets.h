// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/economics/prices.h"
#include "core/hardware/operator_calibration.h"
#include "core/hardware/system.h"
#include "core/serving/engine_profile.h"
#include "core/workload/network.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

struct Source
{
    std::string key;
    std::string title;
    std::string url;
    std::string date;       ///< of the source, or of reading it
    std::string grade;      ///< A vendor, B cited, C unchecked
    std::string licence;    ///< empty for single facts
    bool operator==(const Source&) const = default;
};

/// What is known of a calibration file; the samples stay in the file.
struct CalibrationSummary
{
    std::string id;
    std::string machine;
    std::string date;
    std::string file;
    int samples = 0;
    bool operator==(const CalibrationSummary&) const = default;
};

/// Everything a scenario can be put together from, as plain values.
struct Presets
{
    std::vector<Device> devices;
    std::vector<System> systems;     ///< every device that no system holds is here as a system of one
    std::vector<Network> networks;
    std::vector<EngineProfile> engines;
    std::vector<Price> prices;
    std::vector<KernelFamily> kernels;
    std::vector<OperatorCalibration> familyKernels;    ///< of `kernels`, with those that only measurements have
    std::vector<OperatorCalibration> deviceKernels;    ///< what was measured of single devices; applied to `devices`
    std::vector<CalibrationSummary> calibrations;
    std::map<std::string, Source> sources;
    bool operator==(const Presets&) const = default;
};

// Each finds by id first, then by alias, then by name without regard to case, spaces and dashes; null when unknown.
[[nodiscard]] const Device* findDevice(const Presets& presets, std::string_view text);
[[nodiscard]] const System* findSystem(const Presets& presets, std::string_view text);
[[nodiscard]] const Network* findNetwork(const Presets& presets, std::string_view text);
[[nodiscard]] const EngineProfile* findEngine(const Presets& presets, std::string_view text);
[[nodiscard]] const Price* findPrice(const Presets& presets, std::string_view text);

/// Every device with the constants of its family: what it would get had it not been measured itself.
[[nodiscard]] Presets withoutCalibrations(Presets presets);

/// The cheapest verified price of a device, or null.
[[nodiscard]] const Price* cheapestPrice(const Presets& presets, std::string_view deviceId);

} // namespace ridgepoint
