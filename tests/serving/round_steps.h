// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/step_pricer.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::tests {

/// Step times of a made-up device with round numbers: weights or arithmetic, cache, attention of prompts, host.
struct RoundSteps
{
    double weights = 5e-3;          ///< [s] to read them, with arithmetic as a 2-norm
    double token = 20e-6;           ///< [s] of arithmetic
    double cache = 40e-9;           ///< [s] per cached token
    double pair = 1e-9;             ///< [s] per query and key
    double eager = 2e-3;            ///< [s] of a step with prompts

    [[nodiscard]] StepPricer pricer() const
    {
        return [c = *this](const StepShape& s) {
            StepCost cost;
            const double tokens = std::max(s.tokens(), s.groupTokens);
            cost.parts[Cause::weights] = Seconds{std::hypot(c.weights, tokens * c.token)};
            cost.parts[Cause::kvCache] = Seconds{s.decodeSequences * s.decodeContext * c.cache};
            const double queries = s.prefillSequences > 0.0 ? s.prefillTokens / s.prefillSequences : 0.0;
            cost.parts[Cause::compute] = Seconds{s.prefillTokens * (s.prefillContext - queries / 2.0) * c.pair};
            cost.parts[Cause::host] = Seconds{s.prefillTokens > 0.0 ? c.eager : 0.0};
            return cost;
        };
    }
};

} // namespace ridgepoint::tests
