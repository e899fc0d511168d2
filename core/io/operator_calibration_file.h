// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hardware/operator_calibration.h"
#include "core/io/preset_yaml.h"

#include <string>
#include <string_view>

namespace ridgepoint {

inline constexpr int operatorCalibrationVersion = 1;

/// Whether a file of calibrations/ holds operators of a device and not samples of a probe.
[[nodiscard]] bool isOperatorCalibration(std::string_view text);

/// fails    for syntax, unknown keys or versions and values out of range, with line and column
[[nodiscard]] Result<OperatorCalibration> readOperatorCalibration(const std::string& text, const std::string& file,
                                                                  const PresetContext& context);
[[nodiscard]] std::string writeOperatorCalibration(const OperatorCalibration& calibration);

/// The text of a family: `comment` stands at the top.
[[nodiscard]] std::string writeKernelFamily(const std::string& name, bool fitted, const std::string& comment,
                                            const OperatorCalibration& kernels);

} // namespace ridgepoint
