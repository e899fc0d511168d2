// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/op_cost.h"

#include "core/cost/attention.h"
#include "core/cost/collective.h"
#include "core/cost/latent.h"
#include "core/cost/matmul.h"
#include "core/cost/mixture.h"
#include "core/cost/stream.h"
#include "core/workload/lowering.h"

#include <cassert>

namespace ridgepoint {

namespace {

const MatmulKernel& matmulKernel(const KernelFamily& kernels, const Op& op)
{
    switch (op.math) {
    case Math::fp8: return op.weight == Format::fp8Block ? kernels.matmulFp8Block : kernels.matmulFp8;
    case Math::int8: return kernels.matmulFp8;
    case Math::fp4: return kernels.matmulFp4;
    case Math::bf16:
    case Math::fp32: break;
    }
    return op.weight == Format::bf16 || op.weight == Format::fp32 ? kernels.matmulBf16 : kernels.matmulWeightOnly;
}

/// Engines fuse the routing of tokens, so that what a benchmark takes before and after the products is not seen above this.
///
/// source   e2eData, serving analysis 3.1
constexpr Seconds mostExpertLaunch{60e-6};

KernelCost expertsCost(const Op& op, const KernelFamily& kernels, const Device& device)
{
    const FlopRate peak = peakOf(device, op.math);
    const auto with = [&](const MixtureKernel& kernel) {
        KernelCost cost = mixtureCost(op, kernel, device, peak);
        const Seconds before{kernel.launch.value + kernel.sorting.value * op.m / (op.m + kernel.sortingTokens)};
        const Seconds excess = std::min(cost.launch, before) - mostExpertLaunch;
        if (excess.value > 0.0) {
            cost.launch -= excess;
            cost.time -= excess;
        }
        return cost;
    };
    if (op.math == Math::fp4) {
        const KernelCost throughput = with(kernels.mixtureFp4);
        const KernelCost latency = with(kernels.mixtureFp4LowLatency);
        return latency.time < throughput.time ? latency : throughput;
    }
    if (op.weight == Format::mxfp4) {
        if (op.math != Math::bf16 || !device.peak.fp4 || !device.peak.fp8)
            return with(kernels.mixtureMxfp4);
        // Parts with 4-bit arithmetic multiply these weights with 8-bit inputs; never credited beyond 16 bit here.
        Op eight = op;
        eight.math = Math::fp8;
        KernelCost cost = mixtureCost(eight, kernels.mixtureMxfp4, device, *device.peak.fp8);
        cost.time = std::max(cost.time, op.flops / peak);
        return cost;
    }
    if (op.weight == Format::int4 || op.weight == Format::int4Group32)
        return with(kernels.mixtureWeightOnly);
    if (op.math == Math::fp8 || op.math == Math::int8)
        return with(op.weight == Format::fp8Block ? kernels.mixtureFp8Block : kernels.mixtureFp8);
    return with(op.weight == Format::bf16 || op.weight == Format::fp32 ? kernels.mixtureBf16 : kernels.mixtureWeightOnly);
}

/// Input bytes per element as the product reads them, and of the pass that quantises a 16-bit input.
struct InputBytes
{
    double read, pass;
};

InputBytes inputBytes(const Op& op)
{
    switch (op.math) {
    case Math::fp32: return {4.0, 0.0};
    case Math::fp8:
    case Math::int8: return {1.0, op.quantizesInput ? 3.0 : 0.0};        // 2 read, 1 written
    case Math::fp4: return {0.5625, op.quantizesInput ? 2.5625 : 0.0};   // 2 read, 0.5625 written
    case Math::bf16: break;
    }
    return {2.0, 0.0};
}

KernelCost halved(KernelCost cost)
{
    for (Seconds* part : {&cost.time, &cost.launch, &cost.compute, &cost.memory})
        *part = *part / 2.0;
    return cost;
}

/// Up to this many rows a product is a few matrix-vector ones, which unpack weights as they read them.
constexpr double vectorRows = 8.0;

/// A pass that writes quantised weights out in 16 bit before the product reads them.
///
///     t + n k (w + 2)/(e_u W)
KernelCost withUnpacking(KernelCost cost, const Op& op, const MatmulKernel& kernel, const Device& device)
{
    const double width = bytesPerElement(op.weight);
    if (kernel.unpack <= 0.0 || op.m <= vectorRows || width >= 2.0)
        return cost;
    const double pass = op.n * op.k * (width + 2.0) / (kernel.unpack * device.memoryBandwidth.value);
    const double body = (cost.time - cost.launch).value;
    cost.computeShare *= body / (body + pass);
    cost.memory += Seconds{pass};
    cost.time += Seconds{pass};
    return cost;
}

/// Attention that writes its scores to memory and reads them again, in place of one that keeps them on the chip.
///
///     t + s heads sequences pairs/W
KernelCost withScores(KernelCost cost, const Op& op, const PrefillKernel& kernel, const Device& device)
{
    if (kernel.scoreBytes <= 0.0)
        return cost;
    const double pairs = op.sequences * op.heads * causalPairs(op.queries, op.context, op.window);
    const double pass = kernel.scoreBytes * pairs / device.memoryBandwidth.value;
    const double body = (cost.time - cost.launch).value;
    cost.computeShare *= body > 0.0 ? body / (body + pass) : 1.0;
    cost.memory += Seconds{pass};
    cost.time += Seconds{pass};
    return cost;
}

} // namespace

FlopRate peakOf(const Device& device, Math math)
{
    const std::optional<FlopRate>& peak = device.peak.at(math);
    assert(peak);
    return peak.value_or(FlopRate{1.0});
}

KernelCost opCost(const Op& op, const System& system, const KernelFamily& kernels)
{
    const Device& device = system.device;
    switch (op.kind) {
    case OpKind::matmul: {
        const InputBytes input = inputBytes(op);
        const MatmulShape shape{.m = op.m, .n = op.n, .k = op.k, .inputBytes = input.read,
                                .weightBytes = bytesPerElement(op.weight), .outputBytes = 2.0,
                                .quantizePassBytes = input.pass};
        const MatmulKernel& kernel = matmulKernel(kernels, op);
        return withUnpacking(matmulCost(shape, kernel, device, peakOf(device, op.math)), op, kernel, device);
    }
    case OpKind::decodeAttention:
        return decodeAttentionCost(op, op.kvElementBytes < 2.0 ? kernels.decodeFp8 : kernels.decodeBf16, device);
    case OpKind::prefillAttention: {
        const PrefillKernel& kernel = op.math == Math::fp8 ? kernels.prefillFp8 : kernels.prefillBf16;
        return withScores(prefillAttentionCost(op, kernel, device, peakOf(device, op.math)), op, kernel, device);
    }
    case OpKind::latentDecode:
        return decodeAttentionCost(op, op.kvElementBytes < 2.0 ? kernels.latentDecodeFp8 : kernels.latentDecode, device);
    case OpKind::latentPrefill:
        return prefillAttentionCost(op, op.kvElementBytes < 2.0 ? kernels.latentPrefillFp8 : kernels.latentPrefill, device,
                                    peakOf(device, op.math));
    case OpKind::absorbedQuery: return absorbedProductCost(op, kernels.latentQuery, device);
    case OpKind::absorbedOutput: return absorbedProductCost(op, kernels.latentOutput, device);
    case OpKind::linearChunks: return rooflineCost(op, kernels.linearChunks, device, peakOf(device, op.math));
    case OpKind::indexScores: return rooflineCost(op, kernels.indexScores, device, peakOf(device, op.math));
    case OpKind::mixture: return expertsCost(op, kernels, device);
    case OpKind::stream: return streamCost(op.kvBytes + op.activationBytes, kernels.stream, device);
    case OpKind::allReduce:
        if (op.id == OpId::dispatch || op.id == OpId::combine)
            return halved(allReduceCost(op.message, op.group, system, kernels));
        return op.id == OpId::gatherLogits ? allGatherCost(op.message, op.group, system, kernels)
                                           : allReduceCost(op.message, op.group, system, kernels);
    case OpKind::send: return sendCost(op.message, op.acrossNodes, system, kernels.send);
    }
    return {};
}

} // namespace ridgepoint
