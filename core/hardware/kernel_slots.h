// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/kernels.h"

#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace ridgepoint {

/// Constants of any kind of kernel.
using AnyKernel = std::variant<MatmulKernel, DecodeKernel, PrefillKernel, MixtureKernel, LatentKernel, RooflineKernel,
                               StreamKernel, CollectiveKernel, ExchangeKernel>;

/// A kernel that models of inference use: its name in files and its place in a family.
struct KernelSlot
{
    template <typename Kernel>
    using Member = Kernel KernelFamily::*;

    std::string_view name;
    std::variant<Member<MatmulKernel>, Member<DecodeKernel>, Member<PrefillKernel>, Member<MixtureKernel>,
                 Member<LatentKernel>, Member<RooflineKernel>, Member<StreamKernel>, Member<CollectiveKernel>,
                 Member<ExchangeKernel>> member;
};

[[nodiscard]] std::span<const KernelSlot> kernelSlots();

/// The kernel of a family that a slot names. Slots that only measurements have, such as "matmul_int8", give the kernel
/// that stands nearest; nothing for a name of no kind.
[[nodiscard]] std::optional<AnyKernel> kernelOf(const KernelFamily& family, std::string_view slot);

/// Puts a kernel in its slot; false when the family has no such slot or the kind differs.
bool place(KernelFamily& family, std::string_view slot, const AnyKernel& kernel);

[[nodiscard]] const KernelFit& fitOf(const AnyKernel& kernel);
[[nodiscard]] KernelFit& fitOf(AnyKernel& kernel);

} // namespace ridgepoint
