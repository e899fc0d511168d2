// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/knobs.h"

#include "core/base/nearest.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

// Digits, thousands with commas, exactly `decimals` behind the point.
std::string fixedText(double value, int decimals)
{
    std::string text = fmt::format("{:.{}f}", value, decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

// Values of ratio scales that are less than one keep three significant digits, if they have as many.
int decimalsOf(const Knob& knob, double value)
{
    if (knob.scale != Scale::log2 || knob.decimals == 0 || !(value > 0) || value >= 1)
        return knob.decimals;
    const auto isExact = [value](int decimals) {
        const double unit = std::pow(10.0, decimals);
        return std::abs(std::round(value * unit) - value * unit) < 1e-6;
    };
    const int most = std::max(knob.decimals, 2 - int(std::floor(std::log10(value))));
    int decimals = knob.decimals;
    while (decimals < most && !isExact(decimals))
        ++decimals;
    return decimals;
}

// Without powers of ten.
std::string limitText(double value)
{
    return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value) : plainNumber(value);
}

std::string rangeText(const Knob& knob)
{
    const std::string range = fmt::format("{} from {} to {}", knob.integer ? "whole numbers" : "numbers",
                                          limitText(knob.minimum), limitText(knob.maximum));
    if (knob.percent)
        return fmt::format("{}, or {} % to {} %", range, limitText(shownNumber(knob, knob.minimum)),
                           limitText(shownNumber(knob, knob.maximum)));
    return knob.unit.empty() ? range : fmt::format("{} {}", range, knob.unit);
}

Error knobError(std::string_view id, std::string message)
{
    Error error;
    error.message = std::move(message);
    error.pointer = id;
    return error;
}

Error wrongChoice(const Knob& knob, std::string_view text, const std::vector<Choice>& choices)
{
    std::vector<std::string> ids, names;
    for (const Choice& one : choices) {
        ids.push_back(one.id);
        names.push_back(one.id);
        names.insert(names.end(), one.aliases.begin(), one.aliases.end());
    }
    const std::string guess = nearest(text, names);
    return knobError(knob.id, fmt::format("\"{}\" is no choice; {}it takes {}", text,
                                          guess.empty() ? "" : fmt::format("did you mean \"{}\"? ", guess),
                                          fmt::join(ids, ", ")));
}

Error outOfRange(const Knob& knob, double number)
{
    return knobError(knob.id, fmt::format("{} does not apply; it takes {}", limitText(number), rangeText(knob)));
}

/// The knob that was meant, else those of the same group, else how to see all.
Error unknownKnob(std::string_view id)
{
    std::string lower;
    for (const char c : id)
        lower += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const std::string prefix = lower.substr(0, lower.find('.'));
    std::vector<std::string> ids, group, endings;
    for (const Knob& one : knobs()) {
        ids.emplace_back(one.id);
        if (one.id.substr(0, one.id.find('.')) == prefix)
            group.emplace_back(one.id);
        if (one.id.substr(one.id.find('.') + 1) == lower)
            endings.emplace_back(one.id);
    }
    const std::string guess = endings.empty() ? nearest(lower, ids) : endings.front();
    if (!guess.empty())
        return knobError(id, fmt::format("no knob has this id; did you mean \"{}\"?", guess));
    if (!group.empty())
        return knobError(id, fmt::format("no knob has this id; near it are {}", fmt::join(group, ", ")));
    return knobError(id, "no knob has this id; ids look like load.concurrency, and `ridgepoint-cli knobs` lists them");
}

// Text as people vary it: without case, spaces, dashes and underscores.
std::string plain(std::string_view text)
{
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '-' && c != '_')
            result += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return result;
}

} // namespace

const Knob* findKnob(std::string_view id)
{
    for (const Knob& knob : knobs())
        if (knob.id == id)
            return &knob;
    return nullptr;
}

Result<Scenario> withKnob(const Scenario& scenario, std::string_view id, const KnobValue& value, const Presets& presets)
{
    const Knob* knob = findKnob(id);
    if (knob == nullptr)
        return fail(unknownKnob(id));
    if (knob->kind == KnobKind::choice) {
        const std::vector<Choice> choices = knob->choices(scenario, presets);
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr)
            return fail(wrongChoice(*knob, plainNumber(std::get<double>(value)), choices));
        if (std::none_of(choices.begin(), choices.end(), [&](const Choice& one) { return one.id == *text; }))
            return fail(wrongChoice(*knob, *text, choices));
    } else {
        const auto* number = std::get_if<double>(&value);
        if (number == nullptr)
            return fail(knobError(id, fmt::format("\"{}\" is no number; it takes {}", std::get<std::string>(value),
                                                  rangeText(*knob))));
        if (!std::isfinite(*number) || *number < knob->minimum || *number > knob->maximum ||
            (knob->integer && *number != std::floor(*number)))
            return fail(outOfRange(*knob, *number));
    }

    const bool ownName = !scenario.name.empty() && scenario.name != hardwareName(scenario);
    Result<Scenario> next = knob->set(scenario, value, presets);
    if (next && !ownName)
        next->name = hardwareName(*next);
    return next;
}

Result<KnobValue> parseKnobValue(const Knob& knob, std::string_view text, const Scenario& scenario,
                                 const Presets& presets)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    if (knob.kind == KnobKind::number) {
        std::string_view digits = text;
        const std::string_view unit = shownUnit(knob);
        const bool hasUnit = !unit.empty() && digits.ends_with(unit);
        if (hasUnit)
            digits.remove_suffix(unit.size());
        while (!digits.empty() && digits.back() == ' ')
            digits.remove_suffix(1);
        const Result<double> number = parseNumber(digits);
        if (number)
            return KnobValue(hasUnit ? valueOfShown(knob, *number) : *number);
        if (digits.starts_with('-') && parseNumber(digits.substr(1)))
            return fail(outOfRange(knob, -*parseNumber(digits.substr(1))));
        return fail(knobError(knob.id, fmt::format("\"{}\" is no number; it takes {}", text, rangeText(knob))));
    }
    const std::vector<Choice> choices = knob.choices(scenario, presets);
    for (const Choice& one : choices)
        if (one.id == text)
            return KnobValue(one.id);
    const std::string wanted = plain(text);
    for (const Choice& one : choices) {
        const auto isAlias = [&](const std::string& alias) { return plain(alias) == wanted; };
        if (plain(one.id) == wanted || plain(one.label) == wanted ||
            std::any_of(one.aliases.begin(), one.aliases.end(), isAlias))
            return KnobValue(one.id);
    }
    return fail(wrongChoice(knob, text, choices));
}

double shownNumber(const Knob& knob, double value)
{
    constexpr double digits = 1e8;   // 0.29 is 29 %, not 28.999999999999996 %
    return knob.percent ? std::round(100.0 * value * digits) / digits : value;
}

double valueOfShown(const Knob& knob, double shown)
{
    return knob.percent ? shown / 100.0 : shown;
}

std::string_view shownUnit(const Knob& knob)
{
    return knob.percent ? "%" : knob.unit;
}

std::string knobText(const Knob& knob, const Scenario& scenario, const Presets& presets)
{
    const KnobValue value = knob.get(scenario);
    if (knob.kind == KnobKind::number) {
        const double number = std::get<double>(value);
        return number <= 0 && knob.minimum > 0 ? "unknown"
               : knob.percent ? fixedText(shownNumber(knob, number), std::max(0, knob.decimals - 2))
                              : fixedText(number, decimalsOf(knob, number));
    }
    const std::string& id = std::get<std::string>(value);
    for (const Choice& one : knob.choices(scenario, presets))
        if (one.id == id)
            return one.label;
    return id;
}

} // namespace ridgepoint
