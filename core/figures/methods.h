// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace ridgepoint {

/// How a figure comes to what it shows, for a reader who wants to check it.
struct Method
{
    std::string_view figure;     ///< id in the catalogue
    std::string_view reads;      ///< how to read it
    std::string_view formula;
    std::string_view leftOut;
    std::string_view bands;      ///< where its bands come from, or why it has none
    std::string_view sources;    ///< keys of sources.yaml, with commas between
};

[[nodiscard]] std::span<const Method> methods();
[[nodiscard]] const Method* findMethod(std::string_view figure);   ///< null when there is none

} // namespace ridgepoint
