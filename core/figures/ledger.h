// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"

#include <cstddef>
#include <span>

namespace ridgepoint {

/// Memory of the fullest device by what it holds; the parts sum to what the driver shows.
[[nodiscard]] Figure ledgerFigure(std::span<const Evaluated> configurations, std::size_t baseline,
    const Definitions& definitions);

} // namespace ridgepoint
