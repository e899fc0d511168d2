// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/serving/agreement.h"

#include "core/base/random.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/serving_setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint::tests {

namespace {

class Draw
{
public:
    explicit Draw(std::uint64_t seed) : m_random(seed) {}
    int below(int count) { return int(m_random.uniform() * count); }
    bool chance(double share) { return m_random.uniform() < share; }
    double logarithmic(double low, double high) { return low * std::pow(high / low, m_random.uniform()); }
    double between(double low, double high) { return low + (high - low) * m_random.uniform(); }

    template <typename Container>
    const auto& of(const Container& values)
    {
        return values[std::size_t(below(int(values.size())))];
    }

private:
    RandomStream m_random;
};

constexpr std::array networks{"llama-3.1-8b", "llama-3.3-70b", "qwen2.5-7b", "gpt-oss-120b", "gpt-oss-20b", "mixtral-8x7b",
                              "deepseek-r1", "deepseek-v2-lite", "qwen3-30b-a3b", "qwen3-next-80b-a3b", "gemma-3-27b",
                              "mistral-7b", "minimax-m2", "kimi-linear-48b-a3b", "glm-4.5-air", "qwen3-32b"};
constexpr std::array devices{"hgx-h100-8", "hgx-h200-8", "hgx-b200-8", "hgx-a100-8", "mi300x-8", "l40s-8-pcie"};
constexpr std::array engines{"vllm", "sglang", "tensorrt-llm", "ideal"};

Lengths lengthsOf(Draw& draw, double mean)
{
    Lengths lengths{.mean = std::round(mean)};
    switch (draw.below(6)) {
    case 0: break;
    case 1:
    case 2:
    case 3: lengths.shape = LengthShape::uniform; lengths.spread = draw.between(0.1, 0.5); break;
    case 4: lengths.shape = LengthShape::lognormal; lengths.spread = draw.between(0.2, 0.8); break;
    default: lengths.shape = LengthShape::exponential; break;
    }
    return lengths;
}

std::string textOf(const Lengths& lengths)
{
    static constexpr std::array names{"fixed", "uniform", "lognormal", "exponential", "empirical"};
    return fmt::format("{:.0f} {} {:.2f}", lengths.mean, names[std::size_t(lengths.shape)], lengths.spread);
}

std::unique_ptr<Contest> drawn(Draw& draw, const Presets& presets, Arrivals arrivals)
{
    auto contest = std::make_unique<Contest>();
    Scenario& s = contest->scenario;
    const Network* network = findNetwork(presets, draw.of(networks));
    const System* system = findSystem(presets, draw.of(devices));
    const EngineProfile* engine = findEngine(presets, draw.of(engines));
    const auto one = [&] { return 1 << draw.below(4); };
    s.plan.tensorParallel = one();
    if (draw.chance(0.12))
        s.plan.pipelineParallel = draw.chance(0.7) ? 2 : 4;
    else if (draw.chance(0.15))
        s.plan.attentionData = draw.chance(0.5) ? 2 : 4;
    const int budget = std::array{0, 0, 512, 2048, 8192, 16384}[std::size_t(draw.below(6))];
    const double input = draw.logarithmic(64, 8192), output = draw.logarithmic(32, 2048);
    const Lengths in = lengthsOf(draw, input), out = lengthsOf(draw, output);
    s.load.inputTokens = int(in.mean);
    s.load.outputTokens = int(out.mean);
    s.load.concurrency = int(std::round(draw.logarithmic(1, 300)));
    s.load.prefixHits = draw.chance(0.25) ? draw.between(0.1, 0.9) : 0.0;
    if (draw.chance(0.15))
        s.load.speculation = {.draftTokens = 1 + draw.below(4), .acceptance = draw.between(0.4, 0.9),
                              .draftShare = draw.between(0.02, 0.15)};
    const double use = draw.between(0.05, 0.9);
    if (!network || !system || !engine)
        return nullptr;
    s.system = *system;
    s.network = *network;
    s.engine = *engine;
    if (budget > 0)
        s.engine.batchedTokens = budget;
    if (!evaluate(s).feasible())
        return nullptr;
    contest->precision = resolvedPrecision(s);
    contest->split = splitOf(s, s.plan);
    contest->kernels = kernelsInUse(s);
    const Footprint memory = footprint(s.system.device, s.network, contest->precision, s.plan, s.engine,
                                       double(s.load.inputTokens) + s.load.outputTokens, double(s.load.concurrency));
    contest->replica = replicaOf(s, s.plan, memory);
    contest->load = loadOfReplica(s.load, 1);
    contest->load.input = in;
    contest->load.output = out;
    if (arrivals == Arrivals::openLoop) {
        contest->load.arrivals = arrivals;
        contest->load.requestRate = Frequency{1e9};
        contest->load.burstiness = draw.chance(0.2) ? draw.between(0.2, 3.0) : 1.0;
        contest->load.requestRate = contest->closedForm().requestRate * use;
    }
    contest->text = fmt::format("{} on {}, {}, budget {}, TP {} PP {} DP {}, in {} out {}, C {}, rate {:.3g} at {:.2f}, bursts {:.2f}, hits "
                                "{:.2f}, drafts {}", network->id, system->id, engine->id, s.engine.batchedTokens,
                                s.plan.tensorParallel, s.plan.pipelineParallel, s.plan.attentionData, textOf(in), textOf(out),
                                s.load.concurrency, contest->load.requestRate.value, use, contest->load.burstiness,
                                s.load.prefixHits, s.load.speculation.draftTokens);
    return contest;
}

} // namespace

StepPricer Contest::pricer() const
{
    return stepPricer(scenario.network, precision, split, scenario.system, kernels, scenario.engine);
}

ServingTimes Contest::closedForm() const
{
    return continuousBatching(load, replica, pricer(), scenario.engine);
}

std::vector<std::unique_ptr<Contest>> contests(const Presets& presets, Arrivals arrivals, int count, std::uint64_t seed)
{
    std::vector<std::unique_ptr<Contest>> all;
    Draw draw(seed);
    for (int tries = 0; int(all.size()) < count && tries < 100 * count; ++tries)
        if (auto contest = drawn(draw, presets, arrivals))
            all.push_back(std::move(contest));
    return all;
}

LongSimulation simulateLong(const Contest& contest, double wanted, int mostSeeds)
{
    const StepTable table(timerOf(withSpeculation(contest.pricer(), contest.load.speculation)),
                          tableRange(contest.load, contest.replica, contest.scenario.engine));
    const bool closed = contest.load.arrivals == Arrivals::closedLoop;
    // An open loop begins empty and must have had time to fill.
    const double requests = closed ? std::max(800.0, 12.0 * contest.load.concurrency) : std::max(2000.0, 40.0 * contest.closedForm().running);
    constexpr std::size_t figures = 5;
    std::array<double, figures> sum{}, squares{};
    LongSimulation result;
    for (int seed = 1; seed <= mostSeeds; ++seed) {
        const Result<Simulation> s = simulate(contest.load, contest.replica, table, contest.scenario.engine,
                                              {.seed = std::uint64_t(seed), .requests = requests});
        if (!s)
            return result;
        const std::array<double, figures> values{s->ttft.mean, s->tpot.mean, s->itl.mean, s->latency.mean, s->requestRate.value};
        for (std::size_t i = 0; i < figures; ++i) {
            sum[i] += values[i];
            squares[i] += values[i] * values[i];
        }
        result.saturated = result.saturated || s->saturated;
        result.seeds = seed;
        const double n = seed;
        result.error = 0.0;
        for (std::size_t i = 0; i < (closed ? figures : figures - 1); ++i) {
            const double mean = sum[i] / n;
            if (seed > 1 && mean > 0.0)
                result.error = std::max(result.error, std::sqrt(std::max(0.0, squares[i] / n - mean * mean) / (n - 1.0)) / mean);
        }
        if (seed >= 6 && result.error < wanted)
            break;
    }
    const double n = result.seeds;
    result.ttft = sum[0] / n;
    result.tpot = sum[1] / n;
    result.itl = sum[2] / n;
    result.latency = sum[3] / n;
    result.rate = sum[4] / n;
    return result;
}

double Disagreement::pace() const
{
    return std::max({std::abs(tpot), std::abs(itl), std::abs(latency), std::abs(rate)});
}

double Disagreement::worst() const
{
    return std::max(std::abs(ttft), pace());
}

Disagreement disagreement(const Contest& contest, const ServingTimes& times, const LongSimulation& simulation)
{
    const double first = times.ttft.total().value, token = times.tpot.total().value;
    const double tokens = std::max(2.0, meanOf(contest.load.output)) - 1.0;
    const bool closed = contest.load.arrivals == Arrivals::closedLoop;
    return {.ttft = first / simulation.ttft - 1.0, .tpot = token / simulation.tpot - 1.0,
            .itl = token * tokensPerStep(contest.load.speculation) / simulation.itl - 1.0,
            .latency = (first + token * tokens) / simulation.latency - 1.0,
            .rate = closed ? times.requestRate.value / simulation.rate - 1.0 : 0.0};
}

} // namespace ridgepoint::tests
