// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/operator_calibration.h"

#include "core/hardware/kernel_constants.h"

#include <algorithm>

namespace ridgepoint {

namespace {

double ratio(double from, double to)
{
    return from > 0.0 && to > 0.0 ? from / to : 1.0;
}

double peakOr(const Peaks& peak, Math math)
{
    const std::optional<FlopRate>& rate = peak.at(math);
    return rate ? rate->value : 0.0;
}

} // namespace

const MeasuredKernel* find(const OperatorCalibration& calibration, std::string_view slot,
                           std::string_view implementation)
{
    for (const MeasuredKernel& kernel : calibration.kernels)
        if (kernel.slot == slot && kernel.implementation == implementation)
            return &kernel;
    return nullptr;
}

Math mathOfSlot(std::string_view slot)
{
    // Weights alone in few bits are multiplied in 16 bit.
    if (slot.find("weight") != std::string_view::npos)
        return Math::bf16;
    if (slot.find("fp8") != std::string_view::npos)
        return slot.starts_with("decode") || slot.starts_with("latent_decode") ? Math::bf16 : Math::fp8;
    if (slot.find("fp4") != std::string_view::npos)
        return slot.find("mxfp4") != std::string_view::npos ? Math::bf16 : Math::fp4;
    if (slot.find("int8") != std::string_view::npos)
        return Math::int8;
    return slot.find("fp32") != std::string_view::npos ? Math::fp32 : Math::bf16;
}

AnyKernel rescaled(const MeasuredKernel& measured, const OperatorCalibration& from, const Device& to)
{
    const Math math = mathOfSlot(measured.slot);
    const double peak = ratio(peakOr(from.peak, math), peakOr(to.peak, math));
    const double widePeak = ratio(peakOr(from.peak, Math::bf16), peakOr(to.peak, Math::bf16));
    const double memory = ratio(from.memoryBandwidth.value, to.memoryBandwidth.value);
    const double link = ratio(from.linkBandwidth.value, to.linkBandwidth.value);
    AnyKernel kernel = measured.kernel;
    std::visit(
        [&]<typename Kernel>(Kernel& value) {
            for (const KernelConstant<Kernel>& constant : kernelConstants<Kernel>()) {
                double factor = 1.0;
                switch (constant.of) {
                case FractionOf::nothing: break;
                case FractionOf::peak: factor = peak; break;
                case FractionOf::widePeak: factor = widePeak; break;
                case FractionOf::memory: factor = memory; break;
                case FractionOf::link: factor = link; break;
                }
                if (factor != 1.0)
                    constant.set(value, std::clamp(constant.get(value) * factor, constant.low, constant.high));
            }
        },
        kernel);
    return kernel;
}

AnyKernel forInference(std::string_view slot, AnyKernel kernel)
{
    constexpr Seconds longestBlockLaunch{6e-6};
    if (auto* matmul = std::get_if<MatmulKernel>(&kernel); matmul && slot == "matmul_fp8_block")
        matmul->launch = std::min(matmul->launch, longestBlockLaunch);
    return kernel;
}

void apply(const OperatorCalibration& calibration, Device& device)
{
    for (const MeasuredKernel& measured : calibration.kernels) {
        if (!measured.implementation.empty())
            continue;
        AnyKernel kernel = forInference(measured.slot, rescaled(measured, calibration, device));
        fitOf(kernel).origin = KernelOrigin::measured;
        if (place(device.kernels, measured.slot, kernel))
            device.kernels.measured = true;
    }
}

} // namespace ridgepoint
