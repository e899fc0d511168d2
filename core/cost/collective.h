// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/system.h"

namespace ridgepoint {

/// All-reduce of `message` bytes over `group` devices of one node; the library takes the faster of two algorithms.
///
///     ring    alpha_1 + alpha_2 n + 2 (n-1)/n M/(e_r B)
///     direct  beta_1 + beta_2 log2 n + 2 (n-1)/n M/(e_d B), kernels inside a captured graph, up to one node
///
/// returns  time [s]; zero for a group of one and for free links; launch holds the latency, memory the bytes
/// ignores  overlap with compute, in-switch reduction beyond what e_r holds
/// source   opsData, αβ form of the operator analysis; thakur2005
[[nodiscard]] KernelCost allReduceCost(Bytes message, int group, const System& system,
                                       const CollectiveKernel& kernel);

/// All-gather of `message` bytes (the gathered size) over `group` devices: half the volume of an all-reduce.
[[nodiscard]] KernelCost allGatherCost(Bytes message, int group, const System& system,
                                       const CollectiveKernel& kernel);

/// One message from a device to the next pipeline stage.
[[nodiscard]] KernelCost sendCost(Bytes message, bool acrossNodes, const System& system,
                                       const CollectiveKernel& kernel);

} // namespace ridgepoint
