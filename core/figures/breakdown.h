// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"

#include <cstddef>
#include <span>

namespace ridgepoint {

/// Mean time per output token by cause.
[[nodiscard]] Figure breakdownFigure(std::span<const Evaluated> configurations, std::size_t baseline,
    const Definitions& definitions);

} // namespace ridgepoint
