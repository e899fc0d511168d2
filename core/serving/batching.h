// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/load.h"
#include "core/serving/rhythm.h"
#include "core/serving/step_pricer.h"

#include <bitset>

namespace ridgepoint {

/// Where the closed form is not sure of itself.
enum class ServingLimit
{
    nearCapacity,      ///< a tenth less cache would make requests wait
    overCapacity,      ///< requests wait for a slot or for cache
    longPolling,       ///< prompts come in batches larger than a step
    manyPromptTokens,  ///< steps are nearly full of prompts: the wait behind others depends on chance
    fewWaves,          ///< a benchmark whose requests still move in waves
    shortAnswers,      ///< a request spends much of its life outside the engine or in few steps
    unevenLengths,     ///< lengths that vary widely
    lanes              ///< which of several ranks or micro-batches has most to do depends on chance
};
using ServingLimits = std::bitset<8>;

/// Times of a replica. Parts of each breakdown sum to the time it stands for.
struct ServingTimes
{
    Breakdown decodeStep;        ///< one token for each request in service, without prefill
    Breakdown tpot;
    Breakdown ttft;              ///< without an end when an open load exceeds capacity: then without the wait for a slot
    Seconds ttftLow, ttftHigh;   ///< with a tenth more and less cache; equal to ttft away from capacity
    Seconds queueing;            ///< the part of TTFT spent waiting for a slot
    Frequency requestRate;       ///< finished requests of the replica
    double running = 0;          ///< requests in service
    double utilisation = 0;      ///< open loop: rate / the most the replica can do
    double cacheReserved = 0;    ///< share of the cache that requests in service have set aside; 0 when it has no limit
    bool saturated = false;      ///< more requests come, or are in flight, than the replica can hold
    Rhythm rhythm;               ///< how steps and arrivals pace each other; not of a benchmark's start
    ServingLimits limits;        ///< none: means agree with the simulation within 3 %
    double prefillShare = 0;     ///< of the time of steps, put down to prompts
    double prefillSteps = 0;     ///< fraction of the steps that hold prompt tokens
    StepCost decode;             ///< one stage, one step without prefill
    StepCost prompt;             ///< one stage, one prompt alone
};

/// Requests a replica can run at once: slots, token budget, and cache for input + the engine's share of output.
[[nodiscard]] double slotsOf(const ServingLoad& load, const Replica& replica, const EngineProfile& engine);

/// Continuous batching in closed form.
///
/// Counts come from `countSteps`, times from three steps: one without prompts (t_d), one with the mean prompt tokens
/// (t_mix) and one with those that a given prompt shares its step with (t_own).
///
///     TPOT = p [ (1 - f') t_d + f' t_mix ] S/(O - 1),  f' = f m/n     where prefill is apart: t_d + f' t_prefill
///     TTFT = t ceil((base + delay)/t) + (lag + w) t + p k t_own + wait for a slot
///     rate = n / (TTFT without that wait + (O - 1) TPOT)
///
/// A closed loop has n = min(C, slots); what a request spends outside the engine lowers the n of its steps. An open loop
/// has the n at which the rate is the load's, and waits for slots as M/G/c (Sakasegawa). A benchmark adds the burst at
/// its start for one request in ten and the unevenness of the waves that follow. As counts depend on no time, a faster
/// operator never makes a request of a closed loop slower.
///
/// pricer   without speculation; that of the load is put on it here
/// ignores  preemption; what `limits` names
/// source   closed form of the serving analysis (e2eData §5.3), with the fixed point replaced by counts; sakasegawa1977
[[nodiscard]] ServingTimes continuousBatching(const ServingLoad& load, const Replica& replica, const StepPricer& pricer,
                                              const EngineProfile& engine);

/// One fixed batch: all prompts are read, then all answers are written to their end.
///
///     TTFT = base + delay + chunks of all prompts;  TPOT = decode step at the mean context;  rate = n / (TTFT + (O-1) TPOT)
[[nodiscard]] ServingTimes fixedBatch(const ServingLoad& load, const Replica& replica, const StepPricer& pricer,
                                      const EngineProfile& engine);

} // namespace ridgepoint
