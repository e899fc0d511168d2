// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace ridgepoint {

/// How far measurements lie from a prediction, as multiples of it: a tenth lies below `low`, a tenth above `high`.
struct ErrorBand
{
    double low = 0.6, high = 1.65;
    bool operator==(const ErrorBand&) const = default;
};

/// The shapes that a kernel was measured on, and the bands that hold there.
struct MeasuredDomain
{
    /// log2 of the three quantities of the residual grid, then the regime: a whole number that the table gives a meaning.
    using Point = std::array<double, 4>;

    /// A box of shapes whose measurements scatter alike.
    struct Region
    {
        Point from{}, to{};
        ErrorBand band;
        bool operator==(const Region&) const = default;
    };

    Point from{}, to{};             ///< smallest box around everything measured
    std::vector<Region> regions;    ///< they fill the box; none: one band for all

    bool operator==(const MeasuredDomain&) const = default;
};

/// A point of a domain from quantities above zero.
[[nodiscard]] MeasuredDomain::Point domainPoint(const std::array<double, 3>& shape, int regime);

/// How far a point lies outside what was measured: doublings of its quantities beyond the box, all axes together; an
/// unknown regime counts as two. 0: inside.
[[nodiscard]] double doublingsOutside(const MeasuredDomain& domain, const MeasuredDomain::Point& point);

/// Up to here a shape counts as measured: neighbours are usually a factor of two or four apart.
inline constexpr double nearlyInside = 1.0;

/// The band at a point. Outside the box it is that of the nearest region, wider with every doubling:
///
///     log(high) -> log(high) (1 + 0.25 x) + 0.06 x,  x = doublings beyond `nearlyInside`, up to a factor of 30
///
/// usual    the band where the domain has no regions
[[nodiscard]] ErrorBand bandAt(const MeasuredDomain& domain, const ErrorBand& usual, const MeasuredDomain::Point& point);

} // namespace ridgepoint
