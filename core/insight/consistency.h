// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// An equation between shown numbers, and its two sides.
struct Equation
{
    std::string text;         ///< "input and output tokens/s = requests/s × (input + output tokens)"
    double left = 0;
    double right = 0;
    bool operator==(const Equation&) const = default;
};

/// Every equation that the numbers of a result have to obey: parts add up to their totals, counts and rates multiply out.
/// An infeasible result has those of its plan and memory only.
[[nodiscard]] std::vector<Equation> equationsOf(const Evaluated& configuration);

/// Relative difference that is put down to rounding.
inline constexpr double roundingError = 1e-9;

/// The equations that do not hold; a number that is no number breaks its equation. Empty when all do.
[[nodiscard]] std::vector<Equation> brokenEquations(const Evaluated& configuration);

} // namespace ridgepoint
