// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmark/random_scenarios.h"

#include "core/scenario/evaluate.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <random>

namespace ridgepoint {
namespace {

class Random
{
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}

    int between(int low, int high) { return low + int(m_engine() % std::uint64_t(high - low + 1)); }
    bool chance(int percent) { return between(1, 100) <= percent; }

    template <typename Container>
    const auto& of(const Container& values)
    {
        return *(values.begin() + between(0, int(values.size()) - 1));
    }

    int of(std::initializer_list<int> values) { return *(values.begin() + between(0, int(values.size()) - 1)); }

private:
    std::mt19937_64 m_engine;
};

Attention randomAttention(Random& random)
{
    Attention attention;
    attention.heads = random.of({8, 16, 24, 32, 40, 48, 64, 96});
    attention.kvHeads = attention.heads / random.of({1, 2, 4, 8});
    attention.headDim = random.of({64, 96, 128, 192, 256});
    attention.bias = random.chance(20);
    attention.qkNorm = random.chance(30);
    return attention;
}

FeedForward randomFeedForward(Random& random, NetworkKind kind, int hidden)
{
    FeedForward feedForward;
    if (kind == NetworkKind::dense) {
        feedForward.width = hidden * random.between(5, 16) / 4;
        feedForward.gated = random.chance(90);
        return feedForward;
    }
    feedForward.experts = random.of({8, 16, 32, 64, 128, 256});
    feedForward.expertsPerToken = std::min(feedForward.experts, random.of({1, 2, 4, 6, 8}));
    feedForward.expertWidth = 128 * random.between(4, 24);
    feedForward.sharedWidth = random.chance(50) ? feedForward.expertWidth : 0;
    return feedForward;
}

Network randomNetwork(Random& random, NetworkKind kind)
{
    Network network;
    network.id = network.name = "random";
    network.architecture = "RandomForCausalLM";
    network.hidden = 256 * random.between(4, 40);
    network.vocabulary = 1000 * random.between(30, 260);
    network.maximumContext = 1 << random.between(13, 18);
    network.tiedEmbedding = random.chance(30);

    LayerGroup group;
    group.count = random.between(12, 96);
    group.attention = randomAttention(random);
    network.rotaryDim = group.attention.headDim;
    group.feedForward = randomFeedForward(random, kind, network.hidden);
    network.layers.push_back(group);
    // Some networks let a part of their layers look back over a window only.
    if (random.chance(25)) {
        group.attention.window = 1 << random.between(9, 13);
        network.layers.push_back(group);
    }
    return network;
}

Scenario randomScenario(Random& random, const Presets& presets, NetworkKind kind)
{
    Scenario scenario;
    scenario.system = random.of(presets.systems);
    scenario.engine = random.of(presets.engines);
    scenario.network = randomNetwork(random, kind);
    scenario.plan.tensorParallel = std::min(1 << random.between(0, 3), scenario.system.devicesPerNode);
    scenario.plan.replicas = random.between(1, 4);
    const int nodes = scenario.system.devicesPerNode * scenario.system.maximumNodes;
    if (random.chance(20) && 2 * scenario.plan.devices() <= nodes)
        scenario.plan.pipelineParallel = 2;
    scenario.precision.weights = random.of(std::vector{Format::bf16, Format::fp8, Format::int8, Format::int4});
    if (random.chance(50))
        scenario.precision.kv = Format::fp8;
    scenario.load.inputTokens = random.between(16, 16384);
    scenario.load.outputTokens = random.between(16, 4096);
    scenario.load.concurrency = random.between(1, 512);
    if (random.chance(20))
        scenario.load.batching = BatchingMode::fixed;
    return scenario;
}

} // namespace

Result<std::vector<Scenario>> randomScenarios(const Presets& presets, NetworkKind kind, std::size_t count,
                                              std::uint64_t seed)
{
    if (presets.systems.empty() || presets.engines.empty())
        return fail("The presets hold no system or no engine.");
    Random random(seed);
    std::vector<Scenario> scenarios;
    scenarios.reserve(count);
    const std::size_t most = 100 * count;
    for (std::size_t drawn = 0; scenarios.size() < count; ++drawn) {
        if (drawn == most)
            return fail(fmt::format("Only {} of {} random scenarios are feasible.", scenarios.size(), most));
        Scenario scenario = randomScenario(random, presets, kind);
        if (evaluate(scenario).feasible())
            scenarios.push_back(std::move(scenario));
    }
    return scenarios;
}

} // namespace ridgepoint
