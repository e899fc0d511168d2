// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/presets.h"
#include "core/sweep/limits.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace ridgepoint {

/// What figures are made of. Those of a board need the first three only.
struct FigureInput
{
    std::span<const Evaluated> configurations;
    std::size_t baseline = 0;
    Definitions definitions = {};                 ///< that numbers are shown in
    const Presets* presets = nullptr;             ///< what turned knobs choose from; without it such a figure says so
    std::string_view metric = {};                 ///< id; empty: what the ranking goes by
    std::optional<std::size_t> column = {};       ///< the one that is looked into; absent: the first of the ranking
    std::string_view xKnob = {}, yKnob = {};      ///< of a map; empty: the load against the tensor parallel group
    std::span<const Limit> limits = {};
    std::stop_token stop = {};                    ///< ends long work early; what is made then is thrown away
};

/// A chart a user can open: the one place that knows its name.
struct FigureEntry
{
    std::string_view id;
    std::string_view title;
    std::string_view help;
    Figure (*make)(const FigureInput& input) = nullptr;
    bool ofBoard = true;          ///< beside the board, drawn with every change; else it turns knobs and may trail
};

[[nodiscard]] std::span<const FigureEntry> figureCatalog();
[[nodiscard]] std::span<const FigureEntry> boardFigures();   ///< those of them that stand beside the board: the first ones
[[nodiscard]] const FigureEntry* findFigure(std::string_view id);

/// The metric that an input asks for.
[[nodiscard]] const Metric& metricOf(const FigureInput& input);

/// The column that an input looks into; absent when there is none.
[[nodiscard]] std::optional<std::size_t> columnOf(const FigureInput& input);

/// "TPOT, mean (ms)"
[[nodiscard]] std::string axisLabel(const Metric& metric);

/// What has to stand under a chart that leaves the program: network and load, prices, bands, definitions and what is wrong
/// with a column; "" for an empty board.
[[nodiscard]] std::string stampText(const FigureInput& input);

/// The columns that a figure cannot show and why, such as "B does not fit: 3.8 GiB short"; empty when it shows all.
[[nodiscard]] std::string leftOutText(std::span<const Evaluated> configurations);

} // namespace ridgepoint
