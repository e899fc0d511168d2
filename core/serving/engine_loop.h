// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/step_table.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace ridgepoint {

/// A request on its way through a simulated engine. Times in seconds from the start; negative: not yet.
struct SimulatedRequest
{
    double sent = 0;
    double arrival = -1;      ///< in the engine's queue
    double admitted = -1;     ///< its first prompt token is read
    double first = -1;        ///< first token at the client
    double last = -1;
    double input = 1;         ///< tokens to read: the prompt, and after a preemption what was written too
    double output = 1;
    double read = 0;          ///< of the input; what the prefix cache holds counts as read
    std::int64_t steps = 0;   ///< decode steps it still needs when it is not running
    int version = 0;          ///< counts preemptions, so that stale entries are known
    bool ready = false;       ///< its prompt was read elsewhere
};

/// Gaps between tokens by their length, in classes half a percent wide.
class GapHistogram
{
public:
    void add(double seconds, double count);
    [[nodiscard]] double mean() const { return m_count > 0.0 ? m_sum / m_count : 0.0; }
    [[nodiscard]] double quantile(double share) const;

private:
    std::vector<double> m_counts;
    double m_count = 0;
    double m_sum = 0;
};

/// The loop of one engine: look for requests, admit, form a step, let its time pass, hand out tokens.
///
/// Lanes are ranks of attention data parallelism, which step together and take as long as the one with most to do, or
/// micro-batches of pipeline stages, of which each makes one step in a cycle of max(sum of steps, stages x longest).
/// A run of steps without prompts and without any change in between is passed in one stride.
class EngineLoop
{
public:
    /// Called with a request, the time, and whether it is its last token (else its first).
    using Deliver = std::function<void(int, double, bool)>;

    EngineLoop(const Replica& replica, const StepTable& table, const EngineProfile& engine, double tokensPerStep,
               double queries, std::vector<SimulatedRequest>& requests, Deliver deliver);

    void push(int id, double time);            ///< a request reaches the engine
    void start(int id);                        ///< a request that is decoding when the simulation begins
    [[nodiscard]] bool fits(int id) const;     ///< for `start`
    [[nodiscard]] double nextTime() const;     ///< when there is something to do; infinity when idle
    void advance(double horizon);              ///< one step, or a stride of equal ones that begins before `horizon`
    [[nodiscard]] double load() const { return double(m_pending.size()) + m_inside; }

    struct Totals
    {
        double time = 0, running = 0, waiting = 0, cache = 0, blocked = 0;   ///< integrals over time [s]
        double steps = 0, preemptions = 0, prefillSteps = 0;
    };
    Totals totals;
    bool oneOfSeveral = false;                 ///< what it delivers may make work for another loop
    GapHistogram* gaps = nullptr;              ///< where gaps go; null: nowhere

private:
    struct Finish
    {
        std::int64_t step;
        int id;
        int version;
        bool operator>(const Finish& other) const { return step != other.step ? step > other.step : id > other.id; }
    };
    struct Lane
    {
        std::deque<int> waiting;
        std::vector<int> prefilling;           ///< in the order of admission
        std::priority_queue<Finish, std::vector<Finish>, std::greater<>> finishes;
        std::vector<std::pair<int, int>> order;///< id and version of those that run, in the order of admission
        double running = 0;
        double contextBase = 0;                ///< sum of contexts less growth x decode steps so far
        double reserved = 0;                   ///< cache tokens promised
        double promptTokens = 0;               ///< of prompts that are being read, whole
        double waitingTokens = 0;
        int held = 0;                          ///< steps that prompts have waited for company
        bool blocked = false;                  ///< the head of the queue finds no room
        double chunkTokens = 0, chunkAttention = 0;
    };
    struct Pending { double time; int id; };
    struct Undelivered { int id; bool last; };

    [[nodiscard]] double context(const Lane& lane) const { return lane.contextBase + lane.running * m_growth * double(m_step); }
    [[nodiscard]] double need(const SimulatedRequest& request) const;
    [[nodiscard]] double duration(bool decodes, double ahead) const;
    [[nodiscard]] std::int64_t stride(double first, double horizon, double& time) const;
    void look();
    bool ranksWait();
    void admit(Lane& lane);
    void preempt(Lane& lane);
    bool formChunks();
    void enter(Lane& lane, int id);
    void finishChunks(Lane& lane);
    void finish(Lane& lane);
    void flush(double time);

    Replica m_replica;
    const StepTable& m_table;
    StepForming m_forming;
    double m_reserved, m_budget, m_lag, m_limit;
    std::int64_t m_polling;
    int m_batchWait, m_rankWait;
    double m_growth, m_queries;
    std::vector<SimulatedRequest>& m_requests;
    Deliver m_deliver;
    std::vector<Lane> m_lanes;
    std::deque<Pending> m_pending;
    std::vector<Undelivered> m_undelivered;
    std::vector<std::pair<double, double>> m_fresh;   ///< sequences that joined since the last decode step, and the stall then
    double m_now = 0;
    double m_inside = 0;          ///< requests taken in and not finished
    double m_last = 0;            ///< duration of the last step
    double m_stall = 0;           ///< time since the last decode step
    std::int64_t m_step = 0;      ///< decode steps so far
    std::int64_t m_iterations = 0;
    int m_rankHeld = 0;           ///< steps that prompts have waited for those of other ranks
    bool m_held = false;          ///< they do in the coming step
};

} // namespace ridgepoint
