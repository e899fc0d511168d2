// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridgepoint {

enum class NetworkKind
{
    dense,
    mixture
};

/// Distinct feasible scenarios: a random network of that kind on random hardware, plan, precision and load. Infeasible
/// ones are drawn again, since `evaluate` ends early on them.
///
/// fails    when the presets hold no system or engine, or hardly any scenario is feasible
[[nodiscard]] Result<std::vector<Scenario>> randomScenarios(const Presets& presets, NetworkKind kind, std::size_t count,
                                                            std::uint64_t seed);

} // namespace ridgepoint
