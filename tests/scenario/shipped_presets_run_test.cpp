// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"
#include "core/scenario/starting_points.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace ridgepoint {
namespace {

/// Evaluates and looks at every metric there is; returns whether the scenario is feasible.
bool hasSoundMetrics(const Scenario& scenario, const std::string& what)
{
    const Report report = evaluate(scenario);
    for (const Metric& metric : metrics()) {
        const double value = metric.get(report).value_or(0.0);
        EXPECT_TRUE(std::isfinite(value) && value >= 0.0) << what << ": " << metric.id << " is " << value;
    }
    return report.feasible();
}

TEST(ShippedPresetsRun, EveryNetworkOnALargeNode)
{
    const Presets& presets = samples::shippedPresets();
    const Scenario base = onSystem(*defaultScenario(presets), *findSystem(presets, "gb300-nvl72"), presets);
    for (const Network& network : presets.networks) {
        Scenario scenario = base;
        scenario.network = network;
        scenario.precision = {};
        scenario.load.inputTokens = std::min(1024, network.maximumContext / 2);
        scenario.load.outputTokens = 128;
        scenario.plan.tensorParallel = 8;
        const bool onEight = hasSoundMetrics(scenario, network.id + " on eight devices");
        scenario.plan.tensorParallel = 1;   // for heads that eight does not divide
        const bool onOne = hasSoundMetrics(scenario, network.id + " on one device");
        EXPECT_TRUE(onEight || onOne) << network.id << " does not run at all";
    }
}

TEST(ShippedPresetsRun, ASmallNetworkOnEverySystem)
{
    const Presets& presets = samples::shippedPresets();
    Scenario base = *defaultScenario(presets);
    base.network = *findNetwork(presets, "llama-3.2-1b");
    base.precision = {};
    base.load.inputTokens = 512;
    base.load.outputTokens = 64;
    base.load.concurrency = 1;
    for (const System& system : presets.systems) {
        Scenario scenario = onSystem(base, system, presets);
        scenario.plan.tensorParallel = 1;
        scenario.plan.pipelineParallel = 1;
        const bool isRoomy = system.device.memoryVisible > Bytes{12e9};
        EXPECT_TRUE(hasSoundMetrics(scenario, system.id) || !isRoomy) << system.id << " cannot run a small network";
        if (system.devicesPerNode > 1) {
            scenario.plan.tensorParallel = 2;
            hasSoundMetrics(scenario, system.id + " on two devices");
        }
        if (system.maximumNodes > 1) {
            scenario.plan.tensorParallel = std::min(system.devicesPerNode, 8);
            scenario.plan.pipelineParallel = 2;
            hasSoundMetrics(scenario, system.id + " on two stages");
        }
    }
}

} // namespace
} // namespace ridgepoint
