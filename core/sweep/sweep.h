// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/knob_axis.h"
#include "core/sweep/limits.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ridgepoint {

/// What is tried: every combination of the values of all axes, on top of one scenario.
struct Sweep
{
    Scenario base;
    std::vector<KnobAxis> axes;      ///< the last one varies fastest
    std::vector<Limit> limits;       ///< sorted as `sortLimits` does

    [[nodiscard]] std::size_t size() const;
    /// Which value of each axis a point has.
    [[nodiscard]] std::vector<std::size_t> valuesAt(std::size_t point) const;
};

inline constexpr std::size_t mostPoints = 5'000'000;

/// Puts the axes in the order of the knob table, since a preset resets what hangs on it, and limits in theirs.
///
/// fails    when a knob comes twice or there are more than `mostPoints` points
[[nodiscard]] Result<Sweep> sweepOf(Scenario base, std::vector<KnobAxis> axes, std::vector<Limit> limits);

/// The scenario of a point.
///
/// fails    where the values exclude each other, with the reason
[[nodiscard]] Result<Scenario> scenarioAt(const Sweep& sweep, std::size_t point, const Presets& presets);

/// How a point ended.
enum class Outcome : std::uint8_t
{
    pending,         ///< the sweep was stopped before
    allowed,         ///< runs within all limits
    breaksLimit,
    doesNotFit,
    impossible,      ///< the plan cannot be
    excluded         ///< the values of the knobs exclude each other
};

/// A sweep's answers: numbers only, so that a hundred thousand of them take little room.
struct SweepResult
{
    std::vector<Outcome> outcomes;             ///< by point
    std::vector<std::int8_t> brokenLimits;     ///< by point; -1: none
    std::vector<float> shortByGib;             ///< by point; memory that a device lacks
    std::vector<double> values;                ///< by point, then by metric; not a number where unknown
    std::size_t done = 0;

    [[nodiscard]] std::optional<double> value(std::size_t point, std::size_t metric) const;
};

/// Evaluates every point on all cores. Points are independent of each other, so the answer does not depend on the cores.
///
/// progress points done so far, may be read meanwhile; null: nobody looks
/// stop     ends the sweep early; what is done stays and the rest is `pending`
[[nodiscard]] SweepResult runSweep(const Sweep& sweep, const Presets& presets, std::stop_token stop = {},
                                   std::atomic<std::size_t>* progress = nullptr);

/// How many points ended how, each counted once.
struct SweepCounts
{
    std::size_t allowed = 0, doesNotFit = 0, impossible = 0, excluded = 0, pending = 0;
    std::vector<std::size_t> broken;           ///< by limit
    bool operator==(const SweepCounts&) const = default;
};
[[nodiscard]] SweepCounts countsOf(const Sweep& sweep, const SweepResult& result);

/// "12 of 40 shown; 21 break TTFT, 7 do not fit"
[[nodiscard]] std::string countsText(const Sweep& sweep, const SweepCounts& counts);

/// Index of a metric in `metrics()`.
[[nodiscard]] std::size_t metricIndex(std::string_view id);

/// The allowed points that no other allowed point beats in one of the metrics without losing in another, sorted by the
/// first metric, best first. Of equal ones the first stays.
[[nodiscard]] std::vector<std::size_t> paretoSet(const SweepResult& result, std::span<const std::size_t> metrics);

/// The allowed point that is best in a metric; empty when there is none. Of equal ones the first.
[[nodiscard]] std::optional<std::size_t> bestPoint(const SweepResult& result, std::size_t metric);

} // namespace ridgepoint
