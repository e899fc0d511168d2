// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/ledger.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

struct Row
{
    std::string_view name, key;
    Tone tone;
    Bytes Footprint::* bytes;
    bool used;   ///< holds something now
};

constexpr std::array rows{
    Row{"Weights", "weights", Tone::weights, &Footprint::weights, true},
    Row{"KV cache in use", "kv_cache", Tone::kvCache, &Footprint::kvNeeded, true},
    Row{"Activations", "activations", Tone::activations, &Footprint::activations, true},
    Row{"Runtime", "runtime", Tone::host, &Footprint::runtime, true},
    Row{"Graphs", "graphs", Tone::host, &Footprint::graphs, true},
    Row{"Free in the KV pool", "kv_free", Tone::kvFree, &Footprint::kvFree, false},
    Row{"Engine reserve", "reserve", Tone::reserve, &Footprint::reserve, false},
};

} // namespace

Figure ledgerFigure(std::span<const Evaluated> configurations, std::size_t, const Definitions& definitions)
{
    BarFigure figure;
    figure.id = "ledger";
    figure.title = "Memory ledger";
    figure.subtitle = "the fullest device of each";
    const double unit = memoryUnit(definitions);
    const std::string_view unitName = memoryUnitName(definitions);
    figure.value.label = fmt::format("Memory per device ({})", unitName);
    figure.value.minimum = 0.0;
    for (std::size_t i = 0; i < configurations.size(); ++i) {
        const auto& [scenario, report, load] = configurations[i];
        Bar bar;
        bar.name = columnName(i, scenario);
        bar.configuration = int(i);
        if (!report.feasible() || !report.footprint) {
            bar.note = verdictText(report, definitions);
            figure.description += fmt::format("{} {}. ", columnLetter(i), bar.note);
        } else {
            Bytes used;
            for (const Row& row : rows) {
                const Bytes bytes = (*report.footprint).*row.bytes;
                if (row.used)
                    used += bytes;
                if (bytes.value > 0)
                    bar.parts.push_back({std::string(row.name), std::string(row.key), row.tone, bytes.value / unit});
            }
            const double visible = report.footprint->visible.value / unit;
            figure.value.maximum = std::max(figure.value.maximum.value_or(0.0), visible);
            bar.totalLabel = fmt::format("{} of {}", numberText(used.value / unit), numberText(visible));
            figure.description +=
                fmt::format("{} uses {}\u00a0{} of a device, {}\u00a0{} of it for weights. ", columnLetter(i),
                            bar.totalLabel, unitName, numberText(report.footprint->weights.value / unit), unitName);
        }
        figure.bars.push_back(std::move(bar));
    }
    if (!figure.description.empty())
        figure.description.pop_back();
    return figure;
}

} // namespace ridgepoint
