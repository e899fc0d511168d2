// SPDX-License-Identifier: GPL-3.0-or-later
//
// Both solvers on random replicas: solver_agreement [loads of each kind, 200] [seed, 1]. A line for each, and a summary.
#include "core/io/preset_library.h"
#include "tests/serving/agreement.h"

#include <cstdlib>
#include <fmt/format.h>

namespace ridgepoint::tests {
namespace {

int run(int count, std::uint64_t seed)
{
    constexpr double wanted = 0.003, allowed = 0.03;
    constexpr int mostSeeds = 400;
    const LoadedPresets loaded = loadPresets({RIDGEPOINT_SOURCE_DIR "/presets"});
    int broken = 0;
    for (const Arrivals arrivals : {Arrivals::closedLoop, Arrivals::openLoop}) {
        int below = 0, claims = 0, paceClaims = 0, right = 0;
        for (const auto& contest : contests(loaded.presets, arrivals, count, seed)) {
            const ServingTimes times = contest->closedForm();
            if (times.limits.test(std::size_t(ServingLimit::overCapacity)) ||
                times.limits.test(std::size_t(ServingLimit::nearCapacity)))
                continue;
            const LongSimulation simulation = simulateLong(*contest, wanted, mostSeeds);
            const Disagreement off = disagreement(*contest, times, simulation);
            ++below;
            right += off.worst() <= allowed;
            claims += times.limits.none();
            paceClaims += times.paceLimits.none();
            const bool wrong = (times.limits.none() && off.worst() > allowed) ||
                               (times.paceLimits.none() && off.pace() > allowed);
            broken += wrong;
            fmt::print("{} TTFT {:+.1f} TPOT {:+.1f} ITL {:+.1f} latency {:+.1f} rate {:+.1f} % (error {:.2f} %){}{}: {}\n",
                       wrong ? "wrong" : "     ", 100 * off.ttft, 100 * off.tpot, 100 * off.itl, 100 * off.latency,
                       100 * off.rate, 100 * simulation.error, times.limits.none() ? ", claims all" : "",
                       times.paceLimits.none() ? ", claims pace" : "", contest->text);
        }
        fmt::print("{}: {} below capacity, {} claim all means, {} claim the pace, {} within 3 %\n",
                   arrivals == Arrivals::closedLoop ? "closed" : "open", below, claims, paceClaims, right);
    }
    fmt::print("{} claims are wrong\n", broken);
    return broken == 0 ? 0 : 1;
}

} // namespace
} // namespace ridgepoint::tests

int main(int argc, char** argv)
{
    return ridgepoint::tests::run(argc > 1 ? std::atoi(argv[1]) : 200, argc > 2 ? std::uint64_t(std::atoi(argv[2])) : 1);
}
