// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"

#include <cstddef>
#include <span>

namespace ridgepoint {

/// Attained arithmetic of each operator under the roof of its device; arrows lead from the baseline to the column it is
/// held against.
[[nodiscard]] Figure rooflineFigure(std::span<const Evaluated> configurations, std::size_t baseline,
    const Definitions& definitions);

} // namespace ridgepoint
