// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/knob_axis.h"

#include "core/base/trimmed.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace ridgepoint {

namespace {

void append(const Knob& knob, KnobValue value, std::vector<KnobValue>& values)
{
    if (double* number = std::get_if<double>(&value); number != nullptr && knob.integer)
        *number = std::round(*number);
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(std::move(value));
}

Result<double> number(const Knob& knob, std::string_view text, const Scenario& scenario, const Presets& presets)
{
    const Result<KnobValue> value = parseKnobValue(knob, trimmed(text), scenario, presets);
    if (!value)
        return fail(value.error());
    const double number = std::get<double>(*value);
    if (number < knob.minimum || number > knob.maximum)
        return fail(fmt::format("{} takes {:g} … {:g}; {:g} is outside", knob.id, knob.minimum, knob.maximum, number));
    return number;
}

/// How a range goes on from one value to the next.
struct Stride
{
    double step = 0;     ///< added, where above 0
    double ratio = 0;    ///< multiplied, where above 1
};

Result<Stride> strideOf(const Knob& knob, std::string_view text, double from, double to)
{
    if (text.empty())
        return knob.scale == Scale::log2 ? Stride{.ratio = 2.0} : Stride{.step = (to - from) / 10.0};
    double value = 0;
    try {
        std::size_t used = 0;
        const std::string digits(trimmed(text.substr(1)));
        value = std::stod(digits, &used);
        if (used != digits.size())
            value = 0;
    } catch (const std::exception&) {
        value = 0;
    }
    const bool ratio = text.front() == '*';
    if (!std::isfinite(value) || value <= (ratio ? 1.0 : 0.0))
        return fail(fmt::format("\"{}\" does not lead from {:g} to {:g}; write a step above 0, such as {:g}..{:g}+{:g}, "
                                "or a factor above 1, such as {:g}..{:g}*2",
                                text, from, to, from, to, (to - from) / 4.0, from, to));
    return ratio ? Stride{.ratio = value} : Stride{.step = value};
}

Result<void> appendRange(const Knob& knob, std::string_view text, const Scenario& scenario, const Presets& presets,
                         std::vector<KnobValue>& values)
{
    const std::size_t dots = text.find("..");
    std::string_view end = text.substr(dots + 2);
    const std::size_t mark = end.find_first_of("+*", 1);   // an exponent such as 1e+3 holds a sign, too
    const std::size_t cut = mark != std::string_view::npos && end[mark] == '+' && (end[mark - 1] | 0x20) == 'e'
                                ? end.find_first_of("+*", mark + 1)
                                : mark;
    const std::string_view how = cut == std::string_view::npos ? std::string_view() : end.substr(cut);
    end = end.substr(0, cut);
    const Result<double> from = number(knob, text.substr(0, dots), scenario, presets);
    if (!from)
        return fail(from.error());
    const Result<double> to = number(knob, end, scenario, presets);
    if (!to)
        return fail(to.error());
    if (*to <= *from)
        return fail(fmt::format("\"{}\" of {} ends before it begins; write the smaller number first", text, knob.id));
    const Result<Stride> stride = strideOf(knob, how, *from, *to);
    if (!stride)
        return fail(stride.error());
    if (stride->ratio > 0.0 && *from <= 0.0)
        return fail(fmt::format("\"{}\" of {} multiplies 0; begin above 0", text, knob.id));
    const double count = stride->ratio > 0.0 ? std::log(*to / *from) / std::log(stride->ratio)
                                             : (*to - *from) / stride->step;
    if (count >= double(mostValues))
        return fail(fmt::format("\"{}\" of {} has {:.0f} values; at most {} are taken", text, knob.id, count, mostValues));
    constexpr double slack = 1e-9;   // of a step, so that 0..1+0.1 holds its end
    for (int i = 0; i <= int(count + slack); ++i)
        append(knob, stride->ratio > 0.0 ? *from * std::pow(stride->ratio, i) : *from + i * stride->step, values);
    if (how.empty())
        append(knob, *to, values);
    return {};
}

} // namespace

Result<KnobAxis> parseKnobAxis(std::string_view text, const Scenario& scenario, const Presets& presets)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return fail(fmt::format("\"{}\" is no axis; write knob=values, such as load.concurrency=1..256", text));
    const std::string_view id = trimmed(text.substr(0, equals));
    const Knob* knob = findKnob(id);
    if (knob == nullptr)
        return fail(withKnob(scenario, id, 0.0, presets).error());   // says which knobs there are
    KnobAxis axis{std::string(knob->id), {}};
    std::string_view rest = trimmed(text.substr(equals + 1));
    if (rest.empty())
        return fail(fmt::format("{} has no values; write {}=a,b,c or {}=a..b", knob->id, knob->id, knob->id));
    if (knob->kind == KnobKind::choice && rest == "all") {
        for (const Choice& choice : knob->choices(scenario, presets))
            append(*knob, choice.id, axis.values);
        return axis;
    }
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        if (part.empty())
            return fail(fmt::format("the values of {} hold an empty one; take out the spare comma", knob->id));
        if (knob->kind == KnobKind::number && part.find("..") != std::string_view::npos) {
            if (const Result<void> range = appendRange(*knob, part, scenario, presets, axis.values); !range)
                return fail(range.error());
            continue;
        }
        if (knob->kind == KnobKind::number) {
            const Result<double> value = number(*knob, part, scenario, presets);
            if (!value)
                return fail(value.error());
            append(*knob, *value, axis.values);
            continue;
        }
        Result<KnobValue> value = parseKnobValue(*knob, part, scenario, presets);
        if (!value)
            return fail(value.error());
        append(*knob, std::move(*value), axis.values);
    }
    if (axis.values.size() > mostValues)
        return fail(fmt::format("{} has {} values; at most {} are taken", knob->id, axis.values.size(), mostValues));
    return axis;
}

KnobAxis evenAxis(const Knob& knob, double from, double to, std::size_t count)
{
    KnobAxis axis{std::string(knob.id), {}};
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? double(i) / double(count - 1) : 0.0;
        const double value = knob.scale == Scale::log2 && from > 0.0 ? from * std::pow(to / from, share)
                                                                     : from + (to - from) * share;
        append(knob, std::clamp(value, knob.minimum, knob.maximum), axis.values);
    }
    return axis;
}

std::string valueText(const Knob& knob, const KnobValue& value, const Scenario& scenario, const Presets& presets)
{
    if (const double* shown = std::get_if<double>(&value)) {
        const bool coarse = knob.decimals == 0 && !knob.integer && *shown != std::round(*shown);
        return coarse ? fmt::format("{:.3g}", *shown) : fmt::format("{:.{}f}", *shown, knob.decimals);
    }
    const std::string& id = std::get<std::string>(value);
    for (const Choice& choice : knob.choices(scenario, presets))
        if (choice.id == id)
            return choice.label;
    return id;
}

} // namespace ridgepoint
