// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/validation.h"

#include "core/base/unit_text.h"
#include "core/validation/accuracy.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {
namespace {

constexpr std::size_t mostMarks = 3000;
constexpr std::size_t mostGroups = 7;   // one colour is left for the others

std::string groupOf(const Prediction& prediction, const std::string& key)
{
    for (const auto& [name, value] : prediction.groups)
        if (name == key)
            return value;
    return "all";
}

// The largest groups, each with its place among the colours.
std::map<std::string, int> colours(std::span<const Prediction* const> rows, const std::string& key)
{
    std::map<std::string, std::size_t> sizes;
    for (const Prediction* one : rows)
        ++sizes[groupOf(*one, key)];
    std::vector<std::pair<std::string, std::size_t>> bySize(sizes.begin(), sizes.end());
    std::stable_sort(bySize.begin(), bySize.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::map<std::string, int> result;
    for (std::size_t i = 0; i < bySize.size() && (i < mostGroups || bySize.size() == mostGroups + 1); ++i)
        result[bySize[i].first] = int(i);
    return result;
}

std::string_view unitOf(const Prediction& one)
{
    return one.unit == "us" ? "µs" : std::string_view(one.unit);   // files have plain letters
}

/// Files have small letters, the screen the names that people use.
std::string shownName(const std::string& quantity)
{
    return quantity == "ttft" ? "TTFT" : quantity == "tpot" ? "TPOT" : quantity;
}

std::string hoverOf(const Prediction& one)
{
    std::string text = fmt::format("{}: predicted {}, measured {} {}, {:+.0f}\u00a0%", one.id, numberText(*one.value),
                                   numberText(*one.measured), unitOf(one), 100.0 * (*one.value / *one.measured - 1.0));
    if (one.low80 && one.high80)
        text += fmt::format("; band {} … {}", numberText(*one.low80), numberText(*one.high80));
    for (const auto& [key, value] : one.groups)
        text += fmt::format("; {} {}", key, value);
    return text;
}

} // namespace

LineFigure validationFigure(std::span<const Prediction> predictions, const std::string& quantity,
                            const std::string& key)
{
    std::vector<const Prediction*> rows;
    for (const Prediction& one : predictions)
        if (one.quantity == quantity && one.value && one.measured && *one.value > 0.0 && *one.measured > 0.0)
            rows.push_back(&one);

    LineFigure figure;
    figure.id = "validation";
    figure.title = "Predicted against measured";
    const std::string what = rows.empty() ? "" : fmt::format(" {} ({})", shownName(quantity), unitOf(*rows.front()));
    figure.x = {"Measured" + what, AxisScale::log, {}, {}};
    figure.y = {"Predicted" + what, AxisScale::log, {}, {}};
    if (rows.empty()) {
        figure.description = predictions.empty() ? "Choose a file of measurements."
                                                 : "No row has both a prediction and a measurement.";
        return figure;
    }
    const Accuracy accuracy = accuracyOf(rows);
    const std::size_t stride = (rows.size() + mostMarks - 1) / mostMarks;
    figure.subtitle = stride == 1 ? fmt::format("{} rows", rows.size())
                                  : fmt::format("one in {} of {} rows", stride, rows.size());
    figure.description = fmt::format("{} rows of {}: the median error is {:.1f} %, the mean {:.1f} %, and nine in ten are "
                                     "within {:.1f} %.", rows.size(), quantity, 100.0 * accuracy.median,
                                     100.0 * accuracy.mean, 100.0 * accuracy.p90);

    const std::map<std::string, int> colour = colours(rows, key);
    std::map<int, Series> series;
    double low = *rows.front()->measured, high = low;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Prediction& one = *rows[i];
        low = std::min({low, *one.measured, *one.value});
        high = std::max({high, *one.measured, *one.value});
        if (i % stride != 0)
            continue;
        const std::string group = groupOf(one, key);
        const auto found = colour.find(group);
        Series& line = series[found == colour.end() ? int(mostGroups) : found->second];
        line.name = found == colour.end() ? "others" : group;
        line.configuration = found == colour.end() ? int(mostGroups) : found->second;
        line.line = false;
        line.marks = true;
        Point point;
        point.x = *one.measured;
        point.y = *one.value;
        point.hover = hoverOf(one);
        point.key = one.id;
        line.points.push_back(std::move(point));
    }
    for (auto& [index, line] : series)
        figure.series.push_back(std::move(line));
    Series exact;
    exact.name = figure.series.front().name;
    exact.configuration = figure.series.front().configuration;
    exact.dashed = true;
    exact.endLabel = "exact";
    exact.points.resize(2);
    exact.points[0].x = exact.points[0].y = low;
    exact.points[1].x = exact.points[1].y = high;
    figure.series.push_back(std::move(exact));
    return figure;
}

} // namespace ridgepoint
