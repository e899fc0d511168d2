// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"

#include <cstddef>
#include <span>

namespace ridgepoint {

/// Output per device against TPOT as the requests in flight grow from 1 to 512. A line ends where the next point does
/// not fit or where further requests would only wait.
[[nodiscard]] Figure frontierFigure(std::span<const Evaluated> configurations, std::size_t baseline,
    const Definitions& definitions);

} // namespace ridgepoint
