// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/comparison.h"

#include <cstddef>
#include <span>
#include <string>
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
[[nodiscard]] Explanation explain(std::span<const Evaluated> configurations, std::size_t baseline);

/// Pairs where the one with more aggregate bandwidth decodes slower, with the cause of it in words.
[[nodiscard]] std::vector<Sentence> inversions(std::span<const Evaluated> configurations);

} // namespace ridgepoint
