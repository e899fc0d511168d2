// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/threads.h"
#include "probes/cpu/kernels.h"
#include "probes/cpu/probes.h"

#include <atomic>
#include <fmt/format.h>

namespace ridgepoint::probe {
namespace {

// Fused multiply-adds on registers: the FLOP/s that the cores reach at the clock they really run at. Efficiencies of
// the other probes are relative to this, since no data sheet says it for a given machine.
std::vector<Case> cases(const Conditions& conditions)
{
    std::vector<Case> all;
    for (const std::vector<int>& cores : coreSets(conditions.machine)) {
        constexpr std::size_t iterations = 10000;
        Case single;
        single.threads = int(cores.size());
        single.amount = double(iterations) * kernels().multiplyAddFlops * double(cores.size());
        single.shape = fmt::format("dtype=fp32 threads={}", cores.size());
        single.prepare = [cores]() -> Work {
            return [cores](int passes) {
                std::atomic<float> kept = 0;
                return timeOnCores(cores, [&](std::size_t) {
                    kept = kernels().multiplyAdd(iterations * std::size_t(passes));
                });
            };
        };
        all.push_back(std::move(single));
    }
    return all;
}

} // namespace

Probe multiplyAddPeak()
{
    return {.name = "multiply_add", .unit = "FLOP/s", .cases = cases};
}

} // namespace ridgepoint::probe
