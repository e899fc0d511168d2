// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/system.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// Time of one instance of an operator on one device, by the model of its kind with the family's constants.
///
/// op       shape on this device
/// system   the device, its peaks and links
/// kernels  constants in use: the device family's, or `idealKernels()`
/// returns  time [s] and its terms
[[nodiscard]] KernelCost opCost(const Op& op, const System& system, const KernelFamily& kernels);

/// Peak of an arithmetic on a device. [FLOP/s] The lowering only asks for arithmetic the device has.
[[nodiscard]] FlopRate peakOf(const Device& device, Math math);

} // namespace ridgepoint
