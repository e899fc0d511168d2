// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/step.h"
#include "core/serving/engine_profile.h"
#include "core/workload/lowering.h"

namespace ridgepoint {

/// What one replica works on and with.
struct ReplicaLoad
{
    double running = 1;          ///< requests in service, > 0; may be a fraction when replicas share a load
    double waiting = 0;          ///< requests sent but without a slot
    double inputTokens = 1;
    double outputTokens = 2;     ///< at least 2, or there is no token after the first
};

/// Times of a replica in its steady state. Parts of each breakdown sum to the time it stands for.
struct ServingTimes
{
    Breakdown decodeStep;        ///< one token for each request in service, without prefill
    Breakdown tpot;
    Breakdown ttft;
    Frequency requestRate;       ///< finished requests of the replica
    double prefillShare = 0;     ///< of the time of steps, put down to prompts
    double prefillSteps = 0;     ///< fraction of the steps that hold prompt tokens
    StepCost decode;             ///< one stage, one step without prefill
    StepCost prompt;             ///< one stage, one prompt alone
};

/// Continuous batching in its steady state, by step counting.
///
/// A request lives N steps: k chunks of its prompt, p (O - 1) steps of decoding, and w of waiting behind other prompts,
/// where p stages make a token take p steps. A step of T tokens at most holds d = n (O - 1)/N that are written and has
/// room for T - d of prompts; s = I/(T - d), k = max(1, s), whole when n = 1. With m = n - 1 others, w solves the closed loop with one
/// server, w^2 + (Z - m s) w - m s^2/2 = 0, Z = N - w, and N >= n (I + O - 1)/T. N is the one fixed point of this.
///
///     f = min(1, n k / N)  steps with prefill, each with c = n I / (N f) prompt tokens
///     TPOT = p [ (1 - f') t_d + f' t_mix ],  f' = min(1, m k / N)
///     TTFT = base + delay + lag TPOT + (1/2 + w) t_mean + (k + p - 1) t_mix + waiting/rate
///     rate = n / (TTFT without waiting + (O - 1) TPOT)
///
/// None of the counts depends on a time, so a faster operator never makes a request slower.
///
/// load     of one replica
/// returns  times [s]; TTFT holds the wait for a slot when more requests are sent than run
/// ignores  the burst at the start of a benchmark, spread of lengths, preemption, polling intervals
/// source   closed form of the serving analysis (e2eData §5.3), with the fixed point replaced by the root above
[[nodiscard]] ServingTimes continuousBatching(const ReplicaLoad& load, const Network& network,
                                              const ResolvedPrecision& precision, const Split& split,
                                              const System& system, const KernelFamily& kernels,
                                              const EngineProfile& engine);

/// One fixed batch: all prompts are read, then all answers are written to their end.
///
///     TTFT = base + delay + chunks of all prompts;  TPOT = decode step at the mean context;  rate = n / (TTFT + (O-1) TPOT)
[[nodiscard]] ServingTimes fixedBatch(const ReplicaLoad& load, const Network& network,
                                      const ResolvedPrecision& precision, const Split& split, const System& system,
                                      const KernelFamily& kernels, const EngineProfile& engine);

} // namespace ridgepoint
