// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/comparison.h"
#include "core/scenario/metrics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ridgepoint {

/// How often each configuration takes each place when the unknowns vary.
struct Odds
{
    std::vector<std::size_t> columns;             ///< that take part: feasible, with a value and a band
    std::vector<std::vector<double>> places;      ///< by column as listed, then by place, best first; each row adds up to 1
    std::vector<std::size_t> leftOut;             ///< infeasible, or of unknown band
    int draws = 0;
    bool operator==(const Odds&) const = default;
};

/// Draws the errors of all configurations at once and counts the places.
///
///     ln x_i = ln v_i + e_i,  e_i = engine error + transfer error + queueing error
///
/// Errors are normal, with the parts that `chanceOfLead` takes as shared drawn once: the transfer error by device, half
/// the variance of the engine error by device, engine and network. Equal arguments give equal bits.
///
/// fails    never; nothing takes part when all are left out
[[nodiscard]] Odds rankOdds(std::span<const Evaluated> configurations, const Metric& metric, int draws = 2000,
                            std::uint64_t seed = 1);

} // namespace ridgepoint
