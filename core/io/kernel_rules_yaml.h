// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/kernel_rules.h"
#include "core/io/yaml_reader.h"

#include <vector>

namespace ridgepoint {

/// The list `kernel_rules` of an engine: `{kernels: [matmul_fp8], families: [hopper], at_most: {launch: 6 us}}` with
/// `at_least` and `set` likewise. A rule for several kernels becomes one each.
[[nodiscard]] std::vector<KernelRule> readKernelRules(YamlFields& fields);

} // namespace ridgepoint
