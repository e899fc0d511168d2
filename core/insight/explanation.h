// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/comparison.h"
#include "core/insight/inversions.h"
#include "core/insight/sentence.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

struct ExplanationSection
{
    std::string heading;         ///< such as "What limits each configuration"
    std::vector<Sentence> sentences;
    bool operator==(const ExplanationSection&) const = default;
};

struct Explanation
{
    Sentence answer;             ///< the first sentence: the answer
    std::string paragraph;       ///< the whole for a reader who is no specialist
    std::vector<ExplanationSection> sections;
    bool operator==(const Explanation&) const = default;
};

/// What limits each configuration, which one comes first and why, what would help, what is left out. Every number comes
/// from the reports.
[[nodiscard]] Explanation explain(std::span<const Evaluated> configurations, std::size_t baseline,
                                  const Definitions& definitions = {});

} // namespace ridgepoint
