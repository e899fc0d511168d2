// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/quantization_recipe.h"

namespace ridgepoint {

/// Sets the formats of one layer. `base` is what is not quantised.
///
/// fails    when a recipe treats modules alike that one operator holds, such as query and key projection, differently
[[nodiscard]] Result<LayerFormats> formatsOf(const QuantizationRecipe& recipe, const LayerGroup& layer, int index,
                                             Format base);

/// Fails when a pattern names a layer under a prefix that no known checkpoint has, so that it could reach nothing, or
/// when there is more to match than a recipe of any real network needs.
[[nodiscard]] Result<void> checkPatterns(const QuantizationRecipe& recipe, int layers);

} // namespace ridgepoint
