// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"
#include "core/validation/prediction.h"

#include <vector>

namespace ridgepoint {

/// Predicts mean TTFT, mean TPOT and output throughput of every run of a file of serving benchmarks, by the simulation of
/// the engine's scheduler from the start of the run. A run with more in flight than fits is said to be saturated.
///
/// fails    when the file has none of the columns that a run needs
[[nodiscard]] Result<std::vector<Prediction>> predictServing(const CsvTable& table, const Presets& presets,
                                                             const ValidationOptions& options);

} // namespace ridgepoint
