// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/calibration.h"
#include "core/scenario/evaluate.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Calibration measured()
{
    const auto sample = [](const char* probe, const char* shape, double value, const char* unit) {
        return CalibrationSample{probe, shape, value, value, value, 5, unit};
    };
    Calibration calibration;
    calibration.id = "my-machine";
    calibration.machine = "Processor";
    calibration.date = "2026-11-30";
    calibration.units = 2;
    calibration.memory = 64e9;
    calibration.samples = {sample("stream_triad", "bytes=24576 threads=2", 400e9, "B/s"),
                           sample("stream_triad", "bytes=67108864 threads=1", 30e9, "B/s"),
                           sample("stream_triad", "bytes=67108864 threads=2", 50e9, "B/s"),
                           sample("matmul", "m=512 n=512 k=512 dtype=fp32 threads=1", 80e9, "FLOP/s"),
                           sample("matmul", "m=512 n=512 k=512 dtype=fp32 threads=2", 150e9, "FLOP/s")};
    return calibration;
}

TEST(MeasuredDevice, HasTheRatesOfTheMemoryAndNotOfTheCaches)
{
    const Result<Device> device = measuredDevice(measured());
    ASSERT_TRUE(device);
    EXPECT_DOUBLE_EQ(device->memoryBandwidth.value, 50e9);
    EXPECT_DOUBLE_EQ(device->peak.fp32->value, 150e9);
    EXPECT_FALSE(device->peak.bf16);
    EXPECT_DOUBLE_EQ(device->memoryVisible.value, 64e9);
}

TEST(MeasuredDevice, RunsANetworkAtTheMeasuredBandwidth)
{
    Scenario s = samples::servingScenario();
    s.network = samples::llama8b();
    s.precision = {};
    s.plan = {};
    s.load = {.inputTokens = 100, .outputTokens = 100, .concurrency = 1, .batching = BatchingMode::continuous};
    s.engine = samples::idealEngine();
    s.engine.idealKernels = false;
    s.system = {};
    s.system.device = *measuredDevice(measured());
    const Report report = evaluate(s);
    ASSERT_TRUE(report.feasible());
    EXPECT_EQ(report.provenance, Provenance::calibrated);
    // 15.0 GB of weights and 0.02 GB of cache at 50 GB/s.
    EXPECT_NEAR(report.metrics->decodeStep.value, 15.03e9 / 50e9, 0.002);
}

TEST(MeasuredDevice, NeedsBothKindsOfSamples)
{
    Calibration calibration = measured();
    calibration.samples.resize(3);
    const Result<Device> device = measuredDevice(calibration);
    ASSERT_FALSE(device);
    EXPECT_NE(device.error().message.find("run the probe"), std::string::npos);
}

} // namespace
} // namespace ridgepoint
