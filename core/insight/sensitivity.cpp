// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/sensitivity.h"

#include "core/insight/comparison.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// The metric with a number knob at a value; absent where that does not run.
std::optional<double> metricAt(const Scenario& scenario, const Metric& metric, const Knob& knob, double value,
                               const Presets& presets)
{
    const Result<Scenario> changed = withKnob(scenario, knob.id, value, presets);
    return changed ? metric.get(evaluate(*changed)) : std::nullopt;
}

/// Degrees of a plan and the engine's block size are choices, not quantities that may turn out otherwise.
bool isUncertain(const Knob& knob, const Scenario& scenario)
{
    const bool quantity = knob.kind == KnobKind::number && knob.group != "Parallelism" && knob.id != "engine.block_tokens";
    return quantity && (knob.idleReason == nullptr || knob.idleReason(scenario).empty()) &&
           std::get<double>(knob.get(scenario)) > 0.0;
}

/// Distance of the two ends of a swing in the metric, relative to it; what does not run counts as far.
double reach(const Swing& swing, double metric)
{
    constexpr double far = 1e9;
    if (!swing.low || !swing.high)
        return far;
    const auto [least, most] = std::minmax({*swing.low, *swing.high, metric});
    return most - least;
}

} // namespace

std::vector<Swing> tornado(const Evaluated& column, const Metric& metric, double share, const Presets& presets)
{
    std::vector<Swing> swings;
    const std::optional<double> now = metric.get(column.report);
    if (!now)
        return swings;
    for (const Knob& knob : knobs()) {
        if (!isUncertain(knob, column.scenario))
            continue;
        Swing swing{std::string(knob.id), std::get<double>(knob.get(column.scenario)), 0, 0, {}, {}, {}};
        swing.lowValue = swing.value * (1.0 - share);
        swing.highValue = swing.value * (1.0 + share);
        if (knob.integer) {
            swing.lowValue = std::min(std::round(swing.lowValue), swing.value - 1.0);
            swing.highValue = std::max(std::round(swing.highValue), swing.value + 1.0);
        }
        swing.lowValue = std::clamp(swing.lowValue, knob.minimum, swing.value);
        swing.highValue = std::clamp(swing.highValue, swing.value, knob.maximum);
        swing.low = metricAt(column.scenario, metric, knob, swing.lowValue, presets);
        swing.high = metricAt(column.scenario, metric, knob, swing.highValue, presets);
        if (swing.low == now && swing.high == now)
            continue;
        if (swing.low && swing.high && *swing.low > 0.0 && *swing.high > 0.0 && swing.lowValue > 0.0 &&
            swing.highValue > swing.lowValue)
            swing.elasticity = std::log(*swing.high / *swing.low) / std::log(swing.highValue / swing.lowValue);
        swings.push_back(std::move(swing));
    }
    std::stable_sort(swings.begin(), swings.end(),
                     [&](const Swing& a, const Swing& b) { return reach(a, *now) > reach(b, *now); });
    return swings;
}

std::vector<BreakEven> breakEvens(const Evaluated& first, const Evaluated& second, const Metric& metric,
                                  std::string_view id, Turned turned, const Presets& presets)
{
    std::vector<BreakEven> found;
    const Knob* knob = findKnob(id);
    if (knob == nullptr || knob->kind != KnobKind::number)
        return found;
    const std::optional<double> fixed = metric.get(second.report);
    // ln(first / second): below 0 where the first has less of the metric.
    const auto lead = [&](double value) -> std::optional<double> {
        const std::optional<double> a = metricAt(first.scenario, metric, *knob, value, presets);
        const std::optional<double> b =
            turned == Turned::both ? metricAt(second.scenario, metric, *knob, value, presets) : fixed;
        return a && b && *a > 0.0 && *b > 0.0 ? std::optional(std::log(*a / *b)) : std::nullopt;
    };
    const bool log = knob->scale == Scale::log2 && knob->minimum > 0.0;
    const auto onScale = [&](double from, double to, double share) {
        double value = log ? from * std::pow(to / from, share) : from + (to - from) * share;
        return knob->integer ? std::round(value) : value;
    };
    // Where ln(first / second) crosses a level between two values.
    const auto crossing = [&](double low, double high, double level) {
        const bool risesFirst = lead(low).value_or(0.0) < level;
        for (int i = 0; i < 40 && high - low > 1e-4 * std::abs(high) + (knob->integer ? 1.0 : 0.0); ++i) {
            const double middle = onScale(low, high, 0.5);
            const std::optional<double> there = lead(middle);
            if (!there || middle == low || middle == high)
                break;
            ((*there < level) == risesFirst ? low : high) = middle;
        }
        return high;
    };

    constexpr int steps = 100;
    std::vector<std::pair<double, std::optional<double>>> walked;
    for (int i = 0; i <= steps; ++i) {
        const double value = onScale(knob->minimum, knob->maximum, double(i) / steps);
        if (walked.empty() || value > walked.back().first)
            walked.emplace_back(value, lead(value));
    }
    const std::optional<double> spread = spreadOfLead(first, second, metric);
    for (std::size_t i = 1; i < walked.size(); ++i) {
        const auto& [low, before] = walked[i - 1];
        const auto& [high, after] = walked[i];
        if (!before || !after || *before == 0.0 || (*before < 0.0) == (*after < 0.0))
            continue;
        BreakEven one;
        one.value = crossing(low, high, 0.0);
        one.firstBelow = (*before < 0.0) == (metric.better == Better::less);
        if (spread && *spread > 0.0) {
            // The level at which the better one is known with 90 %, to each side of the crossing.
            const double level = deviationsOf80 * *spread;
            const double side = *before < 0.0 ? -level : level;
            std::optional<double> left, right;
            for (std::size_t j = i; j-- > 0 && walked[j].second && !left;)
                if ((*walked[j].second - side) * (side < 0.0 ? -1.0 : 1.0) >= 0.0)
                    left = crossing(walked[j].first, j + 1 < i ? walked[j + 1].first : one.value, side);
            for (std::size_t j = i; j < walked.size() && walked[j].second && !right; ++j)
                if ((*walked[j].second + side) * (side < 0.0 ? 1.0 : -1.0) >= 0.0)
                    right = crossing(j > i ? walked[j - 1].first : one.value, walked[j].first, -side);
            if (left && right)
                one.band = Band{*left, *right};
        }
        found.push_back(one);
    }
    return found;
}

} // namespace ridgepoint
