// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/engine_profile.h"
#include "core/serving/load.h"

namespace ridgepoint {

/// What a replica's steady state depends on, in counts. None of it is a time.
struct CountedLoad
{
    double inside = 1;         ///< requests in the engine, all lanes
    double others = 0;         ///< that one request meets
    double input = 1;          ///< prompt tokens to read, those in the prefix cache left out
    double inputSpread = 0;    ///< half the width of their distribution / mean
    double answerSteps = 1;    ///< decode steps of a request
    double queries = 1;        ///< tokens a sequence reads in a decode step
    double lanes = 1;          ///< attention ranks that step together, or micro-batches of one cycle of stages
    double boundary = 1;       ///< steps from being sent to the end of the step that was missed
    double burstiness = 1;     ///< of arrivals
};

/// A request's life in steps, and what fills them.
struct StepCounts
{
    double life = 0;           ///< N, of decode steps only where prompts have steps of their own
    double decoding = 0;       ///< sequences that decode in a step, all lanes
    double filled = 0;         ///< f, prefill steps per step (per decode step where they are apart)
    double filledNear = 0;     ///< f around the arrival of a request: higher where prompts crowd
    double meanChunk = 0;      ///< prompt tokens of a step that has any, all lanes
    double ownChunk = 0;       ///< prompt tokens of the step that reads a given prompt, in its lane
    double ownPrompts = 1;     ///< prompts that these belong to
    double together = 0;       ///< other prompts that are read with a given one
    double service = 1;        ///< s
    double ownSteps = 1;       ///< prefill steps from the first of a prompt's batch to its first token
    double chunksOfPrompt = 1; ///< k
    double waitSteps = 0;      ///< behind other prompts, for a look, and for company; without the boundary
};

/// Counts of the steady state of a continuous batch. With pipeline stages a step is a cycle, in which each micro-batch
/// passes all of them.
///
/// Mixed steps: a request lives N = S + k + boundary + lag + w steps. A step of B tokens a lane has room for B - d of
/// prompts, d = n S/N; s = I/room, and k is the mean of ceil(s) over lengths, less what is saved where prompts share steps
/// (at full steps max(1, s)). With m others, w solves the closed loop with one server,
/// w^2 + (Z - m s) w - m s^2/2 = 0, Z = N - w, and N >= n (I + S)/B. N is the one fixed point of this.
///
/// Prefill apart: N = S + boundary + lag; prompts never wait for each other's decoding.
///
///     x = n/N prompts a step come in looks m steps apart;  f = max(k (1 - exp(-x m))/m, x s)
///     mean chunk x I/f;  a given prompt shares its step with x m others
///
/// ignores  spread of answers' lengths
[[nodiscard]] StepCounts countSteps(const CountedLoad& load, const EngineProfile& engine);

/// The same when a life is known to last `life` steps and prompts come `crowding` times as close together for a while.
[[nodiscard]] StepCounts countsOfLife(const CountedLoad& load, const EngineProfile& engine, double life,
                                      double crowding = 1.0);

/// Prompt tokens that fit into `room` of a step. Whole prompts leave half of one unused in the mean.
[[nodiscard]] double usableRoom(double room, double input, StepForming forming);

/// Mean of ceil(x) over x from low to high, at least 1.
[[nodiscard]] double meanCeiling(double low, double high);

/// Prompts that reach an engine together when all in flight are sent at once.
struct BurstCounts
{
    double chunk = 1;          ///< prompt tokens of a step, of one lane
    double prompts = 1;        ///< they belong to
    double meanSteps = 1;      ///< prefill steps to the first token, in the mean over prompts
    double steps = 1;          ///< to the last
};

[[nodiscard]] BurstCounts countBurst(const CountedLoad& load, const EngineProfile& engine);

} // namespace ridgepoint
