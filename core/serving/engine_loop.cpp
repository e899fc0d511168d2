// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/engine_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ridgepoint {

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double shortestGap = 1e-7;   // [s]
constexpr double classWidth = 0.005;   // of a logarithm
/// A stride is cut here so that a step time that bends with the context is followed.
constexpr std::int64_t longestStride = 512;

} // namespace

void GapHistogram::add(double seconds, double count)
{
    const double position = std::log(std::max(seconds, shortestGap) / shortestGap) / classWidth;
    const std::size_t place = std::size_t(std::min(position, 20000.0));
    if (place >= m_counts.size())
        m_counts.resize(place + 1);
    m_counts[place] += count;
    m_count += count;
    m_sum += seconds * count;
}

double GapHistogram::quantile(double share) const
{
    double sum = 0;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        sum += m_counts[i];
        if (sum >= share * m_count && sum > 0.0)
            return shortestGap * std::exp((double(i) + 0.5) * classWidth);
    }
    return 0.0;
}

EngineLoop::EngineLoop(const Replica& replica, const StepTable& table, const EngineProfile& engine,
                       double tokensPerStep, double queries, std::vector<SimulatedRequest>& requests, Deliver deliver)
    : m_replica(replica), m_table(table), m_forming(engine.stepForming), m_reserved(engine.reservedOutput),
      m_budget(engine.batchedTokens), m_lag(engine.outputLagSteps),
      m_limit(std::max(1.0, std::min(std::floor(replica.maximumSequences / replica.stages),
                                     std::floor(engine.batchedTokens / queries)))),
      m_polling(std::max(1, engine.pollingSteps)), m_batchWait(engine.batchWaitSteps),
      m_rankWait(replica.ranks > 1 && replica.stages == 1 ? engine.rankWaitSteps : 0), m_growth(tokensPerStep),
      m_queries(queries), m_requests(requests), m_deliver(std::move(deliver)),
      m_lanes(std::size_t(replica.ranks * replica.stages))
{
    m_replica.cacheTokens /= replica.stages;   // the micro-batches share the memory of each stage
}

void EngineLoop::push(int id, double time)
{
    auto place = m_pending.end();
    while (place != m_pending.begin() && std::prev(place)->time > time)
        --place;
    m_pending.insert(place, {time, id});
}

double EngineLoop::need(const SimulatedRequest& request) const
{
    return request.input + m_reserved * double(request.steps) * m_growth;
}

bool EngineLoop::fits(int id) const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [&](const Lane& lane) {
        return lane.running == 0.0 ||
               (lane.running < m_limit && lane.reserved + need(m_requests[std::size_t(id)]) <= m_replica.cacheTokens);
    });
}

void EngineLoop::start(int id)
{
    Lane& lane = *std::min_element(m_lanes.begin(), m_lanes.end(),
                                   [](const Lane& a, const Lane& b) { return a.running < b.running; });
    m_requests[std::size_t(id)].read = m_requests[std::size_t(id)].input;
    lane.reserved += need(m_requests[std::size_t(id)]);
    m_inside += 1.0;
    enter(lane, id);
}

double EngineLoop::nextTime() const
{
    if (m_inside > 0.0 || !m_undelivered.empty())
        return m_now;
    return m_pending.empty() ? forever : std::max(m_now, m_pending.front().time);
}

/// Takes in what has arrived; each request goes to the lane with the fewest.
void EngineLoop::look()
{
    while (!m_pending.empty() && m_pending.front().time <= m_now) {
        const int id = m_pending.front().id;
        m_pending.pop_front();
        std::size_t best = 0;
        double fewest = forever;
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            const double here = m_lanes[i].running + double(m_lanes[i].waiting.size() + m_lanes[i].prefilling.size());
            if (here < fewest) {
                fewest = here;
                best = i;
            }
        }
        m_lanes[best].waiting.push_back(id);
        m_lanes[best].waitingTokens += m_requests[std::size_t(id)].input - m_requests[std::size_t(id)].read;
        m_inside += 1.0;
    }
}

/// Whether prompts are held back in the coming step. A step takes as long as the rank with most to do, so prompts that
/// are read side by side cost as much as one of them. They wait while every rank can decode meanwhile.
bool EngineLoop::ranksWait()
{
    if (m_rankWait <= 0)
        return false;
    bool any = false, all = true, free = true, decode = true;
    for (const Lane& lane : m_lanes) {
        if (!lane.prefilling.empty())
            return false;   // a prompt that was begun is read to its end
        any = any || !lane.waiting.empty();
        all = all && !lane.waiting.empty();
        free = free && lane.running < m_limit;
        decode = decode && lane.running > 0.0;
    }
    if (!any || (all && free) || !decode || m_rankHeld >= m_rankWait) {
        m_rankHeld = 0;
        return false;
    }
    ++m_rankHeld;
    return true;
}

void EngineLoop::admit(Lane& lane)
{
    lane.blocked = false;
    if (lane.waiting.empty())
        return;
    if (m_batchWait > 0 && lane.running > 0.0 && lane.prefilling.empty() && lane.waitingTokens < m_budget &&
        lane.held < m_batchWait) {
        ++lane.held;
        return;
    }
    lane.held = 0;
    while (!lane.waiting.empty()) {
        const int id = lane.waiting.front();
        SimulatedRequest& request = m_requests[std::size_t(id)];
        const double inside = lane.running + double(lane.prefilling.size());
        const double wanted = need(request);
        // A request that is larger than the whole cache is let in alone: whether it can run is for the caller to say.
        // Room for a further token of each, or it would be put back before it has done anything.
        const double used = context(lane) + lane.promptTokens + request.input + (inside + 1.0) * m_growth;
        if (inside > 0.0 &&
            (inside >= m_limit || lane.reserved + wanted > m_replica.cacheTokens || used > m_replica.cacheTokens)) {
            lane.blocked = true;
            return;
        }
        lane.waiting.pop_front();
        lane.waitingTokens -= request.input - request.read;
        lane.reserved += wanted;
        if (request.ready) {
            request.admitted = m_now;
            if (request.first < 0.0)
                m_deliver(id, m_now, false);
            enter(lane, id);
        } else {
            lane.promptTokens += request.input;
            lane.prefilling.push_back(id);
        }
    }
}

/// A request whose prompt has been read starts to write.
void EngineLoop::enter(Lane& lane, int id)
{
    SimulatedRequest& request = m_requests[std::size_t(id)];
    const double growth = m_growth * double(m_step);
    lane.contextBase += request.input + 1.0 - growth;
    lane.running += 1.0;
    lane.finishes.push({m_step + request.steps, id, request.version});
    if (m_reserved < 1.0)
        lane.order.emplace_back(id, request.version);
    m_fresh.emplace_back(1.0, m_stall);
}

/// The request that came last gives its cache back and is read again later, with what it has written.
void EngineLoop::preempt(Lane& lane)
{
    while (lane.running > 1.0 && context(lane) + lane.promptTokens > m_replica.cacheTokens) {
        int id = -1;
        while (!lane.order.empty()) {
            const auto [candidate, version] = lane.order.back();
            lane.order.pop_back();
            const SimulatedRequest& request = m_requests[std::size_t(candidate)];
            if (request.version == version && request.steps > 0) {
                id = candidate;
                break;
            }
        }
        if (id < 0)
            return;
        SimulatedRequest& request = m_requests[std::size_t(id)];
        // Its finishing step is in the heap; find it to know how far it is.
        std::vector<Finish> entries;
        std::int64_t left = 1;
        for (; !lane.finishes.empty(); lane.finishes.pop()) {
            if (lane.finishes.top().id == id && lane.finishes.top().version == request.version)
                left = lane.finishes.top().step - m_step;
            else
                entries.push_back(lane.finishes.top());
        }
        lane.finishes = decltype(lane.finishes)(std::greater<>{}, std::move(entries));
        lane.reserved -= need(request);
        const double written = m_growth * double(request.steps - left);
        lane.contextBase -= request.input + 1.0 + written - m_growth * double(m_step);
        lane.running -= 1.0;
        request.input += written;
        request.read = 0.0;
        request.steps = left;
        request.ready = false;
        ++request.version;
        lane.waiting.push_front(id);
        lane.waitingTokens += request.input;
        totals.preemptions += 1.0;
    }
}

/// Deals the token budget of the coming step out to prompts. Returns whether any prompt is read in it.
bool EngineLoop::formChunks()
{
    bool any = false;
    for (Lane& lane : m_lanes) {
        lane.chunkTokens = lane.chunkAttention = 0.0;
        double room = m_budget - (m_forming == StepForming::prefillAlone ? 0.0 : lane.running * m_queries);
        for (const int id : lane.prefilling) {
            if (room < 1.0)
                break;
            SimulatedRequest& request = m_requests[std::size_t(id)];
            const double left = request.input - request.read;
            // A whole prompt that does not fit waits for the next step, unless this one has no other prompt.
            if (left > room && m_forming == StepForming::wholePrompts && lane.chunkTokens > 0.0)
                break;
            const double taken = std::min(left, room);
            if (request.admitted < 0.0)
                request.admitted = m_now;
            lane.chunkAttention += m_table.attention(request.read + taken) - m_table.attention(request.read);
            request.read = taken < left ? request.read + taken : request.input;
            lane.chunkTokens += taken;
            room -= taken;
            any = true;
        }
    }
    return any;
}

/// [s] of the step that is `ahead` decode steps from now.
double EngineLoop::duration(bool decodes, double ahead) const
{
    const double count = double(m_lanes.size());
    if (m_replica.stages > 1 || m_lanes.size() == 1) {
        double sum = 0, longest = 0;
        for (const Lane& lane : m_lanes) {
            const double n = decodes ? lane.running : 0.0;
            const double seen = n > 0.0 ? context(lane) / n + m_growth * ahead : 0.0;
            const double time = m_table.decode(n, seen) + lane.chunkAttention +
                                m_table.prefill(n, lane.chunkTokens, lane.chunkTokens);
            sum += time;
            longest = std::max(longest, time);
        }
        return std::max(sum, count * longest);
    }
    double sequences = 0, cached = 0, tokens = 0, all = 0, attention = 0;
    for (const Lane& lane : m_lanes) {
        const double n = decodes ? lane.running : 0.0;
        sequences += n / count;
        cached = std::max(cached, n > 0.0 ? context(lane) + n * m_growth * ahead : 0.0);
        tokens = std::max(tokens, lane.chunkTokens);
        all += lane.chunkTokens;
        attention = std::max(attention, lane.chunkAttention);
    }
    const double n = sequences > 0.0 ? std::max(1.0, sequences) : 0.0;
    return m_table.decode(n, n > 0.0 ? cached / n : 0.0) + m_table.prefill(n, tokens, all) + attention;
}

/// How many decode steps pass before anything changes, and their time.
std::int64_t EngineLoop::stride(double first, double horizon, double& time) const
{
    std::int64_t limit = longestStride;
    for (const Lane& lane : m_lanes) {
        if (!lane.finishes.empty())
            limit = std::min(limit, lane.finishes.top().step - m_step);
        if (m_reserved < 1.0 && lane.running > 1.0 && m_replica.cacheTokens < forever)
            limit = std::min(limit, std::int64_t((m_replica.cacheTokens - context(lane) - lane.promptTokens) /
                                                 (lane.running * m_growth)));
        if (m_batchWait > 0 && !lane.waiting.empty() && !lane.blocked)
            limit = 1;
    }
    if (m_held)
        limit = 1;
    limit = std::max<std::int64_t>(limit, 1);
    const auto lasting = [&](std::int64_t steps) {
        return steps == 1 ? first : double(steps) * (first + duration(true, double(steps - 1))) / 2.0;
    };
    const double until = std::min(horizon, m_pending.empty() ? forever : m_pending.front().time) - m_now;
    time = lasting(limit);
    if (time > until && limit > 1) {
        // The step time grows evenly: t1 k + slope k (k - 1) / 2 = until.
        const double slope = (2.0 * time / double(limit) - 2.0 * first) / double(limit - 1);
        const double b = first - slope / 2.0;
        const double k = slope > 1e-9 * first ? (std::sqrt(b * b + 2.0 * slope * std::max(0.0, until)) - b) / slope
                                              : until / first;
        std::int64_t steps = std::clamp<std::int64_t>(std::int64_t(std::ceil(k)), 1, limit);
        if (m_polling > 1)
            steps = std::min(limit, steps + (m_polling - (m_iterations + steps) % m_polling) % m_polling);
        limit = steps;
        time = lasting(limit);
    }
    return limit;
}

void EngineLoop::finishChunks(Lane& lane)
{
    std::size_t kept = 0;
    for (const int id : lane.prefilling) {
        SimulatedRequest& request = m_requests[std::size_t(id)];
        if (request.read < request.input) {
            lane.prefilling[kept++] = id;
            continue;
        }
        lane.promptTokens -= request.input;
        if (request.first < 0.0)
            m_undelivered.push_back({id, false});
        if (request.steps > 0) {
            enter(lane, id);
        } else {
            lane.reserved -= need(request);
            m_undelivered.push_back({id, true});
            m_inside -= 1.0;
        }
    }
    lane.prefilling.resize(kept);
}

void EngineLoop::finish(Lane& lane)
{
    while (!lane.finishes.empty() && lane.finishes.top().step <= m_step) {
        const Finish done = lane.finishes.top();
        lane.finishes.pop();
        SimulatedRequest& request = m_requests[std::size_t(done.id)];
        lane.reserved -= need(request);
        lane.contextBase -= request.input + 1.0 + m_growth * double(request.steps) - m_growth * double(m_step);
        lane.running -= 1.0;
        request.steps = 0;
        ++request.version;
        m_undelivered.push_back({done.id, true});
        m_inside -= 1.0;
    }
    if (lane.running == 0.0) {
        lane.contextBase = 0.0;
        lane.order.clear();
        if (lane.prefilling.empty())
            lane.reserved = lane.promptTokens = 0.0;
    }
}

void EngineLoop::flush(double time)
{
    for (std::size_t i = 0; i < m_undelivered.size(); ++i)
        m_deliver(m_undelivered[i].id, time, m_undelivered[i].last);
    m_undelivered.clear();
}

void EngineLoop::advance(double horizon)
{
    m_now = std::max(m_now, nextTime());
    if (m_lag <= 0.0)
        flush(m_now);
    if (m_iterations % m_polling == 0 || m_inside == 0.0)
        look();
    m_held = ranksWait();
    for (Lane& lane : m_lanes) {
        if (m_reserved < 1.0)
            preempt(lane);
        if (!m_held)
            admit(lane);
    }
    const bool prefills = formChunks();
    const bool decodes = !prefills || m_forming != StepForming::prefillAlone;
    double running = 0, waiting = 0, cache = 0;
    bool blocked = false;
    for (const Lane& lane : m_lanes) {
        running += lane.running;
        waiting += double(lane.waiting.size());
        cache += context(lane) + lane.promptTokens;
        blocked = blocked || lane.blocked;
    }
    if (!prefills && running == 0.0) {
        flush(m_now + m_lag * m_last);
        return;
    }
    const double first = duration(decodes, 0.0);
    m_last = first;
    const bool told = oneOfSeveral && !m_undelivered.empty();   // the horizon is not known any more
    flush(m_now + m_lag * first);
    double time = first;
    const std::int64_t steps = prefills || told ? 1 : stride(first, horizon, time);

    totals.time += time;
    totals.running += time * (running + double(prefills));
    totals.waiting += time * waiting;
    totals.cache += time * cache;
    totals.blocked += blocked ? time : 0.0;
    totals.steps += double(steps);
    totals.prefillSteps += prefills ? 1.0 : 0.0;
    m_now += time;
    m_iterations += steps;
    if (decodes && running > 0.0) {
        if (gaps) {
            double fresh = 0;
            for (const auto& [count, stall] : m_fresh) {
                gaps->add(first + m_stall - stall, count);
                fresh += count;
            }
            if (running > fresh)
                gaps->add(first + m_stall, running - fresh);
            if (steps > 1)
                gaps->add((time - first) / double(steps - 1), running * double(steps - 1));
        }
        m_fresh.clear();
        m_stall = 0.0;
        m_step += steps;
    } else {
        m_stall += time;
    }
    for (Lane& lane : m_lanes) {
        if (decodes && running > 0.0)
            finish(lane);
        if (prefills)
            finishChunks(lane);
    }
}

} // namespace ridgepoint
