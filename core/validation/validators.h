// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"
#include "core/validation/prediction.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Predicts what a kind of file holds measurements of, row by row. Measured columns are copied to
/// `Prediction::measured` and read for nothing else; they may be missing.
struct Validator
{
    std::string_view id;       ///< "operators", "serving", "memory" or "speed"
    std::string_view what;     ///< one line for a list
    Result<std::vector<Prediction>> (*predict)(const CsvTable& table, const Presets& presets,
                                               const ValidationOptions& options);
};

[[nodiscard]] std::span<const Validator> validators();

/// Columns id, quantity, unit, predicted, low80, high80, provenance, reason: a line per row and quantity.
[[nodiscard]] std::string predictionsCsv(std::span<const Prediction> predictions);

} // namespace ridgepoint
