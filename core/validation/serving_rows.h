// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/csv_table.h"
#include "core/scenario/preset_names.h"
#include "core/scenario/scenario.h"

#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

/// A benchmark run as a scenario, and how it is grouped in tables of accuracy.
struct ServingRow
{
    Scenario scenario;
    std::string configuration;   ///< all that was set but the concurrency: runs that differ in the load alone share it
    std::string deployment;      ///< network, precision, device and engine
    std::string date;            ///< of the run; empty when not recorded
    std::vector<std::pair<std::string, std::string>> groups;
};

/// Reads one row of a file with the columns of published serving benchmarks (system, backend, model, checkpoint, precision,
/// isl_tokens, attn_tp, moe_ep, …). Columns that are missing or blank take the engine's defaults and a plan of all devices
/// in one tensor-parallel group; columns with results are not looked at.
///
/// fails    for a device, network or engine that no preset has, and without lengths or concurrency, naming it
/// source   columns as in e2eData
[[nodiscard]] Result<ServingRow> servingRow(const CsvTable& table, std::size_t row, const Presets& presets,
                                            const PresetNames& names);

} // namespace ridgepoint
