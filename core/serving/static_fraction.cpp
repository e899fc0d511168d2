// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/static_fraction.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

/// Defaults by the size of a card.
struct CardDefaults
{
    double below;          ///< GiB
    double chunk;
    double graphBatch;
    double graphBatchOfMany;   ///< on four devices or more
};
constexpr std::array cards{CardDefaults{20, 2048, 8, 8}, CardDefaults{35, 2048, 24, 80}, CardDefaults{60, 4096, 32, 160},
                           CardDefaults{160, 8192, 256, 512}, CardDefaults{1e9, 16384, 512, 512}};
constexpr int many = 4;

double byTable(int tensorParallel)
{
    if (tensorParallel >= 16)
        return 0.79;
    if (tensorParallel >= 8)
        return 0.81;
    if (tensorParallel >= 4)
        return 0.85;
    return tensorParallel >= 2 ? 0.87 : 0.88;
}

} // namespace

double staticFraction(Bytes total, int tensorParallel, int stages, double chunk, double graphBatch)
{
    constexpr double large = 60.0 * gibi, leastOfLarge = 10240.0, shortestChunk = 2048.0;
    double reserve = 512.0 + 1.5 * std::max(chunk, shortestChunk) + 2.0 * graphBatch + 128.0 * tensorParallel * stages;
    if (total.value > large)
        reserve = std::max(reserve, leastOfLarge);
    const double mebibytes = total.value / mebi;
    if (mebibytes <= reserve)
        return 0.1;
    return std::round((mebibytes - reserve) / mebibytes * 1000.0) / 1000.0;
}

double defaultStaticFraction(Bytes total, int tensorParallel, int stages, std::string_view date)
{
    if (!date.empty() && date < "2025-09")
        return byTable(tensorParallel);
    const auto card = std::find_if(cards.begin(), cards.end() - 1,
                                   [&](const CardDefaults& one) { return total.value / gibi < one.below; });
    return staticFraction(total, tensorParallel, stages, card->chunk,
                          tensorParallel >= many ? card->graphBatchOfMany : card->graphBatch);
}

} // namespace ridgepoint
