// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/serving.h"

#include "core/scenario/congestion.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/serving_setup.h"
#include "core/validation/serving_rows.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

std::string provenanceOf(const Scenario& s)
{
    const KernelFamily& kernels = s.system.device.kernels;
    return kernels.measured ? "calibrated" : kernels.fitted ? "family_default" : "general_default";
}

} // namespace

Result<std::vector<Prediction>> predictServing(const CsvTable& table, const Presets& all, const ValidationOptions& options)
{
    for (const char* column : {"system", "backend", "isl_tokens", "osl_tokens", "concurrency"})
        if (!table.has(column))
            return fail(fmt::format("{} has no column {}; a serving run needs system, backend, model, isl_tokens, "
                                    "osl_tokens and concurrency", table.file, column));
    std::optional<Presets> defaults;
    if (!options.calibration)
        defaults = withoutCalibrations(all);
    const Presets& presets = defaults ? *defaults : all;
    const PresetNames names(presets);
    std::vector<Prediction> predictions;
    predictions.reserve(3 * table.rows.size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto add = [&](std::string_view quantity, std::string_view unit, std::optional<double> measured) -> Prediction& {
            Prediction& one = predictions.emplace_back();
            one.id = table.text(i, "id");
            if (one.id.empty())
                one.id = fmt::format("{}", i + 1);
            one.quantity = quantity;
            one.unit = unit;
            one.measured = measured;
            return one;
        };
        const std::size_t first = predictions.size();
        add("ttft", "ms", table.number(i, "ttft_ms"));
        add("tpot", "ms", table.number(i, "tpot_ms"));
        add("throughput", "tokens/s", std::nullopt);
        const std::span<Prediction> three(predictions.data() + first, 3);
        const auto give = [&](const std::string& reason) {
            for (Prediction& one : three)
                one.reason = reason;
        };
        const Result<ServingRow> row = servingRow(table, i, presets, names);
        if (!row) {
            give(row.error().text());
            continue;
        }
        for (Prediction& one : three) {
            one.groups = row->groups;
            one.provenance = provenanceOf(row->scenario);
        }
        const Result<Simulation> run = simulateScenario(row->scenario);
        if (!run) {
            give(run.error().text());
            continue;
        }
        const Congestion congestion = congestionOf(row->scenario, *run);
        three[0].value = 1e3 * run->ttft.mean;
        three[1].value = 1e3 * run->tpot.mean;
        three[2].value = run->outputRate.value * (row->scenario.prefillPool ? 1 : row->scenario.plan.replicas);
        // The doubt about a mean does not depend on which of the two solvers found it.
        const Report report = evaluate(row->scenario);
        const auto band = [](Prediction& one, const std::optional<Spread>& spread) {
            if (!spread || !one.value)
                return;
            const Band around = band80(*one.value, spread->total());
            one.low80 = around.low;
            one.high80 = around.high;
        };
        band(three[0], report.ttftSpread);
        band(three[1], report.tpotSpread);
        band(three[2], report.tpotSpread);
        if (congestion.state == CongestionState::none)
            continue;
        // What TTFT is hangs on whether requests wait: its band spans both.
        if (three[0].low80 && three[0].high80) {
            const Band waiting = band80(1e3 * congestion.ttftHigh, report.ttftSpread->engine);
            three[0].high80 = std::max(*three[0].high80, waiting.high);
        }
        const std::string range = fmt::format("TTFT is a range, {:.3g} to {:.3g} s", congestion.ttftLow, congestion.ttftHigh);
        give(congestion.state == CongestionState::saturated
                 ? fmt::format("saturated: more requests in flight than the engine can hold; {}", range)
                 : fmt::format("near capacity ({}): {}", congestion.what, range));
    }
    return predictions;
}

} // namespace ridgepoint
