// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"

#include <span>
#include <string>
#include <string_view>

namespace ridgepoint {

/// A chart a user can open: the one place that knows its name.
struct FigureEntry
{
    std::string_view id;
    std::string_view title;
    std::string_view help;
    Figure (*make)(std::span<const Evaluated> configurations, std::size_t baseline) = nullptr;
    /// With other definitions; null: it shows nothing that they concern.
    Figure (*makeDefined)(std::span<const Evaluated> configurations, std::size_t baseline, const Definitions& definitions) = nullptr;
};

/// The figure as these definitions show it.
[[nodiscard]] Figure makeFigure(const FigureEntry& entry, std::span<const Evaluated> configurations, std::size_t baseline,
                                const Definitions& definitions);

[[nodiscard]] std::span<const FigureEntry> figureCatalog();
[[nodiscard]] const FigureEntry* findFigure(std::string_view id);

/// The columns that a figure cannot show and why, such as "B does not fit: 3.8 GiB short"; empty when it shows all.
[[nodiscard]] std::string leftOutText(std::span<const Evaluated> configurations);

} // namespace ridgepoint
