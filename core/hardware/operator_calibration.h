// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/device.h"
#include "core/hardware/kernel_slots.h"
#include "core/hardware/measured_domain.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A kernel as it was measured.
struct MeasuredKernel
{
    std::string slot;            ///< of core/hardware/kernel_slots.h, or one that only measurements have: "matmul_int8"
    std::string implementation;  ///< library and way of timing, such as "trtllm"; empty: the one that inference uses
    AnyKernel kernel;
    MeasuredDomain domain{};     ///< bands by shape; without regions: unknown, and the band of the kernel holds everywhere
    bool operator==(const MeasuredKernel&) const = default;
};

/// What was measured of the operators of a device, or of a whole family.
struct OperatorCalibration
{
    std::string id;
    std::string device;          ///< id of the preset; of a family: the id of its file of kernels/
    std::string date;
    std::string source;          ///< key of sources.yaml
    Peaks peak;                  ///< what the fractions of all kernels are relative to, as are the next two
    Bandwidth memoryBandwidth;
    Bandwidth linkBandwidth;
    std::vector<MeasuredKernel> kernels;
    bool operator==(const OperatorCalibration&) const = default;
};

/// The kernel of a slot and implementation; null when there is none.
[[nodiscard]] const MeasuredKernel* find(const OperatorCalibration& calibration, std::string_view slot,
                                         std::string_view implementation);

/// The same absolute rates, as fractions of another data sheet.
///
///     fraction' = fraction · peak of the calibration / peak of the device, by what each constant is a fraction of
///
/// slot     tells the arithmetic
[[nodiscard]] AnyKernel rescaled(const MeasuredKernel& measured, const OperatorCalibration& from, const Device& to);

/// A measured kernel as inference uses it. Engines do not show the launch floor of the block-scaled products of the
/// benchmark (e2eData): it is at most 6 us.
[[nodiscard]] AnyKernel forInference(std::string_view slot, AnyKernel kernel);

/// Puts the kernels that inference uses into the device, with `measured` as their origin.
void apply(const OperatorCalibration& calibration, Device& device);

/// The arithmetic of a slot, such as fp8 of "mixture_fp8_block".
[[nodiscard]] Math mathOfSlot(std::string_view slot);

} // namespace ridgepoint
