// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/economics/prices.h"
#include "core/hardware/system.h"
#include "core/parallelism/plan.h"
#include "core/serving/engine_profile.h"
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

struct Load
{
    int inputTokens = 4096;
    int outputTokens = 1024;
    int concurrency = 64;            ///< requests in flight over all replicas
    BatchingMode batching = BatchingMode::continuous;
    bool operator==(const Load&) const = default;
};

/// All that a result depends on.
struct Scenario
{
    std::string name;
    System system;
    Network network;
    Precision precision;
    Plan plan;
    EngineProfile engine;
    Load load;
    std::optional<Price> price;      ///< absent: cost is unknown
    bool operator==(const Scenario&) const = default;
};

} // namespace ridgepoint
