// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"
#include "core/validation/prediction.h"

#include <span>
#include <string>

namespace ridgepoint {

/// Predicted against measured values of one quantity, on logarithmic axes; what is on the diagonal is exact.
///
/// key      group that picks colours, such as "device"; the largest groups have one each, the rest share the last
/// returns  at most a few thousand marks, evenly chosen; the subtitle says of how many rows
[[nodiscard]] LineFigure validationFigure(std::span<const Prediction> predictions, const std::string& quantity,
                                          const std::string& key);

} // namespace ridgepoint
