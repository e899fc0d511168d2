// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/kv_cache.h"

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr double convolutionElementBytes = 2.0;

double latentBytes(const Attention& a, double element)
{
    const bool eightBit = element >= 1.0 && element < 1.01;
    if (a.indexTopK > 0 && eightBit)
        return a.kvRank + a.kvRank / 128.0 * 4.0 + a.ropeDim * 2.0;   // the sparse kernels' layout: 656 B for 512 + 64
    return (a.kvRank + a.ropeDim) * element;
}

} // namespace

CacheElements cacheElements(Format kv)
{
    return {.key = bytesPerElement(kv), .value = bytesPerElement(kv)};
}

double latentEntryBytes(const Attention& a, Format kv)
{
    return latentBytes(a, bytesPerElement(kv));
}

double linearStateBytes(const Attention& a, int tensorParallel)
{
    const double convolution = (2.0 * a.linearKeyHeads * a.linearKeyDim + a.linearValueHeads * a.linearValueDim) *
                               std::max(0, a.convolution - 1) * convolutionElementBytes;
    const double recurrent = double(a.linearValueHeads) * a.linearValueDim * a.linearKeyDim * a.stateBytes;
    return (convolution + recurrent) / tensorParallel;
}

double cacheBytesPerToken(const Attention& a, const CacheElements& elements, int tensorParallel)
{
    constexpr double expandedDim = 256.0;
    switch (a.kind) {
    case AttentionKind::grouped: {
        const double heads = double(std::max(a.kvHeads, tensorParallel)) / tensorParallel;
        return heads * a.headDim * (elements.key + elements.value);
    }
    case AttentionKind::latent: {
        const double indexKeys = a.indexHeads > 0 ? a.indexDim * (1.0 + 4.0 / 128.0) : 0.0;   // 8 bit and a scale
        switch (elements.latent) {
        case LatentCache::latent: return latentBytes(a, elements.key) + indexKeys;
        case LatentCache::expanded:
            return double(a.heads) / tensorParallel * expandedDim * (elements.key + elements.value);
        case LatentCache::perHead:
            return double(a.heads) / tensorParallel * (a.kvRank + a.ropeDim) * (elements.key + elements.value);
        case LatentCache::plain:
            return double(a.heads) * ((a.nopeDim + a.ropeDim) * elements.key + a.valueDim * elements.value);
        case LatentCache::transposed: return latentBytes(a, elements.key) + a.kvRank * elements.value;
        }
        return 0.0;
    }
    case AttentionKind::linear: return 0.0;
    }
    return 0.0;
}

double cacheBytesPerToken(const Attention& a, Format kv, int tensorParallel)
{
    return cacheBytesPerToken(a, cacheElements(kv), tensorParallel);
}

Bytes kvBytesPerToken(const Network& network, Format kv)
{
    Bytes sum;
    for (const LayerGroup& group : network.layers)
        sum += Bytes{group.count * cacheBytesPerToken(group.attention, kv, 1)};
    return sum;
}

} // namespace ridgepoint
