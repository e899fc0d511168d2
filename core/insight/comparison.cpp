// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/comparison.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

// What needs no band is its own band.
std::optional<Band> knownBand(const Metric& metric, const Report& report)
{
    if (metric.spread)
        return bandOf(metric, report);
    const std::optional<double> value = metric.get(report);
    return value ? std::optional(Band{*value, *value}) : std::nullopt;
}

bool overlap(const std::optional<Band>& a, const std::optional<Band>& b)
{
    return !a || !b || (a->low <= b->high && b->low <= a->high);
}

} // namespace

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

std::optional<Standing> standingOf(const Metric& metric, std::span<const Evaluated> configurations)
{
    if (metric.better == Better::neither)
        return std::nullopt;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < configurations.size(); ++i)
        if (const std::optional<double> value = metric.get(configurations[i].report))
            order.emplace_back(metric.better == Better::less ? *value : -*value, i);
    if (order.size() < 2)
        return std::nullopt;
    std::sort(order.begin(), order.end());
    Standing standing{order.front().second, {}};
    const std::optional<Band> best = knownBand(metric, configurations[standing.best].report);
    for (std::size_t i = 1; i < order.size(); ++i)
        if (overlap(best, knownBand(metric, configurations[order[i].second].report)))
            standing.contenders.push_back(order[i].second);
    return standing;
}

std::string overlapText(const Metric& metric, std::span<const Evaluated> configurations, std::size_t first,
                        std::size_t second)
{
    const std::optional<Band> a = knownBand(metric, configurations[first].report),
                              b = knownBand(metric, configurations[second].report);
    if (!a || !b)
        return !a && !b ? fmt::format("the bands of {} and {} are not known", columnLetter(first), columnLetter(second))
                        : fmt::format("the band of {} is not known", columnLetter(a ? second : first));
    if (!metric.spread)
        return fmt::format("{} and {} are equal", columnLetter(first), columnLetter(second));
    const std::string unit = metric.unit.empty() ? "" : fmt::format("\u00a0{}", metric.unit);
    const auto ends = [](const Band& band) { return numberText(band.low) + " … " + numberText(band.high); };
    const double shared = std::min(a->high, b->high) - std::max(a->low, b->low);
    const std::string bands = fmt::format("the 80\u00a0% bands of {} ({}) and {} ({}{})", columnLetter(first), ends(*a),
                                          columnLetter(second), ends(*b), unit);
    return shared < 0 ? bands + " do not overlap" : fmt::format("{} overlap by {}{}", bands, numberText(shared), unit);
}

} // namespace ridgepoint
