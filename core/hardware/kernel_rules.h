// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/kernels.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// A constant of a kernel in a rule: where it stands in `kernelConstants` of the kernel's kind, and its value.
struct RuleConstant
{
    std::size_t constant = 0;
    double value = 0;              ///< [s] for times
    bool operator==(const RuleConstant&) const = default;
};

/// Where a serving engine runs another kernel than the one that was measured: bounds on its constants, or a set in place of
/// them. Rules are data of the engine profiles.
struct KernelRule
{
    std::size_t slot = 0;          ///< place in `kernelSlots`
    std::vector<std::string> families;   ///< ids of the device families it holds for; empty: all
    std::vector<RuleConstant> atMost, atLeast;
    std::vector<RuleConstant> set; ///< constants of another kernel; what was measured of shapes then no longer counts
    bool operator==(const KernelRule&) const = default;
};

/// The constants that an engine with these rules runs on.
void apply(const std::vector<KernelRule>& rules, KernelFamily& kernels);

} // namespace ridgepoint
