// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/difference.h"

#include "core/scenario/knobs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridgepoint {

namespace {

std::string withUnit(const Knob& knob, const std::string& text)
{
    return knob.unit.empty() ? text : fmt::format("{}\u00a0{}", text, knob.unit);
}

std::vector<const Knob*> inOrder(std::span<const std::string> order)
{
    std::vector<const Knob*> result;
    for (const std::string& id : order)
        if (const Knob* knob = findKnob(id); knob != nullptr && std::find(result.begin(), result.end(), knob) == result.end())
            result.push_back(knob);
    for (const Knob& knob : knobs())
        if (std::find(result.begin(), result.end(), &knob) == result.end())
            result.push_back(&knob);
    return result;
}

} // namespace

std::vector<KnobDifference> differences(const Scenario& a, const Scenario& b, const Presets& presets)
{
    std::vector<KnobDifference> result;
    for (const Knob& knob : knobs())
        if (knob.get(a) != knob.get(b))
            result.push_back({std::string(knob.id), withUnit(knob, knobText(knob, a, presets)),
                              withUnit(knob, knobText(knob, b, presets))});
    return result;
}

std::vector<Contribution> contributions(const Scenario& a, const Scenario& b, const Metric& metric,
                                        std::span<const std::string> order, const Presets& presets)
{
    const std::optional<double> first = metric.get(evaluate(a));
    const std::optional<double> last = metric.get(evaluate(b));
    if (!first || !last)
        return {};
    std::vector<Contribution> result;
    Scenario current = a;
    double reached = *first;
    Contribution step;
    std::vector<std::string> labels;
    for (const Knob* knob : inOrder(order)) {
        if (knob->get(current) == knob->get(b))
            continue;
        const std::string from = knobText(*knob, current, presets);
        Result<Scenario> next = withKnob(current, knob->id, knob->get(b), presets);
        step.knobs.emplace_back(knob->id);
        labels.push_back(fmt::format("{} {} → {}", knob->label, from, withUnit(*knob, knobText(*knob, b, presets))));
        if (!next)
            continue;   // excluded on its own: the next step, or the rest, brings it
        current = std::move(*next);
        const std::optional<double> value = metric.get(evaluate(current));
        if (!value)
            continue;
        step.label = fmt::format("{}", fmt::join(labels, ", "));
        step.change = *value - reached;
        reached = *value;
        result.push_back(std::move(step));
        step = {};
        labels.clear();
    }
    if (reached != *last || !step.knobs.empty()) {
        step.label = labels.empty() ? "What no knob describes" : fmt::format("{}", fmt::join(labels, ", "));
        step.change = *last - reached;
        result.push_back(std::move(step));
    }
    return result;
}

} // namespace ridgepoint
