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
    longPolling,       ///< prompts wait for a look or for company
    manyPromptTokens,  ///< prompts often meet others: the wait behind them depends on chance
    fewWaves,          ///< a benchmark whose requests still move in waves
    shortAnswers,      ///< a request lives for few steps
    unevenLengths,     ///< prompts whose lengths vary widely, or are short and vary: kernels work in tiles
    lanes,             ///< which of several ranks or micro-batches has most to do depends on chance
    equalAnswers,      ///< requests that write equally much fall into step with each other and stay so
    burstyArrivals,    ///< arrivals that are not a Poisson process
    partsOfPrompts,    ///< prompts read in chunks or found in the cache in part, or drafts: the simulation's steps are coarse
    thinLoad           ///< an open loop that often is empty
};
using ServingLimits = std::bitset<12>;

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
    ServingLimits limits;        ///< none: all means agree with the simulation within 3 %
    ServingLimits paceLimits;    ///< none: those of TPOT, gaps, latency and rate do
    double prefillShare = 0;     ///< of the time of steps, put down to prompts
    double prefillSteps = 0;     ///< fraction of the steps that hold prompt tokens
    StepCost decode;             ///< one stage, one step without prefill
    StepCost prompt;             ///< one stage, one prompt alone
};

/// Requests a replica can run at once: slots, token budget, and cache for input + the engine's share of output.
[[nodiscard]] double slotsOf(const ServingLoad& load, const Replica& replica, const EngineProfile& engine);

/// Continuous batching in closed form.
///
/// Times come from three steps: one without prompts (t_d), one with the mean prompt tokens
/// (t_mix) and one with those that a given prompt shares its step with (t_own).
///
///     TPOT = p [ (1 - f') t_d + f' t_mix ] S/(O - 1),  f' = f m/n     where prefill is apart: t_d + f' t_prefill
///     TTFT = t ceil((base + delay)/t) + (lag + w) t + p k t_own + wait for a slot
///     rate = n / (TTFT without that wait + (O - 1) TPOT)
///
/// In the steady state and in open loops f, w and the prompts that meet follow from `rhythmOf`: long steps catch more
/// arrivals than short ones. A closed loop has n = min(C, slots). An open loop has the n at which the rate is the load's,
/// and waits for slots as M/G/c (Sakasegawa). A benchmark, and an engine that gathers prompts, take f and w from counts
/// that depend on no time; a benchmark adds the burst at its start for one request in ten and the unevenness of the waves
/// that follow.
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
