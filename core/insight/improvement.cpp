// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/improvement.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/insight/quality.h"
#include "core/scenario/metrics.h"
#include "core/scenario/knobs.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

struct Change
{
    std::string text;      ///< as an order, such as "run A as 2 replicas × TP 4"
    std::string knob;
    Scenario scenario;
};

bool cacheIsNarrower(const Scenario& s, Format now, Format then)
{
    const bool hasCache = std::any_of(s.network.layers.begin(), s.network.layers.end(), [](const LayerGroup& group) {
        return group.attention.kind != AttentionKind::linear;
    });
    return hasCache && bytesPerElement(then) < bytesPerElement(now);
}

std::vector<Change> changesOf(const Evaluated& column, const std::string& name)
{
    const Scenario& s = column.scenario;
    std::vector<Change> changes;
    const auto add = [&](std::string text, std::string knob) -> Scenario& {
        changes.push_back({std::move(text), std::move(knob), s});
        return changes.back().scenario;
    };
    const int tp = s.plan.tensorParallel;
    // What does not fit wants more devices a replica first: that changes neither answers nor precision.
    if (!column.report.feasible()) {
        const std::string replicas =
            fmt::format("{} {}", s.plan.replicas, s.plan.replicas == 1 ? "replica" : "replicas");
        for (int wider = tp * 2; wider <= s.system.devicesPerNode; wider *= 2)
            add(fmt::format("Run {} as {} × TP {}", name, replicas, wider), "parallel.tp").plan.tensorParallel = wider;
        const int most = std::min({s.network.layerCount(), s.system.devicesPerNode * s.system.maximumNodes / tp,
                                   int(findKnob("parallel.pp")->maximum)});
        for (int deeper = s.plan.pipelineParallel * 2; deeper <= most; deeper *= 2)
            add(fmt::format("Run {} as {} × PP {}", name, replicas, deeper), "parallel.pp").plan.pipelineParallel =
                deeper;
    }
    if (tp % 2 == 0 && s.plan.replicas * 2 <= int(findKnob("parallel.replicas")->maximum)) {
        Plan& plan =
            add(fmt::format("Run {} as {} replicas × TP {}", name, s.plan.replicas * 2, tp / 2), "parallel.tp").plan;
        plan.tensorParallel = tp / 2;
        plan.replicas *= 2;
    }
    if (s.plan.replicas % 2 == 0 && tp * 2 <= s.system.devicesPerNode) {
        Plan& plan = add(fmt::format("Run {} as {} {} × TP {}", name, s.plan.replicas / 2,
                                     s.plan.replicas == 2 ? "replica" : "replicas", tp * 2),
                         "parallel.tp")
                         .plan;
        plan.tensorParallel = tp * 2;
        plan.replicas /= 2;
    }
    if (cacheIsNarrower(s, column.report.kvFormat, Format::fp8))
        add(fmt::format("Keep the KV cache of {} in FP8", name), "precision.kv").precision.kv = Format::fp8;
    const Format weights = s.precision.weights.value_or(s.network.checkpointFormat);
    if (bytesPerElement(weights) > 1.01)
        add(fmt::format("Store the weights of {} in FP8", name), "precision.weights").precision.weights = Format::fp8;
    else if (bytesPerElement(weights) > 0.6) {
        const Format narrow = s.system.device.peak.fp4 ? Format::nvfp4 : Format::int4;
        add(fmt::format("Store the weights of {} in {}", name, nameOf(narrow)), "precision.weights").precision.weights =
            narrow;
    }
    if (s.engine.memoryPolicy != MemoryPolicy::ideal && s.engine.memoryFraction < 0.945)
        add(fmt::format("Give the engine of {} a memory fraction of 0.95", name), "engine.memory_fraction")
            .engine.memoryFraction = 0.95;
    return changes;
}

std::string gainText(const Report& before, const Report& after, const Definitions& definitions)
{
    const Metrics& a = *before.metrics;
    const Metrics& b = *after.metrics;
    std::string text = fmt::format("{} {} → {}\u00a0ms, output {}", tpotName(definitions), milliseconds(tpotOf(a, definitions)),
                                   milliseconds(tpotOf(b, definitions)), changeText(b.outputRate / a.outputRate));
    if (a.outputTokensPerDollar && b.outputTokensPerDollar && *b.outputTokensPerDollar > 0)
        text += fmt::format(", cost of output {}", changeText(*a.outputTokensPerDollar / *b.outputTokensPerDollar));
    return text;
}

/// Fewer bits are paid for in answers: what is published of that belongs to the advice.
std::string qualityNote(const Change& change, const Report& after)
{
    if (!change.knob.starts_with("precision."))
        return "";
    return fmt::format("; effect on quality {}", qualitySummary({change.scenario, after}, change.knob == "precision.kv"));
}

} // namespace

std::optional<Sentence> bestChange(const Evaluated& column, std::size_t index, const Definitions& definitions)
{
    std::optional<Sentence> best;
    double bestGain = 1.0 + worthSaying;
    for (const Change& change : changesOf(column, columnLetter(index))) {
        const Report after = evaluate(change.scenario);
        if (!after.feasible())
            continue;
        if (!column.report.feasible()) {
            return Sentence{fmt::format("{}: then it fits, with a {} of {}{}.", change.text, tpotName(definitions),
                                        secondsText(tpotOf(*after.metrics, definitions)), qualityNote(change, after)),
                            int(index), "", change.knob};
        }
        const double gain = after.metrics->outputRate / column.report.metrics->outputRate;
        if (gain <= bestGain)
            continue;
        bestGain = gain;
        best =
            Sentence{fmt::format("{}: {}{}.", change.text, gainText(column.report, after, definitions), qualityNote(change, after)),
                     int(index), "", change.knob};
    }
    return best;
}

} // namespace ridgepoint
