// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cache_state.h"
#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// More experts a token than this are chosen by general kernels instead of a fused one.
inline constexpr double fewChoices = 10.0;

/// Time of a fused expert layer on one device, from router logits to the combined output.
///
///     t = launch + sum over both products of [ (A n k w/(e_m W))^p + (X k kappa + wave max(0, X - 1))^p ]^(1/p)
///             + c_a activation/W + c_e A + c_k m K + c_s m E + sorting m/(m + m_half) + (K > 10 ? manyChoices : 0)
///     X = [ (M ceil(n/128)/units)^s + 1 ]^(1/s),  kappa = max( 2 T 128/(e_c P/units), (128 w + T a)/(coreStream W/units) )
///     M = row tiles of all experts: A while an expert has at most one row, else max(A, L/T + A/2)
///     T = the smallest power of two not below L/A rows, between rowTile and largestTile
///     then times the residual of the shape, and never below the data sheet
///
/// op       m tokens that enter, n = I expert width on this device, k = H hidden, routedRows L and activeExperts A of this
///          device, routerExperts E and routerTopK K of the whole layer; the first product is I or 2 I (gated) wide
/// peak     P, of the arithmetic in use [FLOP/s]
/// cache    a repeated benchmark finds weights in the last-level cache
/// returns  time [s]
/// ignores  how unevenly the rows are spread over the experts of the device
/// source   opsData, form M of the operator analysis
[[nodiscard]] KernelCost mixtureCost(const Op& op, const MixtureKernel& kernel, const Device& device, FlopRate peak,
                                     const CacheState& cache = {});

} // namespace ridgepoint
