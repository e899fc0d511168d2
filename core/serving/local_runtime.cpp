// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/local_runtime.h"

#include "core/hardware/kernel_slots.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ridgepoint {

namespace {

bool matches(const std::string& wanted, const std::string& value)
{
    return wanted.empty() || wanted == value;
}

bool checksItself(const Device& device)
{
    return device.memoryKind.ends_with("ECC");
}

/// Fraction of the memory bandwidth that is reached: of the whole device, or of all its units together.
double reached(double fraction, Bandwidth unit, const RuntimeKernels& runtime, const Device& device)
{
    double share = fraction * (checksItself(device) ? runtime.errorCorrection : 1.0);
    if (unit.value > 0.0)
        share = std::min(share, unit.value * std::max(1, device.computeUnits) / device.memoryBandwidth.value);
    return share;
}

double wideRate(const Device& device)
{
    return device.peak.bf16 ? device.peak.bf16->value : device.peak.fp32.value_or(FlopRate{1.0}).value;
}

/// 16-bit sums are faster than 32-bit ones on some cards, as a multiple of the rate that products are priced at. Runtimes
/// that use them were all fitted with the power of the board, since it is then what binds.
double shortSums(const RuntimeKernels& runtime, const Device& device)
{
    return runtime.promptPerJoule > 0.0 && device.peak.fp16Accumulate ? device.peak.fp16Accumulate->value / wideRate(device) : 1.0;
}

/// Fraction of the 16-bit peak that the board's power allows.
double withinPower(double fraction, const RuntimeKernels& runtime, const Device& device)
{
    fraction *= shortSums(runtime, device);
    if (runtime.promptPerJoule <= 0.0 || !device.boardPower)
        return fraction;
    constexpr double sharpness = 4.0;
    const double powered = runtime.promptPerJoule * device.boardPower->value / wideRate(device);
    return std::pow(std::pow(fraction, -sharpness) + std::pow(powered, -sharpness), -1.0 / sharpness);
}

/// Host time of a step in engines that launch every pass and every expert by itself.
Seconds unfused(const RuntimeKernels& runtime, const Network& network, const std::optional<Format>& weights)
{
    const bool eightBit = weights == Format::fp8 || weights == Format::fp8Block || weights == Format::int8;
    constexpr double ofAttention = 4.0, ofFeedForward = 3.0;   // products
    double experts = 0.0, products = 0.0;
    for (const LayerGroup& group : network.layers) {
        const double fanned = group.feedForward.isMixture() ? group.feedForward.experts : 0.0;
        experts += group.count * fanned;
        products += group.count * (ofAttention + ofFeedForward * std::max(1.0, fanned));
    }
    return runtime.expertLoop * experts + runtime.eightBitProduct * (eightBit ? products : 0.0);
}

/// Time of a card's share of the layers that passes between two micro-batches, as a multiple of the mean share.
double interval(const RuntimeKernels& runtime, bool quantised, double layers, double cards)
{
    const double queued = quantised && runtime.queuedQuantised > 0.0 ? runtime.queuedQuantised : runtime.queuedLayers;
    double flying = cards;
    if (runtime.inFlight > 0.0)
        flying = std::min(flying, runtime.inFlight);
    if (queued > 0.0)
        flying = std::min(flying, std::max(1.0, queued * cards / layers));
    const double largest = std::ceil((layers + 1.0) / cards) * cards / layers;   // the head counts as a layer
    return std::max(std::min(largest, cards), cards / flying);
}

} // namespace

const RuntimeKernels* runtimeFor(const EngineProfile& engine, const Device& device, std::string_view date)
{
    const auto ofThatTime = [&](const RuntimeKernels& runtime) {
        return runtime.until.empty() || (!date.empty() && date < runtime.until);
    };
    for (const RuntimeKernels& runtime : engine.runtimes)
        if (ofThatTime(runtime) && device.name.starts_with(runtime.name) && matches(runtime.vendor, device.vendor) && matches(runtime.category, device.category) &&
            matches(runtime.family, device.kernels.id) && device.memoryKind.starts_with(runtime.memory))
            return &runtime;
    return nullptr;
}

KernelFamily runtimeKernelFamily(const RuntimeKernels& runtime, const Device& device)
{
    const double weights = reached(runtime.weights, runtime.unitWeights, runtime, device);
    const double cache = reached(runtime.cache, runtime.unitCache, runtime, device);
    const auto matmul = [&](double prompt) {
        return MatmulKernel{.tiles = TileFamily::none, .launch = {}, .compute = withinPower(prompt, runtime, device),
                            .memory = weights, .coreLoad = 1, .splitReduction = {},
                            .unpack = runtime.unpack > 0.0 ? reached(runtime.unpack, runtime.unitWeights, runtime, device) : 0.0,
                            .overlap = 4.0, .wave = {}, .waveStrictness = 0, .quantize = 1};
    };
    KernelFamily family = idealKernels();
    family.id = "runtime";
    family.name = "The engine's own kernels";
    family.fitted = true;
    family.matmulBf16 = matmul(runtime.prompt);
    family.matmulFp8 = family.matmulFp8Block = family.matmulFp4 = family.matmulWeightOnly = matmul(runtime.promptQuantised);
    for (MatmulKernel* kernel : {&family.matmulFp8, &family.matmulFp8Block, &family.matmulFp4, &family.matmulWeightOnly})
        kernel->memory *= runtime.quantised;
    // These engines multiply in 16 bit whatever the weights are stored in: the same rate, as a fraction of another peak.
    const auto ofPeak = [&](double compute, std::initializer_list<std::optional<FlopRate>> peaks) {
        for (const std::optional<FlopRate>& peak : peaks)
            if (peak)
                compute = std::min(compute, compute * wideRate(device) / peak->value);
        return compute;
    };
    const Peaks& peak = device.peak;
    for (MatmulKernel* kernel : {&family.matmulFp8, &family.matmulFp8Block})
        kernel->compute = ofPeak(kernel->compute, {peak.fp8, peak.int8});
    family.matmulFp4.compute = ofPeak(family.matmulFp4.compute, {peak.fp4});
    family.decodeBf16.memory = family.decodeFp8.memory = cache;
    family.prefillBf16.compute = family.prefillFp8.compute = runtime.promptAttention;
    family.prefillBf16.memory = family.prefillFp8.memory = weights;
    family.prefillBf16.scoreBytes = family.prefillFp8.scoreBytes = runtime.scoreBytes;
    const Seconds more{std::max(0.0, (runtime.promptLayer - runtime.layer).value)};
    family.prefillBf16.launch = family.prefillFp8.launch = more;
    const auto mixture = [&, plain = family.mixtureBf16](double prompt) {
        MixtureKernel kernel = plain;
        kernel.launch = runtime.mixtureLayer;
        kernel.compute = withinPower(prompt, runtime, device);
        kernel.memory = weights;
        kernel.overlap = 4.0;
        return kernel;
    };
    family.mixtureBf16 = mixture(runtime.prompt);
    family.mixtureFp8 = family.mixtureFp8Block = family.mixtureFp4 = mixture(runtime.promptQuantised);
    family.mixtureWeightOnly = family.mixtureMxfp4 = family.mixtureFp4LowLatency = mixture(runtime.promptQuantised);
    for (MixtureKernel* kernel : {&family.mixtureFp8, &family.mixtureFp8Block})
        kernel->compute = ofPeak(kernel->compute, {peak.fp8, peak.int8});
    for (MixtureKernel* kernel : {&family.mixtureFp4, &family.mixtureFp4LowLatency})
        kernel->compute = ofPeak(kernel->compute, {peak.fp4});
    for (DecodeKernel* kernel : {&family.latentDecode, &family.latentDecodeFp8}) {
        kernel->memory = cache;
        kernel->compute = runtime.promptAttention;
    }
    for (LatentKernel* kernel : {&family.latentQuery, &family.latentOutput}) {
        kernel->memory = weights;
        kernel->compute = runtime.prompt;
    }
    for (PrefillKernel* kernel : {&family.latentPrefill, &family.latentPrefillFp8}) {
        kernel->launch = more;
        kernel->memory = weights;
        kernel->compute = runtime.promptAttention;
    }
    for (CollectiveKernel* kernel : {&family.allReduce, &family.allReduceDirect, &family.allGather}) {
        kernel->fixed = runtime.allReduce;
        kernel->bandwidth = 0.7;
    }
    family.stream = {.launch = runtime.layer / 2.0, .memory = weights};   // two of these in each layer
    // The doubt about a runtime is that of its entry as a whole, not of its operators.
    for (const KernelSlot& slot : kernelSlots())
        if (std::optional<AnyKernel> kernel = kernelOf(family, slot.name)) {
            fitOf(*kernel) = {.origin = KernelOrigin::measured, .spread = 0.0};
            place(family, slot.name, *kernel);
        }
    return family;
}

LocalTimes localTimes(const Network& network, const ResolvedPrecision& precision, const System& system,
                      const KernelFamily& kernels, const RuntimeKernels& runtime, const EngineProfile& engine,
                      Seconds hostPerStep, int tensorParallel, int cards, double sequences, double context, double promptTokens)
{
    std::vector<Op> ops;
    Split split;
    split.tensorParallel = tensorParallel;
    const auto step = [&](const StepShape& shape) {
        ops.clear();
        lowerStep(network, precision, split, shape, ops);
        StepCost cost = stepCost(ops, system, kernels);
        Seconds& host = cost.parts[Cause::host];
        host += hostPerStep + unfused(runtime, network, precision.weights);
        if (runtime.ahead)
            host = std::max(Seconds{}, host - (cost.parts.total() - host));   // what the device does not hide
        return cost;
    };
    const Seconds hop = system.freeLinks ? Seconds{} : runtime.hop * double(cards - 1);
    LocalTimes times;
    if (context > 0.0) {
        times.decode = step({.decodeSequences = sequences, .decodeContext = context, .headTokens = sequences});
        times.token = times.decode.parts;
        times.token[Cause::communication] += hop;
    }
    if (promptTokens <= 0.0)
        return times;

    const double total = sequences * promptTokens;
    const double batches = std::ceil(total / engine.batchedTokens);
    const double batch = total / batches;
    const double prompts = std::max(1.0, batch / promptTokens);
    // A batch smaller than a prompt sees, in the mean, half of the prompt before itself.
    const double seen = batch >= promptTokens ? promptTokens : (promptTokens + batch) / 2.0;
    const StepShape shape{.prefillTokens = batch, .prefillSequences = prompts, .prefillContext = seen, .headTokens = prompts};
    const StepCost one = step(shape);
    const bool quantised = precision.weights && bytesPerElement(*precision.weights) < 2.0;
    times.prompt = one.parts * (1.0 + (batches - 1.0) * interval(runtime, quantised, network.layerCount(), cards) / cards);
    times.prompt[Cause::communication] += hop;
    times.prompt[Cause::host] += engine.firstTokenBase;
    return times;
}

} // namespace ridgepoint
