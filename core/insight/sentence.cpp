// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/sentence.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"

#include <fmt/format.h>

namespace ridgepoint {

std::string_view wordsOf(Cause cause)
{
    switch (cause) {
    case Cause::weights: return "reading weights from memory";
    case Cause::kvCache: return "reading the KV cache from memory";
    case Cause::compute: return "arithmetic";
    case Cause::activations: return "moving activations";
    case Cause::communication: return "communication between devices";
    case Cause::host: return "launch and host work";
    case Cause::bubble: return "waiting in the pipeline";
    case Cause::prefill: return "reading the prompts of other requests";
    case Cause::waiting: return "waiting for a free place";
    }
    return "";
}

std::string arrivalsText(const Load& load)
{
    return load.arrivals == Arrivals::closedLoop ? fmt::format("{} in flight", countText(load.concurrency))
                                                 : fmt::format("{} requests/s", numberText(load.requestRate.value));
}

std::string milliseconds(Seconds time)
{
    return numberText(time.value * 1e3);
}

std::string listed(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string letters(const std::vector<std::size_t>& columns)
{
    std::vector<std::string> names;
    for (const std::size_t column : columns)
        names.push_back(columnLetter(column));
    return listed(names);
}

} // namespace ridgepoint
