// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibration/operator_row.h"
#include "core/validation/prediction.h"

#include <functional>
#include <string>
#include <vector>

namespace ridgepoint {

/// Median and mean of |predicted / measured - 1|, and how often the 80 % band holds the measurement.
struct FitError
{
    int rows = 0;
    double median = 0.0, mean = 0.0;
    double coverage = 0.0;   ///< of bands from the errors of other folds, or other devices
    double width = 0.0;      ///< median of (high - low) / predicted
};

/// How well the rows of one device, slot and implementation are reproduced.
struct CalibrationGroup
{
    std::string table, device, slot, implementation;
    int rows = 0;
    FitError form;          ///< constants alone, rows left out by fold
    FitError best;          ///< constants and residual, rows left out by fold
    FitError near;          ///< as best, but single rows left out
    FitError deviceLeftOut; ///< constants of the other devices of the family; no rows: it has no sibling
    bool hasResidual = false;
};

/// Quantities of `CalibrationOutcome::predictions`.
inline constexpr std::string_view foldsLeftOut = "folds left out";
inline constexpr std::string_view rowsLeftOut = "rows left out";
inline constexpr std::string_view deviceLeftOut = "device left out";

struct CalibrationOutcome
{
    std::vector<OperatorCalibration> devices;    ///< peaks and kernels; date and source are the caller's
    std::vector<OperatorCalibration> families;   ///< by id of the family, "default" among them
    std::vector<CalibrationGroup> groups;
    std::vector<Prediction> predictions;         ///< of every row when it was left out, with bands from others
};

/// Fits the constants of every device, family and in general.
///
///     device    start: the best of the choices of the table, on some of the rows; then all constants on up to 1500 rows,
///               drawn to the pooled constants; then the residual grid, where it helps rows that are left out
///     family    constants of all its devices together, each row on its own data sheet
///     default   as a family of all devices
///     errors    five folds by fold key; for a family the device left out
///
/// table     which one the rows are of
/// base      where fits start: constants of the shipped default family
/// progress  called with the name of each group
/// returns   the same for the same arguments
[[nodiscard]] CalibrationOutcome calibrate(const OperatorTable& table, const std::vector<OperatorRow>& rows,
                                           const KernelFamily& base,
                                           const std::function<void(const std::string&)>& progress);

/// Puts the kernels of one outcome beside those of another: tables are fitted one by one.
void merge(CalibrationOutcome& into, CalibrationOutcome from);

} // namespace ridgepoint
