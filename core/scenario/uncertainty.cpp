// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/uncertainty.h"

#include <fmt/format.h>

namespace ridgepoint {

std::string spreadText(double spread)
{
    constexpr double even = 0.16;   // up to here the two sides differ by a fifth of either
    const Band band = band80(1.0, spread);
    if (spread <= even)
        return fmt::format("±{:.0f}\u00a0%", 50.0 * (band.high - band.low));
    return fmt::format("−{:.0f} … +{:.0f}\u00a0%", 100.0 * (1.0 - band.low), 100.0 * (band.high - 1.0));
}

} // namespace ridgepoint
