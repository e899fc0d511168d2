// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/sentence.h"
#include "core/scenario/evaluate.h"

#include <cstddef>
#include <optional>

namespace ridgepoint {

/// Gains below this share of output are not worth a sentence.
inline constexpr double worthSaying = 0.02;

/// The one change of plan, precision or memory fraction that helps a configuration most: more output from the same
/// devices, or running at all. Each is tried by evaluating it.
[[nodiscard]] std::optional<Sentence> bestChange(const Evaluated& column, std::size_t index,
                                                const Definitions& definitions = {});

} // namespace ridgepoint
