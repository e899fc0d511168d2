// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridgepoint {

/// The least of a function of a few variables, without its derivatives.
///
/// function  of a vector as long as `start`; need not be smooth
/// width     of the first simplex along each axis
/// steps     most times a corner is moved
/// returns   the best corner
/// source    nelderMead1965
template <typename Function>
[[nodiscard]] std::vector<double> minimumBySimplex(const Function& function, const std::vector<double>& start, double width,
                                                   int steps)
{
    struct Corner
    {
        double value;
        std::vector<double> at;
    };
    const std::size_t n = start.size();
    if (n == 0)
        return start;
    const auto corner = [&](std::vector<double> at) {
        const double value = function(at);
        return Corner{std::isfinite(value) ? value : 1e300, std::move(at)};
    };
    std::vector<Corner> simplex{corner(start)};
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> at = start;
        at[i] += width;
        simplex.push_back(corner(std::move(at)));
    }
    const auto better = [](const Corner& a, const Corner& b) { return a.value < b.value; };
    for (int step = 0; step < steps; ++step) {
        std::sort(simplex.begin(), simplex.end(), better);
        if (simplex.back().value - simplex.front().value < 1e-9 * (1.0 + std::abs(simplex.front().value)))
            break;
        std::vector<double> centre(n, 0.0);
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t i = 0; i < n; ++i)
                centre[i] += simplex[c].at[i] / double(n);
        const auto along = [&](double factor) {
            std::vector<double> at(n);
            for (std::size_t i = 0; i < n; ++i)
                at[i] = centre[i] + factor * (simplex.back().at[i] - centre[i]);
            return corner(std::move(at));
        };
        const Corner reflected = along(-1.0);
        if (reflected.value < simplex.front().value) {
            const Corner further = along(-2.0);
            simplex.back() = further.value < reflected.value ? further : reflected;
        } else if (reflected.value < simplex[n - 1].value) {
            simplex.back() = reflected;
        } else if (const Corner nearer = along(0.5); nearer.value < simplex.back().value) {
            simplex.back() = nearer;
        } else {
            for (std::size_t c = 1; c <= n; ++c) {
                std::vector<double> at(n);
                for (std::size_t i = 0; i < n; ++i)
                    at[i] = simplex[0].at[i] + 0.5 * (simplex[c].at[i] - simplex[0].at[i]);
                simplex[c] = corner(std::move(at));
            }
        }
    }
    return std::min_element(simplex.begin(), simplex.end(), better)->at;
}

} // namespace ridgepoint
