// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/presets.h"
#include "core/scenario/scenario.h"

namespace ridgepoint {

/// The scenario on another system: the plan is cut to what a replica can have there, and the rent is the cheapest verified
/// one of its device, or unknown.
[[nodiscard]] Scenario onSystem(Scenario scenario, const System& system, const Presets& presets);

} // namespace ridgepoint
