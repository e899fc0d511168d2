// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// Shares of a time by where the constants of its operators come from; they sum to 1, or are all 0 without operators.
struct Basis
{
    double measured = 0;   ///< fitted to measurements of the very device
    double family = 0;     ///< of its siblings
    double general = 0;    ///< medians of everything that was measured
};
[[nodiscard]] Basis basisOf(const std::vector<OpTime>& ops);

/// Where less than this share was measured, it is said how much was.
inline constexpr double nearlyAll = 0.95;

/// What the times of a feasible configuration rest on: "Calibrated", "Calibrated 83 %" where operators that were not
/// measured take a part of a decode step that shows, "Family curve", "Default", "Data sheet".
[[nodiscard]] std::string basisBadge(const Report& report);

/// Why it has that badge, and what it does to the band, in one or two sentences.
[[nodiscard]] std::string basisText(const Evaluated& column);

/// Of one kind of step: "93 % of the time rests on kernels measured on H100 SXM, 7 % on those of its family"; empty where
/// nothing is known by operator.
[[nodiscard]] std::string basisText(const Evaluated& column, const std::vector<OpTime>& ops);

} // namespace ridgepoint
