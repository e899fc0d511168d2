// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep.h"

#include "core/scenario/evaluate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

namespace ridgepoint {

namespace {

/// Scenarios of points that follow each other share the values of their first axes.
class ScenarioWalk
{
public:
    ScenarioWalk(const Sweep& sweep, const Presets& presets) : m_sweep(sweep), m_presets(presets) {}

    [[nodiscard]] const Result<Scenario>& at(std::size_t point)
    {
        const std::vector<std::size_t> values = m_sweep.valuesAt(point);
        std::size_t same = 0;
        while (same < m_values.size() && m_values[same] == values[same])
            ++same;
        m_steps.resize(same, fail(""));
        for (std::size_t axis = same; axis < values.size(); ++axis) {
            const KnobAxis& knob = m_sweep.axes[axis];
            const Result<Scenario>* before = axis == 0 ? nullptr : &m_steps[axis - 1];
            if (before != nullptr && !*before)
                m_steps.push_back(fail(before->error()));
            else
                m_steps.push_back(withKnob(before == nullptr ? m_sweep.base : **before, knob.knob,
                                           knob.values[values[axis]], m_presets));
        }
        m_values = values;
        if (m_steps.empty())
            m_steps.push_back(m_sweep.base);
        return m_steps.back();
    }

private:
    const Sweep& m_sweep;
    const Presets& m_presets;
    std::vector<std::size_t> m_values;
    std::vector<Result<Scenario>> m_steps;
};

void evaluatePoint(const Sweep& sweep, std::size_t point, const Result<Scenario>& scenario, SweepResult& result)
{
    if (!scenario) {
        result.outcomes[point] = Outcome::excluded;
        return;
    }
    const Report report = evaluate(*scenario);
    const int broken = brokenLimit(report, sweep.limits);
    result.brokenLimits[point] = std::int8_t(broken);
    result.shortByGib[point] = float(report.shortBy.value / gibi);
    result.outcomes[point] = report.feasible()
                                 ? (broken < 0 ? Outcome::allowed : Outcome::breaksLimit)
                                 : (report.verdict == Verdict::doesNotFit ? Outcome::doesNotFit : Outcome::impossible);
    double* values = &result.values[point * metrics().size()];
    for (const Metric& metric : metrics())
        *values++ = metric.get(report).value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Larger is better.
double worth(const SweepResult& result, std::size_t point, std::size_t metric)
{
    const std::optional<double> value = result.value(point, metric);
    if (!value)
        return -std::numeric_limits<double>::infinity();
    return metrics()[metric].better == Better::less ? -*value : *value;
}

} // namespace

std::size_t Sweep::size() const
{
    std::size_t product = 1;
    for (const KnobAxis& axis : axes)
        product *= axis.values.size();
    return product;
}

std::vector<std::size_t> Sweep::valuesAt(std::size_t point) const
{
    std::vector<std::size_t> values(axes.size());
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        values[axis] = point % axes[axis].values.size();
        point /= axes[axis].values.size();
    }
    return values;
}

Result<Sweep> sweepOf(Scenario base, std::vector<KnobAxis> axes, std::vector<Limit> limits)
{
    if (limits.size() > std::size_t(std::numeric_limits<std::int8_t>::max()))
        return fail(fmt::format("there are {} limits; at most 127 are taken", limits.size()));
    double points = 1;
    for (const KnobAxis& axis : axes) {
        if (axis.values.empty())
            return fail(fmt::format("{} has no values to try", axis.knob));
        points *= double(axis.values.size());
    }
    if (points > double(mostPoints))
        return fail(fmt::format("the axes make {:.3g} combinations; at most {} are tried: take fewer values", points,
                                mostPoints));
    std::stable_sort(axes.begin(), axes.end(),
                     [](const KnobAxis& a, const KnobAxis& b) { return findKnob(a.knob) < findKnob(b.knob); });
    const auto twice = std::adjacent_find(axes.begin(), axes.end(),
                                          [](const KnobAxis& a, const KnobAxis& b) { return a.knob == b.knob; });
    if (twice != axes.end())
        return fail(fmt::format("{} is varied twice; write all its values in one axis", twice->knob));
    sortLimits(limits);
    return Sweep{std::move(base), std::move(axes), std::move(limits)};
}

Result<Scenario> scenarioAt(const Sweep& sweep, std::size_t point, const Presets& presets)
{
    return ScenarioWalk(sweep, presets).at(point);
}

std::optional<double> SweepResult::value(std::size_t point, std::size_t metric) const
{
    const double found = values[point * metrics().size() + metric];
    return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

SweepResult runSweep(const Sweep& sweep, const Presets& presets, std::stop_token stop, std::atomic<std::size_t>* progress)
{
    const std::size_t points = sweep.size();
    SweepResult result;
    result.outcomes.assign(points, Outcome::pending);
    result.brokenLimits.assign(points, -1);
    result.shortByGib.assign(points, 0.0F);
    result.values.assign(points * metrics().size(), std::numeric_limits<double>::quiet_NaN());
    std::atomic<std::size_t> own = 0;
    std::atomic<std::size_t>& done = progress != nullptr ? *progress : own;
    done = 0;
    constexpr std::size_t grain = 64;   // a millisecond or so: often enough to stop at, seldom enough to cost nothing
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, points, grain), [&](const auto& range) {
        ScenarioWalk walk(sweep, presets);
        for (std::size_t point = range.begin(); point < range.end() && !stop.stop_requested(); ++point) {
            evaluatePoint(sweep, point, walk.at(point), result);
            done.fetch_add(1, std::memory_order_relaxed);
        }
    });
    result.done = done;
    return result;
}

SweepCounts countsOf(const Sweep& sweep, const SweepResult& result)
{
    SweepCounts counts;
    counts.broken.assign(sweep.limits.size(), 0);
    for (std::size_t point = 0; point < result.outcomes.size(); ++point)
        switch (result.outcomes[point]) {
        case Outcome::pending: ++counts.pending; break;
        case Outcome::allowed: ++counts.allowed; break;
        case Outcome::breaksLimit: ++counts.broken[std::size_t(result.brokenLimits[point])]; break;
        case Outcome::doesNotFit: ++counts.doesNotFit; break;
        case Outcome::impossible: ++counts.impossible; break;
        case Outcome::excluded: ++counts.excluded; break;
        }
    return counts;
}

std::string countsText(const Sweep& sweep, const SweepCounts& counts)
{
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
        if (count > 0)
            parts.push_back(fmt::format("{} {}", count, count == 1 ? one : several));
    };
    add(counts.doesNotFit, "does not fit", "do not fit");
    for (std::size_t i = 0; i < counts.broken.size(); ++i) {
        const std::string limit = limitText(sweep.limits[i]);
        add(counts.broken[i], "breaks " + limit, "break " + limit);
    }
    add(counts.impossible, "has a plan that cannot be", "have plans that cannot be");
    add(counts.excluded, "has values that exclude each other", "have values that exclude each other");
    add(counts.pending, "not tried", "not tried");
    return fmt::format("{} of {} shown{}{}", counts.allowed, sweep.size(), parts.empty() ? "" : "; ",
                       fmt::join(parts, ", "));
}

std::size_t metricIndex(std::string_view id)
{
    return std::size_t(findMetric(id) - metrics().data());
}

std::vector<std::size_t> paretoSet(const SweepResult& result, std::span<const std::size_t> by)
{
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < result.outcomes.size(); ++point)
        if (result.outcomes[point] == Outcome::allowed &&
            std::all_of(by.begin(), by.end(), [&](std::size_t metric) { return result.value(point, metric); }))
            points.push_back(point);
    // Best first in every metric in turn: whoever beats a point stands before it.
    std::stable_sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
        for (const std::size_t metric : by)
            if (const double x = worth(result, a, metric), y = worth(result, b, metric); x != y)
                return x > y;
        return false;
    });
    std::vector<std::size_t> best;
    for (const std::size_t point : points) {
        const bool beaten = std::any_of(best.begin(), best.end(), [&](std::size_t other) {
            return std::all_of(by.begin(), by.end(), [&](std::size_t metric) {
                return worth(result, other, metric) >= worth(result, point, metric);
            });
        });
        if (!beaten)
            best.push_back(point);
    }
    return best;
}

std::optional<std::size_t> bestPoint(const SweepResult& result, std::size_t metric)
{
    std::optional<std::size_t> best;
    for (std::size_t point = 0; point < result.outcomes.size(); ++point)
        if (result.outcomes[point] == Outcome::allowed && result.value(point, metric) &&
            (!best || worth(result, point, metric) > worth(result, *best, metric)))
            best = point;
    return best;
}

} // namespace ridgepoint
