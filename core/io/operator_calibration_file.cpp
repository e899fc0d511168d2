// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/operator_calibration_file.h"

#include "core/io/kernel_yaml.h"

#include <filesystem>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr YamlFields::Range anyRate{1.0, 1e24};

std::string readKnownSource(YamlFields& fields, const PresetContext& context)
{
    std::string source = fields.text("source");
    if (context.sources && !source.empty() && !context.sources->contains(source))
        fields.refuse("source", fmt::format("the source \"{}\" is not in sources.yaml; add it there", source));
    return source;
}

std::optional<FlopRate> optionalPeak(YamlFields& fields, std::string_view key)
{
    const FlopRate rate = fields.quantity(key, parseFlopRate, anyRate, FlopRate{});
    return rate.value > 0.0 ? std::optional(rate) : std::nullopt;
}

} // namespace

bool isOperatorCalibration(std::string_view text)
{
    return text.starts_with("operators:") || text.find("\noperators:") != std::string_view::npos;
}

Result<FamilyPreset> readKernelFamily(const std::string& text, const std::string& file, const PresetContext& context)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    YamlFields fields(*root, errors);
    FamilyPreset preset;
    preset.id = std::filesystem::path(file).stem().string();
    KernelFamily& family = preset.family;
    family.id = preset.id;
    family.name = fields.text("name");
    family.fitted = fields.boolean("fitted", false);
    family.source = readKnownSource(fields, context);
    preset.kernels.id = preset.kernels.device = preset.id;
    preset.kernels.source = family.source;
    preset.kernels.kernels = readKernels(*root, fields, family);
    for (MeasuredKernel& kernel : preset.kernels.kernels) {
        fitOf(kernel.kernel).origin = family.fitted ? KernelOrigin::family : KernelOrigin::general;
        if (kernel.implementation.empty())
            place(family, kernel.slot, forInference(kernel.slot, kernel.kernel));
    }
    fields.finish();
    return finished(errors, std::move(preset));
}

Result<OperatorCalibration> readOperatorCalibration(const std::string& text, const std::string& file,
                                                    const PresetContext& context)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    YamlFields fields(*root, errors);
    OperatorCalibration calibration;
    const int version = fields.integer("operators", {0, 1e9});
    if (!fields.failed() && version != operatorCalibrationVersion) {
        fields.refuse("operators", fmt::format("operators is {}; this program reads version {}", version,
                                               operatorCalibrationVersion));
        return finished(errors, calibration);
    }
    calibration.id = std::filesystem::path(file).stem().string();
    calibration.device = fields.text("device");
    calibration.date = fields.text("date");
    calibration.source = readKnownSource(fields, context);
    fields.map("peak", true, [&](YamlFields& inner) {
        calibration.peak = {.fp32 = optionalPeak(inner, "fp32"),
                            .bf16 = optionalPeak(inner, "bf16"),
                            .fp8 = optionalPeak(inner, "fp8"),
                            .int8 = optionalPeak(inner, "int8"),
                            .fp4 = optionalPeak(inner, "fp4")};
    });
    calibration.memoryBandwidth = fields.quantity("memory_bandwidth", parseBandwidth, anyRate);
    calibration.linkBandwidth = fields.quantity("link_bandwidth", parseBandwidth, anyRate, Bandwidth{});
    calibration.kernels = readKernels(*root, fields, KernelFamily{});
    for (MeasuredKernel& kernel : calibration.kernels)
        fitOf(kernel.kernel).origin = KernelOrigin::measured;
    fields.finish();
    return finished(errors, std::move(calibration));
}

std::string writeOperatorCalibration(const OperatorCalibration& calibration)
{
    std::string text = fmt::format(
        "# SPDX-License-Identifier: GPL-3.0-or-later\n"
        "# Constants of the operator models, fitted to measurements of this device. Fractions are relative to the peaks below.\n"
        "# Errors, spread and the multiples between which four of five measurements lie are those of rows left out of the fit.\n"
        "operators: {}\ndevice: {}\ndate: \"{}\"\nsource: {}\n",
        operatorCalibrationVersion, calibration.device, calibration.date, calibration.source);
    std::string peaks;
    for (const Math math : allMaths)
        if (const std::optional<FlopRate>& peak = calibration.peak.at(math))
            peaks += fmt::format("{}{}: {:.6g} TFLOP/s", peaks.empty() ? "" : ", ", idOf(math), peak->value / 1e12);
    text += fmt::format("peak: {{{}}}\nmemory_bandwidth: {:.6g} GB/s\n", peaks, calibration.memoryBandwidth.value / 1e9);
    if (calibration.linkBandwidth.value > 0.0)
        text += fmt::format("link_bandwidth: {:.6g} GB/s\n", calibration.linkBandwidth.value / 1e9);
    return text + writeKernels(calibration.kernels);
}

std::string writeKernelFamily(const std::string& name, bool fitted, const std::string& comment,
                              const OperatorCalibration& kernels)
{
    std::string text = fmt::format("# SPDX-License-Identifier: GPL-3.0-or-later\n{}name: {}\n", comment, name);
    if (fitted)
        text += "fitted: true\n";
    text += fmt::format("source: {}\n", kernels.source);
    return text + writeKernels(kernels.kernels);
}

} // namespace ridgepoint
