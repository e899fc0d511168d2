// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/local_memory.h"
#include "core/validation/memory.h"
#include "core/validation/memory_pool.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

/// Relative error of capacity that stays when all parts are right, at 80 %: from rows left out, by engine.
double residualOf(const MemoryRow& row)
{
    switch (row.engine) {
    case MemoryEngine::vllm: return 0.03;
    case MemoryEngine::sglang: return 0.08;
    case MemoryEngine::tensorRtLlm: return 0.12;
    default: return 0.10;
    }
}

/// What the log of a pool of one kind of layer says is its capacity; of several kinds it is concurrency x length.
std::optional<double> printedCapacity(const CsvTable& table, const MemoryRow& row, const RowPool* pool)
{
    const bool several = pool != nullptr && (pool->layout.kinds.size() > 1 || pool->layout.hasStates());
    const auto concurrency = table.number(row.row, "max_concurrency_x");
    const auto length = table.number(row.row, "max_model_len_tokens");
    if (several && row.engine == MemoryEngine::vllm)
        return concurrency && length ? std::optional(*concurrency * *length) : std::nullopt;
    return table.number(row.row, "kv_capacity_tokens");
}

/// The printed capacity, or the tokens that the logged pool holds; the layout of a given pool is exact, see `predictLayout`.
std::optional<double> measuredCapacity(const CsvTable& table, const MemoryRow& row, const RowPool* pool)
{
    if (const auto printed = printedCapacity(table, row, pool))
        return printed;
    const auto given = table.number(row.row, "kv_cache_GiB_per_gpu");
    return pool != nullptr && given && *given > 0.0 ? std::optional(pool->capacity(Bytes{*given * gibi}).tokens)
                                                    : std::nullopt;
}

Prediction quantity(const CsvTable& table, const MemoryRow& row, const char* name, const char* unit, double value,
                    double spread, std::initializer_list<std::string_view> columns)
{
    std::optional<double> measured;
    for (const std::string_view column : columns)
        if (!measured)
            measured = table.number(row.row, column);
    Prediction one = begunPrediction(row, name, unit, measured);
    one.value = value;
    if (spread > 0.0) {   // what is arithmetic alone has no band
        one.low80 = std::max(0.0, value - spread);
        one.high80 = value + spread;
    }
    return one;
}

std::vector<Prediction> ofLlamaCpp(const CsvTable& table, const MemoryRow& row)
{
    Prediction capacity = begunPrediction(row, "kv_capacity", "tokens", table.number(row.row, "kv_capacity_tokens"));
    if (const std::string missing = missingOf(row); !missing.empty()) {
        capacity.reason = missing;
        return {capacity};
    }
    if (!row.context) {
        capacity.reason = "no context is given, and the whole of it is allocated";
        return {capacity};
    }
    LocalRun run;
    run.context = *row.context;
    run.microBatch = row.batchedTokens.value_or(run.microBatch);
    run.devices = row.devices;
    run.flashAttention = row.flashAttention;
    run.elements = row.elements;
    const LocalMemory memory = localMemory(*row.network, row.recipe, run);
    capacity.value = *row.context;
    capacity.reason = "the requested context";
    std::vector<Prediction> some{capacity};
    some.push_back(quantity(table, row, "kv_cache", "GiB", memory.cacheOfAll.value / gibi, 0.0,
                            {"kv_cache_GiB_total", "kv_cache_GiB_per_gpu"}));
    const double weights = memory.weights.value / gibi;
    some.push_back(quantity(table, row, "weights", "GiB", weights, weights * row.recipe.spread,
                            {"weights_GiB_max_gpu", "weights_GiB_per_gpu"}));
    constexpr double plainSpread = 0.0, fusedSpread = 0.5;
    const bool fused = row.flashAttention;
    some.push_back(quantity(table, row, "compute", "MiB", memory.compute.value / mebi,
                            memory.compute.value / mebi * (fused ? fusedSpread : plainSpread),
                            {"compute_buffer_MiB_max_device"}));
    return some;
}

} // namespace

std::vector<Prediction> predictStartUp(const CsvTable& table, const MemoryRow& row)
{
    if (row.engine == MemoryEngine::llamaCpp)
        return ofLlamaCpp(table, row);
    const Result<RowPool> found = rowPool(row);
    Prediction capacity = begunPrediction(row, "kv_capacity", "tokens",
                                          measuredCapacity(table, row, found ? &*found : nullptr));
    std::vector<Prediction> some;
    if (!found) {
        capacity.reason = found.error().text();
        some.push_back(capacity);
        if (row.network == nullptr)
            return some;
    } else {
        const Bytes pool = found->budget.pool;
        const double tokens = found->capacity(pool).tokens;
        const Bytes residual = std::max(Bytes{}, pool) * residualOf(row);
        const Bytes spread = found->uncertainty + residual, above = found->upperUncertainty + residual;
        capacity.value = tokens;
        capacity.low80 = found->capacity(pool - spread).tokens;
        // What does not fit may still start where a part is smaller than said: the uncertainty bounds how much it holds.
        capacity.high80 = found->capacity(std::max(pool + above, pool.value > 0.0 ? Bytes{} : above)).tokens;
        if (pool.value <= 0.0)
            capacity.reason = fmt::format("does not fit: {:.2f} GiB short of weights, activations and runtime",
                                          -pool.value / gibi);
        else if (!row.formatStated)
            capacity.reason = "format of the weights not given, taken as 16 bit; the band reaches to 4 bit";
        else if (!row.fraction)
            capacity.reason = fmt::format("memory fraction not given, {} by default", found->engine.memoryFraction);
        some.push_back(capacity);
        if (pool.value > 0.0)
        {
            Prediction one = quantity(table, row, "kv_pool", "GiB", pool.value / gibi, spread.value / gibi,
                                      {"kv_cache_GiB_per_gpu"});
            one.high80 = (pool + above).value / gibi;
            some.push_back(one);
        }
        if (row.context)
            some.push_back(quantity(table, row, "kv_needed", "GiB", found->request(found->context).value / gibi, 0.0,
                                    {"kv_needed_for_max_len_GiB"}));
        // TensorRT-LLM logs its buffers apart, the ledger has them here.
        const bool logged = row.engine != MemoryEngine::tensorRtLlm;
        some.push_back(quantity(table, row, "activations", "GiB", found->budget.activations.value / gibi,
                                found->budget.activations.value / gibi * std::max(0.05, found->engine.samplerSpread),
                                {logged ? std::string_view("activation_peak_GiB_per_gpu") : std::string_view()}));
    }
    const double weights = rowWeights(row).value / gibi;
    some.push_back(quantity(table, row, "weights", "GiB", weights, weights * row.recipe.spread, {"weights_GiB_per_gpu"}));
    return some;
}

std::vector<Prediction> predictLayout(const CsvTable& table, const MemoryRow& row)
{
    const auto given = table.number(row.row, "kv_cache_GiB_per_gpu");
    if (!given || *given <= 0.0 || row.engine == MemoryEngine::llamaCpp)
        return {};
    MemoryRow known = row;
    if (known.visible.value <= 0.0)
        known.visible = Bytes{gibi};   // the pool is given; the device's memory does not count
    const Result<RowPool> found = rowPool(known);
    Prediction one = begunPrediction(row, "kv_layout", "tokens", printedCapacity(table, row, found ? &*found : nullptr));
    one.provenance = "layout of a given pool";
    if (found)
        one.value = found->capacity(Bytes{*given * gibi}).tokens;
    else
        one.reason = found.error().text();
    return {one};
}

} // namespace ridgepoint
