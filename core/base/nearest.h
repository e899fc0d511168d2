// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// The candidate that differs from `text` by the fewest characters, empty when all differ by much.
[[nodiscard]] std::string nearest(std::string_view text, const std::vector<std::string>& candidates);

} // namespace ridgepoint
