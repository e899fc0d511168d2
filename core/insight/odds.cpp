// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/odds.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace ridgepoint {

Odds rankOdds(std::span<const Evaluated> configurations, const Metric& metric, int draws, std::uint64_t seed)
{
    Odds odds;
    odds.draws = draws;
    struct Entry
    {
        double logarithm;
        Spread spread;
        std::size_t device, stack;     // which shared errors it takes
    };
    std::vector<Entry> entries;
    std::map<std::string, std::size_t> devices, stacks;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const Evaluated& one = configurations[i];
        const std::optional<double> value = metric.get(one.report);
        const std::optional<Spread> spread =
            metric.spread != nullptr ? metric.spread(one.report) : std::optional<Spread>(Spread{});
        if (!value || *value <= 0.0 || !spread) {
            odds.leftOut.push_back(i);
            continue;
        }
        const std::string& device = one.scenario.system.device.id;
        const std::string stack = device + '\n' + one.scenario.engine.id + '\n' + one.scenario.network.id;
        odds.columns.push_back(i);
        entries.push_back({std::log(*value), *spread, devices.try_emplace(device, devices.size()).first->second,
                           stacks.try_emplace(stack, stacks.size()).first->second});
    }
    const std::size_t count = entries.size();
    odds.places.assign(count, std::vector<double>(count, 0.0));
    RandomStream random(seed);
    std::vector<double> ofDevice(devices.size()), ofStack(stacks.size()), drawn(count);
    std::vector<std::size_t> order(count);
    const double sign = metric.better == Better::less ? 1.0 : -1.0;
    for (int draw = 0; draw < draws; ++draw) {
        std::generate(ofDevice.begin(), ofDevice.end(), [&] { return random.normal(); });
        std::generate(ofStack.begin(), ofStack.end(), [&] { return random.normal(); });
        for (std::size_t i = 0; i < count; ++i) {
            const Entry& e = entries[i];
            const double engine = std::sqrt(0.5) * (ofStack[e.stack] + random.normal()) * e.spread.engine;
            drawn[i] = sign * (e.logarithm + engine + ofDevice[e.device] * e.spread.transfer +
                               random.normal() * e.spread.queueing);
        }
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return drawn[a] < drawn[b]; });
        for (std::size_t place = 0; place < count; ++place)
            odds.places[order[place]][place] += 1.0 / draws;
    }
    return odds;
}

} // namespace ridgepoint
