// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>

namespace ridgepoint {

/// How uncertain a time is: standard deviations of its logarithm by where the doubt comes from. Each was found on
/// measurements that the constants were not fitted on; the parts are taken as independent of each other.
struct Spread
{
    double engine = 0;     ///< version, kernel choice and host of the engine, on devices whose operators were measured
    double transfer = 0;   ///< constants taken over from siblings, or from everything measured, in place of measured ones
    double queueing = 0;   ///< waits that hang on a small difference, such as near the capacity of the cache
    [[nodiscard]] double total() const { return std::sqrt(engine * engine + transfer * transfer + queueing * queueing); }
    bool operator==(const Spread&) const = default;
};

/// The true value is expected between `low` and `high` in 8 cases of 10.
struct Band
{
    double low = 0;
    double high = 0;
    bool operator==(const Band&) const = default;
};

/// Four fifths of a normal distribution lie within this many standard deviations.
inline constexpr double deviationsOf80 = 1.2815515655446004;

/// Band of a value whose logarithm has this standard deviation: [v exp(-z s), v exp(z s)].
[[nodiscard]] inline Band band80(double value, double spread)
{
    const double factor = std::exp(deviationsOf80 * spread);
    return {value / factor, value * factor};
}

/// Chance that the first of two values is really the larger one.
///
///     P = Phi( ln(a/b) / s ),  s the standard deviation of ln(a/b)
///
/// a, b  > 0
/// s     >= 0; 0: the larger one is larger for sure
[[nodiscard]] inline double chanceOfLarger(double a, double b, double s)
{
    if (s <= 0.0)
        return a > b ? 1.0 : a < b ? 0.0 : 0.5;
    return 0.5 * std::erfc(-std::log(a / b) / (s * std::sqrt(2.0)));
}

/// "±18 %" where both sides are about as far, "−38 … +61 %" where they are not.
[[nodiscard]] std::string spreadText(double spread);

} // namespace ridgepoint
