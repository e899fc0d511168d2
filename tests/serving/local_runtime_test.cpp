// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/local_runtime.h"
#include "tests/support/samples.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

/// A card of 1000 GB/s and 100 TFLOP/s at 300 W.
Device card()
{
    Device device = samples::roundDevice();
    device.vendor = "NVIDIA";
    device.category = "gpu";
    device.memoryKind = "GDDR6";
    device.memoryBandwidth = Bandwidth{1e12};
    device.peak.bf16 = FlopRate{1e14};
    device.computeUnits = 100;
    device.boardPower = Watts{300};
    return device;
}

System systemOf(const Device& device)
{
    System system;
    system.device = device;
    system.devicesPerNode = 8;
    system.topology = Topology::pcie;
    return system;
}

RuntimeKernels plain()
{
    RuntimeKernels r;
    r.weights = r.cache = 0.8;
    r.layer = Seconds{50e-6};
    r.hop = Seconds{300e-6};
    r.prompt = r.promptQuantised = 0.5;
    return r;
}

LocalTimes times(const RuntimeKernels& runtime, const Device& device, int cards = 1, double prompt = 512,
                 std::optional<Format> weights = {}, double context = 256)
{
    EngineProfile engine;
    engine.batchedTokens = 512;
    ResolvedPrecision precision;
    precision.weights = weights;
    return localTimes(samples::llama8b(), precision, systemOf(device), runtimeKernelFamily(runtime, device), runtime, engine, {},
                      1, cards, 1, context, prompt);
}

TEST(LocalRuntime, aTokenReadsTheWeightsOnceAndPaysEachLayer)
{
    // Llama-3.1-8B: 7.505e9 parameters without the embedding in 2 B over 0.8 TB/s, and 32 layers of 50 us.
    const double token = times(plain(), card()).token.total().value;
    EXPECT_NEAR(token, 7.505e9 * 2.0 / 0.8e12 + 32 * 50e-6, 0.02 * token);
}

TEST(LocalRuntime, cardsWorkInTurnSoMoreOfThemDoNotMakeATokenFaster)
{
    const double one = times(plain(), card(), 1).token.total().value;
    const double four = times(plain(), card(), 4).token.total().value;
    EXPECT_NEAR(four - one, 3 * 300e-6, 1e-9);
}

TEST(LocalRuntime, aLongPromptPassesTheCardsInBatches)
{
    // The first of 8 batches passes all layers, then one comes out in the time of the largest share: 9 of 32 layers, with the head.
    const double one = times(plain(), card(), 1, 4096).prompt.total().value;
    const double four = times(plain(), card(), 4, 4096).prompt.total().value;
    EXPECT_NEAR(four, one / 8.0 * (1.0 + 7.0 * 9.0 / 32.0) + 3 * 300e-6, 1e-6);
    EXPECT_GE(times(plain(), card(), 4, 512).prompt.total(), times(plain(), card(), 1, 512).prompt.total())
        << "one batch cannot be shared";
}

TEST(LocalRuntime, batchesOfAPromptWaitWhereAQueueTakesFewLayers)
{
    const double free = times(plain(), card(), 4, 4096).prompt.total().value;
    RuntimeKernels queued = plain();
    queued.queuedLayers = 16;             // 2 of 4 cards at work: 32 layers, 8 on a card
    const double two = times(queued, card(), 4, 4096).prompt.total().value;
    queued.queuedLayers = 1;              // one after the other
    const double none = times(queued, card(), 4, 4096).prompt.total().value;
    const double one = times(plain(), card(), 1, 4096).prompt.total().value;
    EXPECT_NEAR(two, one / 8.0 * (1.0 + 7.0 / 2.0) + 3 * 300e-6, 1e-6);
    EXPECT_NEAR(none, one + 3 * 300e-6, 1e-6);
    EXPECT_LT(free, two);
    queued.queuedQuantised = 1e6;
    EXPECT_EQ(times(queued, card(), 4, 4096).prompt.total().value, none) << "16-bit weights are not unpacked";
    queued.queuedLayers = 0;
    queued.inFlight = 2;
    EXPECT_NEAR(times(queued, card(), 4, 4096).prompt.total().value, two, 1e-9);
}

TEST(LocalRuntime, anEngineThatLoopsOverExpertsPaysForEachOfThem)
{
    RuntimeKernels looping = plain();
    looping.expertLoop = Seconds{80e-6};
    EXPECT_EQ(times(looping, card()).token.total(), times(plain(), card()).token.total()) << "a dense network has none";
    looping.eightBitProduct = Seconds{100e-6};
    EXPECT_EQ(times(looping, card()).token.total(), times(plain(), card()).token.total()) << "16-bit weights";
    EXPECT_NEAR((times(looping, card(), 1, 512, Format::int8).token.total() - times(plain(), card(), 1, 512, Format::int8).token.total()).value,
                32 * 7 * 100e-6, 1e-9);
}

TEST(LocalRuntime, aUnitStreamsNoMoreThanItsLimit)
{
    RuntimeKernels limited = plain();
    limited.unitWeights = Bandwidth{4e9};   // 100 units: 0.4 TB/s
    const double token = times(limited, card()).token.total().value;
    EXPECT_NEAR(token, 7.505e9 * 2.0 / 0.4e12 + 32 * 50e-6, 0.02 * token);
}

TEST(LocalRuntime, memoryThatChecksItselfIsSlower)
{
    RuntimeKernels runtime = plain();
    runtime.errorCorrection = 0.9;
    Device checked = card();
    checked.memoryKind = "GDDR6 ECC";
    EXPECT_GT(times(runtime, checked).token.total(), times(runtime, card()).token.total());
}

TEST(LocalRuntime, fewerBitsAreFasterToWriteWith)
{
    Seconds before{1e9};
    for (const Format format : {Format::bf16, Format::q8_0, Format::q6_k, Format::q5_k_m, Format::q4_k_m, Format::q3_k_m, Format::q2_k}) {
        const Seconds now = times(plain(), card(), 1, 512, format).token.total();
        EXPECT_LT(now, before) << idOf(format);
        before = now;
    }
}

TEST(LocalRuntime, powerBoundsAPromptWhereThePeakDoesNot)
{
    RuntimeKernels powered = plain();
    powered.promptPerJoule = 0.1e12;        // 30 TFLOP/s at 300 W, below half of 100
    Device strong = card(), thrifty = card();
    thrifty.boardPower = Watts{150};
    EXPECT_GT(times(powered, strong).prompt.total(), times(plain(), strong).prompt.total());
    EXPECT_GT(times(powered, thrifty).prompt.total(), 1.8 * times(powered, strong).prompt.total());
}

TEST(LocalRuntime, unpackingCostsAPassOverTheWeightsWhateverTheLengthOfABatch)
{
    RuntimeKernels unpacking = plain();
    unpacking.unpack = 1.0;
    const auto extra = [&](double prompt) {
        return (times(unpacking, card(), 1, prompt, Format::q4_k_m).prompt.total() -
                times(plain(), card(), 1, prompt, Format::q4_k_m).prompt.total()).value;
    };
    EXPECT_NEAR(extra(512), 6.98e9 * (0.6 + 2.0) / 1e12, 0.1 * extra(512));
    EXPECT_NEAR(extra(256), extra(512), 0.02 * extra(512));
    EXPECT_NEAR(extra(1024), 2.0 * extra(512), 0.02 * extra(1024));
}

TEST(LocalRuntime, theFirstEntryThatFitsADeviceAndADateIsUsed)
{
    EngineProfile engine;
    RuntimeKernels old = plain(), now = plain(), other = plain();
    old.vendor = now.vendor = "NVIDIA";
    old.until = "2025-06";
    old.weights = 0.1;
    now.weights = 0.2;
    other.weights = 0.3;
    engine.runtimes = {old, now, other};
    EXPECT_EQ(runtimeFor(engine, card(), "2024-05-17")->weights, 0.1);
    EXPECT_EQ(runtimeFor(engine, card(), "2025-11")->weights, 0.2);
    EXPECT_EQ(runtimeFor(engine, card())->weights, 0.2);
    Device apple = card();
    apple.vendor = "Apple";
    EXPECT_EQ(runtimeFor(engine, apple)->weights, 0.3);
    EXPECT_EQ(runtimeFor(EngineProfile{}, card()), nullptr);
}

/// llama.cpp with a 4-bit network on cards that hold some layers each.
Scenario oneUser(const Network& network, int cards, int inputTokens)
{
    const Presets& presets = samples::shippedPresets();
    Scenario s;
    s.system = systemOf(*findDevice(presets, "rtx-4090"));
    s.engine = *findEngine(presets, "llama.cpp");
    if (cards == 1)
        s.system.devicesPerNode = 1;
    s.plan.pipelineParallel = cards;
    s.network = network;
    s.precision.weights = Format::q4_k_m;
    s.load.inputTokens = inputTokens;
    s.load.outputTokens = 128;
    s.load.concurrency = 1;
    return s;
}

LocalTimes directly(const Scenario& s, Seconds host)
{
    const RuntimeKernels& runtime = *runtimeFor(s.engine, s.system.device);
    ResolvedPrecision precision;
    precision.weights = s.precision.weights;
    return localTimes(s.network, precision, s.system, runtimeKernelFamily(runtime, s.system.device), runtime, s.engine, host, 1,
                      s.plan.pipelineParallel, 1, s.load.inputTokens + s.load.outputTokens / 2.0, s.load.inputTokens);
}

TEST(LocalRuntime, theWindowShowsTheSameNumbers)
{
    const Scenario s = oneUser(samples::llama8b(), 1, 512);
    const Report report = evaluate(s);
    ASSERT_TRUE(report.metrics) << verdictText(report);
    const RuntimeKernels* runtime = runtimeFor(s.engine, s.system.device);
    ASSERT_TRUE(runtime);
    const LocalTimes direct = directly(s, {});
    EXPECT_NEAR(report.metrics->tpot.value, direct.token.total().value, 0.01 * direct.token.total().value);
    EXPECT_NEAR(report.metrics->ttft.value, direct.prompt.total().value, 0.15 * direct.prompt.total().value);
    ASSERT_TRUE(report.tpotSpread) << "the window shows a band";
    EXPECT_NEAR(std::exp(2 * 1.2816 * report.tpotSpread->total()), runtime->high / runtime->low, 1e-9);
    EXPECT_EQ(report.provenance, Provenance::familyDefault);
    // 130 to 150 tokens/s are reported for this card and network.
    EXPECT_NEAR(1.0 / report.metrics->tpot.value, 140.0, 20.0);
}

TEST(LocalRuntime, theWindowShowsTheSameNumbersOfSeveralCards)
{
    const Scenario s = oneUser(samples::llama70b(), 4, 2048);
    const Report report = evaluate(s);
    ASSERT_TRUE(report.metrics) << verdictText(report);
    const LocalTimes direct = directly(s, s.engine.hostPerStep);
    EXPECT_NEAR(report.metrics->tpot.value, direct.token.total().value, 1e-9);
    EXPECT_NEAR(report.metrics->ttft.value, direct.prompt.total().value, 1e-9);
    EXPECT_NEAR(report.metrics->outputRate.value, 128.0 / (direct.prompt.total() + direct.token.total() * 127.0).value, 1e-6);
}

} // namespace
} // namespace ridgepoint
