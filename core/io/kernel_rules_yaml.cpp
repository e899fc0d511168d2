// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/kernel_rules_yaml.h"

#include "core/base/unit_text.h"
#include "core/hardware/kernel_constants.h"
#include "core/hardware/kernel_slots.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

template <typename Kernel>
std::vector<RuleConstant> readConstants(YamlFields& rule, std::string_view key)
{
    std::vector<RuleConstant> list;
    rule.map(key, false, [&](YamlFields& fields) {
        const auto constants = kernelConstants<Kernel>();
        for (std::size_t i = 0; i < constants.size(); ++i) {
            const KernelConstant<Kernel>& one = constants[i];
            if (!fields.has(one.name))
                continue;
            const YamlFields::Range range{one.low, one.high};
            list.push_back({i, one.time ? fields.quantity(one.name, parseSeconds, range, Seconds{}).value
                                        : fields.number(one.name, range, 0.0)});
        }
    });
    return list;
}

} // namespace

std::vector<KernelRule> readKernelRules(YamlFields& fields)
{
    std::vector<KernelRule> rules;
    if (!fields.has("kernel_rules"))
        return rules;
    fields.maps("kernel_rules", [&](YamlFields& rule) {
        const std::vector<std::string> families = rule.texts("families");
        const std::vector<std::string> kernels = rule.texts("kernels");
        if (kernels.empty())
            rule.refuse("kernels", "kernels must name at least one kernel, such as matmul_fp8");
        const auto slots = kernelSlots();
        for (const std::string& name : kernels) {
            std::size_t slot = 0;
            while (slot < slots.size() && slots[slot].name != name)
                ++slot;
            if (slot == slots.size()) {
                rule.refuse("kernels", fmt::format("there is no kernel \"{}\"; files of kernels/ show their names", name));
                return;
            }
            std::visit(
                [&](auto member) {
                    using Kernel = std::remove_reference_t<decltype(std::declval<KernelFamily&>().*member)>;
                    rules.push_back({.slot = slot, .families = families,
                                     .atMost = readConstants<Kernel>(rule, "at_most"),
                                     .atLeast = readConstants<Kernel>(rule, "at_least"),
                                     .set = readConstants<Kernel>(rule, "set")});
                },
                slots[slot].member);
        }
    });
    return rules;
}

} // namespace ridgepoint
