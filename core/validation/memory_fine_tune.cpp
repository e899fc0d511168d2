// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/fine_tune_memory.h"
#include "core/validation/memory.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ridgepoint {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// What a row says about how it trains, all in lower case.
struct Words
{
    std::string framework, method, offload, notes, dtype;
};

int splitStageOf(const CsvTable& table, const MemoryRow& row, const Words& words)
{
    if (const auto stage = table.number(row.row, "zero_stage"); stage && *stage >= 0.0 && *stage <= 3.0)
        return int(*stage);
    const std::string text = words.framework + " " + words.method;
    if (has(words.method, "without zero"))
        return 0;
    for (int stage = 1; stage <= 3; ++stage)
        if (has(text, "zero-" + std::to_string(stage)) || has(text, "zero" + std::to_string(stage)) ||
            has(text, "zero stage " + std::to_string(stage)))
            return stage;
    if (has(text, "fsdp"))
        return 3;
    if (has(text, "deepspeed"))
        return 2;      // its usual configuration
    // Several devices in one process: layers are spread over them.
    return row.devices > 1 && (has(text, "torchtune") || has(text, "device_map") ||
                               table.number(row.row, "tp").value_or(1.0) > 1.0)
        ? 3
        : 0;
}

/// Adapter elements where the row does not count them.
double adapterElements(const CsvTable& table, const MemoryRow& row, const TrainedShape& shape)
{
    if (const auto trainable = table.number(row.row, "trainable_params"))
        return *trainable;
    const auto rank = table.number(row.row, "lora_rank");
    constexpr double usualRank = 64.0;
    // Every projection of a layer: rank x (inputs + outputs).
    return shape.layers * rank.value_or(usualRank) * (shape.layerElements + 4.0 * shape.hidden);
}

FineTune runOf(const CsvTable& table, const MemoryRow& row, const TrainedShape& shape, const Words& words)
{
    constexpr double usualSequence = 1300.0;    // the longest sample of common instruction sets
    FineTune run;
    run.full = has(words.method, "full") && !has(words.method, "lora") && !has(words.method, "adapter");
    run.devices = row.devices;
    run.splitStage = splitStageOf(table, row, words);
    run.sequence = table.number(row.row, "seq_len_tokens").value_or(usualSequence);
    run.tokens = run.sequence * std::max(1.0, table.number(row.row, "micro_batch_size").value_or(1.0));
    const bool lit = has(words.framework, "litgpt") || has(words.framework, "lit-");
    const bool tune = has(words.framework, "torchtune");
    const std::string_view checkpointing = table.text(row.row, "gradient_checkpointing");
    // Recipes that were tuned for memory recompute; scripts of their own and old trainers do only when told to.
    const bool fused = has(words.notes, "flash-attention 2");
    const bool usual = tune || has(words.framework, "mlx") ? tune : fused || row.date >= "2024" || !run.full;
    run.checkpointing = checkpointing.empty() ? usual && (!lit || run.splitStage == 3) : checkpointing == "yes";
    if (has(words.method, "checkpointing"))
        run.checkpointing = true;
    run.fusedAttention = lit || tune || row.date >= "2023-09" || fused;
    run.gatheredWhole = lit && !run.full;      // frozen and trained weights share its units of division
    if (!lit && !tune && row.date >= "2024")
        run.logitBytes = 16.0;                 // one more copy, shifted by a token
    if (tune) {
        // All in 16 bit; on one device the optimizer is 8 bit, paged to the host, and its step is fused into the
        // backward pass, which leaves no gradients.
        run.logitBytes = 2.0;                  // the loss is computed in pieces
        run.gradientBytes = run.full && row.devices == 1 ? 0.0 : 2.0;
        run.stateBytes = run.full && row.devices == 1 ? 0.0 : 4.0;
    }
    const std::string moved = words.offload + " " + words.framework + " " + words.notes;
    const bool offloads = has(moved, "offload") && !has(moved, "offload tried");
    run.statesOnHost = offloads || has(words.offload, "adam") || has(words.offload, "optimizer") || has(words.offload, "cpu");
    run.weightsOnHost = run.statesOnHost && run.splitStage >= 3;
    if (run.full && run.statesOnHost)
        run.gradientBytes = 2.0;
    if (!run.full) {
        run.trained = adapterElements(table, row, shape);
        if (has(words.method, "embedding")) {
            run.trained += shape.embedding;
            run.stateBytes = 8.0;      // copies of 16 bit are trained themselves
            run.gradientBytes = 2.0;
        }
    }
    constexpr double libraries = 2.0, allocatorOnly = 0.2;
    run.workspace = Bytes{(lit || tune ? allocatorOnly : libraries) * gibi};
    return run;
}

std::optional<double> measuredPeak(const CsvTable& table, const MemoryRow& row)
{
    constexpr double giga = 1e9;
    if (const auto v = table.number(row.row, "peak_memory_GiB_per_gpu"))
        return v;
    if (const auto v = table.number(row.row, "peak_memory_GB_per_gpu"))
        return *v * giga / gibi;
    if (const auto v = table.number(row.row, "peak_memory_GiB_total"))
        return *v / row.devices;
    if (const auto v = table.number(row.row, "peak_memory_GB_total"))
        return *v * giga / gibi / row.devices;
    return std::nullopt;
}

} // namespace

std::vector<Prediction> predictFineTune(const CsvTable& table, const MemoryRow& row)
{
    const auto without = [&](const std::string& reason) {
        Prediction one = fitsPrediction(table, row, {}, {}, "");
        one.value = one.low80 = one.high80 = std::nullopt;
        one.reason = reason;
        return std::vector<Prediction>{one};
    };
    const Words words{lower(table.text(row.row, "framework")), lower(table.text(row.row, "method")),
                      lower(table.text(row.row, "offload")), lower(table.text(row.row, "notes")),
                      lower(table.text(row.row, "weight_dtype"))};
    if (row.network == nullptr && !row.parameters)
        return without(missingOf(row).empty() ? "no network is named" : "unknown network " + withoutRemarks(row.modelText).substr(0, 80));
    TrainedShape shape;
    const bool four = has(words.method, "qlora") || has(words.dtype, "nf4") || has(words.dtype, "int4");
    if (row.network != nullptr) {
        WeightRecipe recipe = row.recipe;
        if (four && (recipe.asStored || recipe.linear >= 1.0))
            recipe = weightRecipe(*row.network, "nf4-dq", {}, {});
        shape = trainedShape(*row.network, recipe);
    } else {
        shape = trainedShape(*row.parameters, four ? 0.6 : 2.0);
    }
    const FineTune run = runOf(table, row, shape, words);
    const FineTuneMemory memory = fineTuneMemory(shape, run);
    std::vector<Prediction> some;
    if (row.visible.value > 0.0) {
        // The allocator cannot use what lies between its blocks.
        constexpr double fragmentation = 0.05;
        Bytes headroom = row.visible - memory.total() * (1.0 + fragmentation);
        std::string_view binding = memory.activations > memory.weights + memory.states ? "activations" : "weights and states";
        const auto host = table.number(row.row, "host_memory_GB");
        if (host && memory.host.value > 0.0) {
            constexpr double giga = 1e9, ofProcess = 10e9;   // each process holds its own libraries and a copy in flight
            const Bytes left{*host * giga - memory.host.value - ofProcess * row.devices};
            if (left.value < 0.0 && left < headroom) {
                headroom = left;
                binding = "memory of the host";
            }
        }
        some.push_back(fitsPrediction(table, row, headroom, memory.total() * 0.13, binding));
        some.back().provenance = row.network != nullptr ? "fine-tuning rules" : "fine-tuning rules, by the parameter count alone";
    } else {
        some = without(row.deviceText.empty() ? "no device is named and no memory given" : "unknown device " + row.deviceText);
    }
    Prediction peak = begunPrediction(row, "peak_memory", "GiB", measuredPeak(table, row));
    peak.value = memory.total().value / gibi;
    constexpr double spread = 0.22;
    peak.low80 = *peak.value * (1.0 - spread);
    peak.high80 = *peak.value * (1.0 + spread);
    peak.provenance = "fine-tuning rules";
    some.push_back(peak);
    return some;
}

} // namespace ridgepoint
