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
    // Eight of ten measurements lie between these multiples of the value.
    double low = 0.7, high = 1.4;             ///< of speeds
    double promptLow = 0.6, promptHigh = 1.5; ///< of speeds while reading
    double tpotLow = 0.7, tpotHigh = 1.4;     ///< of times
    double ttftLow = 0.6, ttftHigh = 1.6;
    std::string provenance = "family_default";
    std::string remark;
};

/// What of a row is worked out: fits come here many thousand times for one of its speeds.
enum class SpeedPart
{
    all, writing, reading
};

/// The speeds of a row.
///
/// One stream on an engine with kernels of its own: `localTimes`. As much as a system can do: `offlineThroughput`.
/// Everything else: `evaluate`, as in the window.
///
/// constants   of the roofline of saturated servers
[[nodiscard]] SpeedAnswer answerSpeed(const SpeedRow& row, const Presets& presets, const OfflineConstants& constants = {},
                                      SpeedPart part = SpeedPart::all);

/// Rows of published speeds, with the columns of a table like serving_speed.csv. What kind of speed a row holds follows from
/// its scenario, engine, lengths and load, never from its measured columns. Its main one is `throughput` in tokens/s: written
/// tokens; of a prompt those read; of one request as a whole both. Further, as far as the kind has them: `ttft` and `tpot` in
/// ms, `output_throughput`, `prompt_throughput` and `total_throughput` in tokens/s, `requests` in 1/s. Tokens read are
/// counted over the time of reading where one stream reads or writes, and over the whole run of a server.
[[nodiscard]] Result<std::vector<Prediction>> predictSpeed(const CsvTable& table, const Presets& presets,
                                                           const ValidationOptions& options);

} // namespace ridgepoint
