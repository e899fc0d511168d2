// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/workload/network.h"

namespace ridgepoint {

/// How an engine keeps a layer of latent attention (MLA).
enum class LatentCache
{
    latent,      ///< the compressed entry
    expanded,    ///< keys and values of all heads, values padded to the width of keys and both to 256 (vLLM before 0.7)
    plain,       ///< keys and values of all heads, each at its own width (llama.cpp without MLA)
    perHead,     ///< keys and values of all heads, each as wide as the compressed entry (TurboMind)
    transposed   ///< the compressed entry and a transposed copy of its first part (llama.cpp)
};

/// How an engine stores entries.
struct CacheElements
{
    double key = 2.0;              ///< bytes of an element, scales included
    double value = 2.0;
    LatentCache latent = LatentCache::latent;
    bool operator==(const CacheElements&) const = default;
};

[[nodiscard]] CacheElements cacheElements(Format kv);

/// Bytes one token adds to the cache of a full-attention layer on one device of a tensor-parallel group.
///
///     grouped max(g, t)/t d (b_k + b_v) · latent (c + r) b_k, in 8 bit of a sparse network c + 4 c/128 + 2 r = 656 B
///     expanded a/t 256 (b_k + b_v) · plain a ((d_nope + r) b_k + d_v b_v) · transposed (c + r) b_k + c b_v
///     per head a/t (c + r) (b_k + b_v)
///     indexer keys d_i + 4 d_i/128 = 132 B, in any format · linear 0
///
/// returns  [B]
/// source   fieldMemory §3
[[nodiscard]] double cacheBytesPerToken(const Attention& attention, const CacheElements& elements, int tensorParallel);

/// Bytes one token adds to the cache of a full-attention layer on one device of a tensor-parallel group.
///
///     grouped 2 max(g, t)/t d b · latent (c + r) b, in 8 bit of a sparse network c + 4 c/128 + 2 r = 656 B, never divided
///     indexer keys d_i + 4 d_i/128 = 132 B, in any format · linear 0
///
/// returns  [B]
/// source   model.md §1 of the design notes; fieldMemory §3
[[nodiscard]] double cacheBytesPerToken(const Attention& attention, Format kv, int tensorParallel);

/// Bytes of one entry of a latent layer, without indexer keys. [B]
[[nodiscard]] double latentEntryBytes(const Attention& attention, Format kv);

/// Bytes of the recurrent state and the convolution window of one linear-attention layer, one sequence, one device. [B]
[[nodiscard]] double linearStateBytes(const Attention& attention, int tensorParallel);

/// Bytes one token adds to the cache of an unsharded network, without windows: the sum over its layers. [B]
[[nodiscard]] Bytes kvBytesPerToken(const Network& network, Format kv);

} // namespace ridgepoint
