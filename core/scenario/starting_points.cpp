// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/starting_points.h"

#include "core/scenario/knobs.h"
#include "core/scenario/serving_setup.h"

#include <algorithm>
#include <numeric>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

std::optional<Price> priceOf(const Presets& presets, const std::string& deviceId)
{
    const Price* price = cheapestPrice(presets, deviceId);
    return price != nullptr ? std::optional(*price) : std::nullopt;
}

// A replica keeps as much of its shape as one system can hold; further replicas stand in further systems.
Plan clamped(Plan plan, const System& system)
{
    const int node = std::max(1, system.devicesPerNode);
    const int all = node * std::max(1, system.maximumNodes);
    plan.tensorParallel = std::clamp(plan.tensorParallel, 1, node);
    plan.attentionData = std::clamp(plan.attentionData, 1, all / plan.tensorParallel);
    plan.pipelineParallel = std::clamp(plan.pipelineParallel, 1, all / plan.devicesPerStage());
    plan.expertParallel = std::gcd(plan.expertParallel, plan.devicesPerStage());
    return plan;
}

} // namespace

Scenario onSystem(Scenario s, const System& system, const Presets& presets)
{
    s.system = system;
    s.plan = clamped(s.plan, system);
    s.price = priceOf(presets, system.device.id);
    return s;
}

std::string hardwareName(const Scenario& scenario)
{
    return fmt::format("{} × {}", devicesOf(scenario), scenario.system.device.name);
}

namespace {

Result<Scenario> sampleColumn(const Presets& presets, std::string_view systemId, int devices)
{
    const System* system = findSystem(presets, systemId);
    const Network* network = findNetwork(presets, "llama-3.3-70b");
    const EngineProfile* engine = findEngine(presets, "vllm");
    if (system == nullptr)
        return fail(fmt::format("The presets lack the system {}; the sample comparison needs it.", systemId));
    if (network == nullptr)
        return fail("The presets lack the network llama-3.3-70b; the sample comparison needs it.");
    if (engine == nullptr)
        return fail("The presets lack the engine vllm; the sample comparison needs it.");
    Scenario s;
    s.network = *network;
    s.engine = *engine;
    s.precision = {.weights = Format::fp8, .activations = {}, .kv = Format::fp8};
    s.plan.tensorParallel = devices;
    s = onSystem(s, *system, presets);
    s.name = hardwareName(s);
    return s;
}

} // namespace

Result<Scenario> defaultScenario(const Presets& presets)
{
    return sampleColumn(presets, "hgx-h100-8", 8);
}

Result<std::vector<Scenario>> sampleComparison(const Presets& presets)
{
    struct Column
    {
        std::string_view system;
        int devices;
    };
    std::vector<Scenario> columns;
    for (const auto& [system, devices] :
         {Column{"hgx-h100-8", 8}, Column{"hgx-h200-8", 4}, Column{"mi300x-8", 8}, Column{"hgx-b200-8", 2}}) {
        Result<Scenario> column = sampleColumn(presets, system, devices);
        if (!column)
            return fail(column.error());
        columns.push_back(*std::move(column));
    }
    return columns;
}

} // namespace ridgepoint
