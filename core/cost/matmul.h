// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cache_state.h"
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
    double batch = 1;                ///< independent products of this shape in one kernel
};

/// Time of a dense matrix product under the tile-and-wave model.
///
///     t = launch + q m k / (e_q W) + min over tiles (Tm, Tn) and splits S of
///             [ (waves (k_S kappa + c))^p + (B / (e_m W))^p ]^(1/p) + (S > 1 ? r + 8 S m n / (2 W) : 0)
///     kappa = max( 2 Tm Tn / (e_c P / units), (min(m, Tm) a + min(n, Tn) w) / L )
///     waves = max(1, x + phi (ceil(x) - x)),  x = batch ceil(m/Tm) ceil(n/Tn) S / units
///     then times the residual of the shape, and never below max(F / P, B / W)
///
/// shape    of one device; B = batch (w n k + a m k + o m n) [B]
/// kernel   efficiencies relative to the data sheet; L = coreLoad x bf16 peak / units [B/s]
/// peak     of the arithmetic in use [FLOP/s]
/// returns  time [s] and its terms
/// cache    a repeated benchmark finds h B of its bytes at the rate of the cache, and may beat the data sheet by it
/// ignores  clock limits beyond what the residual holds
/// source   opsData, form W of the operator analysis
[[nodiscard]] KernelCost matmulCost(const MatmulShape& shape, const MatmulKernel& kernel, const Device& device,
                                    FlopRate peak, const CacheState& cache = {});

} // namespace ridgepoint
