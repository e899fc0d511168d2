// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/precision.h"

#include <string_view>

namespace ridgepoint {

/// How an operator is priced.
enum class OpKind
{
    matmul, decodeAttention, prefillAttention, latentDecode, latentPrefill, absorbedQuery, absorbedOutput, linearChunks,
    indexScores, mixture, stream, allReduce, send
};

/// What an operator does in the network.
enum class OpId
{
    embedding, norms, queryKeyValue, attention, attentionOutput, latentDown, latentUp, absorbed, indexer, linearState,
    gateUp, down, router, experts, sharedGateUp, sharedDown, head, sampling, allReduceAttention, allReduceFeedForward,
    allReduceEmbedding, gatherLogits, stageSend, dispatch, combine
};

/// One operator on one device: shape, FLOPs and the bytes it moves at the outermost memory level.
struct Op
{
    OpId id{};
    OpKind kind{};
    double count = 1;            ///< equal operators in the step (layers of the stage)

    double m = 0, n = 0, k = 0;  ///< matmul: [m, k] x [k, n]; mixture: m rows a step, n expert width, k hidden
    Format weight = Format::bf16;
    Math math = Math::bf16;      ///< arithmetic after fallback
    bool quantizesInput = false; ///< a separate pass brings the input to the format of the arithmetic

    Flops flops;                 ///< of one instance
    Bytes weightBytes;           ///< read
    Bytes kvBytes;               ///< cache or state, read and written
    Bytes activationBytes;       ///< read and written

    double sequences = 0;        ///< attention: sequences, query tokens of each, cached tokens seen by the last query
    double queries = 0;
    double context = 0;
    double heads = 0;            ///< on this device
    double kvHeads = 0;
    double headDim = 0;
    double valueDim = 0;         ///< 0: as headDim
    double window = 0;
    bool causal = true;
    double kvElementBytes = 2;

    double activeExperts = 0;    ///< mixture: distinct experts whose weights are read on this device
    double routedRows = 0;       ///< rows of this device's experts; tokens x topK when it has all
    double routerExperts = 0;    ///< of the whole layer
    double routerTopK = 0;
    bool gated = true;

    int group = 1;               ///< allReduce: devices that take part; send: 2
    bool acrossNodes = false;
    Bytes message;

    bool operator==(const Op&) const = default;
};

[[nodiscard]] std::string_view nameOf(OpId id);  ///< on screen, such as "QKV projection"
[[nodiscard]] std::string_view keyOf(OpId id);   ///< in files, such as "query_key_value"

} // namespace ridgepoint
