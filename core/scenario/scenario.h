// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/economics/prices.h"
#include "core/hardware/system.h"
#include "core/parallelism/plan.h"
#include "core/serving/engine_profile.h"
#include "core/serving/load.h"
#include "core/workload/network.h"

#include <optional>
#include <string>

namespace ridgepoint {

/// What is stored and computed in which format. An empty choice means "as the checkpoint says".
struct Precision
{
    std::optional<Format> weights;
    std::optional<Format> activations;
    std::optional<Format> kv;
    bool operator==(const Precision&) const = default;
};

enum class BatchingMode
{
    continuous,   ///< a new request takes the place of a finished one at once
    fixed         ///< one batch is read, then written to its end
};

/// What is asked of all replicas together.
struct Load
{
    int inputTokens = 4096;          ///< mean of a prompt
    int outputTokens = 1024;         ///< mean of an answer
    double lengthSpread = 0.0;       ///< both are uniform within this share of their means, below 1
    Arrivals arrivals = Arrivals::closedLoop;
    int concurrency = 64;            ///< closed loop: requests in flight
    Frequency requestRate{1.0};      ///< open loop: requests sent
    BatchingMode batching = BatchingMode::continuous;
    bool fromStart = false;          ///< a benchmark run that counts its starting burst; else the steady state
    double prefixHits = 0.0;         ///< share of prompt tokens that the cache holds already
    Speculation speculation = {};
    bool operator==(const Load&) const = default;
};

/// All that a result depends on.
struct Scenario
{
    std::string name;
    System system;
    Network network;
    Precision precision;
    Plan plan;                       ///< of the decode workers where prefill has workers of its own
    std::optional<Plan> prefillPool; ///< workers that only read prompts, as replicas; absent: one pool does both
    EngineProfile engine;
    Load load;
    std::optional<Price> price;      ///< absent: cost is unknown
    bool operator==(const Scenario&) const = default;
};

} // namespace ridgepoint
