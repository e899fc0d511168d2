// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// What is known of a choice of formats that may make answers worse: the weights with their inputs, or the cache.
struct QualityPart
{
    std::string formats;                 ///< such as "FP8 weights and inputs", "FP8 KV cache"
    std::string_view knob;               ///< that chooses them
    std::vector<QualityFact> facts;      ///< of the very network and formats; empty: the effect is unknown
    bool operator==(const QualityPart&) const = default;
};

/// The parts of a configuration that hold fewer than 16 bits and are not what the network is published in.
///
/// returns  empty where nothing can be lost
/// ignores  what the formats of one part do to another; facts of one network say nothing of its siblings
[[nodiscard]] std::vector<QualityPart> qualityOf(const Evaluated& configuration);

/// Score with these formats over that of the reference: 0.985 keeps 98.5 % of it.
[[nodiscard]] inline double kept(const QualityFact& fact) { return fact.value / fact.baseline; }

/// "−0.13 %", "+0.28 %": small losses are the point, so two digits are kept.
[[nodiscard]] std::string lossText(double share);
[[nodiscard]] std::string factText(const QualityFact& fact);         ///< "MMLU 84.4 → 84.3 (−0.13 %)"
[[nodiscard]] std::string qualityText(const QualityPart& part);      ///< a sentence with benchmarks, publishers and dates

/// A cell for the weights with their inputs or for the cache: "at worst −1.5 % (MMLU)", "unknown", "none".
[[nodiscard]] std::string qualitySummary(const Evaluated& configuration, bool ofCache);

} // namespace ridgepoint
