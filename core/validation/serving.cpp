// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/serving.h"

#include "core/scenario/congestion.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/serving_setup.h"
#include "core/validation/serving_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr std::string_view saturatedText = "saturated";
constexpr std::string_view nearCapacityText = "near capacity";

std::string provenanceOf(const Scenario& s)
{
    const KernelFamily& kernels = s.system.device.kernels;
    return kernels.measured ? "calibrated" : kernels.fitted ? "family_default" : "general_default";
}

/// What is not recorded of a run's client: the range of lengths, and whether it warmed up. Standard deviations of the
/// logarithm beyond those of runs that say so (e2eData).
constexpr double lengthsTpotSpread = 0.13, lengthsTtftSpread = 0.62;

/// A run that the closed form calls impossible, but the simulation does not, is as uncertain as any.
double spreadOf(const std::optional<Spread>& spread)
{
    constexpr double unknown = 0.9;
    return spread ? spread->total() : unknown;
}

bool isCongested(const Prediction& prediction)
{
    return prediction.reason.starts_with(saturatedText) || prediction.reason.starts_with(nearCapacityText);
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
        const bool recorded = table.number(i, "length_range_ratio").has_value() || row->scenario.prefillPool;
        const auto band = [](Prediction& one, double spread) {
            const Band around = band80(*one.value, spread);
            one.low80 = around.low;
            one.high80 = around.high;
        };
        const double tpotSpread = std::hypot(spreadOf(report.tpotSpread), recorded ? 0.0 : lengthsTpotSpread);
        band(three[0], std::hypot(spreadOf(report.ttftSpread), recorded ? 0.0 : lengthsTtftSpread));
        band(three[1], tpotSpread);
        band(three[2], tpotSpread);
        if (congestion.state == CongestionState::none)
            continue;
        // What TTFT is hangs on whether requests wait: its band spans both.
        const Band waiting = band80(1e3 * congestion.ttftHigh, row->scenario.engine.ttftSpread);
        three[0].high80 = std::max(*three[0].high80, waiting.high);
        const std::string range = fmt::format("TTFT is a range, {:.3g} to {:.3g} s", congestion.ttftLow, congestion.ttftHigh);
        give(congestion.state == CongestionState::saturated
                 ? fmt::format("{}: more requests in flight than the engine can hold; {}", saturatedText, range)
                 : fmt::format("{} ({}): {}", nearCapacityText, congestion.what, range));
    }
    return predictions;
}

SaturationCalls saturationCalls(const CsvTable& table, const std::vector<Prediction>& predictions)
{
    SaturationCalls calls;
    constexpr std::size_t perRow = 3;   // TTFT comes first
    for (std::size_t i = 0; i < table.rows.size() && perRow * i < predictions.size(); ++i) {
        const Prediction& ttft = predictions[perRow * i];
        const bool queued = table.text(i, "flags").find("queued") != std::string_view::npos;
        const std::string_view tier = table.text(i, "tier");
        if (queued) {
            ++calls.queued;
            calls.recognised += isCongested(ttft) ? 1u : 0u;
            calls.inRange += isCongested(ttft) && ttft.measured && ttft.low80 && *ttft.low80 <= *ttft.measured &&
                                     *ttft.measured <= *ttft.high80 ? 1u : 0u;
        } else if (tier == "A" || tier == "B") {
            ++calls.clean;
            calls.alarms += isCongested(ttft) ? 1u : 0u;
        }
    }
    return calls;
}

} // namespace ridgepoint
