// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/rhythm.h"
#include "core/serving/step_counts.h"
#include "core/serving/step_pricer.h"

namespace ridgepoint {

/// A load in the units of counts and steps.
struct Demand
{
    double input = 1;          ///< prompt tokens to read
    double fullInput = 1;      ///< and those that the prefix cache holds
    double output = 2;
    double answerSteps = 1;
    double context = 1;        ///< mean tokens a decoding sequence sees
    double outside = 0;        ///< [s] between the client and the engine
};

/// Steps that one prompt takes alone in the mean, when one of the mean length takes `service` of a step.
[[nodiscard]] double meanPieces(const Lengths& lengths, double service);

[[nodiscard]] Demand demandOf(const ServingLoad& load, const EngineProfile& engine);

/// Times of the steady state with a given number of requests inside the engine.
struct SteadyState
{
    StepCounts counts;
    StepCost decode;           ///< one stage
    Breakdown decodeStep, tpot;
    Breakdown ttft;            ///< without a wait for a slot
    Seconds meanStep;          ///< through all stages
    Seconds latency;           ///< inside the engine, with the step that is missed on arrival
    double outside = 0;        ///< [s] before it
    double prefillShare = 0;   ///< of the time of steps
    Seconds drain;             ///< of a benchmark: what its end adds to a request's share of the time
    double demandInput = 1;    ///< prompt tokens of a request
    Rhythm rhythm;             ///< of `paced` and `pacedAt`
    double chance = 0;         ///< [s] by which TTFT may be short because a request returns while a prompt is read
};

/// Prices steady states of one replica.
class SteadyStates
{
public:
    SteadyStates(const ServingLoad& load, const Replica& replica, const StepPricer& pricer, const EngineProfile& engine);

    [[nodiscard]] const Demand& demand() const { return m_demand; }
    [[nodiscard]] CountedLoad counted(double inside) const;
    [[nodiscard]] SteadyState at(double inside) { return at(inside, countSteps(counted(inside), m_engine)); }
    [[nodiscard]] SteadyState at(double inside, const StepCounts& counts);

    /// A closed loop of `inside` requests, what they spend outside the engine included or not.
    [[nodiscard]] SteadyState paced(double inside, bool withOutside = true);

    /// An open loop; `most` is what the replica can hold.
    [[nodiscard]] SteadyState pacedAt(double rate, double most);

    /// One stage. `decoding` sequences of all lanes; `chunk` prompt tokens of `prompts` prompts in the lane with most, the
    /// last of each chunk seeing `seen`, and `all` in all lanes.
    [[nodiscard]] StepCost price(double decoding, double chunk, double prompts, double seen, double all);

private:
    [[nodiscard]] double unevenness(double sequences) const;
    [[nodiscard]] RhythmLoad rhythmLoad(double decoding) const;
    [[nodiscard]] RhythmTimes rhythmTimes(const RhythmLoad& load, double decode, double decoding, double companions);
    [[nodiscard]] SteadyState stateOf(const RhythmLoad& load, const RhythmTimes& times, const Rhythm& rhythm,
                                      const StepCost& decode, double decoding) const;

    const ServingLoad& m_load;
    const Replica& m_replica;
    StepPricer m_price;
    const EngineProfile& m_engine;
    Demand m_demand;
};

/// A step passes all stages, each as long as the slowest. What a stage of the mean size would not need is idle time.
[[nodiscard]] Breakdown throughStages(Breakdown stage, const Replica& replica);

} // namespace ridgepoint
