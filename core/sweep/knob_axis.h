// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/knobs.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A knob and the values that it takes in a sweep.
struct KnobAxis
{
    std::string knob;
    std::vector<KnobValue> values;
    bool operator==(const KnobAxis&) const = default;
};

/// Reads "knob=values". Values are
///     a,b,c     a list: numbers, or ids, aliases or labels of choices
///     a..b      from a to b: doubled each time where the knob is logarithmic, in ten even steps where it is linear
///     a..b+d    every d from a to b
///     a..b*f    each f times the one before
///     all       every choice
/// Whole knobs take the nearest whole number; what comes twice is taken once.
///
/// fails    for an unknown knob, a value the knob does not take, more than `mostValues` values, or a range that does not end
[[nodiscard]] Result<KnobAxis> parseKnobAxis(std::string_view text, const Scenario& scenario, const Presets& presets);

/// From one value of a number knob to another on its scale: even steps, or even ratios where it is logarithmic.
[[nodiscard]] KnobAxis evenAxis(const Knob& knob, double from, double to, std::size_t count);

inline constexpr std::size_t mostValues = 10'000;

/// "64", "FP8": a value as tables and axes show it.
[[nodiscard]] std::string valueText(const Knob& knob, const KnobValue& value, const Scenario& scenario,
                                    const Presets& presets);

} // namespace ridgepoint
