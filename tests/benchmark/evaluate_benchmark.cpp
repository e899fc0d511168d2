// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long `evaluate` takes on one core: every pass evaluates each of many distinct scenarios once, so nothing that was
// computed before can be used again. Processor time is counted, so that other programs do not blur the result.
#include "core/io/preset_library.h"
#include "core/scenario/evaluate.h"
#include "tests/benchmark/random_scenarios.h"

#include <array>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {
namespace {

constexpr std::uint64_t seed = 20260131;

double processorSeconds()
{
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

struct Subject
{
    std::string name;
    NetworkKind kind = NetworkKind::dense;
    std::size_t count = 0;
    std::vector<Scenario> scenarios = {};
    double meanMicroseconds = 0; ///< over all passes
    bool allFeasible = true;
};

void evaluateAll(benchmark::State& state, Subject& subject)
{
    double seconds = 0;
    for ([[maybe_unused]] auto pass : state) {
        const double start = processorSeconds();
        for (const Scenario& scenario : subject.scenarios) {
            const Report report = evaluate(scenario);
            subject.allFeasible = subject.allFeasible && report.feasible();
            benchmark::DoNotOptimize(&report);
        }
        seconds += processorSeconds() - start;
    }
    subject.meanMicroseconds = 1e6 * seconds / double(state.iterations()) / double(subject.scenarios.size());
    state.counters["us_per_evaluate"] = subject.meanMicroseconds;
}

/// Takes "--limit-us=N" out of the arguments; 0 means that there is no limit.
double takeLimit(int& argc, char** argv)
{
    constexpr std::string_view option = "--limit-us=";
    double limit = 0;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(option))
            limit = std::atof(argv[i] + option.size());
        else
            argv[kept++] = argv[i];
    }
    argc = kept;
    return limit;
}

int run(double limit)
{
    const LoadedPresets loaded = loadPresets({RIDGEPOINT_SOURCE_DIR "/presets"});
    std::array subjects = {Subject{.name = "dense", .kind = NetworkKind::dense, .count = 10'000},
                           Subject{.name = "mixture_of_experts", .kind = NetworkKind::mixture, .count = 1'000}};
    for (Subject& subject : subjects) {
        Result<std::vector<Scenario>> scenarios = randomScenarios(loaded.presets, subject.kind, subject.count, seed);
        if (!scenarios) {
            fmt::print(stderr, "{}\n", scenarios.error().text());
            return 1;
        }
        subject.scenarios = std::move(*scenarios);
        benchmark::RegisterBenchmark(("evaluate/" + subject.name).c_str(),
                                     [&subject](benchmark::State& state) { evaluateAll(state, subject); })
            ->Unit(benchmark::kMillisecond)
            ->MinTime(1.0);
    }
    benchmark::RunSpecifiedBenchmarks();

    int status = 0;
    for (const Subject& subject : subjects) {
        if (subject.meanMicroseconds == 0)
            continue; // left out by --benchmark_filter
        fmt::print("{}: {} distinct scenarios, mean {:.2f} us per evaluate on one core\n", subject.name,
                   subject.scenarios.size(), subject.meanMicroseconds);
        if (!subject.allFeasible) {
            fmt::print(stderr,
                       "A scenario that was feasible is no longer: evaluate depends on more than its argument.\n");
            status = 1;
        }
    }
    const double dense = subjects.front().meanMicroseconds;
    if (limit > 0 && dense > limit) {
        fmt::print(stderr, "dense: {:.2f} us is above the limit of {} us\n", dense, limit);
        status = 1;
    }
    return status;
}

} // namespace
} // namespace ridgepoint

int main(int argc, char** argv)
{
    const double limit = ridgepoint::takeLimit(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    return ridgepoint::run(limit);
}
