// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cache_state.h"
#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// An absorbed product of latent attention: for each head, all rows times one small matrix.
///
///     t = launch + [ (F_padded/(e_c P) + tile max(0, tiles/units - 1))^p + (B/(e_m W))^p ]^(1/p) + quantize q/W
///     F_padded = 2 heads ceil(m/r) r n k,  tiles = heads ceil(m/128) ceil(n/128)
///     then times the residual of the shape, and never below max(F/P, B/W)
///
/// op       m rows, n and k of one head, heads; weightBytes and activationBytes B
///          q = 3 m k heads bytes of the pass that quantises the input where weights have 8 bits
/// source   opsData, latent rows of section 7 of the operator analysis
[[nodiscard]] KernelCost absorbedProductCost(const Op& op, const LatentKernel& kernel, const Device& device,
                                             const CacheState& cache = {});

/// What has no model of its own: launch and a p-norm of the bytes and FLOPs of the operator.
///
/// peak     of the arithmetic in use [FLOP/s]
/// source   williams2009 with an overlap exponent
[[nodiscard]] KernelCost rooflineCost(const Op& op, const RooflineKernel& kernel, const Device& device, FlopRate peak);

} // namespace ridgepoint
