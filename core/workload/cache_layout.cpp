// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/cache_layout.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double stateAlignment = 16.0;   ///< tokens; attention kernels take blocks in steps of it

void add(std::vector<CacheKind>& kinds, const CacheKind& kind)
{
    for (CacheKind& known : kinds)
        if (known.state == kind.state && known.window == kind.window && known.bytesPerToken == kind.bytesPerToken) {
            known.layers += kind.layers;
            return;
        }
    kinds.push_back(kind);
}

std::vector<CacheKind> kindsOf(const Network& network, const CacheElements& elements, int tensorParallel,
                               const CacheRules& rules)
{
    std::vector<CacheKind> kinds;
    kinds.reserve(4);
    const LayerGroup* full = nullptr;
    for (const LayerGroup& group : network.layers) {
        const Attention& a = group.attention;
        CacheKind kind{.layers = group.count};
        if (a.kind == AttentionKind::linear) {
            kind.state = true;
            // Each speculated token lengthens the window of the convolution.
            Attention speculated = a;
            speculated.convolution += rules.speculated;
            kind.bytesPerToken = linearStateBytes(speculated, tensorParallel);
        } else {
            kind.window = rules.windowed ? a.window : 0;
            kind.bytesPerToken = cacheBytesPerToken(a, elements, tensorParallel);
            if (a.window == 0 && kind.bytesPerToken > 0.0)
                full = &group;
        }
        if (kind.bytesPerToken > 0.0)
            add(kinds, kind);
    }
    if (rules.draftLayers > 0 && full != nullptr)
        add(kinds, {.layers = rules.draftLayers,
                    .bytesPerToken = cacheBytesPerToken(full->attention, elements, tensorParallel)});
    return kinds;
}

} // namespace

int CacheLayout::groups() const
{
    int sum = 0;
    for (const CacheKind& kind : kinds)
        sum += kind.groups;
    return sum;
}

double CacheLayout::smallestBlock() const
{
    double smallest = 0.0;
    for (const CacheKind& kind : kinds)
        if (smallest <= 0.0 || kind.blockTokens < smallest)
            smallest = kind.blockTokens;
    return smallest;
}

bool CacheLayout::hasStates() const
{
    return std::any_of(kinds.begin(), kinds.end(), [](const CacheKind& kind) { return kind.state; });
}

CacheLayout cacheLayout(const Network& network, const CacheElements& elements, int tensorParallel,
                        const CacheRules& rules)
{
    CacheLayout layout;
    layout.kinds = kindsOf(network, elements, tensorParallel, rules);
    double state = 0.0, perToken = 0.0;
    int fewest = 0, most = 0;
    for (const CacheKind& kind : layout.kinds) {
        (kind.state ? state : perToken) = std::max(kind.state ? state : perToken, kind.bytesPerToken);
        fewest = fewest == 0 ? kind.layers : std::min(fewest, kind.layers);
        most = std::max(most, kind.layers);
    }
    double block = rules.blockTokens;
    if (state > 0.0 && perToken > 0.0)
        block = std::max(block, stateAlignment * std::ceil(state / (stateAlignment * perToken)));
    layout.pageBytes = perToken > 0.0 ? block * perToken : state;
    layout.groupLayers = most < rules.mergeRatio * fewest ? most : fewest;
    for (CacheKind& kind : layout.kinds) {
        kind.groups = (kind.layers + layout.groupLayers - 1) / layout.groupLayers;
        kind.blockTokens = block;
        if (kind.state)
            continue;
        const double times = layout.pageBytes / (block * kind.bytesPerToken);
        if (times == std::floor(times))
            kind.blockTokens = block * times;
    }
    return layout;
}

double blocksOfRequest(const CacheLayout& layout, const CacheRules& rules, double tokens, double chunk)
{
    double sum = 0.0;
    for (const CacheKind& kind : layout.kinds) {
        const double all = std::ceil(tokens / std::max(1.0, kind.blockTokens));
        double blocks = all;
        if (kind.state)
            blocks = rules.stateMode == StateMode::everyBlock ? all
                                                              : (rules.stateMode == StateMode::aligned ? 2.0 : 1.0) +
                                                                    rules.speculated;
        else if (kind.window > 0)
            blocks = std::ceil(std::min(kind.window - 1.0 + chunk, tokens) / kind.blockTokens) + 1.0;
        sum += kind.groups * blocks;
    }
    return sum;
}

PoolCapacity poolCapacity(const CacheLayout& layout, const CacheRules& rules, Bytes pool, double tokens, double chunk)
{
    PoolCapacity capacity;
    const double bytes = layout.blockBytes();
    if (bytes <= 0.0 || pool.value <= 0.0 || tokens <= 0.0)
        return capacity;
    capacity.blocks = std::floor(pool.value / bytes);
    capacity.printed = std::floor(capacity.blocks / layout.groups()) * layout.smallestBlock();
    const double needed = blocksOfRequest(layout, rules, tokens, chunk);
    if (needed <= 0.0)
        return capacity;
    capacity.concurrency = capacity.blocks / needed;
    // One kind of layer: blocks are tokens whatever the length of a request.
    const bool simple = layout.kinds.size() == 1 && !layout.hasStates() && layout.kinds.front().window == 0;
    capacity.tokens = simple ? capacity.blocks * layout.kinds.front().blockTokens : std::floor(capacity.concurrency * tokens);
    return capacity;
}

} // namespace ridgepoint
