// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv_table.h"

#include "core/base/trimmed.h"
#include "core/io/text_file.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

Error at(const std::string& file, int line, std::string message)
{
    Error error;
    error.message = std::move(message);
    error.file = file;
    error.line = line;
    return error;
}

/// Takes one record after the other out of a text.
struct Records
{
    std::string_view text;
    std::size_t next = 0;
    int line = 1;

    [[nodiscard]] bool atEnd() const { return next >= text.size(); }

    /// The cells of the next record; empty when a quote is not closed.
    std::optional<std::vector<std::string>> take()
    {
        std::vector<std::string> cells(1);
        bool quoted = false;
        while (next < text.size()) {
            const char c = text[next++];
            if (c == '\n')
                ++line;
            if (quoted) {
                if (c != '"')
                    cells.back() += c;
                else if (next < text.size() && text[next] == '"')
                    cells.back() += text[next++];
                else
                    quoted = false;
            } else if (c == '"' && cells.back().empty()) {
                quoted = true;
            } else if (c == ',') {
                cells.emplace_back();
            } else if (c == '\n') {
                break;
            } else if (c != '\r' || (next < text.size() && text[next] != '\n')) {
                cells.back() += c;
            }
        }
        if (quoted)
            return {};
        return cells;
    }
};

} // namespace

bool CsvTable::has(std::string_view column) const
{
    return position.find(column) != position.end();
}

std::string_view CsvTable::text(std::size_t row, std::string_view column) const
{
    const auto found = position.find(column);
    return found == position.end() ? std::string_view() : trimmed(rows[row][found->second]);
}

std::optional<double> CsvTable::number(std::size_t row, std::string_view column) const
{
    const std::string_view cell = text(row, column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty() || error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        return {};
    return value;
}

Result<CsvTable> parseCsv(std::string_view text, const std::string& file)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    CsvTable table;
    table.file = file;
    Records records{text};
    while (!records.atEnd()) {
        const int line = records.line;
        std::optional<std::vector<std::string>> cells = records.take();
        if (!cells)
            return fail(at(file, line, "a quoted cell that begins here is not closed; a quote inside one is doubled"));
        if (cells->size() == 1 && trimmed(cells->front()).empty())
            continue;
        if (table.columns.empty()) {
            for (const std::string& cell : *cells) {
                const std::string name(trimmed(cell));
                if (name.empty())
                    return fail(at(file, line, fmt::format("column {} has no name", table.columns.size() + 1)));
                if (!table.position.emplace(name, table.columns.size()).second)
                    return fail(at(file, line, fmt::format("there are two columns called \"{}\"", name)));
                table.columns.push_back(name);
            }
            continue;
        }
        if (cells->size() != table.columns.size())
            return fail(at(file, line, fmt::format("the row has {} cells where the header has {}", cells->size(),
                                                   table.columns.size())));
        table.rows.push_back(std::move(*cells));
        table.lines.push_back(line);
    }
    if (table.columns.empty())
        return fail(at(file, 0, "the file is empty; its first line names the columns"));
    return table;
}

Result<CsvTable> readCsv(const std::filesystem::path& file)
{
    return readTextFile(file).and_then([&](const std::string& text) { return parseCsv(text, file.string()); });
}

std::string csvLine(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line += i == 0 ? "" : ",";
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i])
            line.append(c == '"' ? 2 : 1, c);
        line += '"';
    }
    return line + "\r\n";
}

} // namespace ridgepoint
