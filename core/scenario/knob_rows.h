// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/knobs.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

// How a row of the knob table is completed from what it stands for: a number, an enumerator or a preset.
namespace ridgepoint::knob_rows {

// Numbers are kept to 12 significant digits, so that what a file or a cell shows reads back as the same bits.
inline double rounded(double value)
{
    const std::string text = fmt::format("{:.12g}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

inline double raw(int value)
{
    return value;
}
inline double raw(double value)
{
    return value;
}
template <int B, int F, int S, int J, int D>
double raw(Quantity<B, F, S, J, D> value)
{
    return value.value;
}

inline void assign(int& field, double value)
{
    field = int(std::lround(value));
}
inline void assign(double& field, double value)
{
    field = value;
}
template <int B, int F, int S, int J, int D>
void assign(Quantity<B, F, S, J, D>& field, double value)
{
    field.value = value;
}

/// Completes a row whose number is one field of the scenario; `unit` is the shown unit in base units.
template <auto field, double unit = 1.0>
Knob number(Knob row)
{
    row.get = [](const Scenario& s) -> KnobValue { return rounded(raw(field(s)) / unit); };
    row.set = [](const Scenario& s, const KnobValue& value, const Presets&) -> Result<Scenario> {
        Scenario next = s;
        assign(field(next), rounded(std::get<double>(value)) * unit);
        return next;
    };
    return row;
}

template <auto field>
Knob integer(Knob row)
{
    row.integer = true;
    return number<field>(row);
}

template <typename T>
struct Named
{
    T value;
    std::string_view id, label;
};

/// Completes a row whose choices are the values of one field.
template <auto field, const auto& names>
Knob choice(Knob row)
{
    row.kind = KnobKind::choice;
    row.get = [](const Scenario& s) -> KnobValue {
        for (const auto& name : names)
            if (name.value == field(s))
                return std::string(name.id);
        return std::string();
    };
    row.set = [](const Scenario& s, const KnobValue& value, const Presets&) -> Result<Scenario> {
        Scenario next = s;
        for (const auto& name : names)
            if (name.id == std::get<std::string>(value))
                field(next) = name.value;
        return next;
    };
    row.choices = [](const Scenario&, const Presets&) {
        std::vector<Choice> result;
        for (const auto& name : names)
            result.push_back({std::string(name.id), std::string(name.label), {}});
        return result;
    };
    return row;
}

/// Completes a row that takes a whole part of the scenario from the presets. What is in use stays a choice when the
/// presets do not hold it, such as an imported network.
template <auto list, auto part, auto apply>
Knob preset(Knob row)
{
    row.kind = KnobKind::choice;
    row.get = [](const Scenario& s) -> KnobValue { return part(s).id; };
    row.set = [](const Scenario& s, const KnobValue& value, const Presets& presets) -> Result<Scenario> {
        Scenario next = s;
        for (const auto& item : presets.*list)
            if (item.id == std::get<std::string>(value))
                apply(next, item, presets);
        return next;
    };
    row.choices = [](const Scenario& s, const Presets& presets) {
        std::vector<Choice> result;
        bool hasCurrent = part(s).id.empty();
        for (const auto& item : presets.*list) {
            result.push_back({item.id, item.name, item.aliases});
            hasCurrent = hasCurrent || item.id == part(s).id;
        }
        if (!hasCurrent)
            result.push_back({part(s).id, part(s).name, part(s).aliases});
        return result;
    };
    return row;
}

} // namespace ridgepoint::knob_rows
