// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/kv_cache.h"

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr double convolutionElementBytes = 2.0;

} // namespace

double latentEntryBytes(const Attention& a, Format kv)
{
    if (a.indexTopK > 0 && (kv == Format::fp8 || kv == Format::fp8Block))
        return a.kvRank + a.kvRank / 128.0 * 4.0 + a.ropeDim * 2.0;   // the sparse kernels' layout: 656 B for 512 + 64
    return (a.kvRank + a.ropeDim) * bytesPerElement(kv);
}

double linearStateBytes(const Attention& a, int tensorParallel)
{
    const double convolution = (2.0 * a.linearKeyHeads * a.linearKeyDim + a.linearValueHeads * a.linearValueDim) *
                               std::max(0, a.convolution - 1) * convolutionElementBytes;
    const double recurrent = double(a.linearValueHeads) * a.linearValueDim * a.linearKeyDim * a.stateBytes;
    return (convolution + recurrent) / tensorParallel;
}

double cacheBytesPerToken(const Attention& a, Format kv, int tensorParallel)
{
    switch (a.kind) {
    case AttentionKind::grouped: {
        const double heads = double(std::max(a.kvHeads, tensorParallel)) / tensorParallel;
        return 2.0 * heads * a.headDim * bytesPerElement(kv);
    }
    case AttentionKind::latent: {
        const double indexKeys = a.indexHeads > 0 ? a.indexDim * (1.0 + 4.0 / 128.0) : 0.0;   // 8 bit and a scale
        return latentEntryBytes(a, kv) + indexKeys;
    }
    case AttentionKind::linear: return 0.0;
    }
    return 0.0;
}

Bytes kvBytesPerToken(const Network& network, Format kv)
{
    Bytes sum;
    for (const LayerGroup& group : network.layers)
        sum += Bytes{group.count * cacheBytesPerToken(group.attention, kv, 1)};
    return sum;
}

} // namespace ridgepoint
