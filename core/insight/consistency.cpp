// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/consistency.h"

#include "core/scenario/serving_setup.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

void addMemory(const Footprint& f, std::vector<Equation>& equations)
{
    equations.push_back({"visible memory = weights + cache in use + free cache + activations + runtime + graphs + reserve",
                         f.visible.value,
                         (f.weights + f.kvNeeded + f.kvFree + f.activations + f.runtime + f.graphs + f.reserve).value});
    equations.push_back({"cache pool = cache in use + free cache", f.kvPool.value, (f.kvNeeded + f.kvFree).value});
}

void addMetrics(const Scenario& s, const Report& report, std::vector<Equation>& equations)
{
    const Metrics& m = *report.metrics;
    const double input = s.load.inputTokens;
    const double output = std::max(2, s.load.outputTokens);
    const double devices = devicesOf(s);
    equations.push_back({"TTFT = sum of its causes", m.ttft.value, report.ttft.total().value});
    equations.push_back({"TPOT = sum of its causes", m.tpot.value, report.tpot.total().value});
    equations.push_back({"decode step = sum of its causes", m.decodeStep.value, report.decodeStep.total().value});
    equations.push_back({"request latency = TTFT + TPOT × (output tokens − 1)", m.requestLatency.value,
                         m.ttft.value + m.tpot.value * (output - 1.0)});
    equations.push_back({"output tokens/s = requests/s × output tokens", m.outputRate.value, m.requestRate.value * output});
    equations.push_back({"input and output tokens/s = requests/s × (input + output tokens)", m.totalRate.value,
                         m.requestRate.value * (input + output)});
    equations.push_back({"output tokens/s = output tokens/s per device × devices", m.outputRate.value,
                         m.outputPerDevice.value * devices});
    if (s.price && m.rent) {
        constexpr double hour = 3600.0, million = 1e6;
        const double rent = m.rent->value * hour;
        equations.push_back({"rent = price of a device × devices", rent, s.price->perDevice.value * hour * devices});
        equations.push_back({"rent = cost of all tokens × tokens in an hour", rent,
                             m.costPerMillionTokens->value * m.totalRate.value * hour / million});
        equations.push_back({"rent = cost of input × its tokens + cost of output × its tokens", rent,
                             (m.costPerMillionInput->value * m.requestRate.value * input +
                              m.costPerMillionOutput->value * m.outputRate.value) *
                                 hour / million});
        if (m.outputTokensPerDollar)
            equations.push_back({"output tokens in an hour = output tokens per dollar × rent", m.outputRate.value * hour,
                                 *m.outputTokensPerDollar * rent});
    }
    if (m.outputPerWatt && s.system.device.boardPower)
        equations.push_back({"output tokens/s = output per watt × board power of all devices", m.outputRate.value,
                             *m.outputPerWatt * s.system.device.boardPower->value * devices});
}

} // namespace

std::vector<Equation> equationsOf(const Evaluated& configuration)
{
    const Scenario& s = configuration.scenario;
    const Report& report = configuration.report;
    std::vector<Equation> equations;
    if (!s.prefillPool)
        equations.push_back({"devices = replicas × pipeline × tensor × attention groups", double(devicesOf(s)),
                             double(s.plan.replicas) * s.plan.pipelineParallel * s.plan.tensorParallel *
                                 s.plan.attentionData});
    if (report.footprint && report.feasible())
        addMemory(*report.footprint, equations);
    if (report.footprint && report.verdict == Verdict::doesNotFit && !s.prefillPool) {
        const Footprint& f = *report.footprint;
        equations.push_back({"weights + activations + runtime + graphs + reserve + cache of one request = visible memory + what is "
                             "short",
                             (f.weights + f.activations + f.runtime + f.graphs + f.reserve + f.kvPerRequest).value,
                             (f.visible + report.shortBy).value});
    }
    if (report.metrics)
        addMetrics(s, report, equations);
    return equations;
}

std::vector<Equation> brokenEquations(const Evaluated& configuration)
{
    std::vector<Equation> equations = equationsOf(configuration);
    std::erase_if(equations, [](const Equation& e) {
        return std::abs(e.left - e.right) <= roundingError * std::max(std::abs(e.left), std::abs(e.right));
    });
    return equations;
}

} // namespace ridgepoint
