// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"

namespace ridgepoint {

/// Tokens that every device sends to the devices of their experts, or gets back from them.
struct ExchangeShape
{
    double tokens = 0;            ///< of one device
    double tokenBytes = 0;        ///< of one copy of a token
    double expertsPerToken = 1;
    double experts = 1;           ///< of all devices together
    double devices = 8;
    double nodes = 1;
    double units = 0;             ///< compute units given to communication; 0: not limited by them
    bool copyForEachExpert = true;   ///< low-latency kernels send a copy for each expert, the others one for each device
};

/// Expert-parallel dispatch or combination.
///
///     t = fixed + perDoubling log2 N + perExpert E/devices
///             + [ (V_link/(e_l B))^p + (V_net/(e_n B_net))^p + (V/(u B units))^p ]^(1/p), times the residual
///     a copy for each expert:  V = T b k,  V_net = V (1 - 1/N),  V_link = V/N
///     one for each device:     V = V_link = T b D(devices),  V_net = T b (D(N) - D(N)/N),  D(x) = x (1 - (1 - 1/x)^k)
///
/// device     scale-up bandwidth B, one way
/// network    B_net of a device between nodes
/// ignores    uneven experts: the slowest device waits longer; overlap with compute
/// source     opsData, expert exchange of the operator data; the two counts are those of the libraries' two kinds of kernel
[[nodiscard]] KernelCost exchangeCost(const ExchangeShape& shape, const ExchangeKernel& kernel, Bandwidth link,
                                      Bandwidth network);

} // namespace ridgepoint
