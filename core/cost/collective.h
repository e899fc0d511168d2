// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/system.h"

namespace ridgepoint {

/// One collective operation of one library.
///
///     t = [ (fixed + perDevice n)^p + (V / (e g^(log2 n - 1) B))^p ]^(1/p), times the residual of (message, n)
///
/// volume     V that every device sends and receives [B], such as 2 (n-1)/n of the message of an all-reduce
/// message    as the caller counts it [B]
/// bandwidth  B of the group, one way [B/s]
/// benchmark  a measurement is reproduced: what the data sheet of the link allows is no bound
/// returns    time [s]; launch holds the latency, memory the bytes
/// ignores    overlap with compute
/// source     opsData, smooth form of the operator analysis; thakur2005 for the volumes
[[nodiscard]] KernelCost collectiveCost(double volume, Bytes message, int group, Bandwidth bandwidth,
                                        const CollectiveKernel& kernel, bool benchmark = false);

/// All-reduce of `message` bytes over `group` devices: the faster of the library's general one and, inside a node, the
/// direct kernels of a captured graph. Zero for a group of one and for free links.
[[nodiscard]] KernelCost allReduceCost(Bytes message, int group, const System& system, const KernelFamily& kernels);

/// All-gather of `message` bytes (the gathered size) over `group` devices: half the volume of an all-reduce.
[[nodiscard]] KernelCost allGatherCost(Bytes message, int group, const System& system, const KernelFamily& kernels);

/// One message from a device to the next pipeline stage.
[[nodiscard]] KernelCost sendCost(Bytes message, bool acrossNodes, const System& system,
                                  const CollectiveKernel& kernel);

} // namespace ridgepoint
