// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <limits>
#include <vector>

namespace ridgepoint {

enum class Arrivals
{
    closedLoop,   ///< a fixed number of requests in flight; a finished one is replaced at once
    openLoop,     ///< requests come at a rate, whatever becomes of those before
    trace         ///< requests come when a record says
};

enum class LengthShape { fixed, uniform, lognormal, exponential, empirical };

/// Lengths of prompts or answers, in tokens.
struct Lengths
{
    LengthShape shape = LengthShape::fixed;
    double mean = 1;
    double spread = 0;             ///< uniform: half the width / mean; lognormal: standard deviation / mean
    std::vector<double> values = {};    ///< empirical: drawn with equal chance; their mean counts, not `mean`
    bool operator==(const Lengths&) const = default;
};

[[nodiscard]] double meanOf(const Lengths& lengths);
[[nodiscard]] double longestOf(const Lengths& lengths);      ///< a length that next to none exceeds
[[nodiscard]] double variationOf(const Lengths& lengths);    ///< standard deviation / mean

/// One line of a trace.
struct TracedRequest
{
    Seconds arrival = {};
    double inputTokens = 1;
    double outputTokens = 1;
    bool operator==(const TracedRequest&) const = default;
};

/// Tokens guessed by a cheap drafter and verified by the network in one step.
struct Speculation
{
    int draftTokens = 0;           ///< guessed a step; 0: off
    double acceptance = 0;         ///< chance in [0, 1] that a guess holds when those before it did
    double draftShare = 0;         ///< time of one guess / time of a decode step without speculation
    bool operator==(const Speculation&) const = default;
};

/// Tokens a sequence gains in a verification step.
///
///     (1 - a^(g+1)) / (1 - a);  g + 1 at a = 1, 1 without speculation
///
/// source   leviathan2023 eq. 1
[[nodiscard]] double tokensPerStep(const Speculation& speculation);

/// Decode steps that `tokens` further tokens take in the mean.
///
///     tokens/m + (v/m^2 + 1)/2 - 1/(2 m),  m and v mean and variance of the tokens a step brings; tokens without speculation
///
/// source   renewal theory, as in the simulation
[[nodiscard]] double stepsOf(double tokens, const Speculation& speculation);

/// Half the width of the time a request spends between client and engine, over its mean. Without it requests would come
/// in step with the engine, which no network lets them do.
inline constexpr double outsideSpread = 0.5;

/// What is asked of one replica.
struct ServingLoad
{
    Arrivals arrivals = Arrivals::closedLoop;
    double concurrency = 1;        ///< closed loop: requests in flight; a fraction when replicas share a load
    Frequency requestRate = {};    ///< open loop
    double burstiness = 1;         ///< open loop: variance of the gaps / mean^2; 1 Poisson, 0 even, more comes in bursts
    Lengths input = {};
    Lengths output = {};
    bool fromStart = false;        ///< a benchmark: all requests in flight start at once and all count; else the steady state
    double requestsPerSlot = 10;   ///< of a benchmark: requests in all / concurrency
    double prefixHits = 0;         ///< share of prompt tokens whose keys and values are in the cache already
    Speculation speculation = {};
    std::vector<TracedRequest> trace = {};
    bool operator==(const ServingLoad&) const = default;
};

/// What one replica can hold.
struct Replica
{
    double cacheTokens = std::numeric_limits<double>::infinity();   ///< of one attention rank, [tokens]
    double maximumSequences = 1024;                                 ///< of one attention rank
    int ranks = 1;                 ///< attention data parallelism: ranks with their own requests that step together
    int stages = 1;                ///< pipeline stages: as many micro-batches are on their way at once
    double idleShare = 0;          ///< of a stage's time, what a stage of the mean size would not need
    bool operator==(const Replica&) const = default;
};

/// Prefill and decode on workers of their own.
struct Pools
{
    Replica prefill = {};
    Replica decode = {};
    int prefillWorkers = 1;
    int decodeWorkers = 1;
    Seconds transfer = {};         ///< keys and values of a mean prompt, from one to the other
    bool operator==(const Pools&) const = default;
};

} // namespace ridgepoint
