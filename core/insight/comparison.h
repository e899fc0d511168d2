// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// "A", "B", ... "H".
[[nodiscard]] std::string columnLetter(std::size_t index);

/// "A · 8 × H100 SXM": how figures and sentences call a configuration.
[[nodiscard]] std::string columnName(std::size_t index, const Scenario& scenario);

/// The cause that takes most of a breakdown.
[[nodiscard]] Cause bindingCause(const Breakdown& breakdown);

/// Feasible configurations, best first.
struct Ranking
{
    std::vector<std::size_t> order;
    bool byCost = false;         ///< by rent for an output token; false: by output per device, since some rent is unknown
};
[[nodiscard]] Ranking ranking(std::span<const Evaluated> configurations);

/// What the ranking compares of a feasible configuration: $ of all rent for a million output tokens,
/// or tokens/s per device.
[[nodiscard]] double scoreOf(const Evaluated& column, bool byCost);

} // namespace ridgepoint
