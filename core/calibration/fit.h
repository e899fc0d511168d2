// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibration/operator_row.h"

#include <span>
#include <vector>

namespace ridgepoint {

/// How constants are searched for.
struct FitSettings
{
    int iterations = 25;
    double pull = 0.05;   ///< weight of the prior: what one standard deviation away from it costs, in squared logs
};

/// Constants that reproduce measurements, by a bounded and robust Levenberg-Marquardt on log(predicted / measured).
///
///     minimise sum rho(log(predicted / measured)) + pull sum ((x - x_prior) / sigma)²
///     rho(r) = 2 d² (sqrt(1 + (r/d)²) - 1),  d = 0.08: squares for small residuals, absolute values for large ones
///     x = log of a constant with sigma = 0.5, or the constant itself with sigma = a quarter of its range
///
/// start    its choices (tile family) and fixed constants stay as they are; the residual grid is dropped
/// prior    of the same kind
/// rows     that can be predicted and have a measurement; each on its own device
/// source   marquardt1963 in form; the bounds are kept by clamping the step
/// returns  the same for the same arguments: nothing is random
[[nodiscard]] AnyKernel fitConstants(const AnyKernel& start, const AnyKernel& prior,
                                     std::span<const OperatorRow* const> rows, const FitSettings& settings);

/// Sum of rho over the rows, for choosing between starts.
[[nodiscard]] double fitCost(const AnyKernel& kernel, std::span<const OperatorRow* const> rows);

/// log(measured / predicted) of each row; 0 where the prediction is not a positive number.
[[nodiscard]] std::vector<double> logResiduals(const AnyKernel& kernel, std::span<const OperatorRow* const> rows);

/// A grid through residuals, smooth and drawn to zero where there are few rows.
///
///     minimise sum w (r - grid)² + lambda (second differences along each axis)² + mu grid²
///
/// residuals   of a kernel without grid, one a row
/// returns     null when there is only one knot
[[nodiscard]] SharedResidual fitResidual(const std::array<ResidualGrid::Axis, 3>& axes,
                                         std::span<const OperatorRow* const> rows, std::span<const double> residuals);

/// The kernel with a residual grid, for kinds that have one.
[[nodiscard]] AnyKernel withResidual(AnyKernel kernel, const SharedResidual& residual);

} // namespace ridgepoint
