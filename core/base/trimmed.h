// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ridgepoint {

/// Text without blanks and line ends around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace ridgepoint
