// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/catalog.h"

#include "core/figures/breakdown.h"
#include "core/figures/decisions.h"
#include "core/figures/frontier.h"
#include "core/figures/ledger.h"
#include "core/figures/map.h"
#include "core/figures/roofline.h"
#include "core/insight/comparison.h"
#include "core/sweep/sweep.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

template <auto make>
Figure ofBoard(const FigureInput& input)
{
    return make(input.configurations, input.baseline, input.definitions);
}

constexpr std::array catalog{
    FigureEntry{"roofline", "Roofline", "What each operator reaches against what the device could do.",
                ofBoard<rooflineFigure>},
    FigureEntry{"breakdown", "Time breakdown", "Where the time of an output token goes.", ofBoard<breakdownFigure>},
    FigureEntry{"ledger", "Memory ledger", "What fills the memory of one device.", ofBoard<ledgerFigure>},
    FigureEntry{"frontier", "Throughput against latency", "What more requests in flight give and what they cost.",
                ofBoard<frontierFigure>},
    FigureEntry{"tornado", "Tornado", "How far a result moves when each number moves by a tenth, the furthest first.",
                tornadoFigure, false},
    FigureEntry{"waterfall", "From the baseline", "Which change makes how much of the difference to the baseline.",
                waterfallFigure, false},
    FigureEntry{"odds", "Odds of each place", "How often each configuration comes first when the unknowns vary.",
                oddsFigure, false},
    FigureEntry{"map", "Map of two knobs", "Where it works and where it breaks: a result over the values of two knobs.",
                mapFigure, false},
};

} // namespace

std::span<const FigureEntry> figureCatalog()
{
    return catalog;
}

std::span<const FigureEntry> boardFigures()
{
    constexpr auto count = std::ranges::count_if(catalog, &FigureEntry::ofBoard);
    static_assert(std::ranges::is_partitioned(catalog, [](const FigureEntry& entry) { return entry.ofBoard; }));
    return std::span(catalog).first(count);
}

const FigureEntry* findFigure(std::string_view id)
{
    for (const FigureEntry& entry : catalog)
        if (entry.id == id)
            return &entry;
    return nullptr;
}

const Metric& metricOf(const FigureInput& input)
{
    const std::string_view id = findMetric(input.metric) != nullptr ? input.metric
                                : ranking(input.configurations).byCost ? "cost_per_million_output_all_in"
                                                                       : "output_tokens_per_s_per_device";
    return metrics(input.definitions)[metricIndex(id)];
}

std::optional<std::size_t> columnOf(const FigureInput& input)
{
    if (input.column && *input.column < input.configurations.size())
        return input.column;
    const Ranking rank = ranking(input.configurations);
    if (!rank.order.empty())
        return rank.order.front();
    return input.configurations.empty() ? std::nullopt : std::optional<std::size_t>(0);
}

std::string axisLabel(const Metric& metric)
{
    return fmt::format("{} ({})", metric.label, metric.unit.empty() ? "count" : metric.unit);
}

std::string leftOutText(std::span<const Evaluated> configurations)
{
    std::string text;
    for (std::size_t i = 0; i < configurations.size(); ++i)
        if (!configurations[i].report.feasible())
            text += (text.empty() ? "" : " · ") + columnLetter(i) + " " + verdictText(configurations[i].report);
    return text;
}

} // namespace ridgepoint
