// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/kv_cache.h"

#include <vector>

namespace ridgepoint {

/// How many blocks of recurrent state an engine keeps for a sequence.
enum class StateMode
{
    single,   ///< one, and one more for each speculated token
    aligned,  ///< two: prefix caching keeps the state at the last block boundary too
    everyBlock///< one for each block of tokens
};

/// What an engine decides about a paged cache, whatever the network.
struct CacheRules
{
    int blockTokens = 16;
    bool windowed = true;          ///< window layers give blocks back; false: they keep all tokens
    double mergeRatio = 1.5;       ///< kinds whose layer counts are nearer than this share the larger group size
    StateMode stateMode = StateMode::single;
    int speculated = 0;            ///< tokens a draft proposes a step
    int draftLayers = 0;           ///< full-attention layers of a multi-token-prediction head
};

/// Layers that keep the same things: one or more groups of `groupLayers` layers.
struct CacheKind
{
    bool state = false;            ///< a recurrent state in place of tokens
    int window = 0;                ///< 0: all tokens
    int layers = 0;
    int groups = 0;                ///< that share the pool
    double bytesPerToken = 0;      ///< of one layer on one device; of a state: its bytes in all
    double blockTokens = 0;
};

/// One pool of equal blocks that all groups of layers share.
struct CacheLayout
{
    std::vector<CacheKind> kinds;
    double pageBytes = 0;          ///< one block of one layer
    int groupLayers = 0;           ///< layers of a group
    [[nodiscard]] double blockBytes() const { return pageBytes * groupLayers; }
    [[nodiscard]] int groups() const;
    [[nodiscard]] double smallestBlock() const;
    [[nodiscard]] bool hasStates() const;
};

/// The paged cache of one device.
///
///     page = max over kinds of block x bytes; a kind with fewer bytes gets a larger block where that divides
///     with states: block of attention = 16 ceil(state / (16 bytes)), a state fills a page
///     G = fewest layers of a kind, or the most where that is less than `mergeRatio` times it; groups = ceil(layers/G)
///
/// network  layers whose attention is alike count as one kind, whatever their feed-forward
/// returns  block counts follow as floor(pool / blockBytes())
/// source   fieldMemory §6, exact integer arithmetic
[[nodiscard]] CacheLayout cacheLayout(const Network& network, const CacheElements& elements, int tensorParallel,
                                      const CacheRules& rules);

/// Blocks one request of `tokens` tokens holds at its end, over all groups.
///
///     full ceil(n/block) · window min(ceil(min(w - 1 + T, n)/block) + 1, ceil(n/block)) · state by mode
///
/// chunk    T, tokens of one step
[[nodiscard]] double blocksOfRequest(const CacheLayout& layout, const CacheRules& rules, double tokens, double chunk);

/// Capacity of a pool.
struct PoolCapacity
{
    double blocks = 0;
    double concurrency = 0;        ///< requests of `tokens` tokens, with a fraction
    double tokens = 0;             ///< concurrency x tokens, whole: what the pool really holds
    double printed = 0;            ///< floor(blocks/groups) x smallest block, which older versions log as their size
};

[[nodiscard]] PoolCapacity poolCapacity(const CacheLayout& layout, const CacheRules& rules, Bytes pool, double tokens,
                                        double chunk);

} // namespace ridgepoint
