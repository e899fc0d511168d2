// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"

#include <algorithm>

namespace ridgepoint::app {

namespace {

bool isHeading(const std::vector<std::string>& row)
{
    return row.size() < 2;
}

void trimEnd(std::string& line)
{
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
}

} // namespace

std::size_t widthOf(std::string_view text)
{
    // Every byte that does not continue a character begins one; what this program prints is one column wide each.
    return std::size_t(std::count_if(text.begin(), text.end(),
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths;
    const auto measure = [&](const std::vector<std::string>& row) {
        if (isHeading(row))
            return;
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    };
    measure(header);
    for (const std::vector<std::string>& row : rows)
        measure(row);

    std::string result;
    const auto print = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool isLeft = i < left.size() ? left[i] : i == 0;
            const std::string gap(isHeading(row) ? 0 : widths[i] - widthOf(row[i]), ' ');
            if (i > 0)
                line += "  ";
            line += isLeft ? row[i] + gap : gap + row[i];
        }
        trimEnd(line);
        result += line + "\n";
    };
    if (!header.empty())
        print(header);
    for (const std::vector<std::string>& row : rows)
        print(row);
    return result;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent)
{
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    std::string result, line(text.substr(0, start));
    text.remove_prefix(start);
    bool first = true;   // of the line
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, space);
        if (!first && widthOf(line) + 1 + widthOf(word) > width) {
            result += line + "\n";
            line = indent;
            first = true;
        }
        if (!first)
            line += ' ';
        line += word;
        first = false;
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return result + line;
}

} // namespace ridgepoint::app
