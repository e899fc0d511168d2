// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgepoint {

enum class AxisScale { linear, log };

struct Axis
{
    std::string label;            ///< with its unit in parentheses
    AxisScale scale = AxisScale::linear;
    std::optional<double> minimum = {}, maximum = {};   ///< of the shown range; absent: from the data
    bool operator==(const Axis&) const = default;
};

struct Point
{
    double x = 0, y = 0;
    double weight = 0;            ///< share in [0, 1] that sets the area of the mark; 0: a plain mark
    std::string label;            ///< drawn beside the mark, empty: none
    std::string hover;            ///< what the point is, in words
    std::string key;              ///< equal keys are the same thing in every figure, such as an operator or concurrency
    bool emphasised = false;      ///< the configuration as it stands
    bool operator==(const Point&) const = default;
};

struct Series
{
    std::string name;
    int configuration = 0;        ///< column it belongs to; picks colour and mark
    bool line = true;             ///< joined by a line
    bool marks = false;           ///< points are marked
    bool dashed = false;
    std::string endLabel;         ///< drawn at the end of the line
    std::vector<Point> points;
    bool operator==(const Series&) const = default;
};

struct Arrow
{
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    std::string label;
    bool operator==(const Arrow&) const = default;
};

struct LineFigure
{
    std::string id, title;
    std::string subtitle;         ///< what the marks mean, one short line
    std::string description;      ///< one sentence for a reader who does not see it
    Axis x, y;
    std::vector<Series> series;
    std::vector<Arrow> arrows;
    bool operator==(const LineFigure&) const = default;
};

/// How a part of a bar is drawn: one tone per cause of time or kind of memory, the same in every figure.
enum class Tone { weights, kvCache, kvFree, compute, activations, communication, host, bubble, prefill, waiting, reserve };

struct BarPart
{
    std::string name;
    std::string key;
    Tone tone{};
    double value = 0;
    bool operator==(const BarPart&) const = default;
};

struct Bar
{
    std::string name;             ///< of the configuration
    int configuration = 0;
    std::vector<BarPart> parts;
    std::string totalLabel;       ///< drawn at the end
    std::string note;             ///< drawn in place of the bar when there are no parts
    bool operator==(const Bar&) const = default;
};

/// Stacked horizontal bars, one a configuration.
struct BarFigure
{
    std::string id, title, subtitle, description;
    Axis value;
    std::vector<Bar> bars;
    bool operator==(const BarFigure&) const = default;
};

/// What a stretch of a row stands for; picks its colour.
enum class SpanRole
{
    lower, higher,                ///< what a metric becomes when a number is smaller, or larger
    better, worse,                ///< a step towards a better or a worse value
    total,                        ///< where a row of steps begins or ends
    place                         ///< one of several places, best first
};

struct Span
{
    std::string name = {};
    double from = 0, to = 0;
    SpanRole role{};
    int place = 0;                ///< from 0, of `SpanRole::place`
    std::string hover = {};            ///< what the stretch is, in words
    bool operator==(const Span&) const = default;
};

struct SpanRow
{
    std::string name = {};
    std::string key = {};              ///< id of a knob, or of the thing in other figures
    int configuration = -1;       ///< -1: the row is of none
    std::vector<Span> spans = {};
    std::string label = {};            ///< drawn at the end of the row
    std::string note = {};             ///< drawn in place of the spans when there are none
    bool operator==(const SpanRow&) const = default;
};

/// Rows of stretches along one axis, the first row at the top: tornado, waterfall, odds.
struct SpanFigure
{
    std::string id = {}, title = {}, subtitle = {}, description = {};
    Axis value = {};
    std::optional<double> reference = {};   ///< a line through all rows: the value as it stands
    std::vector<SpanRow> rows = {};
    bool operator==(const SpanFigure&) const = default;
};

enum class CellState { allowed, breaksLimit, doesNotFit, impossible };

struct HeatCell
{
    std::optional<double> value = {};       ///< absent where the configuration does not run
    CellState state{};
    std::string hover = {};
    bool operator==(const HeatCell&) const = default;
};

/// A metric over the values of two knobs.
struct HeatFigure
{
    std::string id = {}, title = {}, subtitle = {}, description = {};
    Axis x = {}, y = {}, value = {};
    std::vector<std::string> xTicks = {}, yTicks = {};   ///< the values of the knobs as cells show them
    std::vector<HeatCell> cells = {};               ///< row by row from the lowest, x fastest
    std::optional<std::size_t> presentX = {}, presentY = {};   ///< the configuration as it stands, where it is on the map
    [[nodiscard]] const HeatCell& at(std::size_t column, std::size_t row) const { return cells[row * xTicks.size() + column]; }
    bool operator==(const HeatFigure&) const = default;
};

using Figure = std::variant<LineFigure, BarFigure, SpanFigure, HeatFigure>;

[[nodiscard]] inline const std::string& titleOf(const Figure& figure)
{
    return std::visit([](const auto& f) -> const std::string& { return f.title; }, figure);
}
[[nodiscard]] inline const std::string& idOf(const Figure& figure)
{
    return std::visit([](const auto& f) -> const std::string& { return f.id; }, figure);
}
[[nodiscard]] inline const std::string& descriptionOf(const Figure& figure)
{
    return std::visit([](const auto& f) -> const std::string& { return f.description; }, figure);
}

} // namespace ridgepoint
