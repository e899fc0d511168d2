// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/catalog.h"

#include "core/figures/breakdown.h"
#include "core/figures/decisions.h"
#include "core/figures/frontier.h"
#include "core/figures/ledger.h"
#include "core/figures/map.h"
#include "core/figures/roofline.h"
#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/insight/sentence.h"
#include "core/scenario/uncertainty.h"
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

std::string stampText(const FigureInput& input)
{
    if (input.configurations.empty())
        return "";
    const auto add = [](std::vector<std::string>& list, std::string text) {
        if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end())
            list.push_back(std::move(text));
    };
    std::vector<std::string> works, prices, warnings;
    double least = 1e300, most = 0;
    bool unknownBand = false;
    for (std::size_t i = 0; i < input.configurations.size(); ++i) {
        const auto& [s, report, load] = input.configurations[i];
        add(works, fmt::format("{}, {} tokens in, {} out, {}", s.network.name, countText(s.load.inputTokens),
                               countText(s.load.outputTokens), arrivalsText(s.load)));
        add(prices, s.price ? s.price->date.empty() ? "user's rent" : s.price->date : "unknown");
        if (!report.feasible())
            add(warnings, columnLetter(i) + " " + verdictText(report));
        else if (report.overloaded)
            add(warnings, columnLetter(i) + " is sent more than it answers");
        if (report.feasible() && report.tpotSpread) {
            least = std::min(least, report.tpotSpread->total());
            most = std::max(most, report.tpotSpread->total());
        } else if (report.feasible()) {
            unknownBand = true;
        }
    }
    std::string text = fmt::format("{}. Rents of {}.", fmt::join(works, "; "), fmt::join(prices, ", "));
    if (most > 0)
        text += least == most ? fmt::format(" 80\u00a0% band of TPOT {}.", spreadText(most))
                              : fmt::format(" 80\u00a0% band of TPOT from {} to {}.", spreadText(least), spreadText(most));
    if (unknownBand)
        text += " A band is unknown.";
    text += fmt::format(" {}.", definitionsText(input.definitions));
    if (!warnings.empty())
        text += fmt::format(" Caution: {}.", fmt::join(warnings, "; "));
    return text;
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
