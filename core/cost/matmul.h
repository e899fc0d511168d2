// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"

namespace ridgepoint {

struct MatmulShape
{
    double m = 0, n = 0, k = 0;      ///< [m, k] x [k, n]
    double inputBytes = 2;           ///< per element of the left matrix as the product reads it
    double weightBytes = 2;          ///< per element of the right matrix
    double outputBytes = 2;
    double quantizePassBytes = 0;    ///< per input element, of a separate pass that quantises it; 0: none
};

/// Time of a dense matrix product under the tile-and-wave model.
///
///     t = launch + q m k / (e_q W) + min over tiles (Tm, Tn) and splits S of
///             [ (waves (k_S kappa + c))^p + (B / (e_m W))^p ]^(1/p) + (S > 1 ? r + 8 S m n / (2 W) : 0)
///     kappa = max( 2 Tm Tn / (e_c P / units), (min(m, Tm) a + min(n, Tn) w) / L )
///     waves = max(1, x + phi (ceil(x) - x)),  x = ceil(m/Tm) ceil(n/Tn) S / units
///
/// shape    of one device; B = w n k + a m k + o m n [B]
/// kernel   efficiencies relative to the data sheet; L = coreLoad x bf16 peak / units [B/s]
/// peak     of the arithmetic in use [FLOP/s]
/// returns  time [s] and its terms
/// ignores  hits in the last-level cache between operators (a running model streams more than it holds), clock limits
/// source   opsData, form W of the operator analysis
[[nodiscard]] KernelCost matmulCost(const MatmulShape& shape, const MatmulKernel& kernel, const Device& device,
                                    FlopRate peak);

} // namespace ridgepoint
