// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/report.h"
#include "core/scenario/scenario.h"

namespace ridgepoint {

/// The one door: what a scenario gives. Never fails; what cannot be is said by the verdict and the findings of the
/// report, whose numbers are then absent.
[[nodiscard]] Report evaluate(const Scenario& scenario);

/// A configuration with its result; figures, explanations and tables are made of several.
struct Evaluated
{
    Scenario scenario;
    Report report;
};

} // namespace ridgepoint
