// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/comparison.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

std::string columnLetter(std::size_t index)
{
    return std::string(1, char('A' + int(index % 26)));
}

std::string columnName(std::size_t index, const Scenario& scenario)
{
    return scenario.name.empty() ? columnLetter(index) : columnLetter(index) + " · " + scenario.name;
}

Cause bindingCause(const Breakdown& breakdown)
{
    const auto most = std::max_element(breakdown.parts.begin(), breakdown.parts.end());
    return Cause(int(most - breakdown.parts.begin()));
}

double scoreOf(const Evaluated& column, bool byCost)
{
    constexpr double million = 1e6;
    const Metrics& m = *column.report.metrics;
    return byCost ? million / *m.outputTokensPerDollar : m.outputPerDevice.value;
}

std::optional<std::size_t> heldAgainst(const Ranking& ranking, std::size_t baseline)
{
    const auto& order = ranking.order;
    if (order.size() < 2)
        return std::nullopt;
    const bool runs = std::find(order.begin(), order.end(), baseline) != order.end();
    return runs && baseline != order.front() ? baseline : order[1];
}

std::optional<double> spreadOfLead(const Evaluated& first, const Evaluated& second, const Metric& metric)
{
    if (metric.spread == nullptr)
        return 0.0;
    const std::optional<Spread> a = metric.spread(first.report);
    const std::optional<Spread> b = metric.spread(second.report);
    if (!a || !b)
        return std::nullopt;
    const Scenario& one = first.scenario;
    const Scenario& other = second.scenario;
    const bool sameDevice = one.system.device.id == other.system.device.id;
    const bool sameStack = sameDevice && one.engine.id == other.engine.id && one.network.id == other.network.id;
    const double engine = (a->engine * a->engine + b->engine * b->engine) * (sameStack ? 0.5 : 1.0);
    const double transfer = sameDevice ? 0.0 : a->transfer * a->transfer + b->transfer * b->transfer;
    const double queueing = a->queueing * a->queueing + b->queueing * b->queueing;
    return std::sqrt(engine + transfer + queueing);
}

std::optional<double> chanceOfLead(const Evaluated& first, const Evaluated& second, bool byCost)
{
    const Metric& metric = *findMetric(byCost ? "cost_per_million_output_all_in" : "output_tokens_per_s_per_device");
    const std::optional<double> spread = spreadOfLead(first, second, metric);
    if (!spread)
        return std::nullopt;
    const double chance = chanceOfLarger(scoreOf(first, byCost), scoreOf(second, byCost), *spread);
    return byCost ? 1.0 - chance : chance;
}

Ranking ranking(std::span<const Evaluated> configurations)
{
    Ranking result{{}, true};
    for (std::size_t i = 0; i < configurations.size(); ++i)
        if (const Report& report = configurations[i].report; report.feasible()) {
            result.order.push_back(i);
            result.byCost = result.byCost && report.metrics->outputTokensPerDollar.value_or(0.0) > 0.0;
        }
    result.byCost = result.byCost && !result.order.empty();
    std::stable_sort(result.order.begin(), result.order.end(), [&](std::size_t a, std::size_t b) {
        const double left = scoreOf(configurations[a], result.byCost),
                     right = scoreOf(configurations[b], result.byCost);
        return result.byCost ? left < right : left > right;
    });
    return result;
}

} // namespace ridgepoint
