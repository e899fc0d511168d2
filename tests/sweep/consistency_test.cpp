// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/consistency.h"

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace ridgepoint;

namespace {

void expectConsistent(const Scenario& scenario)
{
    for (const Equation& broken : brokenEquations({scenario, evaluate(scenario)}))
        ADD_FAILURE() << broken.text << ": " << broken.left << " and " << broken.right << " of " << scenario.network.id << " on "
                      << scenario.system.id << ", " << scenario.engine.id;
}

TEST(Consistency, HoldsForTheSampleAndAThousandRandomScenarios)
{
    const Presets& presets = samples::shippedPresets();
    const std::vector<Scenario> sample = *sampleComparison(presets);
    for (const Scenario& scenario : sample)
        expectConsistent(scenario);
    std::mt19937_64 random(2026);
    int feasible = 0;
    for (int i = 0; i < 1000; ++i) {
        const Scenario scenario = samples::randomScenario(random, presets);
        feasible += evaluate(scenario).feasible();
        expectConsistent(scenario);
    }
    EXPECT_GT(feasible, 200);
}

TEST(Consistency, HoldsForEveryEngineAndWithWorkersForPrompts)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario base = *defaultScenario(presets);
    for (const EngineProfile& engine : presets.engines)
        expectConsistent(*withKnob(base, "engine.preset", engine.id, presets));
    expectConsistent(*withKnob(base, "parallel.pools", std::string("two"), presets));
    expectConsistent(*withKnob(base, "load.arrivals", std::string("open"), presets));
    expectConsistent(*withKnob(base, "load.batching", std::string("fixed"), presets));
}

TEST(Consistency, NamesTheEquationThatDoesNotHold)
{
    const Scenario scenario = *defaultScenario(samples::shippedPresets());
    Evaluated column{scenario, evaluate(scenario)};
    ASSERT_GE(equationsOf(column).size(), 12U);
    ASSERT_TRUE(brokenEquations(column).empty());
    column.report.metrics->outputRate *= 1.0001;
    const std::vector<Equation> broken = brokenEquations(column);
    ASSERT_FALSE(broken.empty());
    EXPECT_EQ(broken.front().text, "output tokens/s = requests/s × output tokens");
    column.report.metrics->ttft = Seconds{std::numeric_limits<double>::quiet_NaN()};
    EXPECT_EQ(brokenEquations(column).front().text, "TTFT = sum of its causes");
}

} // namespace
