// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/attention.h"
#include "core/cost/collective.h"
#include "core/cost/matmul.h"
#include "core/cost/mixture.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

using namespace literals;

TEST(Overlapped, LiesBetweenTheLongerAndTheSum)
{
    for (const double p : {1.0, 1.3, 2.0, 5.0, 12.0, fullOverlap}) {
        const Overlapped both = overlapped(3.0, 4.0, p);
        EXPECT_GE(both.time, 4.0);
        EXPECT_LE(both.time, 7.0);
        EXPECT_LE(both.shareOfFirst, 0.5);
    }
    EXPECT_DOUBLE_EQ(overlapped(3.0, 4.0, 1.0).time, 7.0);
    EXPECT_DOUBLE_EQ(overlapped(3.0, 4.0, 2.0).time, 5.0);
    EXPECT_DOUBLE_EQ(overlapped(3.0, 4.0, fullOverlap).time, 4.0);
    EXPECT_DOUBLE_EQ(overlapped(0.0, 0.0, 2.0).time, 0.0);
}

TEST(Matmul, WithoutTilingIsTheRoofline)
{
    const Device device = samples::roundDevice();
    const MatmulKernel ideal = idealKernels().matmulBf16;
    // [4096, 4096] x [4096, 4096] in bf16: 137.4 GFLOP at 1000 TFLOP/s.
    const KernelCost compute = matmulCost({.m = 4096, .n = 4096, .k = 4096}, ideal, device, 1000_TFLOPS);
    EXPECT_NEAR(compute.time.value, 2.0 * 4096 * 4096 * 4096 / 1e15, 1e-15);
    EXPECT_EQ(compute.computeShare, 1.0);
    // One row streams the weights: 33.55 MB at 4 TB/s.
    const KernelCost stream = matmulCost({.m = 1, .n = 4096, .k = 4096}, ideal, device, 1000_TFLOPS);
    EXPECT_NEAR(stream.time.value, (2.0 * 4096 * 4096 + 2.0 * 2 * 4096) / 4e12, 1e-15);
    EXPECT_EQ(stream.computeShare, 0.0);
}

TEST(Matmul, WavesOfTilesCostWhatTheFormulaSays)
{
    Device device = samples::roundDevice();
    const MatmulKernel kernel{.tiles = TileFamily::min128, .launch = 2_us, .compute = 0.8, .memory = 0.9, .coreLoad = 1,
                              .splitReduction = 100_us, .overlap = fullOverlap, .wave = 0.5_us, .waveStrictness = 1,
                              .quantize = 1};
    // 1280 x 1280 in 128 x 128 tiles: 100 tiles, one wave of 100 units; k = 8192.
    const double perDepth = 2.0 * 128 * 128 / (0.8 * 1000e12 / 100);
    const KernelCost one = matmulCost({.m = 1280, .n = 1280, .k = 8192}, kernel, device, 1000_TFLOPS);
    EXPECT_NEAR(one.time.value, 2e-6 + 8192 * perDepth + 0.5e-6, 1e-12);
    // One row more needs a second wave when waves are counted strictly.
    const KernelCost two = matmulCost({.m = 1281, .n = 1280, .k = 8192}, kernel, device, 1000_TFLOPS);
    EXPECT_GT(two.compute.value, one.compute.value * 1.3);
}

TEST(Matmul, SplitsALongProductOverIdleUnits)
{
    const Device device = samples::roundDevice();
    MatmulKernel kernel;
    kernel.splitReduction = 1_us;
    MatmulKernel never = kernel;
    never.splitReduction = 1000_us;
    const MatmulShape shape{.m = 64, .n = 64, .k = 65536};
    EXPECT_LT(matmulCost(shape, kernel, device, 1000_TFLOPS).time.value,
              0.3 * matmulCost(shape, never, device, 1000_TFLOPS).time.value);
}

TEST(Matmul, NeverExceedsThePeakOrTheBandwidth)
{
    const Device device = samples::roundDevice();
    for (const double m : {1.0, 17.0, 128.0, 129.0, 4096.0})
        for (const double n : {64.0, 1000.0, 28672.0})
            for (const double k : {64.0, 4096.0, 16384.0}) {
                const KernelCost cost = matmulCost({.m = m, .n = n, .k = k}, {}, device, 1000_TFLOPS);
                EXPECT_LE(2.0 * m * n * k / cost.time.value, 1000e12);
                EXPECT_LE(2.0 * n * k / cost.time.value, 4e12);
            }
}

TEST(CausalPairs, ClosedFormEqualsTheSum)
{
    for (const int queries : {1, 7, 128})
        for (const int before : {0, 5, 1000})
            for (const int window : {0, 1, 64, 500, 5000}) {
                double sum = 0;
                for (int i = 1; i <= queries; ++i)
                    sum += window > 0 ? std::min(before + i, window) : before + i;
                EXPECT_DOUBLE_EQ(causalPairs(queries, queries + before, window), sum)
                    << queries << " " << before << " " << window;
            }
}

TEST(DecodeAttention, StreamsTheCacheAtTheDataSheetWhenIdeal)
{
    const Device device = samples::roundDevice();
    Op op;
    op.kind = OpKind::decodeAttention;
    op.sequences = 64;
    op.context = 4096;
    op.heads = 8;
    op.kvHeads = 1;
    op.headDim = 128;
    op.kvBytes = Bytes{2.0 * 64 * 4096 * 128 * 2};
    EXPECT_NEAR(decodeAttentionCost(op, idealKernels().decodeBf16, device).time.value, op.kvBytes.value / 4e12, 1e-12);
    // A window caps what is read in tiles, too.
    Op windowed = op;
    windowed.window = 128;
    windowed.kvBytes = Bytes{2.0 * 64 * 128 * 128 * 2};
    EXPECT_LT(decodeAttentionCost(windowed, {}, device).time.value, decodeAttentionCost(op, {}, device).time.value);
}

TEST(PrefillAttention, TilesCoverAtLeastTheCausalPairs)
{
    const Device device = samples::roundDevice();
    for (const double queries : {3.0, 100.0, 128.0, 1000.0, 8192.0})
        for (const double before : {0.0, 1000.0})
            for (const double window : {0.0, 128.0, 1024.0}) {
                Op op;
                op.sequences = 2;
                op.queries = queries;
                op.context = queries + before;
                op.heads = 8;
                op.kvHeads = 1;
                op.headDim = 128;
                op.window = window;
                op.flops = Flops{4.0 * 2 * 8 * 128 * causalPairs(queries, op.context, window)};
                const KernelCost cost = prefillAttentionCost(op, {}, device, 1000_TFLOPS);
                EXPECT_LE(op.flops.value / cost.time.value, 1000e12);
            }
}

TEST(Mixture, ReadsOnlyTheExpertsThatAreTouched)
{
    EXPECT_NEAR(distinctExperts(1, 8, 256), 8.0, 1e-9);
    EXPECT_LT(distinctExperts(16, 8, 256), 128.0);
    EXPECT_NEAR(distinctExperts(1e6, 8, 256), 256.0, 0.1);
    double last = 0;
    for (double tokens = 1; tokens < 1e5; tokens *= 2) {
        EXPECT_GE(distinctExperts(tokens, 8, 256), last);
        last = distinctExperts(tokens, 8, 256);
    }
}

TEST(Collective, RingVolumeAndLatency)
{
    System system;
    system.device = samples::roundDevice();
    system.devicesPerNode = 8;
    system.topology = Topology::switched;
    KernelFamily kernel;
    kernel.allReduceDirect.exists = false;
    kernel.allReduce = {.fixed = 3_us, .perDevice = 2_us, .bandwidth = 0.5, .growth = 1, .overlap = 1};
    // 8 devices, 8 MB: 19 us latency + 2 x 7/8 x 8 MB at 200 GB/s = 70 us.
    EXPECT_NEAR(allReduceCost(Bytes{8e6}, 8, system, kernel).time.value, 19e-6 + 70e-6, 1e-12);
    EXPECT_EQ(allReduceCost(Bytes{8e6}, 1, system, kernel).time.value, 0.0);
    system.freeLinks = true;
    EXPECT_EQ(allReduceCost(Bytes{8e6}, 8, system, kernel).time.value, 0.0);
}

TEST(GroupBandwidth, FollowsTheTopology)
{
    System system;
    system.device = samples::roundDevice();
    system.devicesPerNode = 8;
    const struct { Topology topology; int group; double expected; } cases[] = {
        {Topology::switched, 2, 400e9},      {Topology::switched, 8, 400e9},
        {Topology::fullMesh, 2, 400e9 / 7},  // one seventh of the device's links
        {Topology::fullMesh, 4, 400e9 * 3 / 7}, {Topology::fullMesh, 8, 400e9},
        {Topology::torus, 2, 100e9},         {Topology::torus, 4, 200e9}, {Topology::torus, 16, 400e9},
        {Topology::pcie, 2, 64e9},           {Topology::pcie, 8, 16e9},   {Topology::none, 2, 0.0},
    };
    for (const auto& c : cases) {
        system.topology = c.topology;
        system.devicesPerNode = std::max(8, c.group);
        EXPECT_NEAR(groupBandwidth(system, c.group).value, c.expected, 1.0) << int(c.topology) << " " << c.group;
    }
}

} // namespace
} // namespace ridgepoint
