// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/sweep/limits.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ridgepoint {

/// "50 requests/s of this shape within these limits: what do I buy?"
struct SizingQuestion
{
    Frequency requestRate{50.0};      ///< of all replicas together, at its peak
    std::vector<Limit> limits;
    double headroom = 0.2;            ///< share of what a replica could take that is kept free, below 1
    int failures = 1;                 ///< replicas that may be down while the limits still hold
};

/// Why a replica takes no more requests.
enum class RateBound
{
    limit,            ///< one of the limits
    capacity,         ///< it saturates
    infeasible        ///< it does not run, or breaks a limit however few requests come
};

struct SizingOption
{
    Scenario replica;                 ///< one replica at its share of the load, at a request rate
    Report report;                    ///< of `replica`
    RateBound bound = RateBound::infeasible;
    int limit = -1;                   ///< that bounds it, of the question's
    Frequency mostPerReplica;         ///< within the limits
    int forLoad = 0;                  ///< replicas for the load alone
    int forHeadroom = 0;              ///< and these for the headroom
    int forFailures = 0;              ///< and these so that the failures may happen
    int devicesPerReplica = 0;
    std::optional<Dollars> perMonth;  ///< rent of all devices for 730 h

    [[nodiscard]] int replicas() const { return forLoad + forHeadroom + forFailures; }
    [[nodiscard]] int devices() const { return replicas() * devicesPerReplica; }
};

/// How many replicas of a scenario answer a load within its limits.
///
///     most   = the largest rate of one replica within all limits, found by halving the interval
///     load   = ceil(rate / most)
///     room   = ceil(rate / (most (1 - headroom)))
///     n      = max(room, load + failures)
///
/// The scenario's own load and replicas are replaced: one replica, open arrivals at the rate sought. With `failures` down
/// the rest still answers the whole load within the limits.
///
/// ignores  uneven routing between replicas; arrivals that are burstier than at random
[[nodiscard]] SizingOption sized(const Scenario& scenario, const SizingQuestion& question);

/// The options in order of what they cost in a month, those of unknown cost after them by devices; what does not do it at
/// all comes last, so that nothing is hidden.
[[nodiscard]] std::vector<SizingOption> sizedAll(std::span<const Scenario> scenarios, const SizingQuestion& question,
                                                 std::stop_token stop = {});

/// "TP 8 PP 2": a replica's plan.
[[nodiscard]] std::string planText(const Scenario& replica);

/// Why a replica takes no more: "TTFT, mean ≤ 500 ms", "saturates".
[[nodiscard]] std::string boundText(const SizingOption& option, const SizingQuestion& question);

/// "40 × H100 SXM = 5 replicas × TP 8, $198,000 a month": the first option, or that nothing does it.
[[nodiscard]] std::string sizingAnswer(std::span<const SizingOption> options, const SizingQuestion& question);

/// The steps from the question to the number of devices; each holds the numbers that the next one goes on from.
[[nodiscard]] std::vector<std::string> sizingSteps(const SizingOption& option, const SizingQuestion& question);

/// Every group of devices that shares the heads evenly, alone and with as few stages as make the network fit: the plans
/// worth sizing on the scenario's system.
[[nodiscard]] std::vector<Scenario> plansToSize(const Scenario& scenario);

} // namespace ridgepoint
