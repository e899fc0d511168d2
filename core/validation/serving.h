// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"
#include "core/validation/prediction.h"

#include <vector>

namespace ridgepoint {

/// Predicts mean TTFT, mean TPOT and output throughput of every run of a file of serving benchmarks, by the simulation of
/// the engine's scheduler from the start of the run. A run with more in flight than fits is said to be saturated, one
/// that may be near capacity; the band of its TTFT spans the time with and without the wait. Every prediction has a band.
///
/// fails    when the file has none of the columns that a run needs
[[nodiscard]] Result<std::vector<Prediction>> predictServing(const CsvTable& table, const Presets& presets,
                                                             const ValidationOptions& options);

/// How well runs that queued were told from those that did not.
struct SaturationCalls
{
    std::size_t queued = 0;       ///< runs that the file flags so
    std::size_t recognised = 0;   ///< of those, said to be saturated or near capacity
    std::size_t inRange = 0;      ///< of those, with the measured TTFT in the range that is given
    std::size_t clean = 0;        ///< runs of tiers A and B
    std::size_t alarms = 0;       ///< of those, said to be saturated or near capacity
};

/// Scores `predictServing` by the columns flags and tier, which it does not read.
[[nodiscard]] SaturationCalls saturationCalls(const CsvTable& table, const std::vector<Prediction>& predictions);

} // namespace ridgepoint
