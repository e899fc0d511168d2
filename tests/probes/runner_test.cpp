// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/machine.h"
#include "probes/common/runner.h"
#include "probes/common/threads.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <set>

namespace ridgepoint::probe {
namespace {

/// A measurement whose time is made up: each run takes the next of `seconds`, the last one for ever.
Case made(std::vector<double> seconds, int& runs)
{
    Case single;
    single.shape = "made";
    single.amount = 100;
    single.prepare = [seconds, &runs]() -> Work {
        return [seconds, &runs](int passes) {
            const std::size_t at = std::min(std::size_t(runs++), seconds.size() - 1);
            return seconds[at] * passes;
        };
    };
    return single;
}

const Probe probe{.name = "made", .unit = "B/s"};
const StoppingRule rule{
    .runSeconds = 0.5, .warmUpSeconds = 0, .minimumRepeats = 5, .spread = 0.02, .limitSeconds = 0.05};

TEST(Quartiles, InterpolateBetweenNeighbours)
{
    const Quartiles q = quartiles({4, 1, 3, 2});
    EXPECT_DOUBLE_EQ(q.low, 1.75);
    EXPECT_DOUBLE_EQ(q.median, 2.5);
    EXPECT_DOUBLE_EQ(q.high, 3.25);
    EXPECT_DOUBLE_EQ(quartiles({7}).low, 7);
    EXPECT_DOUBLE_EQ(quartiles({7}).high, 7);
}

TEST(Measure, SteadyWorkStopsAtTheFewestRepeats)
{
    std::atomic<bool> stop = false;
    int runs = 0;
    const auto sample = measure(probe, made({1.0}, runs), rule, stop);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->repeats, 5);
    EXPECT_DOUBLE_EQ(sample->value, 100);
    EXPECT_EQ(sample->unit, "B/s");
}

TEST(Measure, FirstRunIsWarmUpAndDoesNotCount)
{
    std::atomic<bool> stop = false;
    int runs = 0;
    const auto sample = measure(probe, made({50.0, 1.0}, runs), rule, stop);
    ASSERT_TRUE(sample);
    EXPECT_DOUBLE_EQ(sample->low, 100);
}

TEST(Measure, UnsteadyWorkEndsAtTheTimeLimitWithItsQuartilesApart)
{
    std::atomic<bool> stop = false;
    int runs = 0;
    Case single = made({1.0}, runs);
    single.prepare = [&runs]() -> Work {
        return [&runs](int passes) { return (++runs % 2 == 0 ? 1.0 : 2.0) * passes; };
    };
    const auto sample = measure(probe, single, rule, stop);
    ASSERT_TRUE(sample);
    EXPECT_GT(sample->repeats, 5);
    EXPECT_DOUBLE_EQ(sample->low, 50);
    EXPECT_DOUBLE_EQ(sample->high, 100);
}

TEST(Measure, ShortWorkIsRepeatedWithinARun)
{
    std::atomic<bool> stop = false;
    std::vector<int> passesSeen;
    Case single;
    single.amount = 8;
    single.prepare = [&]() -> Work {
        return [&](int passes) {
            passesSeen.push_back(passes);
            return 0.01 * passes;
        };
    };
    const auto sample = measure(probe, single, rule, stop);
    ASSERT_TRUE(sample);
    EXPECT_EQ(passesSeen.back(), 64);    // the first power of two that fills half a second
    EXPECT_DOUBLE_EQ(sample->value, 800);
}

TEST(Measure, GivesNothingWhenStoppedEarlyOrWithoutMemoryOrWithAClockThatStands)
{
    std::atomic<bool> stop = true;
    int runs = 0;
    EXPECT_FALSE(measure(probe, made({1.0}, runs), rule, stop));
    stop = false;
    Case tooLarge = made({1.0}, runs);
    tooLarge.prepare = []() -> Work { throw std::bad_alloc(); };
    EXPECT_FALSE(measure(probe, tooLarge, rule, stop));
    EXPECT_FALSE(measure(probe, made({0.0}, runs), rule, stop));
}

std::vector<Case> threeCases(const Conditions&)
{
    std::vector<Case> all(3);
    for (Case& single : all) {
        single.amount = 1;
        single.prepare = []() -> Work { return [](int passes) { return 1.0 * passes; }; };
    }
    return all;
}

TEST(RunProbes, KeepsWhatWasMeasuredBeforeAStop)
{
    std::atomic<bool> stop = false;
    const std::array probes = {Probe{.name = "three", .unit = "s", .cases = threeCases}};
    const auto stopAfterTwo = [&](int index, int, std::string_view, const Case&, const CalibrationSample* sample) {
        stop = sample != nullptr && index == 2;
    };
    EXPECT_EQ(runProbes(probes, {}, rule, stop, stopAfterTwo).size(), 2u);
}

TEST(RunProbes, LeavesOutWhatTheMachineCannotRun)
{
    const std::atomic<bool> stop = false;
    const std::array probes = {Probe{.name = "never",
                                     .unit = "s",
                                     .unsupported = [](const Machine&) { return std::string("no such unit"); },
                                     .cases = threeCases}};
    const auto ignore = [](int, int, std::string_view, const Case&, const CalibrationSample*) {};
    EXPECT_TRUE(runProbes(probes, {}, rule, stop, ignore).empty());
}

TEST(TimeOnCores, RunsTheWorkOncePerCoreAndTakesTime)
{
    const Machine machine = describeMachine();
    std::vector<std::atomic<int>> calls(machine.cores.size());
    const double seconds = timeOnCores(machine.cores, [&](std::size_t index) { ++calls.at(index); });
    for (const std::atomic<int>& count : calls)
        EXPECT_EQ(count, 1);
    EXPECT_GE(seconds, 0);
}

TEST(Machine, IsDescribed)
{
    const Machine machine = describeMachine();
    EXPECT_FALSE(machine.processor.empty());
    ASSERT_FALSE(machine.cores.empty());
    EXPECT_EQ(std::set<int>(machine.cores.begin(), machine.cores.end()).size(), machine.cores.size());
    EXPECT_GT(machine.memory, 0u);
    EXPECT_EQ(currentDate().size(), 20u);
}

TEST(Machine, IdIsMadeOfNameCoresAndTime)
{
    Machine machine;
    machine.processor = "Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz";
    machine.cores = {0, 1};
    EXPECT_EQ(calibrationId(machine, "2026-01-31T12:00:00Z"), "intel-xeon-gold-6130-cpu-2-10ghz-2c-20260131-120000");
}

} // namespace
} // namespace ridgepoint::probe
