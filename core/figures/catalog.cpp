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

constexpr std::array catalog{
    FigureEntry{"roofline", "Roofline", "What each operator reaches against what the device could do.", rooflineFigure},
    FigureEntry{"breakdown", "Time breakdown", "Where the time of an output token goes.", breakdownFigure},
    FigureEntry{"ledger", "Memory ledger", "What fills the memory of one device.", ledgerFigure},
    FigureEntry{"frontier", "Throughput against latency", "What more requests in flight give and what they cost.",
                frontierFigure},
};

} // namespace

std::span<const FigureEntry> figureCatalog()
{
    return catalog;
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
