// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/local_memory.h"
#include "core/validation/memory.h"
#include "core/validation/memory_pool.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr Bytes driverContext{0.5 * gibi};   ///< of a process on a device, outside every engine's budget

std::vector<Prediction> unpredicted(const CsvTable& table, const MemoryRow& row, const std::string& reason)
{
    Prediction one = fitsPrediction(table, row, {}, {}, "");
    one.value = one.low80 = one.high80 = std::nullopt;
    one.reason = reason;
    return {one};
}

std::optional<double> measuredPeak(const CsvTable& table, const MemoryRow& row)
{
    constexpr double giga = 1e9;
    if (const auto v = table.number(row.row, "peak_memory_GiB_per_gpu"))
        return *v * row.devices;
    if (const auto v = table.number(row.row, "peak_memory_GB_per_gpu"))
        return *v * giga / gibi * row.devices;
    if (const auto v = table.number(row.row, "peak_memory_GiB_total"))
        return v;
    if (const auto v = table.number(row.row, "peak_memory_GB_total"))
        return *v * giga / gibi;
    return std::nullopt;
}

std::vector<Prediction> ofLlamaCpp(const CsvTable& table, const MemoryRow& row)
{
    LocalRun run;
    run.context = row.context.value_or(std::min(4096.0, double(row.network->maximumContext)));
    run.microBatch = row.batchedTokens.value_or(run.microBatch);
    run.devices = row.devices;
    run.flashAttention = row.flashAttention;
    run.windowed = row.date >= "2025-06" && row.engineText.find("ik_") == std::string::npos;
    run.elements = row.elements;
    const LocalMemory memory = localMemory(*row.network, row.recipe, run);
    const Bytes spread = memory.weights * row.recipe.spread + memory.compute * 0.1;
    return {fitsPrediction(table, row, row.visible - memory.total(), spread,
                           memory.weights > memory.cache ? "weights" : "KV cache")};
}

/// Programs without a pool: weights, the cache of the batch, and a fixed part.
std::vector<Prediction> ofOneBatch(const CsvTable& table, const MemoryRow& row)
{
    const Network& network = *row.network;
    const double batch = table.number(row.row, "batch_size").value_or(1.0);
    const double input = table.number(row.row, "input_tokens").value_or(0.0);
    const double output = table.number(row.row, "output_tokens").value_or(0.0);
    const double held = table.number(row.row, "max_batch_total_tokens").value_or(0.0);
    double tokens = batch * (input + output);
    if (held > 0.0)
        tokens = held;
    else if (tokens <= 0.0 && row.context)
        tokens = *row.context;
    double perToken = 0.0;
    for (const LayerGroup& group : network.layers)
        perToken += group.count * cacheBytesPerToken(group.attention, row.elements, row.tensorParallel);
    // A cache that grows by copying is there twice while it does.
    const double copies = row.engine == MemoryEngine::growing ? 2.0 : 1.0;
    WeightSplit split = row.weightSplit();
    if (row.engine == MemoryEngine::growing)
        split.tensorParallel = 1;
    const Bytes weights = recipeWeights(network, row.recipe, split);
    const Bytes cache{tokens * perToken * copies};
    // The whole prompt goes through a layer at once.
    double width = 0.0;
    for (const LayerGroup& group : network.layers)
        width = std::max(width, double(group.feedForward.isMixture() ? group.feedForward.expertWidth : group.feedForward.width));
    const Bytes forward{batch * input * 2.0 * (3.0 * width / row.tensorParallel + 3.0 * network.hidden)};
    Bytes needed = weights + cache + forward;
    if (row.engineText.find("TGI") != std::string::npos || row.engineText.find("ext-generation") != std::string::npos)
        // Its warm-up asks for the logits of every token of the longest prompt.
        needed += Bytes{std::max(input, table.number(row.row, "max_batch_prefill_tokens").value_or(0.0)) *
                        network.vocabulary * 8.0};
    constexpr Bytes workspace{0.4 * gibi};
    Bytes visible = row.visible;
    if (row.engine == MemoryEngine::growing)
        visible *= double(row.devices);
    std::vector<Prediction> some;
    if (visible.value > 0.0)
        some.push_back(fitsPrediction(table, row, visible - needed - workspace - driverContext,
                                      needed * row.recipe.spread + cache * 0.1, weights > cache ? "weights" : "KV cache"));
    else
        some = unpredicted(table, row, row.deviceText.empty() ? "no device is named and no memory given"
                                                               : "unknown device " + row.deviceText);
    Prediction peak = begunPrediction(row, "peak_memory", "GiB", measuredPeak(table, row));
    peak.value = (needed + workspace).value / gibi;
    constexpr double peakSpread = 0.08;
    peak.low80 = *peak.value * (1.0 - peakSpread);
    peak.high80 = *peak.value * (1.0 + peakSpread);
    some.push_back(peak);
    return some;
}

std::vector<Prediction> ofPool(const CsvTable& table, const MemoryRow& row)
{
    const Result<RowPool> pool = rowPool(row);
    if (!pool)
        return unpredicted(table, row, pool.error().text());
    const Bytes left = pool->budget.pool;
    Bytes headroom = left;
    std::string binding = "weights";
    const bool wholeRequest = row.engine == MemoryEngine::vllm || row.engine == MemoryEngine::tensorRtLlm;
    if (wholeRequest) {
        // One request of the longest length has to fit, with what a second network on the device takes for its own.
        const double servers = row.beside != nullptr && !row.multiToken ? 2.0 : 1.0;
        headroom = left - pool->request(pool->context) * servers;
        if (left.value > 0.0)
            binding = "KV cache of one request";
    }
    if (row.engine == MemoryEngine::vllm && pool->layout.hasStates()) {
        const double blocks = pool->capacity(left).blocks;
        const Bytes states = Bytes{(blocks - pool->engine.maximumSequences) * pool->layout.blockBytes()};
        if (states < headroom) {
            headroom = states;
            binding = "a state for each sequence";
        }
    }
    if (row.engine == MemoryEngine::vllm) {
        const Bytes outside = row.visible * (1.0 - pool->engine.memoryFraction) - driverContext;
        if (outside < headroom && outside.value < 0.0) {
            headroom = outside;
            binding = "context outside the budget";
        }
    }
    return {fitsPrediction(table, row, headroom, pool->uncertainty, binding)};
}

/// Of a network of which no more than the count is known: whether the weights leave a twentieth of the memory.
std::vector<Prediction> ofCount(const CsvTable& table, const MemoryRow& row)
{
    constexpr double giga = 1e9, leastRest = 0.05, spread = 0.1;
    const WeightRecipe recipe = weightRecipe(Network{}, table.text(row.row, "weight_dtype"),
                                             table.text(row.row, "quantization"), row.modelText);
    const Bytes weights{*row.parameters * giga * recipe.linear / row.devices};
    std::vector<Prediction> some{fitsPrediction(table, row, row.visible * (1.0 - leastRest) * row.fraction.value_or(0.95) - weights,
                                                weights * spread, "weights")};
    some.front().low80 = 0.0;      // what the cache and buffers need is not known
    some.front().provenance = "parameter count alone";
    return some;
}

/// Weights and one request where the rest of an engine's memory is not known: what is short then is short for certain.
std::vector<Prediction> ofWeightsAndCache(const CsvTable& table, const MemoryRow& row)
{
    const double tokens = row.context.value_or(row.network->maximumContext);
    double perToken = 0.0;
    for (const LayerGroup& group : row.network->layers)
        perToken += group.count * cacheBytesPerToken(group.attention, row.elements, row.tensorParallel);
    const Bytes cache{tokens * perToken};
    const Bytes weights = rowWeights(row);
    std::vector<Prediction> some{fitsPrediction(table, row, row.visible - weights - cache - driverContext,
                                                row.visible * 0.1, weights > cache ? "weights" : "KV cache")};
    some.front().low80 = 0.0;
    some.front().provenance = "weights and cache alone";
    return some;
}

} // namespace

std::vector<Prediction> predictFit(const CsvTable& table, const MemoryRow& row)
{
    if (row.network == nullptr && row.parameters && row.visible.value > 0.0)
        return ofCount(table, row);
    if (const std::string missing = missingOf(row); !missing.empty())
        return unpredicted(table, row, missing);
    if (isForeign(row) && row.visible.value > 0.0)
        return ofWeightsAndCache(table, row);
    if (row.visible.value <= 0.0 && row.engine == MemoryEngine::llamaCpp)
        return unpredicted(table, row, "unknown device " + row.deviceText);
    switch (row.engine) {
    case MemoryEngine::llamaCpp: return ofLlamaCpp(table, row);
    case MemoryEngine::growing:
    case MemoryEngine::plain: return ofOneBatch(table, row);
    default: return ofPool(table, row);
    }
}

} // namespace ridgepoint
