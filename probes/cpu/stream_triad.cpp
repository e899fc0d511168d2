// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/threads.h"
#include "probes/cpu/kernels.h"
#include "probes/cpu/probes.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint::probe {
namespace {

// a = b + s c on doubles. STREAM counts what the program asks for: 16 bytes read and 8 written an element. An ordinary
// store that misses the cache also reads the line that it writes, 8 bytes more, unless the processor avoids that; the
// shape says so, and streaming stores have no such reads.
constexpr std::size_t countedBytes = 24;
constexpr std::size_t elementBytes = 3 * sizeof(double);
constexpr std::size_t granule = 64;      ///< elements; whole cache lines and vectors for every thread

struct Arrays
{
    Array<double> a, b, c;
    std::size_t each = 0;                ///< elements of a thread
};

std::shared_ptr<Arrays> allot(std::span<const int> cores, std::size_t each)
{
    auto arrays = std::make_shared<Arrays>();
    arrays->each = each;
    const std::size_t all = each * cores.size();
    arrays->a = untouched<double>(all);
    arrays->b = untouched<double>(all);
    arrays->c = untouched<double>(all);
    timeOnCores(cores, [&](std::size_t thread) {
        const std::size_t first = thread * each;
        std::fill_n(arrays->a.get() + first, each, 0.0);
        std::fill_n(arrays->b.get() + first, each, 1.0);
        std::fill_n(arrays->c.get() + first, each, 2.0);
    });
    return arrays;
}

Case triadCase(const std::vector<int>& cores, std::size_t bytes, bool streaming)
{
    const std::size_t each = std::max<std::size_t>(1, bytes / (elementBytes * cores.size() * granule)) * granule;
    const std::size_t all = each * cores.size();
    Case single;
    single.threads = int(cores.size());
    single.amount = double(all * countedBytes);
    single.shape = fmt::format("bytes={} threads={} stores={} counted=24 write-allocate={}", all * elementBytes,
                               cores.size(), streaming ? "streaming" : "cached", streaming ? 0 : 8);
    single.prepare = [cores, each, streaming]() -> Work {
        const std::shared_ptr<Arrays> arrays = allot(cores, each);
        const auto run = streaming ? kernels().triadStreaming : kernels().triad;
        return [cores, arrays, run](int passes) {
            return timeOnCores(cores, [&](std::size_t thread) {
                const std::size_t first = thread * arrays->each;
                for (int pass = 0; pass < passes; ++pass)
                    run(arrays->a.get() + first, arrays->b.get() + first, arrays->c.get() + first, 3.0, arrays->each);
            });
        };
    };
    return single;
}

/// From half of the first cache of each core to four times the last level, all arrays and threads together. The last is
/// smaller where memory is short, and in a quick run.
std::vector<std::size_t> sizes(const Conditions& conditions, std::size_t threads)
{
    constexpr std::size_t mebibyte = std::size_t(1) << 20;
    const Machine& machine = conditions.machine;
    const std::size_t first = (machine.level1 > 0 ? machine.level1 : 32 << 10) / 2 * threads;
    std::size_t last = 4 * (machine.lastLevel > 0 ? machine.lastLevel : 64 * mebibyte);
    last = std::max(last, 64 * mebibyte);
    if (machine.memory > 0)
        last = std::min(last, machine.memory / 4);
    if (conditions.quick)
        last = std::min(last, 64 * mebibyte);
    last = std::max(last, first);

    std::vector<std::size_t> all;
    const std::size_t factor = conditions.quick ? 64 : 4;
    // The last size takes the place of one that is nearly as large.
    for (std::size_t size = first; size < last / 2; size *= factor)
        all.push_back(size);
    all.push_back(last);
    return all;
}

std::vector<Case> cases(const Conditions& conditions)
{
    std::vector<Case> all;
    for (const std::vector<int>& cores : coreSets(conditions.machine)) {
        const std::vector<std::size_t> bytes = sizes(conditions, cores.size());
        for (const std::size_t size : bytes)
            all.push_back(triadCase(cores, size, false));
        // Streaming stores pay where the caches cannot hold the arrays.
        if (kernels().triadStreaming != nullptr)
            all.push_back(triadCase(cores, bytes.back(), true));
    }
    return all;
}

} // namespace

Probe streamTriad()
{
    return {.name = "stream_triad", .unit = "B/s", .cases = cases};
}

} // namespace ridgepoint::probe
