// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <utility>

namespace ridgepoint::probe {
namespace {

constexpr int fewestRuns = 3;
constexpr int mostPasses = 1 << 20;

class Stopwatch
{
public:
    [[nodiscard]] double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Doubles the passes until a run is long enough and the warm-up is over: caches are full and the clock has settled.
int warmUp(const Work& work, const StoppingRule& rule, const std::atomic<bool>& stop)
{
    const Stopwatch total;
    int passes = 1;
    while (!stop) {
        const double seconds = work(passes);
        const bool longEnough = seconds >= rule.runSeconds || passes >= mostPasses;
        if (longEnough && total.seconds() >= rule.warmUpSeconds)
            break;
        if (!longEnough)
            passes *= 2;
    }
    return passes;
}

bool steady(const std::vector<double>& values, const StoppingRule& rule)
{
    if (int(values.size()) < rule.minimumRepeats)
        return false;
    const Quartiles q = quartiles(values);
    return q.high - q.low <= rule.spread * q.median;
}

} // namespace

StoppingRule stoppingRule(bool quick)
{
    StoppingRule rule;
    if (quick) {
        rule.warmUpSeconds = 0.01;
        rule.minimumRepeats = 3;
        rule.limitSeconds = 0.15;
    }
    return rule;
}

Quartiles quartiles(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        const double position = share * double(values.size() - 1);
        const auto below = std::size_t(position);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return values[below] + (position - double(below)) * (values[above] - values[below]);
    };
    return {at(0.25), at(0.5), at(0.75)};
}

std::optional<CalibrationSample> measure(const Probe& probe, const Case& single, const StoppingRule& rule,
                                         const std::atomic<bool>& stop)
{
    std::vector<double> values;
    try {
        const Work work = single.prepare();
        const int passes = warmUp(work, rule, stop);
        const Stopwatch total;
        while (!stop) {
            const double seconds = work(passes) / passes;
            // A clock that did not move would give an infinite rate.
            if (seconds > 0)
                values.push_back(single.amount > 0 ? single.amount / seconds : seconds);
            const bool late = total.seconds() >= rule.limitSeconds && int(values.size()) >= fewestRuns;
            if (late || steady(values, rule))
                break;
            if (total.seconds() >= 20 * rule.limitSeconds)
                break;
        }
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
    if (int(values.size()) < fewestRuns)
        return std::nullopt;

    const Quartiles q = quartiles(values);
    CalibrationSample sample;
    sample.probe = probe.name;
    sample.shape = single.shape;
    sample.value = q.median;
    sample.low = q.low;
    sample.high = q.high;
    sample.repeats = int(values.size());
    sample.unit = probe.unit;
    return sample;
}

std::vector<CalibrationSample> runProbes(std::span<const Probe> probes, const Conditions& conditions,
                                         const StoppingRule& rule, const std::atomic<bool>& stop,
                                         const Progress& progress)
{
    std::vector<std::pair<const Probe*, Case>> all;
    for (const Probe& probe : probes) {
        if (probe.unsupported != nullptr && !probe.unsupported(conditions.machine).empty())
            continue;
        for (Case& single : probe.cases(conditions))
            all.emplace_back(&probe, std::move(single));
    }
    std::vector<CalibrationSample> samples;
    const int count = int(all.size());
    int index = 0;
    for (const auto& [probe, single] : all) {
        if (stop)
            break;
        ++index;
        progress(index, count, probe->name, single, nullptr);
        const std::optional<CalibrationSample> sample = measure(*probe, single, rule, stop);
        if (!sample)
            continue;
        samples.push_back(*sample);
        progress(index, count, probe->name, single, &samples.back());
    }
    return samples;
}

} // namespace ridgepoint::probe
