// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/scenario/evaluate.h"
#include "core/serving/engine_log.h"

#include <cstddef>

namespace ridgepoint {

/// The memory of one device as predicted, and below it as the engine's log has it; parts that the log does not name stay
/// together as one.
///
/// column  of the configuration, for its colour
/// log     null: there is none yet
[[nodiscard]] Figure memoryLogFigure(const Evaluated& configuration, std::size_t column, const EngineLog* log,
                                     const Definitions& definitions = {});

} // namespace ridgepoint
