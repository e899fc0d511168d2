// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include "core/base/result.h"
#include "core/scenario/report.h"

#include <optional>
#include <span>
#include <string_view>

namespace ridgepoint {

enum class Better { less, more, neither };

/// A result as tables show it. `display` is in the unit of `unit`.
struct Metric
{
    std::string_view id;       ///< in JSON and CSV, such as "tpot_ms"
    std::string_view label;    ///< on screen, such as "TPOT, mean"
    std::string_view unit;     ///< such as "ms"
    Better better = Better::neither;
    bool headline = false;     ///< shown on the board
    int significantDigits = 3;
    std::optional<double> (*get)(const Report&) = nullptr;   ///< absent: unknown or infeasible
    std::string_view help;     ///< one sentence
    std::optional<Spread> (*spread)(const Report&) = nullptr;   ///< null: exact
    bool waits = false;        ///< holds the wait for a place to run
};

/// The 80 % band of a metric, in its unit; absent when the metric is, when its band is not known, or when it needs none.
[[nodiscard]] std::optional<Band> bandOf(const Metric& metric, const Report& report);

/// Whether a metric has no value since the queue, and the wait in it, grows without end.
[[nodiscard]] inline bool isEndless(const Metric& metric, const Report& report)
{
    return metric.waits && report.overloaded;
}

[[nodiscard]] std::span<const Metric> metrics();

/// The same metrics in the same order as these definitions show them: label, unit and value change together, ids stay.
[[nodiscard]] std::span<const Metric> metrics(const Definitions& definitions);

/// Of an output token, on the whole or by cause; absent where the wait for the first token, which counts then, has no end.
[[nodiscard]] Seconds tpotOf(const Metrics& metrics, const Definitions& definitions);
[[nodiscard]] std::optional<Breakdown> tpotOf(const Report& report, const Definitions& definitions);
[[nodiscard]] const Metric* findMetric(std::string_view id);   ///< null when there is none
/// fails    for an unknown id, naming those there are
[[nodiscard]] Result<const Metric*> metricNamed(std::string_view id);

} // namespace ridgepoint
