// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/cpu/kernels.h"
#include "probes/cpu/probes.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ridgepoint::probe {
namespace {

TEST(Kernels, EveryVariantMakesTheSameProduct)
{
    constexpr int m = 37;
    constexpr int n = 19;
    constexpr int k = 53;
    // Small whole numbers: sums are exact in any order.
    std::vector<float> a(m * k);
    std::vector<float> b(k * n);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = float(i % 7) - 3;
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = float(i % 5) - 2;
    for (const Kernels* variant : supportedKernels()) {
        std::vector<float> c(m * n, -1.0f);
        variant->gemm(a.data(), b.data(), c.data(), m, n, k);
        for (int row = 0; row < m; ++row) {
            for (int column = 0; column < n; ++column) {
                float sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += a[std::size_t(i * m + row)] * b[std::size_t(column * k + i)];
                ASSERT_EQ(c[std::size_t(column * m + row)], sum)
                    << variant->instructions << ' ' << row << ' ' << column;
            }
        }
    }
}

TEST(Kernels, EveryVariantMakesTheSameTriad)
{
    constexpr std::size_t count = 192;
    const Array<double> a = untouched<double>(count);
    const Array<double> b = untouched<double>(count);
    const Array<double> c = untouched<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        b[i] = double(i);
        c[i] = double(2 * i);
    }
    for (const Kernels* variant : supportedKernels()) {
        for (const auto run : {variant->triad, variant->triadStreaming}) {
            if (run == nullptr)
                continue;
            std::fill_n(a.get(), count, -1.0);
            run(a.get(), b.get(), c.get(), 3.0, count);
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_EQ(a[i], double(7 * i)) << variant->instructions;
        }
    }
}

TEST(Kernels, EveryVariantKeepsAllItsMultiplyAdds)
{
    for (const Kernels* variant : supportedKernels()) {
        // Chains start at 2, 3, ... and halve their distance to 1 in each round.
        const double perLane = variant->multiplyAddFlops / 24;
        EXPECT_FLOAT_EQ(variant->multiplyAdd(0), float(90 * perLane)) << variant->instructions;
        EXPECT_FLOAT_EQ(variant->multiplyAdd(1), float(51 * perLane)) << variant->instructions;
        EXPECT_FLOAT_EQ(variant->multiplyAdd(1000), float(12 * perLane)) << variant->instructions;
    }
}

TEST(CpuProbes, CasesAreDistinctAndFitIntoMemory)
{
    Machine machine;
    machine.cores = {0, 1, 2, 3};
    machine.level1 = 32u << 10;
    machine.level2 = 1u << 20;
    machine.lastLevel = 40u << 20;
    machine.memory = std::size_t(8) << 30;
    for (const bool quick : {false, true}) {
        std::set<std::string> shapes;
        for (const Probe& probe : {multiplyAddPeak(), matmul(), streamTriad()}) {
            for (const Case& single : probe.cases({.machine = machine, .quick = quick})) {
                EXPECT_TRUE(shapes.insert(std::string(probe.name) + single.shape).second) << single.shape;
                EXPECT_GT(single.amount, 0) << single.shape;
                EXPECT_LE(single.amount, 1e12) << single.shape;
            }
        }
        EXPECT_GT(shapes.size(), 10u);
    }
}

TEST(CpuProbes, TriadGoesFromTheFirstCacheToFourTimesTheLast)
{
    Machine machine;
    machine.cores = {0, 1};
    machine.level1 = 32u << 10;
    machine.lastLevel = 40u << 20;
    machine.memory = std::size_t(8) << 30;
    const std::vector<Case> cases = streamTriad().cases({.machine = machine, .quick = false});
    EXPECT_LE(cases.front().amount, 32.0 * 1024);
    EXPECT_NEAR(cases.back().amount, 160.0 * 1024 * 1024, 1e4);

    machine.memory = 100u << 20;
    for (const Case& single : streamTriad().cases({.machine = machine, .quick = false}))
        EXPECT_LE(single.amount, 25.0 * 1024 * 1024) << "a quarter of what is free";
}

} // namespace
} // namespace ridgepoint::probe
