// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace ridgepoint {

/// log2 of a positive normal number, exact at powers of two and linear between them: within 0.09, and an order of
/// magnitude faster than `std::log2`.
[[nodiscard]] inline double quickLog2(double x)
{
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    return double(std::int64_t(bits >> 52) - 1023) + (mantissa - 1.0);
}

/// What a form leaves unexplained, measured on a coarse grid of shapes.
///
///     log(measured / modelled) = trilinear in quickLog2 of three quantities, constant outside the grid
///
/// source   fitted with a smoothness penalty by core/calibration/residual_fit.h
struct ResidualGrid
{
    struct Axis
    {
        double low = 0.0;    ///< log2 of the quantity at the first knot
        double step = 1.0;   ///< between knots, > 0
        int knots = 1;
        bool operator==(const Axis&) const = default;
    };

    std::array<Axis, 3> axes;
    std::vector<double> values;   ///< the first axis runs fastest

    /// The eight knots around a point and their weights; those without weight may repeat.
    struct Corners
    {
        std::array<std::size_t, 8> index{};
        std::array<double, 8> weight{};
    };
    [[nodiscard]] Corners corners(double x, double y, double z) const;

    /// exp(residual) for positive quantities (not their logarithms).
    [[nodiscard]] double factor(double x, double y, double z) const;

    bool operator==(const ResidualGrid&) const = default;
};

/// A grid that copies of a kernel share; compares by content.
struct SharedResidual
{
    std::shared_ptr<const ResidualGrid> grid;

    [[nodiscard]] double factor(double x, double y, double z) const { return grid ? grid->factor(x, y, z) : 1.0; }
    bool operator==(const SharedResidual& other) const
    {
        return grid == other.grid || (grid && other.grid && *grid == *other.grid);
    }
};

} // namespace ridgepoint
