// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// Time of a fused expert layer, from router logits to the combined output.
///
///     t = launch + [ (2 R nm H I/(e_c P))^p + (A nm H I w/(e_m W))^p ]^(1/p) + c_a activation/W + c_e A
///
/// op       m tokens, n = I expert width on this device, k = H hidden, routedRows L, activeExperts A
///          R = rows after padding each expert to the row tile, max(A r, L + A r/2); nm = 3 gated, else 2
/// peak     of the arithmetic in use [FLOP/s]
/// ignores  routing skew beyond the distinct-expert count
/// source   opsData, form M of the operator analysis
[[nodiscard]] KernelCost mixtureCost(const Op& op, const MixtureKernel& kernel, const Device& device, FlopRate peak);

} // namespace ridgepoint
