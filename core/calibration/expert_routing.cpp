// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/expert_routing.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ridgepoint {

namespace {

constexpr int draws = 24;

/// Gives or takes single rows, heaviest first or lightest first, until the sum is right.
void settle(std::vector<double>& rows, const std::vector<std::size_t>& heaviestFirst, double total, double most)
{
    double left = total - std::accumulate(rows.begin(), rows.end(), 0.0);
    bool moved = true;
    while (left > 0.0 && moved) {
        moved = false;
        for (const std::size_t at : heaviestFirst)
            if (left > 0.0 && rows[at] < most) {
                rows[at] += 1.0;
                left -= 1.0;
                moved = true;
            }
    }
    while (left < 0.0 && moved) {
        moved = false;
        for (auto at = heaviestFirst.rbegin(); at != heaviestFirst.rend(); ++at)
            if (left < 0.0 && rows[*at] > 0.0) {
                rows[*at] -= 1.0;
                left += 1.0;
                moved = true;
            }
    }
}

} // namespace

RoutedLoad balancedLoad(double tokens, int topK, int experts, int groups)
{
    const double rows = tokens * topK / groups;
    const double own = std::max(1.0, double(experts) / groups);
    return {.rows = rows, .experts = std::min(own, rows)};
}

RoutedLoad powerLawLoad(double tokens, int topK, int experts, int groups, double alpha)
{
    const double total = tokens * topK;
    const bool many = total > experts;
    const double low = many ? 1.0 : 0.01;
    const double high = many ? std::max(1.0001, 0.8 * tokens) : 2.0;
    const double power = std::abs(1.0 - alpha) < 1e-6 ? 1e-6 : 1.0 - alpha;
    const double first = std::pow(low, power);
    const double last = std::pow(high, power);
    const auto count = std::size_t(experts);
    const auto own = std::size_t(std::max(1, experts / groups));

    RandomStream random(12345);
    std::vector<double> weights(count);
    std::vector<double> rows(count);
    std::vector<std::size_t> order(count);
    RoutedLoad mean;
    for (int draw = 0; draw < draws; ++draw) {
        double sum = 0.0;
        for (double& weight : weights) {
            weight = std::pow(first + (last - first) * random.uniform(), 1.0 / power);
            sum += weight;
        }
        for (std::size_t i = 0; i < count; ++i)
            rows[i] = std::min(tokens, std::round(total * weights[i] / sum));
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
        settle(rows, order, total, tokens);

        RoutedLoad fullest;
        for (std::size_t begin = 0; begin + own <= count; begin += own) {
            RoutedLoad load;
            for (std::size_t i = begin; i < begin + own; ++i) {
                load.rows += rows[i];
                load.experts += rows[i] > 0.0 ? 1.0 : 0.0;
            }
            if (load.rows > fullest.rows)
                fullest = load;
        }
        mean.rows += fullest.rows / draws;
        mean.experts += fullest.experts / draws;
    }
    return mean;
}

} // namespace ridgepoint
