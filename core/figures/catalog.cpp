// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/catalog.h"

#include "core/figures/breakdown.h"
#include "core/figures/frontier.h"
#include "core/figures/ledger.h"
#include "core/figures/roofline.h"
#include "core/insight/comparison.h"

#include <array>

namespace ridgepoint {
namespace {

/// As the definitions are by default.
template <auto make>
Figure usual(std::span<const Evaluated> configurations, std::size_t baseline)
{
    return make(configurations, baseline, Definitions{});
}

constexpr std::array catalog{
    FigureEntry{"roofline", "Roofline", "What each operator reaches against what the device could do.", usual<rooflineFigure>, rooflineFigure},
    FigureEntry{"breakdown", "Time breakdown", "Where the time of an output token goes.", usual<breakdownFigure>, breakdownFigure},
    FigureEntry{"ledger", "Memory ledger", "What fills the memory of one device.", usual<ledgerFigure>, ledgerFigure},
    FigureEntry{"frontier", "Throughput against latency", "What more requests in flight give and what they cost.",
                usual<frontierFigure>, frontierFigure},
};

} // namespace

std::span<const FigureEntry> figureCatalog()
{
    return catalog;
}

Figure makeFigure(const FigureEntry& entry, std::span<const Evaluated> configurations, std::size_t baseline,
                  const Definitions& definitions)
{
    return entry.makeDefined != nullptr ? entry.makeDefined(configurations, baseline, definitions)
                                        : entry.make(configurations, baseline);
}

const FigureEntry* findFigure(std::string_view id)
{
    for (const FigureEntry& entry : catalog)
        if (entry.id == id)
            return &entry;
    return nullptr;
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
