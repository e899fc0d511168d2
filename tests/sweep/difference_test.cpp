// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/difference.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ridgepoint;

namespace {

double sum(const std::vector<Contribution>& steps)
{
    double total = 0;
    for (const Contribution& step : steps)
        total += step.change;
    return total;
}

TEST(Difference, NamesEveryKnobThatDiffersAndNoOther)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario a = *defaultScenario(presets);
    Scenario b = *withKnob(a, "load.concurrency", 32.0, presets);
    b = *withKnob(b, "precision.kv", std::string("bf16"), presets);
    std::vector<std::string> ids;
    for (const KnobDifference& one : differences(a, b, presets))
        ids.push_back(one.knob);
    EXPECT_EQ(ids, (std::vector<std::string>{"precision.kv", "load.concurrency"}));
    EXPECT_TRUE(differences(a, a, presets).empty());
}

TEST(Difference, AddsUpToTheChangeForRandomPairsInAnyOrder)
{
    const Presets& presets = samples::shippedPresets();
    std::mt19937_64 random(11);
    int pairs = 0;
    for (int i = 0; i < 2000 && pairs < 60; ++i) {
        const Scenario a = samples::randomScenario(random, presets), b = samples::randomScenario(random, presets);
        const Report first = evaluate(a), last = evaluate(b);
        if (!first.feasible() || !last.feasible())
            continue;
        ++pairs;
        for (const char* id : {"tpot_ms", "output_tokens_per_s", "kv_capacity_tokens"}) {
            const Metric& metric = *findMetric(id);
            const double change = *metric.get(last) - *metric.get(first);
            const double scale = std::abs(*metric.get(last)) + std::abs(*metric.get(first));
            for (const std::vector<std::string>& order :
                 {std::vector<std::string>{}, {"load.output_tokens", "load.input_tokens", "network.preset"}}) {
                const std::vector<Contribution> steps = contributions(a, b, metric, order, presets);
                EXPECT_NEAR(sum(steps), change, 1e-9 * scale) << id;
                for (const Contribution& step : steps)
                    EXPECT_FALSE(step.label.empty());
            }
        }
    }
    EXPECT_EQ(pairs, 60);
}

TEST(Difference, IsEmptyWhereAnEndDoesNotRun)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario a = *defaultScenario(presets);
    Scenario b = a;
    b.system.device.memoryVisible = Bytes{1e9};
    EXPECT_TRUE(contributions(a, b, *findMetric("tpot_ms"), {}, presets).empty());
}

TEST(Difference, GivesWhatNoKnobDescribesToTheRest)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario a = *defaultScenario(presets);
    Scenario b = a;
    b.engine.samplerBytesPerLogit += 4;
    const std::vector<Contribution> steps = contributions(a, b, *findMetric("kv_capacity_tokens"), {}, presets);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_TRUE(steps.front().knobs.empty());
    EXPECT_LT(steps.front().change, 0.0);
}

} // namespace
