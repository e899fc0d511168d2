// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A CSV file with a header line, as text. Every row has as many cells as there are columns.
struct CsvTable
{
    std::string file;                            ///< what errors call it
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<int> lines;                      ///< line of the file on which each row begins, from 1
    std::map<std::string, std::size_t, std::less<>> position;   ///< column name -> index

    [[nodiscard]] bool has(std::string_view column) const;
    /// The cell without blanks at its ends; empty when the column is missing.
    [[nodiscard]] std::string_view text(std::size_t row, std::string_view column) const;
    /// The cell as a finite number; empty when it is none, or blank, or the column is missing.
    [[nodiscard]] std::optional<double> number(std::size_t row, std::string_view column) const;
};

/// Comma separated values by RFC 4180: quoted cells may hold commas, quotes (doubled) and line ends. LF or CRLF, a byte
/// order mark and empty lines are passed over.
///
/// file   what errors call it
/// fails  without a header, with an empty or doubled column name, a row of too many or too few cells, or an open quote
[[nodiscard]] Result<CsvTable> parseCsv(std::string_view text, const std::string& file);
[[nodiscard]] Result<CsvTable> readCsv(const std::filesystem::path& file);

/// A line of a CSV file with its line end; cells are quoted where they have to be.
[[nodiscard]] std::string csvLine(const std::vector<std::string>& cells);

} // namespace ridgepoint
