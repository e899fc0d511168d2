// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/step.h"
#include "core/serving/engine_profile.h"
#include "core/serving/load.h"
#include "core/workload/lowering.h"

#include <functional>

namespace ridgepoint {

/// What one engine step costs on one pipeline stage, host time of the engine included.
using StepPricer = std::function<StepCost(const StepShape&)>;

/// How long it takes.
using StepTimer = std::function<Seconds(const StepShape&)>;

/// The operators of a step, the engine's host time per step, and its eager launches when the step holds prompt tokens.
///
/// The arguments must outlive the pricer. Not to be called by two threads at once: it keeps scratch space.
///
/// source   e2eData, serving analysis §4
[[nodiscard]] StepPricer stepPricer(const Network& network, const ResolvedPrecision& precision, const Split& split,
                                    const System& system, const KernelFamily& kernels, const EngineProfile& engine);

/// A decode step that verifies drafts: it reads draftTokens + 1 tokens a sequence, after as many guesses.
[[nodiscard]] StepPricer withSpeculation(StepPricer pricer, const Speculation& speculation);

[[nodiscard]] StepTimer timerOf(StepPricer pricer);

} // namespace ridgepoint
