// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/calibration_file.h"
#include "probes/common/probe.h"

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ridgepoint::probe {

/// When a measurement is long and steady enough.
struct StoppingRule
{
    double runSeconds = 5e-3;        ///< a run is made of as many passes as fill this
    double warmUpSeconds = 0.1;      ///< spent before the first run counts
    int minimumRepeats = 7;
    double spread = 0.02;            ///< enough when (third quartile - first quartile) / median is below
    double limitSeconds = 0.7;       ///< of one case; ends it even when unsteady, but never below three runs
};

[[nodiscard]] StoppingRule stoppingRule(bool quick);

struct Quartiles
{
    double low = 0, median = 0, high = 0;
};

/// Of at least one value, interpolated between neighbours.
[[nodiscard]] Quartiles quartiles(std::vector<double> values);

/// Warm-up, then runs until the rule is met.
///
/// returns  nothing when stopped before three runs, or when the memory cannot be had
[[nodiscard]] std::optional<CalibrationSample> measure(const Probe& probe, const Case& single, const StoppingRule& rule,
                                                       const std::atomic<bool>& stop);

/// Called before each case (`sample` null) and after it.
using Progress = std::function<void(int index, int count, std::string_view probe, const Case& single,
                                    const CalibrationSample* sample)>;

/// All cases of all probes that can run here; what was measured before a stop is kept.
[[nodiscard]] std::vector<CalibrationSample> runProbes(std::span<const Probe> probes, const Conditions& conditions,
                                                       const StoppingRule& rule, const std::atomic<bool>& stop,
                                                       const Progress& progress);

} // namespace ridgepoint::probe
