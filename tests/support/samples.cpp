// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/samples.h"

#include "core/io/preset_library.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ridgepoint::samples {

using namespace literals;

Device roundDevice()
{
    Device device;
    device.id = "round";
    device.name = "Round";
    device.peak = {.fp32 = 50_TFLOPS, .bf16 = 1000_TFLOPS, .fp8 = 2000_TFLOPS, .int8 = 2000_TFLOPS, .fp4 = {}};
    device.memoryBandwidth = 4.0_TBps;
    device.memoryCapacity = 80_GB;
    device.memoryVisible = 79.18_GiB;
    device.memoryKind = "HBM3";
    device.computeUnits = 100;
    device.linkBandwidth = 400_GBps;
    device.hostLinkBandwidth = 64_GBps;
    device.boardPower = 700_W;
    device.kernels.fitted = true;
    return device;
}

namespace {

LayerGroup denseLayers(int count, int heads, int kvHeads, int headDim, int width)
{
    LayerGroup group;
    group.count = count;
    group.attention.heads = heads;
    group.attention.kvHeads = kvHeads;
    group.attention.headDim = headDim;
    group.feedForward.width = width;
    return group;
}

Network network(const char* id, int hidden, int vocabulary, int positions, int rotary)
{
    Network result;
    result.id = id;
    result.name = id;
    result.hidden = hidden;
    result.vocabulary = vocabulary;
    result.maximumContext = positions;
    result.rotaryDim = rotary;
    return result;
}

} // namespace

Network llama8b()
{
    Network result = network("llama-8b", 4096, 128256, 131072, 128);
    result.layers = {denseLayers(32, 32, 8, 128, 14336)};
    return result;
}

Network llama70b()
{
    Network result = network("llama-70b", 8192, 128256, 131072, 128);
    result.layers = {denseLayers(80, 64, 8, 128, 28672)};
    return result;
}

Network qwen7b()
{
    Network result = network("qwen-7b", 3584, 152064, 32768, 128);
    LayerGroup group = denseLayers(28, 28, 4, 128, 18944);
    group.attention.bias = true;
    result.layers = {group};
    return result;
}

Network gptOss120b()
{
    Network result = network("gpt-oss-120b", 2880, 201088, 131072, 64);
    LayerGroup full = denseLayers(18, 64, 8, 64, 0);
    full.attention.bias = full.attention.outputBias = full.attention.sinks = true;
    full.feedForward.experts = 128;
    full.feedForward.expertsPerToken = 4;
    full.feedForward.expertWidth = 2880;
    full.feedForward.expertBias = full.feedForward.routerBias = true;
    full.formats.experts = Format::mxfp4;
    LayerGroup window = full;
    window.attention.window = 128;
    result.layers = {full, window};
    result.checkpointFormat = Format::mxfp4;
    return result;
}

Network deepSeek()
{
    Network result = network("deepseek", 7168, 129280, 163840, 64);
    LayerGroup dense;
    dense.count = 3;
    dense.attention.kind = AttentionKind::latent;
    dense.attention.heads = 128;
    dense.attention.queryRank = 1536;
    dense.attention.kvRank = 512;
    dense.attention.nopeDim = 128;
    dense.attention.ropeDim = 64;
    dense.attention.valueDim = 128;
    dense.feedForward.width = 18432;
    LayerGroup mixture = dense;
    mixture.count = 58;
    mixture.feedForward.width = 0;
    mixture.feedForward.experts = 256;
    mixture.feedForward.expertsPerToken = 8;
    mixture.feedForward.expertWidth = 2048;
    mixture.feedForward.sharedWidth = 2048;
    mixture.feedForward.routerBias = true;
    result.layers = {dense, mixture};
    return result;
}

EngineProfile idealEngine()
{
    EngineProfile engine;
    engine.id = "ideal";
    engine.idealKernels = true;
    return engine;
}

EngineProfile vllmEngine()
{
    EngineProfile engine;
    engine.id = "vllm";
    engine.hostPerStep = 0.22_ms;
    engine.hostPerPrefillKernel = 32_us;
    engine.firstTokenBase = 3.0_ms;
    engine.arrivalDelay = 3.0_ms;
    engine.outputLagSteps = 1;
    engine.memoryPolicy = MemoryPolicy::budget;
    engine.memoryFraction = 0.9;
    engine.runtimeFixed = 0.13_GiB;
    engine.samplerBytesPerLogit = 38.15;
    engine.windowPolicy = WindowPolicy::blocks;
    return engine;
}

Scenario servingScenario()
{
    Scenario scenario;
    scenario.name = "sample";
    scenario.system.id = "node";
    scenario.system.name = "Node";
    scenario.system.device = roundDevice();
    scenario.system.devicesPerNode = 8;
    scenario.system.topology = Topology::switched;
    scenario.network = llama70b();
    scenario.precision = {.weights = Format::fp8, .activations = {}, .kv = Format::fp8};
    scenario.plan.tensorParallel = 8;
    scenario.engine = vllmEngine();
    return scenario;
}

const Presets& shippedPresets()
{
    static const LoadedPresets loaded = loadPresets({std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "presets"});
    for (const Error& error : loaded.errors)
        ADD_FAILURE() << error.text();
    return loaded.presets;
}

Scenario randomScenario(std::mt19937_64& random, const Presets& presets)
{
    const auto below = [&](std::size_t count) { return std::size_t(random() % count); };
    const auto pick = [&](const auto& list) -> const auto& { return list[below(list.size())]; };
    const auto between = [&](int low, int high) {
        const double u = double(random() >> 11) * 0x1.0p-53;
        return int(low * std::pow(double(high) / low, u));
    };
    Scenario s;
    s.system = pick(presets.systems);
    s.network = pick(presets.networks);
    s.engine = pick(presets.engines);
    constexpr std::optional<Format> weights[] = {std::nullopt, Format::bf16, Format::fp8, Format::int8, Format::int4,
                                                 Format::nvfp4};
    constexpr std::optional<Format> caches[] = {std::nullopt, Format::bf16, Format::fp8};
    s.precision.weights = weights[below(std::size(weights))];
    s.precision.kv = caches[below(std::size(caches))];
    s.plan.tensorParallel = 1 << below(4);
    s.plan.pipelineParallel = below(4) == 0 ? 2 : 1;
    s.plan.replicas = 1 + int(below(3));
    s.load.inputTokens = between(16, 32768);
    s.load.outputTokens = between(2, 4096);
    s.load.concurrency = between(1, 1024);
    s.load.batching = below(5) == 0 ? BatchingMode::fixed : BatchingMode::continuous;
    if (const Price* price = cheapestPrice(presets, s.system.device.id))
        s.price = *price;
    return s;
}

} // namespace ridgepoint::samples
