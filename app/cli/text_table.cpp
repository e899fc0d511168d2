// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ridgepoint::app {

namespace {

constexpr std::size_t gapWidth = 2;   // between columns

bool isHeading(const std::vector<std::string>& row)
{
    return row.size() < 2;
}

struct CharacterRange
{
    char32_t first, last;
};

template <std::size_t count>
bool isIn(const std::array<CharacterRange, count>& ranges, char32_t character)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const CharacterRange& range) {
        return character >= range.first && character <= range.last;
    });
}

std::size_t columnsOf(char32_t character)
{
    // Combining marks, joiners and variation selectors; then scripts that terminals draw twice as wide.
    static constexpr std::array none{CharacterRange{0x300, 0x36F}, CharacterRange{0x200B, 0x200F},
                                     CharacterRange{0xFE00, 0xFE0F}};
    static constexpr std::array wide{CharacterRange{0x1100, 0x115F},   CharacterRange{0x2E80, 0xA4CF},
                                     CharacterRange{0xAC00, 0xD7A3},   CharacterRange{0xF900, 0xFAFF},
                                     CharacterRange{0xFE30, 0xFE6F},   CharacterRange{0xFF00, 0xFF60},
                                     CharacterRange{0xFFE0, 0xFFE6},   CharacterRange{0x1F300, 0x1FAFF},
                                     CharacterRange{0x20000, 0x3FFFD}};
    return isIn(none, character) ? 0 : isIn(wide, character) ? 2 : 1;
}

void trimEnd(std::string& line)
{
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
}

} // namespace

std::string withoutControls(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool isHigh = byte == 0xC2u && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0u;
        i += isHigh ? 1 : 0;   // U+0080 to U+009F, which old terminals obey as well
        result += isHigh || byte < 0x20u || byte == 0x7Fu ? ' ' : text[i];
    }
    return result;
}

std::size_t widthOf(std::string_view text)
{
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0xC0u ? 1u : first < 0xE0u ? 2u : first < 0xF0u ? 3u : 4u;
        char32_t character = length == 1 ? first : first & (0xFFu >> (length + 1));
        for (std::size_t next = i + 1; next < std::min(i + length, text.size()); ++next)
            character = (character << 6) | (static_cast<unsigned char>(text[next]) & 0x3Fu);
        width += columnsOf(character);
        i += length;
    }
    return width;
}

std::string shortened(std::string_view text, std::size_t width)
{
    if (width < 3 || widthOf(text) <= width)
        return std::string(text);
    // Places where a character begins, so that none is cut in two.
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u)
            begins.push_back(i);
    begins.push_back(text.size());
    std::size_t head = 0;
    while (widthOf(text.substr(0, begins[head + 1])) <= (width - 1) / 2)
        ++head;
    const std::size_t rest = width - 1 - widthOf(text.substr(0, begins[head]));
    std::size_t tail = begins.size() - 1;
    while (widthOf(text.substr(begins[tail - 1])) <= rest)
        --tail;
    return std::string(text.substr(0, begins[head])) + "\u2026" + std::string(text.substr(begins[tail]));
}

std::vector<TextTable> stacked(const TextTable& table, std::size_t width)
{
    std::vector<std::size_t> widths(table.header.size(), 0);
    const auto measure = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; !isHeading(row) && i < std::min(row.size(), widths.size()); ++i)
            widths[i] = std::max(widths[i], widthOf(withoutControls(row[i])));
    };
    measure(table.header);
    for (const std::vector<std::string>& row : table.rows)
        measure(row);

    std::vector<TextTable> parts;
    for (std::size_t first = 1; first < widths.size();) {
        std::size_t last = first, used = widths[0];
        do
            used += gapWidth + widths[last++];
        while (last < widths.size() && used + gapWidth + widths[last] <= width);
        const auto cut = [&](const std::vector<std::string>& row) {
            if (isHeading(row))
                return row;
            std::vector<std::string> cells{row[0]};
            cells.insert(cells.end(), row.begin() + std::ptrdiff_t(first),
                         row.begin() + std::ptrdiff_t(std::min(last, row.size())));
            return cells;
        };
        TextTable part{cut(table.header), {}, {}};
        for (const std::vector<std::string>& row : table.rows)
            part.rows.push_back(cut(row));
        parts.push_back(std::move(part));
        first = last;
    }
    return parts.empty() ? std::vector{table} : parts;
}

std::size_t terminalWidth()
{
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char* columns = std::getenv("COLUMNS");
    const unsigned long chosen = columns != nullptr ? std::strtoul(columns, nullptr, 10) : 0;
    return chosen > 0 && chosen < unlimited ? chosen : unlimited;
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths;
    const auto measure = [&](const std::vector<std::string>& row) {
        if (isHeading(row))
            return;
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(withoutControls(row[i])));
    };
    measure(header);
    for (const std::vector<std::string>& row : rows)
        measure(row);

    std::string result;
    const auto print = [&](const std::vector<std::string>& cells) {
        std::vector<std::string> row;
        for (const std::string& cell : cells)
            row.push_back(withoutControls(cell));
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool isLeft = i < left.size() ? left[i] : i == 0;
            const std::string gap(isHeading(row) ? 0 : widths[i] - widthOf(row[i]), ' ');
            if (i > 0)
                line += std::string(gapWidth, ' ');
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
    const std::string clean = withoutControls(text);
    text = clean;
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
