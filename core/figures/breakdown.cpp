// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/breakdown.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/scenario/metrics.h"

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

Figure breakdownFigure(std::span<const Evaluated> configurations, std::size_t, const Definitions& definitions)
{
    BarFigure figure;
    figure.id = "breakdown";
    figure.title = "Time breakdown";
    figure.subtitle = "by cause";
    figure.value.label = definitions.tpotWithFirst ? "Mean time per output token, with the first token (ms)"
                                                   : "Mean time per output token (ms)";
    figure.value.minimum = 0.0;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const auto& [scenario, report, load] = configurations[i];
        Bar bar;
        bar.name = columnName(i, scenario);
        bar.configuration = int(i);
        if (!report.feasible()) {
            bar.note = verdictText(report, definitions);
            figure.description += fmt::format("{} {}. ", columnLetter(i), bar.note);
        } else if (const std::optional<Breakdown> time = tpotOf(report, definitions); !time) {
            bar.note = "the wait for the first token has no end";
            figure.description += fmt::format("{}: {}. ", columnLetter(i), bar.note);
        } else {
            for (const Cause cause : allCauses)
                if ((*time)[cause].value > 0)
                    bar.parts.push_back({std::string(nameOf(cause)), std::string(keyOf(cause)), toneOf(cause),
                                         (*time)[cause].value * 1e3});
            const Seconds total = time->total();
            bar.totalLabel = numberText(total.value * 1e3);
            if (total.value > 0) {
                const Cause most = bindingCause(*time);
                figure.description +=
                    fmt::format("{} takes {} for each output token; the largest part is {} ({}). ", columnLetter(i),
                                secondsText(total), nameOf(most), percentText((*time)[most] / total));
            }
        }
        figure.bars.push_back(std::move(bar));
    }
    if (!figure.description.empty())
        figure.description.pop_back();
    return figure;
}

} // namespace ridgepoint
