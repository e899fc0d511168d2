// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/threads.h"
#include "probes/cpu/kernels.h"
#include "probes/cpu/probes.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <random>

namespace ridgepoint::probe {
namespace {

struct Matrices
{
    Array<float> a, b, c;
};

std::shared_ptr<Matrices> allot(std::size_t size)
{
    auto matrices = std::make_shared<Matrices>();
    const std::size_t count = size * size;
    matrices->a = untouched<float>(count);
    matrices->b = untouched<float>(count);
    matrices->c = untouched<float>(count);
    // Random numbers: processors draw less power, and clock higher, on zeros.
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::generate_n(matrices->a.get(), count, [&] { return number(random); });
    std::generate_n(matrices->b.get(), count, [&] { return number(random); });
    std::fill_n(matrices->c.get(), count, 0.0f);
    return matrices;
}

/// All threads share one product: each makes a block of its columns.
Case matmulCase(const std::vector<int>& cores, int size)
{
    Case single;
    single.threads = int(cores.size());
    single.amount = 2.0 * size * size * size;
    single.shape = fmt::format("m={0} n={0} k={0} dtype=fp32 threads={1}", size, cores.size());
    single.prepare = [cores, size]() -> Work {
        const std::shared_ptr<Matrices> matrices = allot(std::size_t(size));
        return [cores, size, matrices](int passes) {
            return timeOnCores(cores, [&](std::size_t thread) {
                const auto count = int(cores.size());
                const int first = int(std::int64_t(size) * int(thread) / count);
                const int columns = int(std::int64_t(size) * (int(thread) + 1) / count) - first;
                const std::size_t offset = std::size_t(first) * std::size_t(size);
                for (int pass = 0; pass < passes; ++pass)
                    kernels().gemm(matrices->a.get(), matrices->b.get() + offset, matrices->c.get() + offset, size,
                                   columns, size);
            });
        };
    };
    return single;
}

std::vector<Case> cases(const Conditions& conditions)
{
    std::vector<Case> all;
    for (const std::vector<int>& cores : coreSets(conditions.machine)) {
        std::vector<int> sizes = conditions.quick ? std::vector{256, 512} : std::vector{256, 512, 1024, 2048};
        // Many cores need more to share before they are busy.
        if (!conditions.quick && cores.size() >= 8)
            sizes.push_back(4096);
        for (const int size : sizes)
            all.push_back(matmulCase(cores, size));
    }
    return all;
}

} // namespace

Probe matmul()
{
    return {.name = "matmul", .unit = "FLOP/s", .cases = cases};
}

} // namespace ridgepoint::probe
