// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/kernels.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace ridgepoint {

/// How a constant moves while it is fitted. `fixed` ones stay where they start.
enum class FitScale { fixed, linear, logarithmic };

/// What a constant is a fraction of, so that it can be told of another data sheet.
enum class FractionOf { nothing, peak, widePeak, memory, link };

/// One constant of a kernel: its name in files, what a file may hold, and how it is fitted. Files and fits are both made
/// from these rows, so a constant that is added here is read, written and fitted.
template <typename Kernel>
struct KernelConstant
{
    std::string_view name;
    double Kernel::*number = nullptr;    ///< exactly one of the two is set
    Seconds Kernel::*time = nullptr;
    double low = 0.0, high = 1.0;        ///< what a file may hold; [s] for times
    FitScale scale = FitScale::logarithmic;
    double fitLow = 0.0, fitHigh = 1.0;  ///< what a fit may reach
    FractionOf of = FractionOf::nothing; ///< peak: of the arithmetic; widePeak: of bf16

    [[nodiscard]] double get(const Kernel& kernel) const { return number ? kernel.*number : (kernel.*time).value; }
    void set(Kernel& kernel, double value) const
    {
        if (number)
            kernel.*number = value;
        else
            (kernel.*time).value = value;
    }
};

/// The constants of a kernel in the order of the file. Choices (tile family, existence of a kernel) and the residual are
/// dealt with by name where files are read.
template <typename Kernel>
[[nodiscard]] std::span<const KernelConstant<Kernel>> kernelConstants();

template <> std::span<const KernelConstant<MatmulKernel>> kernelConstants();
template <> std::span<const KernelConstant<DecodeKernel>> kernelConstants();
template <> std::span<const KernelConstant<PrefillKernel>> kernelConstants();
template <> std::span<const KernelConstant<MixtureKernel>> kernelConstants();
template <> std::span<const KernelConstant<LatentKernel>> kernelConstants();
template <> std::span<const KernelConstant<RooflineKernel>> kernelConstants();
template <> std::span<const KernelConstant<StreamKernel>> kernelConstants();
template <> std::span<const KernelConstant<CollectiveKernel>> kernelConstants();
template <> std::span<const KernelConstant<ExchangeKernel>> kernelConstants();

} // namespace ridgepoint
