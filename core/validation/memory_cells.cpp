// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/memory_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

struct Limits
{
    std::string_view column;
    double least, most;
    bool whole;
};

constexpr double manyTokens = 1e9, manyGigabytes = 1e5;

constexpr std::array limits{
    Limits{"gpu_count", 1, 1e5, true},
    Limits{"tp", 1, 1e5, true},
    Limits{"pp", 1, 1e5, true},
    Limits{"dp", 1, 1e5, true},
    Limits{"gpu_memory_total_GiB", 0.1, manyGigabytes, false},
    Limits{"gpu_memory_GiB", 0.1, manyGigabytes, false},
    Limits{"host_memory_GB", 0.1, manyGigabytes, false},
    Limits{"gpu_memory_utilization", 0.01, 1, false},
    Limits{"mem_fraction_static", 0.01, 1, false},
    Limits{"kv_free_fraction", 0.01, 1, false},
    Limits{"max_model_len_tokens", 1, manyTokens, true},
    Limits{"max_num_batched_tokens", 1, manyTokens, true},
    Limits{"max_batch_total_tokens", 1, manyTokens, true},
    Limits{"max_num_seqs", 1, manyTokens, true},
    Limits{"kv_block_size_tokens", 1, 1e6, true},
    Limits{"seq_len_tokens", 1, manyTokens, true},
    Limits{"input_tokens", 0, manyTokens, false},
    Limits{"output_tokens", 0, manyTokens, false},
    Limits{"batch_size", 0, 1e7, false},
    Limits{"micro_batch_size", 0, 1e7, false},
    Limits{"gradient_accumulation", 0, 1e7, false},
    Limits{"lora_rank", 0, 1e6, false},
    Limits{"params_B", 1e-6, 1e6, false}};

std::string plain(double value) { return fmt::format("{:.15g}", value); }

bool hasAny(const CsvTable& table, std::initializer_list<std::string_view> columns)
{
    return std::any_of(columns.begin(), columns.end(), [&](std::string_view column) { return table.has(column); });
}

} // namespace

Result<void> checkMemoryTable(const CsvTable& table)
{
    const bool program = hasAny(table, {"engine", "framework"});
    const bool asked = hasAny(table, {"gpu_model", "gpu", "gpu_memory_total_GiB", "gpu_memory_GiB", "max_model_len_tokens"});
    if (!table.has("model") || !program || !asked)
        return fail(Error{.message = fmt::format("is no table of memory reports: it has no column {}; it needs model, engine "
                                                 "(or framework), and gpu_model, gpu_memory_total_GiB or max_model_len_tokens",
                                                 !table.has("model") ? "model"
                                                 : !program          ? "engine"
                                                                     : "gpu_model"),
                          .file = table.file, .line = 1, .column = 0, .pointer = {}});
    if (table.rows.empty())
        return fail(Error{.message = "has no rows under its header, so there is nothing to predict",
                          .file = table.file, .line = 1, .column = 0, .pointer = {}});
    return {};
}

std::string wrongCell(const CsvTable& table, std::size_t row)
{
    for (const Limits& one : limits) {
        const std::string_view text = table.text(row, one.column);
        if (text.empty())
            continue;
        const std::optional<double> value = table.number(row, one.column);
        const bool right = value && *value >= one.least && *value <= one.most && (!one.whole || *value == std::floor(*value));
        if (right)
            continue;
        constexpr std::size_t longest = 40;
        return fmt::format("{}:{}: {} is \"{}\"; it must be a {} from {} to {}, or empty where it is not known", table.file,
                           row < table.lines.size() ? table.lines[row] : 0, one.column, text.substr(0, longest),
                           one.whole ? "whole number" : "number", plain(one.least), plain(one.most));
    }
    return {};
}

} // namespace ridgepoint
