// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridgepoint {

using KnobValue = std::variant<double, std::string>;

enum class KnobKind { number, choice };
enum class Scale { linear, log2 };

struct Choice
{
    std::string id;
    std::string label;
    std::vector<std::string> aliases;
    bool operator==(const Choice&) const = default;
};

/// A value of a scenario that a user may change: the one place that knows its name, range and meaning.
struct Knob
{
    std::string_view id;           ///< such as "load.concurrency"
    std::string_view group;        ///< Hardware, Network, Precision, Parallelism, Load, Serving, Price
    std::string_view label;
    std::string_view unit;         ///< of the number as shown, empty for counts and choices
    KnobKind kind = KnobKind::number;
    double minimum = 0, maximum = 0;
    Scale scale = Scale::linear;
    bool integer = false;
    int decimals = 0;              ///< of the value
    bool percent = false;          ///< a share: from 0 to 1 in files, shown and edited in percent
    KnobValue (*get)(const Scenario&) = nullptr;
    /// Applies a value that was checked against kind, range and choices. A preset knob also resets what hangs on it.
    Result<Scenario> (*set)(const Scenario&, const KnobValue&, const Presets&) = nullptr;
    std::vector<Choice> (*choices)(const Scenario&, const Presets&) = nullptr;   ///< null for numbers
    /// Why the knob cannot act on this scenario, empty when it can; null: it always can.
    std::string (*idleReason)(const Scenario&) = nullptr;
    std::string_view help;
};

[[nodiscard]] std::span<const Knob> knobs();
[[nodiscard]] const Knob* findKnob(std::string_view id);

/// The scenario with one knob changed.
///
/// fails    for an unknown id, a value out of range or of the wrong kind, naming what would be right
[[nodiscard]] Result<Scenario> withKnob(const Scenario& scenario, std::string_view id, const KnobValue& value,
                                        const Presets& presets);

/// Reads "knob=value" text: a number (1e3, 4096, 0.9) for numbers, an id, alias or label for choices.
[[nodiscard]] Result<KnobValue> parseKnobValue(const Knob& knob, std::string_view text, const Scenario& scenario,
                                               const Presets& presets);

// A number as it is shown, with its unit, and back: a share of 0.3 is shown as 30 %.
[[nodiscard]] double shownNumber(const Knob& knob, double value);
[[nodiscard]] double valueOfShown(const Knob& knob, double shown);
[[nodiscard]] std::string_view shownUnit(const Knob& knob);

/// The value as shown in a cell, without its unit: "64", "0.90", "H200 SXM".
[[nodiscard]] std::string knobText(const Knob& knob, const Scenario& scenario, const Presets& presets);

/// The scenario a new board starts from, and the four columns of the sample comparison.
///
/// fails    when the presets lack what it is made of
[[nodiscard]] Result<Scenario> defaultScenario(const Presets& presets);
[[nodiscard]] Result<std::vector<Scenario>> sampleComparison(const Presets& presets);

/// "8 × H100 SXM" etc.: the name a column gets when the user gives none.
[[nodiscard]] std::string hardwareName(const Scenario& scenario);

} // namespace ridgepoint
