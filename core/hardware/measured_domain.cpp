// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/measured_domain.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr std::size_t regimeAxis = 3;
constexpr double unknownRegime = 2.0;   ///< doublings that a regime nobody measured counts for
constexpr double widerPerDoubling = 0.25;
constexpr double addedPerDoubling = 0.06;
constexpr double widest = 30.0;

double widened(double edge, double doublings)
{
    const double log = std::abs(std::log(edge));
    const double wide = std::min(std::log(widest), log * (1.0 + widerPerDoubling * doublings) + addedPerDoubling * doublings);
    return std::exp(edge < 1.0 ? -std::max(log, wide) : std::max(log, wide));
}

} // namespace

MeasuredDomain::Point domainPoint(const std::array<double, 3>& shape, int regime)
{
    const auto log = [](double quantity) { return quantity > 0.0 ? std::log2(quantity) : 0.0; };
    return {log(shape[0]), log(shape[1]), log(shape[2]), double(regime)};
}

double doublingsOutside(const MeasuredDomain& domain, const MeasuredDomain::Point& point)
{
    double sum = 0.0;
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
        const double beyond = std::max({0.0, domain.from[axis] - point[axis], point[axis] - domain.to[axis]});
        sum += axis == regimeAxis && beyond > 0.0 ? unknownRegime : beyond;
    }
    return sum;
}

ErrorBand bandAt(const MeasuredDomain& domain, const ErrorBand& usual, const MeasuredDomain::Point& point)
{
    ErrorBand band = usual;
    MeasuredDomain::Point inside = point;
    for (std::size_t axis = 0; axis < inside.size(); ++axis)
        inside[axis] = std::clamp(inside[axis], domain.from[axis], domain.to[axis]);
    for (const MeasuredDomain::Region& region : domain.regions) {
        bool holds = true;
        for (std::size_t axis = 0; axis < inside.size(); ++axis)
            holds = holds && inside[axis] >= region.from[axis] && inside[axis] <= region.to[axis];
        if (holds) {
            band = region.band;
            break;
        }
    }
    if (const double beyond = doublingsOutside(domain, point) - nearlyInside; beyond > 0.0)
        band = {widened(band.low, beyond), widened(band.high, beyond)};
    return band;
}

} // namespace ridgepoint
