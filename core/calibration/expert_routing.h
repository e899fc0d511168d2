// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint {

/// What the device with the most rows has to do in one expert layer.
struct RoutedLoad
{
    double rows = 0;      ///< tokens times experts chosen that lie on it
    double experts = 0;   ///< of its experts that have rows
};

/// Every expert has the same number of rows; with fewer rows than experts, that share of a row is that share of an expert.
[[nodiscard]] RoutedLoad balancedLoad(double tokens, int topK, int experts, int groups);

/// Rows drawn from a power law, as benchmarks of expert layers draw them.
///
///     weights x ~ x^-alpha on (1, 0.8 T) when T K > E, else on (0.01, 2); rows = round(T K x / sum x), at most T each,
///     what rounding leaves over goes to the heaviest; the load is that of the fullest of `groups` runs of E/groups experts
///
/// tokens   T, topK K, experts E
/// returns  the mean of 24 draws, seeded by nothing but the arguments
/// source   opsData, operator analysis 4
[[nodiscard]] RoutedLoad powerLawLoad(double tokens, int topK, int experts, int groups, double alpha);

} // namespace ridgepoint
