// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/presets.h"
#include "core/serving/offline.h"
#include "core/validation/prediction.h"
#include "core/validation/speed_row.h"

#include <optional>
#include <vector>

namespace ridgepoint {

/// What is predicted of one row; what the row does not ask for may be empty.
struct SpeedAnswer
{
    std::string problem;                      ///< why there is nothing; empty when there is
    std::optional<double> output, input, total, perUser;   ///< tokens/s of the system, and output of one user
    std::optional<double> requests;           ///< 1/s
    std::optional<double> tpot, ttft;         ///< [s]
    double low = 0.7, high = 1.4;             ///< eight of ten measured speeds lie between these multiples
    double promptLow = 0.6, promptHigh = 1.5; ///< the same while reading
    std::string provenance = "family_default";
    std::string remark;
};

/// The speed a row asks for.
///
/// One stream on an engine with kernels of its own: `localTimes`. As much as a system can do: `offlineThroughput`.
/// Everything else: `evaluate`, as in the window.
///
/// constants   of the roofline of saturated servers
[[nodiscard]] SpeedAnswer answerSpeed(const SpeedRow& row, const Presets& presets, const OfflineConstants& constants = {});

/// Rows of published speeds, with the columns of a table like serving_speed.csv. Quantities: `throughput` and, where a row
/// holds both, `prompt_throughput` in tokens/s, `requests` in 1/s, `tpot` and `ttft` in ms.
[[nodiscard]] Result<std::vector<Prediction>> predictSpeed(const CsvTable& table, const Presets& presets,
                                                           const ValidationOptions& options);

} // namespace ridgepoint
