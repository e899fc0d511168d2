// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/csv_table.h"

#include <string>

namespace ridgepoint {

/// Whether a table can hold reports of memory: a network, a program, and a device or what was asked of it.
///
/// fails  naming the columns it needs, or when it has no rows
[[nodiscard]] Result<void> checkMemoryTable(const CsvTable& table);

/// What is wrong with a cell that a prediction reads, with file, line, column and what would be right; empty when all
/// can be what they say. An empty cell is right: it means "not stated".
[[nodiscard]] std::string wrongCell(const CsvTable& table, std::size_t row);

} // namespace ridgepoint
