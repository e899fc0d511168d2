// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hardware/operator_calibration.h"
#include "core/scenario/presets.h"

#include <map>
#include <span>
#include <string>

namespace ridgepoint {

/// What the references in a preset may name.
struct PresetContext
{
    const std::map<std::string, Source>* sources = nullptr;   ///< null: sources are not looked up
    std::span<const Device> devices;
    std::span<const KernelFamily> kernels;
};

/// A file of kernels/: what inference uses, and every kernel of the file with those that only measurements have.
struct FamilyPreset
{
    std::string id;
    KernelFamily family;
    OperatorCalibration kernels;
};

// One preset from YAML text; `file` is what errors call it, and its name without extension becomes the id.
[[nodiscard]] Result<std::map<std::string, Source>> readSources(const std::string& text, const std::string& file);
[[nodiscard]] Result<FamilyPreset> readKernelFamily(const std::string& text, const std::string& file,
                                                    const PresetContext& context);
[[nodiscard]] Result<Device> readDevice(const std::string& text, const std::string& file, const PresetContext& context);
[[nodiscard]] Result<System> readSystem(const std::string& text, const std::string& file, const PresetContext& context);
[[nodiscard]] Result<EngineProfile> readEngine(const std::string& text, const std::string& file,
                                               const PresetContext& context);
[[nodiscard]] Result<Price> readPrice(const std::string& text, const std::string& file, const PresetContext& context);

} // namespace ridgepoint
