// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernel_slots.h"

#include <array>
#include <string>
#include <utility>

namespace ridgepoint {

namespace {

using F = KernelFamily;

constexpr std::array slots{
    KernelSlot{"matmul_bf16", &F::matmulBf16},
    KernelSlot{"matmul_fp8", &F::matmulFp8},
    KernelSlot{"matmul_fp8_block", &F::matmulFp8Block},
    KernelSlot{"matmul_fp4", &F::matmulFp4},
    KernelSlot{"matmul_weight_only", &F::matmulWeightOnly},
    KernelSlot{"decode_bf16", &F::decodeBf16},
    KernelSlot{"decode_fp8", &F::decodeFp8},
    KernelSlot{"prefill_bf16", &F::prefillBf16},
    KernelSlot{"prefill_fp8", &F::prefillFp8},
    KernelSlot{"prefill_encoder", &F::prefillEncoder},
    KernelSlot{"mixture_bf16", &F::mixtureBf16},
    KernelSlot{"mixture_fp8", &F::mixtureFp8},
    KernelSlot{"mixture_fp8_block", &F::mixtureFp8Block},
    KernelSlot{"mixture_fp4", &F::mixtureFp4},
    KernelSlot{"mixture_fp4_low_latency", &F::mixtureFp4LowLatency},
    KernelSlot{"mixture_weight_only", &F::mixtureWeightOnly},
    KernelSlot{"mixture_mxfp4", &F::mixtureMxfp4},
    KernelSlot{"latent_decode", &F::latentDecode},
    KernelSlot{"latent_decode_fp8", &F::latentDecodeFp8},
    KernelSlot{"latent_prefill", &F::latentPrefill},
    KernelSlot{"latent_prefill_fp8", &F::latentPrefillFp8},
    KernelSlot{"latent_query", &F::latentQuery},
    KernelSlot{"latent_output", &F::latentOutput},
    KernelSlot{"linear_chunks", &F::linearChunks},
    KernelSlot{"index_scores", &F::indexScores},
    KernelSlot{"stream", &F::stream},
    KernelSlot{"all_reduce", &F::allReduce},
    KernelSlot{"all_reduce_direct", &F::allReduceDirect},
    KernelSlot{"all_gather", &F::allGather},
    KernelSlot{"reduce_scatter", &F::reduceScatter},
    KernelSlot{"all_to_all", &F::allToAll},
    KernelSlot{"send", &F::send},
    KernelSlot{"dispatch", &F::dispatch},
    KernelSlot{"combine", &F::combine},
    KernelSlot{"dispatch_low_latency", &F::dispatchLowLatency},
    KernelSlot{"combine_low_latency", &F::combineLowLatency},
};

/// Slots that only measurements have, with the one of inference that stands nearest. The longest beginning counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> nearest{{
    {"matmul_int8_weight", "matmul_weight_only"},
    {"matmul_int4_weight", "matmul_weight_only"},
    {"matmul_int8", "matmul_fp8"},
    {"matmul_fp8_static", "matmul_fp8"},
    {"matmul_", "matmul_bf16"},
    {"decode_", "decode_bf16"},
    {"prefill_", "prefill_bf16"},
    {"mixture_ungated_fp8", "mixture_fp8"},
    {"mixture_ungated_fp4", "mixture_fp4"},
    {"mixture_mxfp4_fp8", "mixture_mxfp4"},
    {"mixture_", "mixture_bf16"},
    {"latent_decode", "latent_decode"},
    {"latent_prefill", "latent_prefill"},
    {"latent_output", "latent_output"},
    {"latent_", "latent_query"},
    {"stream", "stream"},
    {"dispatch", "dispatch"},
    {"combine", "combine"},
}};

const KernelSlot* slotNamed(std::string_view name)
{
    for (const KernelSlot& slot : slots)
        if (slot.name == name)
            return &slot;
    return nullptr;
}

} // namespace

std::span<const KernelSlot> kernelSlots()
{
    return slots;
}

std::optional<AnyKernel> kernelOf(const KernelFamily& family, std::string_view name)
{
    const KernelSlot* slot = slotNamed(name);
    for (std::size_t i = 0; !slot && i < nearest.size(); ++i)
        if (name.starts_with(nearest[i].first))
            slot = slotNamed(nearest[i].second);
    if (!slot)
        return std::nullopt;
    return std::visit([&](auto member) { return AnyKernel(family.*member); }, slot->member);
}

bool place(KernelFamily& family, std::string_view name, const AnyKernel& kernel)
{
    const KernelSlot* slot = slotNamed(name);
    if (!slot)
        return false;
    return std::visit(
        [&](auto member) {
            using Kernel = std::remove_reference_t<decltype(family.*member)>;
            const auto* value = std::get_if<Kernel>(&kernel);
            if (value)
                family.*member = *value;
            return value != nullptr;
        },
        slot->member);
}

const KernelFit& fitOf(const AnyKernel& kernel)
{
    return std::visit([](const auto& value) -> const KernelFit& { return value.fit; }, kernel);
}

KernelFit& fitOf(AnyKernel& kernel)
{
    return std::visit([](auto& value) -> KernelFit& { return value.fit; }, kernel);
}

} // namespace ridgepoint
