// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/simplex.h"
#include "core/serving/offline.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

ResolvedPrecision eightBit()
{
    ResolvedPrecision p;
    p.weights = p.activations = p.kv = Format::fp8;
    return p;
}

const Device& device(const char* id) { return *findDevice(samples::shippedPresets(), id); }

TEST(Offline, throughputOfACardIsNearWhatIsPublished)
{
    // MLPerf v5.1, Llama-2-70B on H200: 4300 to 4415 output tokens/s a device; here its shape with the larger vocabulary.
    const OfflineThroughput t = offlineThroughput(samples::llama70b(), eightBit(), device("h200-sxm"), {.inputTokens = 294, .outputTokens = 294});
    EXPECT_TRUE(t.fits);
    EXPECT_NEAR(t.output.value, 4350.0, 0.25 * 4350.0);
}

TEST(Offline, moreBandwidthMemoryOrComputeIsNeverSlower)
{
    const OfflineLoad load{.inputTokens = 1000, .outputTokens = 1000, .devices = 2};
    const Device base = device("h100-sxm");
    const double before = offlineThroughput(samples::llama70b(), eightBit(), base, load).output.value;
    Device wide = base, large = base, fast = base;
    wide.memoryBandwidth *= 2;
    large.memoryCapacity *= 2;
    fast.peak.fp8 = *fast.peak.fp8 * 2;
    fast.peak.bf16 = *fast.peak.bf16 * 2;
    for (const Device& better : {wide, large, fast})
        EXPECT_GE(offlineThroughput(samples::llama70b(), eightBit(), better, load).output.value, before);
}

TEST(Offline, longerPromptsAndAnswersLowerTheThroughput)
{
    const auto at = [](double input, double output) {
        return offlineThroughput(samples::llama70b(), eightBit(), device("h200-sxm"),
                                 {.inputTokens = input, .outputTokens = output, .devices = 2}).output.value;
    };
    EXPECT_GT(at(1000, 1000), at(8000, 1000));
    EXPECT_GT(at(1000, 1000), at(1000, 8000));
}

TEST(Offline, aLimitOfTheTimeBetweenTokensIsKept)
{
    const auto at = [](std::optional<Seconds> limit) {
        return offlineThroughput(samples::llama70b(), eightBit(), device("h200-sxm"),
                                 {.inputTokens = 294, .outputTokens = 294, .tokenLimit = limit});
    };
    const OfflineThroughput free = at({}), bound = at(Seconds{0.04});
    EXPECT_LT(bound.output, free.output);
    EXPECT_LE(bound.sequences / bound.output.value, 0.0401);
}

TEST(Offline, weightsThatDoNotFitAreSaidSo)
{
    EXPECT_FALSE(offlineThroughput(samples::llama70b(), {}, device("h100-sxm"), {}).fits);
}

TEST(Simplex, findsTheBottomOfAValley)
{
    // Rosenbrock: 100 (y - x^2)^2 + (1 - x)^2, least at (1, 1).
    const auto best = minimumBySimplex(
        [](const std::vector<double>& v) { return 100 * std::pow(v[1] - v[0] * v[0], 2) + std::pow(1 - v[0], 2); }, {-1.2, 1.0}, 0.5, 2000);
    EXPECT_NEAR(best[0], 1.0, 1e-3);
    EXPECT_NEAR(best[1], 1.0, 1e-3);
    EXPECT_TRUE(minimumBySimplex([](const std::vector<double>&) { return 0.0; }, {}, 0.1, 10).empty());
}

} // namespace
} // namespace ridgepoint
