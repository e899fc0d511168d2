// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/presets.h"
#include "core/scenario/scenario.h"
#include "core/serving/batching.h"
#include "core/serving/simulation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ridgepoint::tests {

/// What both solvers are asked: one replica with its load and its step times.
struct Contest
{
    std::string text;              ///< for people
    Scenario scenario;             ///< what the pricer is made of
    ResolvedPrecision precision;
    Split split;
    KernelFamily kernels;
    ServingLoad load;
    Replica replica;
    [[nodiscard]] StepPricer pricer() const;
    [[nodiscard]] ServingTimes closedForm() const;
};

/// Random replicas of shipped networks on shipped systems: dense, mixtures, hybrids, latent attention; tensor and pipeline
/// parallel, attention-DP; engines and token budgets; closed and open loops; prefix hits, speculation, lengths. Equal seeds
/// give equal ones.
[[nodiscard]] std::vector<std::unique_ptr<Contest>> contests(const Presets& presets, Arrivals arrivals, int count,
                                                             std::uint64_t seed);

/// Means over seeds, with the largest relative standard error among them.
struct LongSimulation
{
    double ttft = 0, tpot = 0, itl = 0, latency = 0, rate = 0;
    double error = 0;              ///< of ttft, tpot, itl and latency, and of a closed loop's rate
    int seeds = 0;
    bool saturated = false;
};

/// Seeds until every standard error is below `wanted`, at least 6 and at most `mostSeeds`.
[[nodiscard]] LongSimulation simulateLong(const Contest& contest, double wanted, int mostSeeds);

/// Closed form / simulation - 1.
struct Disagreement
{
    double ttft = 0, tpot = 0, itl = 0, latency = 0;
    double rate = 0;               ///< of a closed loop; an open one has the rate of its load

    [[nodiscard]] double pace() const;    ///< largest but of TTFT
    [[nodiscard]] double worst() const;   ///< largest of all
};

[[nodiscard]] Disagreement disagreement(const Contest& contest, const ServingTimes& times, const LongSimulation& simulation);

} // namespace ridgepoint::tests
