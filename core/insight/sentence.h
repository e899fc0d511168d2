// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/scenario/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A sentence and what it rests on.
struct Sentence
{
    std::string text;
    int configuration = -1;      ///< column it speaks of, -1: all
    std::string figure;          ///< id of the figure that shows the evidence, empty when none
    std::string knob;            ///< id of the knob it speaks of, empty when none
    bool operator==(const Sentence&) const = default;
};

/// A cause of time for a reader who does not know its short name: "reading weights from memory".
[[nodiscard]] std::string_view wordsOf(Cause cause);

[[nodiscard]] std::string arrivalsText(const Load& load);                    ///< "64 in flight", "4.00 requests/s"
[[nodiscard]] std::string milliseconds(Seconds time);                        ///< the number alone: "22.2"
[[nodiscard]] std::string listed(const std::vector<std::string>& items);     ///< "A, B and D"
[[nodiscard]] std::string letters(const std::vector<std::size_t>& columns);  ///< "A, B and D"

} // namespace ridgepoint
