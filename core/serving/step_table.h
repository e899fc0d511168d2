// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/step_pricer.h"

#include <vector>

namespace ridgepoint {

/// Step times on a grid, so that a simulated step costs nanoseconds.
///
///     t = decode(n, L) + prefill(n, c) + sum over chunks of [attention(end) - attention(begin)]
///
/// decode is a step without prompts; prefill is what c prompt tokens add when they barely see each other; attention(x)
/// is what reading a prompt of x tokens costs beyond that. A chunk pays its share of its prompt's attention. Between
/// nodes times are linear (attention(x)/x is), nodes are a factor of two apart or less.
class StepTable
{
public:
    struct Range
    {
        double sequences = 1;      ///< most that decode at once, of one rank
        double context = 1;        ///< longest input and output together
        double prefillTokens = 1;  ///< most prompt tokens of a step, of one rank
        int ranks = 1;             ///< attention data parallelism
    };

    StepTable(const StepTimer& timer, const Range& range);

    /// [s] n sequences a rank that see `context` tokens each; 0 for n = 0.
    [[nodiscard]] double decode(double n, double context) const;

    /// [s] what prompt tokens add: `tokens` on the rank with most, `all` on all ranks.
    [[nodiscard]] double prefill(double n, double tokens, double all) const;

    /// [s] attention of a whole prompt beyond that of short ones; may be negative where short ones run badly.
    [[nodiscard]] double attention(double tokens) const;

    [[nodiscard]] const Range& range() const { return m_range; }

private:
    /// A place between two nodes.
    struct Place { std::size_t node; double weight; };
    [[nodiscard]] static Place find(const std::vector<double>& nodes, double value);
    [[nodiscard]] double between(const std::vector<double>& table, const std::vector<double>& columns, Place row,
                                 double column) const;

    Range m_range;
    std::vector<double> m_sequences, m_contexts, m_decode;
    std::vector<double> m_beside, m_tokens, m_prefillOne, m_prefillAll;
    std::vector<double> m_lengths, m_attention;   ///< seconds a token
};

/// The range that a load needs on a replica of an engine.
[[nodiscard]] StepTable::Range tableRange(const ServingLoad& load, const Replica& replica, const EngineProfile& engine);

} // namespace ridgepoint
