// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/memory.h"

#include "core/validation/memory_cells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

Prediction begunPrediction(const MemoryRow& row, std::string quantity, std::string unit, std::optional<double> measured)
{
    Prediction one;
    one.id = row.id;
    one.quantity = std::move(quantity);
    one.unit = std::move(unit);
    one.measured = measured;
    one.provenance = "engine rules";
    one.groups = {{"engine", row.engineText},
                  {"device", row.device != nullptr ? row.device->id : row.deviceText},
                  {"model", row.network != nullptr ? row.network->id : withoutRemarks(row.modelText)},
                  {"precision", row.recipe.name.empty() ? "as stored" : row.recipe.name},
                  {"devices", fmt::format("{}", row.devices)}};
    return one;
}

Prediction fitsPrediction(const CsvTable& table, const MemoryRow& row, Bytes headroom, Bytes uncertainty,
                          std::string_view binding)
{
    std::optional<double> measured;
    const std::string_view outcome = table.text(row.row, "outcome");
    if (outcome == "fit" || outcome == "oom")
        measured = outcome == "fit" ? 1.0 : 0.0;
    Prediction one = begunPrediction(row, "fits", "0/1", measured);
    one.value = headroom.value >= 0.0 ? 1.0 : 0.0;
    constexpr double tightShare = 0.03;
    const bool tight = std::abs(headroom.value) < std::max(uncertainty.value, tightShare * row.visible.value);
    one.low80 = tight ? 0.0 : *one.value;
    one.high80 = tight ? 1.0 : *one.value;
    one.reason = fmt::format("{}: {:.2f} GiB {}, {}", tight ? "tight" : headroom.value >= 0.0 ? "fits" : "does not fit",
                             std::abs(headroom.value) / gibi, headroom.value >= 0.0 ? "left" : "short", binding);
    return one;
}

namespace {

/// The first quantity of a row that cannot be predicted, with the reason.
Prediction unpredicted(const CsvTable& table, const MemoryRow& row, bool fits, const std::string& reason)
{
    Prediction one = fits ? fitsPrediction(table, row, {}, {}, "")
                          : begunPrediction(row, "kv_capacity", "tokens", table.number(row.row, "kv_capacity_tokens"));
    one.value = one.low80 = one.high80 = std::nullopt;
    one.reason = reason;
    return one;
}

} // namespace

Result<std::vector<Prediction>> predictMemory(const CsvTable& table, const Presets& presets,
                                              const ValidationOptions& options)
{
    if (const Result<void> checked = checkMemoryTable(table); !checked)
        return fail(checked.error());
    if (!options.table.empty() && options.table != "memory" && options.table != "layout" && options.table != "kv_capacity" &&
        options.table != "fit")
        return fail("there is no table \"" + options.table + "\" of memory; it can be kv_capacity, fit or layout");
    const bool fits = options.table == "fit" || (options.table != "kv_capacity" && options.table != "layout" &&
                                                 (table.has("outcome") || table.has("framework") || table.has("task")));
    const PresetNames names(presets);
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const MemoryRow row = memoryRow(table, i, presets, names);
        std::vector<Prediction> some;
        const bool tuned = table.text(i, "task") == "finetune" || table.text(i, "task") == "training";
        if (const std::string wrong = wrongCell(table, i); !wrong.empty())
            some = {unpredicted(table, row, fits, wrong)};
        else if (options.table == "layout")
            some = predictLayout(table, row);
        else if (!fits)
            some = predictStartUp(table, row);
        else if (tuned)
            some = predictFineTune(table, row);
        else
            some = predictFit(table, row);
        if (options.table != "layout" && !fits && row.engine != MemoryEngine::llamaCpp &&
            table.text(i, "all_inputs_known") == "yes")
            for (Prediction& one : some)
                if (one.quantity == "kv_capacity")
                    for (const std::string_view name : {std::string_view("(all engines)"), std::string_view(row.engineText)})
                        one.groups.emplace_back("all inputs known, not merely the requested context", name);
        predictions.insert(predictions.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return predictions;
}

} // namespace ridgepoint
