// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::app {

/// A table of plain text: the first column and those marked left are aligned left, all others right.
struct TextTable
{
    std::vector<std::string> header;              ///< empty: none
    std::vector<bool> left;                       ///< by column; missing entries: only the first is left
    std::vector<std::vector<std::string>> rows;   ///< an empty row is an empty line, a row of one cell is a heading

    [[nodiscard]] std::string text() const;
};

/// The table in parts no wider than `width`, each with the first column and as many of the others as fit, at least one.
[[nodiscard]] std::vector<TextTable> stacked(const TextTable& table, std::size_t width);

/// Columns of the terminal that standard output goes to, or of $COLUMNS; the largest number when neither is known.
[[nodiscard]] std::size_t terminalWidth();

/// A text of others without characters that move the cursor or colour what follows; each becomes a space.
[[nodiscard]] std::string withoutControls(std::string_view text);

/// A text of at most `width` columns, with an ellipsis in the middle of what is longer: names differ at both ends.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// Columns a text takes on a terminal: not bytes, and two for the wide characters of East Asia and emoji.
[[nodiscard]] std::size_t widthOf(std::string_view text);

/// Lines of at most `width` columns, broken at spaces; each but the first begins with `indent`, the first as the text
/// does.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

} // namespace ridgepoint::app
