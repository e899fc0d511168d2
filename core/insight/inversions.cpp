// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/inversions.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

// Requests that one replica runs at a time: a step of fewer is shorter without any merit of the hardware.
double running(const Evaluated& column)
{
    return column.report.metrics->running / column.scenario.plan.replicas;
}

std::string runningText(const Evaluated& column)
{
    const double count = running(column);
    return fmt::format("{} {}", count == std::floor(count) ? countText(count) : numberText(count),
                       count == 1.0 ? "request" : "requests");
}

bool sameShare(const Evaluated& a, const Evaluated& b)
{
    return std::max(running(a), running(b)) <= std::min(running(a), running(b)) * (1.0 + 1e-9);
}

} // namespace

std::vector<Sentence> inversions(std::span<const Evaluated> configurations)
{
    const auto bandwidth = [&](std::size_t i) {
        const Scenario& s = configurations[i].scenario;
        return s.system.device.memoryBandwidth * double(s.plan.tensorParallel);
    };
    std::vector<Sentence> sentences;
    for (std::size_t more = 0; more < configurations.size(); ++more)
        for (std::size_t less = 0; less < configurations.size(); ++less) {
            const Report& slow = configurations[more].report;
            const Report& fast = configurations[less].report;
            if (!slow.feasible() || !fast.feasible() || bandwidth(more) <= bandwidth(less) * (1.0 + 1e-9) ||
                slow.decodeStep.total() <= fast.decodeStep.total() * (1.0 + 1e-9))
                continue;
            Breakdown difference;
            for (const Cause cause : allCauses)
                difference[cause] = slow.decodeStep[cause] - fast.decodeStep[cause];
            const Cause cause = bindingCause(difference);
            std::string text = fmt::format(
                "{} has more aggregate bandwidth than {} ({} against {}) and yet the longer decode step ({} against "
                "{}\u00a0ms): {} takes {}\u00a0ms more ({} against {}\u00a0ms)",
                columnLetter(more), columnLetter(less), bandwidthText(bandwidth(more)), bandwidthText(bandwidth(less)),
                milliseconds(slow.decodeStep.total()), milliseconds(fast.decodeStep.total()), wordsOf(cause),
                milliseconds(difference[cause]), milliseconds(slow.decodeStep[cause]),
                milliseconds(fast.decodeStep[cause]));
            if (cause == Cause::weights || cause == Cause::kvCache)
                text += fmt::format(", its step using {} of the bandwidth against {}",
                                    percentText(slow.metrics->memoryUse), percentText(fast.metrics->memoryUse));
            if (!sameShare(configurations[more], configurations[less]))
                text += fmt::format("; a step of {} writes for {} and one of {} for {}", columnLetter(more),
                                    runningText(configurations[more]), columnLetter(less),
                                    runningText(configurations[less]));
            sentences.push_back({text + ".", int(more), "breakdown", ""});
        }
    return sentences;
}

} // namespace ridgepoint
