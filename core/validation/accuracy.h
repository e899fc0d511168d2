// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/prediction.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// How well predictions agree with measurements. Errors are |predicted / measured - 1|; a row that was not predicted
/// counts as an error of 1. Rows without a positive measurement are not counted.
struct Accuracy
{
    std::size_t count = 0;
    std::size_t unpredicted = 0;
    double mean = 0, median = 0, p90 = 0;
    double within5 = 0, within15 = 0;      ///< shares of rows whose error is at most 5 % and 15 %
    double bias = 0;                       ///< median of predicted / measured - 1 over predicted rows
    std::size_t banded = 0;                ///< predicted rows with a band
    std::optional<double> coverage;        ///< share of those whose measurement lies in the band
    std::optional<double> bandWidth;       ///< median of (high - low) / predicted over those
    bool operator==(const Accuracy&) const = default;
};

/// Of yes-or-no predictions (unit "0/1").
struct Verdicts
{
    std::size_t yes = 0, yesRight = 0;     ///< rows whose measurement is 1, and those predicted so
    std::size_t no = 0, noRight = 0;
    std::size_t unpredicted = 0;           ///< counted as wrong above
    bool operator==(const Verdicts&) const = default;
};

struct GroupAccuracy
{
    std::string key, name;                 ///< such as "device", "h100_sxm"
    Accuracy accuracy;
    Verdicts verdicts;
};

/// One quantity of a file.
struct QuantityAccuracy
{
    std::string quantity, unit;
    Accuracy overall;
    Verdicts verdicts;
    std::vector<GroupAccuracy> groups;     ///< by key in the order of first appearance, then by name
};

/// The unweighted mean over the groups of a key, and its worst group by median.
struct GroupMean
{
    std::string key;
    std::size_t groups = 0;
    double median = 0, mean = 0;
    std::string worst;
    double worstMedian = 0;
};

[[nodiscard]] Accuracy accuracyOf(std::span<const Prediction* const> predictions);
[[nodiscard]] Verdicts verdictsOf(std::span<const Prediction* const> predictions);

/// By quantity, in the order of first appearance. Quantities without any measurement are there with a count of 0.
[[nodiscard]] std::vector<QuantityAccuracy> accuracyByGroup(std::span<const Prediction> predictions);

/// A group whose 80 % bands hold too little or too much of what was measured.
struct MissedBand
{
    std::string quantity, key, name;       ///< key and name empty: all rows
    std::size_t banded = 0;
    double coverage = 0;
};

/// Groups of at least 30 rows with a band of which less than 65 % or more than 95 % lie in it.
[[nodiscard]] std::vector<MissedBand> missedBands(std::span<const QuantityAccuracy> quantities);

[[nodiscard]] std::vector<GroupMean> groupMeans(const QuantityAccuracy& accuracy);

} // namespace ridgepoint
