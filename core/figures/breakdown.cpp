// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/breakdown.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"

#include <fmt/format.h>

namespace ridgepoint {
namespace {

Tone toneOf(Cause cause)
{
    switch (cause) {
    case Cause::weights: return Tone::weights;
    case Cause::kvCache: return Tone::kvCache;
    case Cause::compute: return Tone::compute;
    case Cause::activations: return Tone::activations;
    case Cause::communication: return Tone::communication;
    case Cause::host: return Tone::host;
    case Cause::bubble: return Tone::bubble;
    case Cause::prefill: return Tone::prefill;
    case Cause::waiting: return Tone::waiting;
    }
    return Tone::host;
}

} // namespace

Figure breakdownFigure(std::span<const Evaluated> configurations, std::size_t)
{
    BarFigure figure;
    figure.id = "breakdown";
    figure.title = "Time breakdown";
    figure.subtitle = "by cause";
    figure.value.label = "Mean time per output token (ms)";
    figure.value.minimum = 0.0;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const auto& [scenario, report, load] = configurations[i];
        Bar bar;
        bar.name = columnName(i, scenario);
        bar.configuration = int(i);
        if (!report.feasible()) {
            bar.note = verdictText(report);
            figure.description += fmt::format("{} {}. ", columnLetter(i), bar.note);
        } else {
            for (const Cause cause : allCauses)
                if (report.tpot[cause].value > 0)
                    bar.parts.push_back({std::string(nameOf(cause)), std::string(keyOf(cause)), toneOf(cause),
                                         report.tpot[cause].value * 1e3});
            const Seconds total = report.tpot.total();
            bar.totalLabel = numberText(total.value * 1e3);
            if (total.value > 0) {
                const Cause most = bindingCause(report.tpot);
                figure.description +=
                    fmt::format("{} takes {} for each output token; the largest part is {} ({}). ", columnLetter(i),
                                secondsText(total), nameOf(most), percentText(report.tpot[most] / total));
            }
        }
        figure.bars.push_back(std::move(bar));
    }
    if (!figure.description.empty())
        figure.description.pop_back();
    return figure;
}

} // namespace ridgepoint
