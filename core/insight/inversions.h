// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/sentence.h"
#include "core/scenario/evaluate.h"

#include <span>
#include <vector>

namespace ridgepoint {

/// Pairs where the one with more aggregate bandwidth decodes slower, with the cause of it in words.
[[nodiscard]] std::vector<Sentence> inversions(std::span<const Evaluated> configurations);

} // namespace ridgepoint
