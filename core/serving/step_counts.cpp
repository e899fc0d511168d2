// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/step_counts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Steps that a prompt waits for company, in the mean over those that come together.
double companyWait(double prompts, double room, double input, double steps)
{
    if (steps <= 0.0 || prompts <= 0.0)
        return 0.0;
    const double waited = std::min(steps, std::max(0.0, room / input - 1.0) / prompts);
    return waited * (1.0 + prompts * waited / 2.0) / (1.0 + prompts * waited);
}

} // namespace

double usableRoom(double room, double input, StepForming forming)
{
    room = std::max(1.0, room);
    if (forming != StepForming::wholePrompts || room < input)
        return room;
    return std::max(input, room - input / 2.0);
}

double meanCeiling(double low, double high)
{
    if (high - low < 1e-6)
        return std::max(1.0, std::ceil(low - 1e-9));
    const auto integral = [](double x) {
        const double whole = std::floor(x);
        return whole * (whole + 1.0) / 2.0 + (x - whole) * (whole + 1.0);
    };
    return std::max(1.0, (integral(high) - integral(low)) / (high - low));
}

StepCounts countsOfLife(const CountedLoad& load, const EngineProfile& engine, double life, double crowding)
{
    const double n = load.inside;
    const double budget = engine.batchedTokens;
    const bool apart = engine.stepForming == StepForming::prefillAlone;
    const double look = std::max(1, engine.pollingSteps);
    const double meets = std::min(1.0, load.others);
    const double othersOfLane = std::max(0.0, (load.others + 1.0) / load.lanes - 1.0);
    const double lookWait = meets * (look - 1.0) / 2.0;
    const double fixedSteps = load.answerSteps + load.boundary + engine.outputLagSteps + lookWait;

    StepCounts c;
    c.decoding = n * load.answerSteps / life;
    const double held = apart ? 0.0 : c.decoding / load.lanes * load.queries;
    const double free = std::max(1.0, budget - held);
    const double room = usableRoom(free, load.input, engine.stepForming);
    c.service = load.input / room;
    const double prompts = n / life * crowding;   // per step
    const double ofLane = prompts / load.lanes;
    // Alone, a prompt ends with a part of a step; among many the rest of that step goes to the next prompt.
    const double alone =
        meanCeiling(load.input / free * (1.0 - load.inputSpread), load.input / free * (1.0 + load.inputSpread));
    const double busy = load.others > 0.0 ? std::min(1.0, ofLane * c.service) : 0.0;
    c.chunksOfPrompt = alone + (std::max(1.0, c.service) - alone) * busy;
    const double company = apart ? 0.0 : meets * companyWait(ofLane, room, load.input, engine.batchWaitSteps);
    const double gathered = std::max(look, company > 0.0 ? double(engine.batchWaitSteps) : 1.0);
    c.together = meets * ofLane * gathered;
    c.ownPrompts = 1.0 + (c.service < 1.0 ? std::min(c.together, 1.0 / c.service - 1.0) : 0.0);
    c.ownChunk = std::min(room, load.input / c.chunksOfPrompt * c.ownPrompts);
    const double batchSteps = (1.0 + c.together) * c.service;
    c.ownSteps = c.chunksOfPrompt;
    double queue = 0.0;
    if (apart) {
        c.ownSteps = std::max(c.chunksOfPrompt, (batchSteps + c.chunksOfPrompt) / 2.0);
        c.life = fixedSteps;
    } else {
        const double unhindered = fixedSteps + c.chunksOfPrompt + company;
        const double slack = unhindered / crowding - othersOfLane * c.service;
        const double residual = othersOfLane * c.service * c.service * (1.0 + load.burstiness) / 2.0;
        const double root = std::sqrt(slack * slack + 2.0 * residual);
        // A crowd that is larger than its time is over some day: on the way its members wait for half of it.
        queue = crowding > 1.0 && slack < 0.0 ? (root + slack) / 2.0 - slack / 2.0 : (root - slack) / 2.0;
        if (gathered > 1.0)
            queue = std::max(queue, (batchSteps - c.chunksOfPrompt) / 2.0);
        // No step takes more tokens than its budget, read and written ones together.
        const double least = n * (load.input + load.answerSteps * load.queries) / (budget * load.lanes);
        c.life = std::max(unhindered + queue, least);
        queue = c.life - unhindered;
    }
    c.waitSteps = queue + company + lookWait;
    c.filled = std::max(c.chunksOfPrompt * (1.0 - std::exp(-prompts * gathered)) / gathered, ofLane * c.service);
    if (load.others <= 0.0)
        c.filled = c.chunksOfPrompt * prompts;
    if (!apart)
        c.filled = std::min(1.0, c.filled);
    c.filledNear = c.filled;
    c.meanChunk = prompts * load.input / c.filled;
    return c;
}

StepCounts countSteps(const CountedLoad& load, const EngineProfile& engine)
{
    // A longer life leaves more room for prompts, so what a life leads to falls with it.
    double low = load.answerSteps + 1.0;
    if (engine.stepForming != StepForming::prefillAlone)
        low = std::max(low, load.inside * (load.input + load.answerSteps * load.queries) / (engine.batchedTokens * load.lanes));
    double high = std::max(low, countsOfLife(load, engine, low).life);
    constexpr int halvings = 40;
    for (int i = 0; i < halvings && high - low > 1e-9 * high; ++i) {
        const double middle = (low + high) / 2.0;
        (countsOfLife(load, engine, middle).life > middle ? low : high) = middle;
    }
    return countsOfLife(load, engine, high);
}

BurstCounts countBurst(const CountedLoad& load, const EngineProfile& engine)
{
    const bool apart = engine.stepForming == StepForming::prefillAlone;
    const double prompts = std::max(1.0, load.inside / load.lanes);
    const double held = apart ? 0.0 : prompts / 2.0 * load.queries;
    const double room = usableRoom(engine.batchedTokens - held, load.input, engine.stepForming);
    BurstCounts burst;
    burst.steps = std::max(1.0, prompts * load.input / room);
    burst.chunk = std::min(room, prompts * load.input);
    burst.prompts = std::max(1.0, burst.chunk / load.input);
    // A step that ends a prompt in its middle holds the first token back to its end: half a step in the mean.
    burst.meanSteps = burst.steps <= 1.0 ? 1.0 : std::max(1.0, (burst.steps + std::max(1.0, load.input / room)) / 2.0);
    return burst;
}

} // namespace ridgepoint
