// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"
#include "core/validation/accuracy.h"

#include <map>
#include <string>
#include <vector>

namespace ridgepoint {

/// What the engine profiles add to the operators: few numbers, each with a meaning.
struct ServingConstants
{
    double host = 0;                  ///< [s] host work exposed in every step of any engine
    double separateHost = 0;          ///< [s] more of it where prompts have steps of their own
    double prefillKernel = 0;         ///< [s] for each kernel of a step that holds prompts: it is launched one by one
    std::map<std::string, double> firstToken;   ///< [s] by engine: handling of a request until its first token is streamed
};

/// Errors of one way of splitting the rows, TPOT and TTFT; TTFT only over rows whose lengths were recorded.
struct SplitAccuracy
{
    std::string name;
    Accuracy tpot, ttft;
    double tpotSpread = 0, ttftSpread = 0;   ///< standard deviation of log(measured / predicted)
};

/// A constant and the range it takes when one network or one device is left out.
struct ConstantRange
{
    std::string name;
    double value = 0, low = 0, high = 0;     ///< [s]
};

struct ServingCalibration
{
    ServingConstants constants;
    std::vector<ConstantRange> ranges;
    std::vector<SplitAccuracy> splits;       ///< in-sample, folds, leave-outs and what was never fitted
    std::vector<std::pair<std::string, SplitAccuracy>> engines;   ///< out of fold, for the bands of the profiles
};

/// Fits the constants of the engine profiles to measured runs, and says how far off predictions are on rows they were not
/// fitted on.
///
/// Fitted are aggregated runs that no flag excludes (tiers A and B, or all without that column), by the least sum of
/// |log(predicted / measured)| over TPOT, and over TTFT with half the weight where lengths were recorded. Times are taken as linear
/// in the constants around the presets, which they are within what the constants move.
///
/// fails    when a column that is needed is missing, a cell of one is not a number, or fewer than 30 runs can be predicted;
///          a message names the column, the line, or the commonest reason
/// source   e2eData, serving analysis §4
[[nodiscard]] Result<ServingCalibration> calibrateServing(const CsvTable& table, const Presets& presets);

} // namespace ridgepoint
