// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/matmul.h"

namespace ridgepoint {

/// Norms, activations, copies and quantisation: every byte once.
///
///     t = launch + B (1-h)/(e_m W) + B h/(c W), times the residual of (rows, columns)
///
/// bytes    each input read once and each output written once [B]
/// cache    as for a matrix product; without it h = 0 and the time is at least B / W
/// source   opsData, operator analysis 7
[[nodiscard]] KernelCost streamCost(Bytes bytes, const StreamKernel& kernel, const Device& device,
                                    const CacheState& cache = {}, double rows = 0, double columns = 0);

} // namespace ridgepoint
