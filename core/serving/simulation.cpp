// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/simulation.h"

#include "core/base/random.h"
#include "core/serving/engine_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgepoint {

namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
/// Above this many verification steps their number is drawn from its normal limit.
constexpr double manySteps = 64.0;
constexpr std::size_t batches = 20;

double drawLength(const Lengths& lengths, RandomStream& random)
{
    double length = lengths.mean;
    switch (lengths.shape) {
    case LengthShape::fixed: break;
    case LengthShape::uniform: length *= 1.0 + lengths.spread * (2.0 * random.uniform() - 1.0); break;
    case LengthShape::lognormal: {
        const double variance = std::log1p(lengths.spread * lengths.spread);
        length *= std::exp(std::sqrt(variance) * random.normal() - variance / 2.0);
        break;
    }
    case LengthShape::exponential: length *= random.exponential(); break;
    case LengthShape::empirical:
        if (!lengths.values.empty())
            length = lengths.values[std::size_t(random.uniform() * double(lengths.values.size()))];
        break;
    }
    return std::max(1.0, std::round(length));
}

/// Decode steps that `tokens` further tokens take.
std::int64_t drawSteps(double tokens, const Speculation& speculation, double perStep, RandomStream& random)
{
    if (speculation.draftTokens <= 0 || tokens <= 0.0)
        return std::int64_t(tokens);
    const auto drawn = [&] {
        int accepted = 0;
        while (accepted < speculation.draftTokens && random.uniform() < speculation.acceptance)
            ++accepted;
        return accepted + 1.0;
    };
    std::int64_t steps = 0;
    if (tokens / perStep > manySteps) {
        // Renewals until `tokens`: mean tokens/m + (v/m^2 + 1)/2 - 1/m .., variance tokens v/m^3.
        double square = 0, chance = 1;
        for (int a = 0; a <= speculation.draftTokens; ++a, chance *= speculation.acceptance)
            square += chance * (2.0 * a + 1.0);
        const double variance = square - perStep * perStep;
        const double mean = tokens / perStep + (variance / (perStep * perStep) + 1.0) / 2.0 - 0.5 / perStep;
        const double drawnSteps = mean + std::sqrt(tokens * variance / (perStep * perStep * perStep)) * random.normal();
        return std::int64_t(std::clamp(std::round(drawnSteps), std::ceil(tokens / (speculation.draftTokens + 1.0)), tokens));
    }
    for (double made = 0; made < tokens; made += drawn())
        ++steps;
    return steps;
}

Distribution distributionOf(std::vector<double>& values)
{
    Distribution d;
    if (values.empty())
        return d;
    double sum = 0;
    for (const double value : values)
        sum += value;
    d.mean = sum / double(values.size());
    if (values.size() >= 4 * batches) {
        double squares = 0;
        const std::size_t size = values.size() / batches;
        for (std::size_t i = 0; i < batches; ++i) {
            double mean = 0;
            for (std::size_t j = 0; j < size; ++j)
                mean += values[i * size + j];
            mean = mean / double(size) - d.mean;
            squares += mean * mean;
        }
        d.error = std::sqrt(squares / double(batches * (batches - 1)));
    }
    auto from = values.begin();
    for (const auto& [share, place] : {std::pair{0.5, &d.p50}, {0.9, &d.p90}, {0.95, &d.p95}, {0.99, &d.p99}}) {
        const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1) + 0.5);
        std::nth_element(from, at, values.end());
        *place = *at;
        from = at;
    }
    return d;
}

/// Clients, engines and what is counted.
class Run
{
public:
    Run(const ServingLoad& load, const EngineProfile& engine, const SimulationOptions& options)
        : m_load(load), m_random(options.seed), m_perStep(tokensPerStep(load.speculation)),
          m_outside((engine.firstTokenBase + engine.arrivalDelay).value)
    {
        m_whole = std::max(1.0, std::round(load.concurrency));
        if (load.arrivals == Arrivals::trace) {
            m_measured = double(load.trace.size());
        } else if (load.fromStart && load.arrivals == Arrivals::closedLoop) {
            m_measured = options.requests > 0.0 ? options.requests : std::ceil(m_whole * load.requestsPerSlot);
        } else {
            const bool closed = load.arrivals == Arrivals::closedLoop;
            m_measured = options.requests > 0.0 ? options.requests : closed ? std::max(1000.0, 16.0 * m_whole) : 5000.0;
            m_warm = closed ? 3.0 * m_whole : std::ceil(m_measured / 4.0);
        }
        m_requests.reserve(std::size_t(m_measured + m_warm + m_whole + 16.0));
    }

    void addEngine(const Replica& replica, const StepTable& table, EngineProfile engine, double copies, bool decodes,
                   Seconds transfer)
    {
        if (!decodes)
            engine.outputLagSteps = 0.0;   // what a prefill worker makes is not streamed
        for (double i = 0; i < copies; i += 1.0) {
            const std::size_t index = m_engines.size();
            m_engines.emplace_back(replica, table, engine, m_perStep, m_load.speculation.draftTokens + 1.0, m_requests,
                                   [this, index](int id, double time, bool last) { deliver(index, id, time, last); });
            m_decodes.push_back(decodes);
            m_engines.back().oneOfSeveral = m_pools || !decodes || copies > 1.0;
        }
        m_transfer = std::max(m_transfer, transfer.value);
        m_pools = m_pools || !decodes;
        if (decodes)
            m_cache += copies * replica.cacheTokens * replica.ranks;
    }

    Simulation result()
    {
        begin();
        while (m_done < m_measured) {
            std::size_t earliest = 0;
            double now = forever, next = forever;
            for (std::size_t i = 0; i < m_engines.size(); ++i) {
                const double time = m_engines[i].nextTime();
                if (time < now) {
                    next = now;
                    now = time;
                    earliest = i;
                } else {
                    next = std::min(next, time);
                }
            }
            if (m_nextSend <= now) {
                sendNext();
                continue;
            }
            if (now == forever)
                break;
            m_engines[earliest].advance(std::min(next, m_nextSend));
        }
        return summary();
    }

private:
    [[nodiscard]] bool open() const { return m_load.arrivals != Arrivals::closedLoop; }

    /// A request in the beginning of its life.
    int make(double sent, double input, double output)
    {
        SimulatedRequest request;
        request.sent = sent;
        request.input = input;
        request.output = output;
        request.read = std::min(std::floor(m_load.prefixHits * input), input - 1.0);
        request.steps = m_pools ? 0 : drawSteps(output - 1.0, m_load.speculation, m_perStep, m_random);
        m_requests.push_back(request);
        return int(m_requests.size()) - 1;
    }

    std::size_t leastLoaded(bool decodes) const
    {
        std::size_t best = m_engines.size();
        for (std::size_t i = 0; i < m_engines.size(); ++i)
            if (m_decodes[i] == decodes && (best == m_engines.size() || m_engines[i].load() < m_engines[best].load()))
                best = i;
        return best;
    }

    void arrive(int id)
    {
        SimulatedRequest& request = m_requests[std::size_t(id)];
        request.arrival = request.sent + m_outside * (1.0 + outsideSpread * (2.0 * m_random.uniform() - 1.0));
        m_engines[leastLoaded(!m_pools)].push(id, request.arrival);
    }

    void send(double time)
    {
        const double input = drawLength(m_load.input, m_random);
        arrive(make(time, input, drawLength(m_load.output, m_random)));
        sent(time);
    }

    void sent(double time)
    {
        m_sent += 1.0;
        if (m_sent == m_warm + 1.0) {
            m_begin = time;
            m_insideAtBegin = m_sent - m_finished;
            for (EngineLoop& engine : m_engines) {
                engine.gaps = &m_gaps;
                engine.totals = {};
            }
        }
        if (m_sent == m_warm + m_measured) {
            m_end = time;
            m_finishedAtEnd = m_finishedInWindow;
            m_tokensAtEnd = m_tokensInWindow;
            m_insideAtEnd = m_sent - m_finished;
        }
    }

    void begin()
    {
        if (m_load.arrivals == Arrivals::closedLoop) {
            if (m_load.fromStart || m_pools) {
                for (double i = 0; i < m_whole && m_sent < m_warm + m_measured; i += 1.0)
                    send(0.0);
                return;
            }
            // A steady state has requests at every point of their lives.
            for (double i = 0; i < m_whole; i += 1.0) {
                const double input = drawLength(m_load.input, m_random);
                const int id = make(0.0, input, drawLength(m_load.output, m_random));
                SimulatedRequest& request = m_requests[std::size_t(id)];
                const double done = std::floor(double(request.steps) * m_random.uniform());
                if (request.steps > 0 && m_engines.front().fits(id)) {
                    request.input += done * m_perStep;
                    request.steps -= std::int64_t(done);
                    request.first = 0.0;
                    m_engines.front().start(id);
                } else {
                    arrive(id);
                }
            }
            m_sentBefore = m_requests.size();
            return;
        }
        m_nextSend = m_load.arrivals == Arrivals::trace ? m_load.trace.front().arrival.value : gap();
    }

    double gap()
    {
        const double mean = 1.0 / m_load.requestRate.value;
        if (m_load.burstiness == 1.0)
            return mean * m_random.exponential();
        if (m_load.burstiness < 1e-3)
            return mean;
        return mean * m_load.burstiness * m_random.gamma(1.0 / m_load.burstiness);
    }

    void sendNext()
    {
        const double now = m_nextSend;
        if (m_load.arrivals == Arrivals::trace) {
            const TracedRequest& traced = m_load.trace[std::size_t(m_sent)];
            arrive(make(now, std::max(1.0, std::round(traced.inputTokens)), std::max(1.0, std::round(traced.outputTokens))));
            sent(now);
            m_nextSend = m_sent < m_measured ? m_load.trace[std::size_t(m_sent)].arrival.value : forever;
            return;
        }
        send(now);
        // Requests go on coming while those that count are served, but not for ever when they come too fast.
        m_nextSend = m_sent < 3.0 * (m_warm + m_measured) ? now + gap() : forever;
    }

    [[nodiscard]] bool counts(int id) const
    {
        const double place = double(id) - double(m_sentBefore);
        return place >= m_warm && place < m_warm + m_measured;
    }

    void deliver(std::size_t engine, int id, double time, bool last)
    {
        SimulatedRequest& request = m_requests[std::size_t(id)];
        if (!m_decodes[engine]) {
            if (last)
                move(id, time);
            return;
        }
        if (!last) {
            request.first = time;
            return;
        }
        request.last = time;
        m_finished += 1.0;
        if (m_begin >= 0.0 && time >= m_begin) {
            m_finishedInWindow += 1.0;
            m_tokensInWindow += request.output;
        }
        m_lastFinish = std::max(m_lastFinish, time);
        if (counts(id))
            m_done += 1.0;
        if (!open() && !(m_load.fromStart && m_sent >= m_measured))
            send(time);
    }

    /// The prompt is read; its cache goes to a decode worker.
    void move(int id, double time)
    {
        SimulatedRequest& request = m_requests[std::size_t(id)];
        request.steps = drawSteps(request.output - 1.0, m_load.speculation, m_perStep, m_random);
        request.read = request.input;
        request.ready = true;
        m_firstAdmission.resize(m_requests.size(), -1.0);
        m_firstAdmission[std::size_t(id)] = request.admitted;
        m_engines[leastLoaded(true)].push(id, time + m_transfer * request.input / meanOf(m_load.input));
    }

    Simulation summary()
    {
        Simulation s;
        std::vector<double> ttft, tpot, latency, queueing;
        for (std::size_t i = 0; i < m_requests.size(); ++i) {
            const SimulatedRequest& request = m_requests[i];
            if (!counts(int(i)) || request.last < 0.0)
                continue;
            const double admitted = i < m_firstAdmission.size() ? m_firstAdmission[i] : request.admitted;
            ttft.push_back(request.first - request.sent);
            latency.push_back(request.last - request.sent);
            queueing.push_back(admitted - request.arrival);
            if (request.output > 1.0)
                tpot.push_back((request.last - request.first) / (request.output - 1.0));
        }
        s.requests = double(ttft.size());
        s.ttft = distributionOf(ttft);
        s.tpot = distributionOf(tpot);
        s.latency = distributionOf(latency);
        s.queueing = distributionOf(queueing);
        s.itl = {m_gaps.mean(), m_gaps.quantile(0.5), m_gaps.quantile(0.9), m_gaps.quantile(0.95), m_gaps.quantile(0.99), 0.0};
        EngineLoop::Totals t;
        double clock = 0, reading = 0, readers = 0;
        for (std::size_t i = 0; i < m_engines.size(); ++i) {
            const EngineLoop& engine = m_engines[i];
            if (!m_decodes[i]) {
                reading += engine.totals.time;
                readers += 1.0;
            }
            t.running += engine.totals.running;
            t.waiting += engine.totals.waiting;
            t.cache += engine.totals.cache;
            t.blocked += engine.totals.blocked;
            t.steps += engine.totals.steps;
            t.prefillSteps += engine.totals.prefillSteps;
            t.preemptions += engine.totals.preemptions;
        }
        const bool whole = m_warm == 0.0;
        clock = std::max(1e-12, m_lastFinish - std::max(0.0, m_begin));
        s.steps = t.steps;
        s.prefillSteps = t.steps > 0.0 ? t.prefillSteps / t.steps : 0.0;
        s.running = t.running / clock;
        s.waiting = t.waiting / clock;
        s.cacheUse = std::isfinite(m_cache) && m_cache > 0.0 ? t.cache / (clock * m_cache) : 0.0;
        s.blocked = t.blocked / (clock * double(m_engines.size()));
        s.preemptions = m_finishedInWindow > 0.0 ? t.preemptions / m_finishedInWindow : 0.0;
        const double sending = m_end - std::max(0.0, m_begin);
        s.promptUse = readers > 0.0 && sending > 0.0 ? std::min(1.0, reading / (readers * sending)) : 0.0;
        const double window = whole ? clock : std::max(1e-12, m_end - m_begin);
        const double scale = open() ? 1.0 : m_load.concurrency / m_whole;
        s.requestRate = Frequency{(whole ? m_finishedInWindow : m_finishedAtEnd) / window * scale};
        s.outputRate = Frequency{(whole ? m_tokensInWindow : m_tokensAtEnd) / window * scale};
        if (!open())
            s.saturated = s.blocked > 0.5;
        else
            s.saturated = m_insideAtEnd - m_insideAtBegin > 0.04 * m_measured + 2.0 * std::sqrt(m_measured);
        return s;
    }

    const ServingLoad& m_load;
    RandomStream m_random;
    double m_perStep = 1, m_outside = 0;
    double m_whole = 1;            ///< requests in flight
    double m_measured = 0, m_warm = 0;
    std::vector<SimulatedRequest> m_requests;
    std::vector<double> m_firstAdmission;   ///< of those that have moved to a decode worker
    std::deque<EngineLoop> m_engines;
    std::vector<bool> m_decodes;
    GapHistogram m_gaps;
    bool m_pools = false;
    double m_transfer = 0, m_cache = 0;
    double m_nextSend = forever;
    double m_sent = 0, m_finished = 0, m_done = 0;
    std::size_t m_sentBefore = 0;  ///< requests that were there at the start and do not count
    double m_begin = -1, m_end = 0, m_lastFinish = 0;
    double m_finishedInWindow = 0, m_tokensInWindow = 0, m_finishedAtEnd = 0, m_tokensAtEnd = 0;
    double m_insideAtBegin = 0, m_insideAtEnd = 0;
};

Result<void> check(const ServingLoad& load, const Replica& replica)
{
    const double longest = longestOf(load.input) + longestOf(load.output);
    if (!(meanOf(load.input) >= 1.0) || !(meanOf(load.output) >= 1.0) || !std::isfinite(longest))
        return fail("a request needs at least one input and one output token");
    if (load.arrivals == Arrivals::closedLoop && !(load.concurrency > 0.0 && load.concurrency < 1e7))
        return fail("a closed loop needs a concurrency above 0 and below 10 million");
    if (load.arrivals == Arrivals::openLoop && !(load.requestRate.value > 0.0 && std::isfinite(load.requestRate.value)))
        return fail("an open loop needs a request rate above 0");
    if (load.arrivals == Arrivals::trace && load.trace.empty())
        return fail("the trace holds no request");
    if (!(load.burstiness >= 0.0 && load.burstiness <= 1e4))
        return fail("burstiness is the variance of the gaps over their squared mean; it must lie in 0 to 10000");
    if (replica.ranks > 1 && replica.stages > 1)
        return fail("attention data parallelism together with pipeline stages cannot be simulated; use one of them");
    if (replica.ranks < 1 || replica.stages < 1 || !(replica.maximumSequences >= 1.0))
        return fail("a replica needs at least one rank, one stage and one sequence");
    const double mean = load.arrivals == Arrivals::trace ? 0.0 : meanOf(load.input) + meanOf(load.output);
    if (!(replica.cacheTokens >= mean))
        return fail("the cache does not hold one request");
    return {};
}

} // namespace

Result<Simulation> simulate(const ServingLoad& load, const Replica& replica, const StepTable& table,
                            const EngineProfile& engine, const SimulationOptions& options)
{
    if (const Result<void> checked = check(load, replica); !checked)
        return fail(checked.error());
    Run run(load, engine, options);
    run.addEngine(replica, table, engine, 1.0, true, {});
    return run.result();
}

Result<Simulation> simulateDisaggregated(const ServingLoad& load, const Pools& pools, const StepTable& prefill,
                                         const StepTable& decode, const EngineProfile& engine,
                                         const SimulationOptions& options)
{
    for (const Replica* replica : {&pools.prefill, &pools.decode})
        if (const Result<void> checked = check(load, *replica); !checked)
            return fail(checked.error());
    if (pools.prefillWorkers < 1 || pools.decodeWorkers < 1)
        return fail("each pool needs at least one worker");
    Run run(load, engine, options);
    run.addEngine(pools.prefill, prefill, engine, pools.prefillWorkers, false, pools.transfer);
    run.addEngine(pools.decode, decode, engine, pools.decodeWorkers, true, {});
    return run.result();
}

} // namespace ridgepoint
