// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint {

/// A replica in its steady state, told by a few times and counts. Times in seconds, through all stages.
struct RhythmLoad
{
    bool closed = true;        ///< a fixed number in flight; else requests come at `rate`
    double inside = 1;         ///< of a closed loop: requests in flight
    double rate = 0;           ///< of an open one [1/s]
    double burstiness = 1;     ///< of an open one: variance of the gaps / mean^2
    double input = 1;          ///< prompt tokens to read, in the mean
    double inputVariation = 0; ///< standard deviation / mean
    double chunks = 1;         ///< steps that one prompt takes alone, in the mean
    double room = 1;           ///< prompt tokens of a step, of one lane
    double answerSteps = 1;    ///< decode steps of a request
    double lanes = 1;          ///< attention ranks that step together, or micro-batches of one cycle of stages
    double outside = 0;        ///< mean time between client and engine
    double lag = 0;            ///< steps a token leaves after it was made
    double gathering = 0;      ///< steps that a prompt waits for a look or for company
    bool apart = false;        ///< prompts have steps of their own
};

/// Step times: one without prompts, and up to three with, between which straight lines run. Points of 0 tokens do not count.
struct RhythmTimes
{
    double decode = 0;
    double smaller = 0, atSmaller = 0;
    double chunk = 1, atChunk = 0;     ///< prompt tokens of the lane with most, and the step that reads them
    double larger = 2, atLarger = 0;
};

struct Rhythm
{
    double prompts = 0;        ///< that come in a step
    double filled = 0;         ///< share of steps that read prompts
    double meanStep = 0;
    double prefillStep = 0;    ///< of those that read prompts, in the mean
    double meanChunk = 0;      ///< of these, in the lane with most
    double ownChunk = 0;       ///< of the step that reads a given prompt
    double even = 1;           ///< h: how far arrivals come evenly in time, not with the ends of steps
    double companions = 0;     ///< prompts that a given one is read with
    double busy = 0;           ///< work of prompts over what there is time for
    double until = 0;          ///< sent to the start of the first step that may read it
    double queue = 0;          ///< behind other prompts
    double own = 0;            ///< reading
    double lag = 0;            ///< from the end of that to the client
    double decodeRound = 0;    ///< from one step of a decoding request to its next, in the long run
    double decoding = 0;       ///< from the first token to the last
    double latency = 0;        ///< sent to last token

    [[nodiscard]] double firstToken() const { return until + queue + own + lag; }
};

/// How steps and arrivals pace each other.
///
/// A step lasts T = t_d, or t(c) when it reads c prompt tokens. What comes in during a step is read in the next. In a
/// closed loop requests are sent at ends of steps: as long as the way from client to engine is short against a step, x
/// come in each whatever it lasts; when it is long, they come evenly in time, as in an open loop:
///
///     a(T) = x [1 - h + h T/E T],  h = min(1, outside/(t_p - t_d)), 1 for an open loop
///     E A(A - 1) = x^2 (1 + h^2 Var T/(E T)^2),  Var T from the same
///     f = 1 - (1 - f) e^(-a(t_d)) - f e^(-a(t_p)), at least the work there is
///     until = mean of the first end of a step after the way: E T^2/2 E T more for long ways, whole steps for short ones
///     TTFT = until + q t(room) + t(own) + lag;  round = t_d + f (t_p - t_d), or t_d + f/(1 - f) t_p where apart
///     x L = n E T, L = TTFT + S round, solves x
///
/// q counts steps full of others: of a Poisson crowd within and beyond a step when several prompts fit into one, as M/G/1
/// when a prompt takes several.
[[nodiscard]] Rhythm rhythmOf(const RhythmLoad& load, const RhythmTimes& times);

} // namespace ridgepoint
