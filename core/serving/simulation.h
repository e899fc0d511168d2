// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/serving/step_table.h"

#include <cstdint>

namespace ridgepoint {

/// Of a time over requests (over gaps for ITL), in seconds.
struct Distribution
{
    double mean = 0;
    double p50 = 0, p90 = 0, p95 = 0, p99 = 0;
    double error = 0;              ///< standard error of the mean, from means of batches; 0 when not known
    bool operator==(const Distribution&) const = default;
};

/// What a simulation saw.
struct Simulation
{
    Distribution ttft;             ///< request sent to first token
    Distribution tpot;             ///< (last - first) / (tokens - 1) of a request
    Distribution itl;              ///< gap between deliveries of one request; with speculation each brings several tokens
    Distribution latency;          ///< request sent to last token
    Distribution queueing;         ///< in the engine's queue, until the first token of the prompt is read
    Frequency requestRate;         ///< finished
    Frequency outputRate;          ///< tokens
    double requests = 0;           ///< that the distributions are over
    double steps = 0;
    double prefillSteps = 0;       ///< share of the steps
    double running = 0;            ///< mean number that decode
    double waiting = 0;            ///< mean number in the queue
    double cacheUse = 0;           ///< mean share of the cache that holds tokens; 0 when it has no limit
    double preemptions = 0;        ///< per request
    double promptUse = 0;          ///< with prefill workers: share of the time, while requests come, that they read
    double blocked = 0;            ///< share of time in which a request waits because no slot or no cache is free
    bool saturated = false;        ///< more requests come than leave, or in a closed loop more are in flight than fit
    bool operator==(const Simulation&) const = default;
};

struct SimulationOptions
{
    std::uint64_t seed = 1;
    double requests = 0;           ///< that count; 0: as many as the load says, or enough for a steady state
};

/// The loop of one replica's engine, step by step.
///
/// Steps are formed as the engine does it: admission in order of arrival while slots and cache (input + the engine's
/// share of output) last, prompts within the token budget, decoding beside them or after them. What was admitted too
/// hopefully is preempted, last first, and read again. A closed loop replaces each finished request at once; its steady
/// state starts from requests at random points of their lives, a benchmark from nothing, with all requests at once. Open
/// arrivals are a renewal process with gamma gaps. Equal arguments give equal bits.
///
/// load     concurrency is taken to the nearest whole number, at least 1, and rates are scaled to it
/// table    step times of the replica, made for `tableRange(load, replica, engine)`, speculation included
/// fails    when a request cannot fit, when ranks and stages are both above 1, or when the load is not a load
/// ignores  cache shared between requests with one prefix; priorities; cancellation
/// source   e2eData, serving analysis §5.1; vllm and tensorrt-llm schedulers as described there
[[nodiscard]] Result<Simulation> simulate(const ServingLoad& load, const Replica& replica, const StepTable& table,
                                          const EngineProfile& engine, const SimulationOptions& options = {});

/// The same with prompts read by workers of their own. The first token leaves when its cache has been moved and the
/// decode worker has taken the request in. Each request goes to the worker with the fewest.
[[nodiscard]] Result<Simulation> simulateDisaggregated(const ServingLoad& load, const Pools& pools,
                                                       const StepTable& prefill, const StepTable& decode,
                                                       const EngineProfile& engine,
                                                       const SimulationOptions& options = {});

} // namespace ridgepoint
