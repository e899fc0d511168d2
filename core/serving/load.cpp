// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/load.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgepoint {

double meanOf(const Lengths& lengths)
{
    if (lengths.shape == LengthShape::empirical && !lengths.values.empty())
        return std::accumulate(lengths.values.begin(), lengths.values.end(), 0.0) / double(lengths.values.size());
    return lengths.mean;
}

double longestOf(const Lengths& lengths)
{
    switch (lengths.shape) {
    case LengthShape::fixed: return lengths.mean;
    case LengthShape::uniform: return lengths.mean * (1.0 + lengths.spread);
    case LengthShape::lognormal: {
        const double deviation = std::sqrt(std::log1p(lengths.spread * lengths.spread));
        return lengths.mean * std::exp(3.5 * deviation - deviation * deviation / 2.0);
    }
    case LengthShape::exponential: return lengths.mean * 8.0;
    case LengthShape::empirical:
        return lengths.values.empty() ? lengths.mean : *std::max_element(lengths.values.begin(), lengths.values.end());
    }
    return lengths.mean;
}

double variationOf(const Lengths& lengths)
{
    switch (lengths.shape) {
    case LengthShape::fixed: return 0.0;
    case LengthShape::uniform: return lengths.spread / std::sqrt(3.0);
    case LengthShape::lognormal: return lengths.spread;
    case LengthShape::exponential: return 1.0;
    case LengthShape::empirical: {
        if (lengths.values.empty())
            return 0.0;
        const double mean = meanOf(lengths);
        double squares = 0;
        for (const double value : lengths.values)
            squares += (value - mean) * (value - mean);
        return std::sqrt(squares / double(lengths.values.size())) / mean;
    }
    }
    return 0.0;
}

double tokensPerStep(const Speculation& speculation)
{
    double sum = 1.0;
    double chance = 1.0;
    for (int i = 0; i < speculation.draftTokens; ++i)
        sum += chance *= speculation.acceptance;
    return sum;
}

double stepsOf(double tokens, const Speculation& speculation)
{
    if (speculation.draftTokens <= 0)
        return tokens;
    const double mean = tokensPerStep(speculation);
    double square = 0, chance = 1;
    for (int i = 0; i <= speculation.draftTokens; ++i, chance *= speculation.acceptance)
        square += chance * (2.0 * i + 1.0);
    const double variation = std::max(0.0, square / (mean * mean) - 1.0);
    return std::max(1.0, tokens / mean + (variation + 1.0) / 2.0 - 0.5 / mean);
}

} // namespace ridgepoint
