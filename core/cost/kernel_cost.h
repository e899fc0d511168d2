// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/kernels.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

/// Time of one operator and what it is made of. `compute` and `memory` overlap, so the parts do not sum; `computeShare`
/// says how much of the time beyond the launch is put down to compute.
struct KernelCost
{
    Seconds time;
    Seconds launch;
    Seconds compute;
    Seconds memory;
    double computeShare = 0.0;
    const KernelFit* fit = nullptr;   ///< of the constants behind it; null where there are none, such as for free links
};

/// Stretches a cost by a factor, its parts with it.
inline void scaleBy(KernelCost& cost, double factor)
{
    if (factor == 1.0)
        return;
    cost.time *= factor;
    cost.launch *= factor;
    cost.compute *= factor;
    cost.memory *= factor;
}

/// Two activities that overlap imperfectly.
///
///     t = (a^p + b^p)^(1/p),  share of a = a^p / (a^p + b^p)
///
/// a, b     times [s], >= 0
/// p        >= 1; 1: one after the other, >= 64: the maximum
/// source   smooth form of williams2009
struct Overlapped
{
    double time = 0.0;
    double shareOfFirst = 0.0;
};

[[nodiscard]] inline Overlapped overlapped(double a, double b, double p)
{
    const double larger = std::max(a, b);
    if (larger <= 0.0)
        return {};
    if (p >= fullOverlap)
        return {larger, a >= b ? 1.0 : 0.0};
    const double smaller = std::min(a, b);
    if (p == 1.0)
        return {a + b, a / (a + b)};
    const double ratio = std::pow(smaller / larger, p);   // scaled so that neither power overflows
    if (ratio < 1e-15)
        return {larger, a >= b ? 1.0 : 0.0};
    const double share = 1.0 / (1.0 + ratio);
    return {larger * std::pow(1.0 + ratio, 1.0 / p), a >= b ? share : 1.0 - share};
}

} // namespace ridgepoint
