// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/precision.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

enum class LogEngine { vllm, sglang };

/// A line of a start-up log and what was taken from it.
struct LogLine
{
    std::string text;
    std::string read;                 ///< such as "weights 14.99 GiB"; empty: not read
    std::vector<std::string_view> keys;   ///< of the ledger lines it speaks of, such as "weights"
    bool operator==(const LogLine&) const = default;
};

/// What a serving engine says of its memory while it starts. Of several ranks the fullest counts: the largest weights, the
/// smallest pool.
struct EngineLog
{
    LogEngine engine = LogEngine::vllm;
    std::vector<LogLine> lines;
    std::string model;
    int ranks = 1;                    ///< that said how large their weights are
    bool refused = false;             ///< the engine did not start
    std::optional<Bytes> visible;     ///< memory of the device; SGLang: what is free before the weights
    std::optional<Bytes> weights;
    std::optional<Bytes> activations;
    std::optional<Bytes> runtime;     ///< outside the tensors
    std::optional<Bytes> graphs;
    std::optional<Bytes> pool;
    std::optional<double> tokens;     ///< that the pool holds
    std::optional<double> blocks;
    std::optional<double> concurrency;      ///< requests of `longest` tokens that the pool holds
    std::optional<double> longest;          ///< tokens of a request
    std::optional<double> memoryFraction;
    std::optional<int> tensorParallel;
    std::optional<int> pipelineParallel;
    std::optional<int> maximumSequences;
    std::optional<int> batchedTokens;
    std::optional<int> blockTokens;
    std::optional<Format> kvFormat;
    bool operator==(const EngineLog&) const = default;

    [[nodiscard]] int linesRead() const;
};

} // namespace ridgepoint
