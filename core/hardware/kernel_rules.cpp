// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernel_rules.h"

#include "core/hardware/kernel_constants.h"
#include "core/hardware/kernel_slots.h"

#include <algorithm>

namespace ridgepoint {

namespace {

template <typename Kernel>
void applyTo(Kernel& kernel, const KernelRule& rule)
{
    const auto constants = kernelConstants<Kernel>();
    for (const RuleConstant& one : rule.set)
        constants[one.constant].set(kernel, one.value);
    if constexpr (requires { kernel.residual; })
        if (!rule.set.empty())
            kernel.residual = {};
    for (const RuleConstant& one : rule.atMost)
        constants[one.constant].set(kernel, std::min(one.value, constants[one.constant].get(kernel)));
    for (const RuleConstant& one : rule.atLeast)
        constants[one.constant].set(kernel, std::max(one.value, constants[one.constant].get(kernel)));
}

} // namespace

void apply(const std::vector<KernelRule>& rules, KernelFamily& kernels)
{
    for (const KernelRule& rule : rules) {
        if (!rule.families.empty() &&
            std::find(rule.families.begin(), rule.families.end(), kernels.id) == rule.families.end())
            continue;
        std::visit([&](auto member) { applyTo(kernels.*member, rule); }, kernelSlots()[rule.slot].member);
    }
}

} // namespace ridgepoint
