// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"
#include "core/validation/prediction.h"

#include <vector>

namespace ridgepoint {

/// `latency` [us] of every row of a table of operator measurements.
///
/// kernel   of the slot and implementation of the row: what was measured on the device (unless calibration is off), else its
///          family, else the general one, else the kernel that stands nearest
/// band     80 %, from measurements that the constants were not fitted on, by what was left out for shapes like it; wider where
///          another library or way of timing has to stand in, and outside the shapes that were measured ("extrapolated")
/// fails    when the columns are those of no table, or of another than is named, and without rows
[[nodiscard]] Result<std::vector<Prediction>> predictOperators(const CsvTable& table, const Presets& presets,
                                                               const ValidationOptions& options);

} // namespace ridgepoint
