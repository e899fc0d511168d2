// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/prediction.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// What is asked of a kind of operator: the unweighted mean over its groups (device, dtype) of 30 rows and more of the median
/// and mean error. Smaller groups are told apart.
struct OperatorTarget
{
    std::string kind;              ///< such as "GEMM bf16"
    std::string part;              ///< which of its groups, such as "without GDDR"
    std::string quantity;          ///< what was left out
    double mostMedian = 0.0;       ///< 0: told, nothing is asked
    double mostMean = 0.0;
    std::size_t groups = 0;
    double median = 0.0, mean = 0.0;
    std::string worst;             ///< group with the largest median error
    double worstMedian = 0.0;

    [[nodiscard]] bool holds() const
    {
        return (mostMedian == 0.0 || median <= mostMedian) && (mostMean == 0.0 || mean <= mostMean);
    }
};

/// Errors of left-out rows as targets word them: groups on GDDR, of few rows, with a window, a head of 192 or by Triton stand apart.
///
/// predictions   of `CalibrationOutcome`, of any tables
/// returns       the targets that have groups
[[nodiscard]] std::vector<OperatorTarget> operatorTargets(std::span<const Prediction> predictions);

/// How often the 80 % band held the measurements of a group.
struct BandGroup
{
    std::string quantity, group;
    std::size_t rows = 0;
    double coverage = 0.0;
    double width = 0.0;   ///< median of (high - low) / predicted
};

inline constexpr std::size_t fewestBandRows = 30;

/// Groups of at least `fewestBandRows` rows: each value of each key in a table, each of them on each device, and each
/// (device, dtype, kernel).
[[nodiscard]] std::vector<BandGroup> bandGroups(std::span<const Prediction> predictions);

} // namespace ridgepoint
