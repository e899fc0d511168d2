// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"
#include "core/serving/load.h"

#include <filesystem>
#include <vector>

namespace ridgepoint {

/// Requests of a CSV file: when each came, and how many tokens it read and wrote.
///
/// Columns, whatever their case: arrival_s, timestamp or arrival; input_tokens, contexttokens or request tokens;
/// output_tokens, generatedtokens or response tokens. A time is a number of seconds or "2023-11-16 18:15:46.68". Lines
/// are put in order of time, which then starts at 0. A request without output tokens is left out: it failed.
///
/// fails    when a column is missing, or a cell is no time or no count
[[nodiscard]] Result<std::vector<TracedRequest>> traceOf(const CsvTable& table);
[[nodiscard]] Result<std::vector<TracedRequest>> readTrace(const std::filesystem::path& file);

} // namespace ridgepoint
