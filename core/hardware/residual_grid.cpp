// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/residual_grid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ridgepoint {

namespace {

/// Knot below a point of an axis, and how far the point is towards the next one.
struct Place
{
    std::size_t below = 0;
    std::size_t above = 0;
    double share = 0.0;
};

Place placeOn(const ResidualGrid::Axis& axis, double quantity)
{
    if (axis.knots <= 1 || !(quantity > 0.0))
        return {};
    const double at = std::clamp((quickLog2(quantity) - axis.low) / axis.step, 0.0, double(axis.knots - 1));
    const auto below = std::min(std::size_t(at), std::size_t(axis.knots - 2));
    return {below, below + 1, at - double(below)};
}

} // namespace

ResidualGrid::Corners ResidualGrid::corners(double x, double y, double z) const
{
    const Place px = placeOn(axes[0], x);
    const Place py = placeOn(axes[1], y);
    const Place pz = placeOn(axes[2], z);
    const auto strideY = std::size_t(axes[0].knots);
    const std::size_t strideZ = strideY * std::size_t(axes[1].knots);
    Corners corners;
    for (std::size_t i = 0; i < 8; ++i) {
        corners.index[i] = (i & 1 ? px.above : px.below) + (i & 2 ? py.above : py.below) * strideY +
                           (i & 4 ? pz.above : pz.below) * strideZ;
        corners.weight[i] = (i & 1 ? px.share : 1.0 - px.share) * (i & 2 ? py.share : 1.0 - py.share) *
                            (i & 4 ? pz.share : 1.0 - pz.share);
    }
    return corners;
}

double ResidualGrid::factor(double x, double y, double z) const
{
    const Corners around = corners(x, y, z);
    double sum = 0.0;
    for (std::size_t i = 0; i < 8; ++i)
        sum += around.weight[i] * values[around.index[i]];
    return std::exp(sum);
}

} // namespace ridgepoint
