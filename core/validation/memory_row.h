// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/io/csv_table.h"
#include "core/scenario/preset_names.h"
#include "core/serving/engine_profile.h"
#include "core/workload/kv_cache.h"
#include "core/workload/weight_recipe.h"

#include <optional>
#include <string>

namespace ridgepoint {

/// Programs that set memory aside in the same way.
enum class MemoryEngine
{
    vllm,
    sglang,
    tensorRtLlm,
    lmDeploy,
    llamaCpp,
    growing,     ///< Hugging Face transformers: the cache grows, and is copied as it does
    plain,       ///< weights, cache of the request and a fixed part: LitGPT, gpt-fast, TinyChat, TGI and the like
    unknown
};

/// What a row of a table of start-ups or of fits says, mapped to presets. Nothing of it was measured.
struct MemoryRow
{
    std::string id;
    std::size_t row = 0;
    std::string engineText, versionText, date, modelText, deviceText;
    MemoryEngine engine = MemoryEngine::unknown;
    const EngineProfile* profile = nullptr;
    const Network* network = nullptr;
    const Network* beside = nullptr;       ///< a second network on the same devices, such as a draft
    bool multiToken = false;               ///< the network's own multi-token-prediction layers draft
    const Device* device = nullptr;
    Bytes visible;                         ///< 0: neither device nor memory is known
    bool visibleKnown = false;             ///< from a log or a preset that has it; else 0.985 of the label
    int devices = 1, tensorParallel = 1, stages = 1, dataParallel = 1;
    bool devicesKnown = true;
    WeightRecipe recipe;
    bool formatStated = true;              ///< of the weights, by the row or by the network's own checkpoint
    CacheElements elements;
    std::optional<double> fraction;        ///< of memory, as the engine takes it
    std::optional<double> context, batchedTokens, sequences, blockTokens, promptTokens;
    std::optional<double> parameters;      ///< as the row or the name states them [billions]
    bool flashAttention = false;

    [[nodiscard]] bool hasMixture() const;
    [[nodiscard]] WeightSplit weightSplit() const;
};

[[nodiscard]] MemoryRow memoryRow(const CsvTable& table, std::size_t row, const Presets& presets,
                                  const PresetNames& names);

/// The engine's profile in the row's version with what the row sets in place of defaults.
[[nodiscard]] EngineProfile engineOf(const MemoryRow& row);

/// Why a row cannot be predicted at all; empty when it can.
[[nodiscard]] std::string missingOf(const MemoryRow& row);

/// Elements as words of a table say: "fp8", "q8_0", "K:q8_0/V:q4_0", "c^KV:f16/kv^T:f16"; nothing when a word is unknown.
[[nodiscard]] std::optional<CacheElements> cacheElementsFrom(std::string_view text);

} // namespace ridgepoint
