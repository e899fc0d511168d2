// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/operator_calibration.h"
#include "core/io/yaml_reader.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// Every kernel of a mapping, as its sections "slot" and "slot@implementation" hold them. What a section leaves out is
/// taken from the kernel of `base` that stands nearest.
///
/// root     the mapping behind `fields`; keys without '@' must be slots of a family, all others are left for
///          `fields.finish()` to refuse
[[nodiscard]] std::vector<MeasuredKernel> readKernels(const YamlNode& root, YamlFields& fields,
                                                      const KernelFamily& base);

/// The sections; reading them gives equal kernels up to four significant digits.
[[nodiscard]] std::string writeKernels(const std::vector<MeasuredKernel>& kernels);

} // namespace ridgepoint
