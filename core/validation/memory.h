// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/memory_row.h"
#include "core/validation/validators.h"

#include <span>

namespace ridgepoint {

/// Predictions for reports of memory, told apart by their columns: start-ups of engines (`kv_capacity_tokens` or
/// `max_model_len_tokens` with `engine`) and configurations that fitted or did not (`outcome` or `framework`).
///
/// Start-ups: kv_capacity [tokens], kv_pool, weights, activations [GiB], of llama.cpp kv_cache [GiB] and compute [MiB].
/// Fits: fits [0/1], and peak_memory [GiB] where a program does not take what it finds.
///
/// options.table  "layout" predicts the tokens a pool of the size in kv_cache_GiB_per_gpu holds, to check the layout alone
/// source         fieldMemory
[[nodiscard]] Result<std::vector<Prediction>> predictMemory(const CsvTable& table, const Presets& presets,
                                                            const ValidationOptions& options);

/// The parts of `predictMemory`, a row each.
[[nodiscard]] std::vector<Prediction> predictStartUp(const CsvTable& table, const MemoryRow& row);
[[nodiscard]] std::vector<Prediction> predictLayout(const CsvTable& table, const MemoryRow& row);
[[nodiscard]] std::vector<Prediction> predictFit(const CsvTable& table, const MemoryRow& row);
[[nodiscard]] std::vector<Prediction> predictFineTune(const CsvTable& table, const MemoryRow& row);

/// A prediction of a row with its groups and measurement; without value yet.
[[nodiscard]] Prediction begunPrediction(const MemoryRow& row, std::string quantity, std::string unit,
                                         std::optional<double> measured);

/// A verdict from the memory that is left: below 0 it does not fit, within the uncertainty it is tight.
[[nodiscard]] Prediction fitsPrediction(const CsvTable& table, const MemoryRow& row, Bytes headroom, Bytes uncertainty,
                                        std::string_view binding);

} // namespace ridgepoint
