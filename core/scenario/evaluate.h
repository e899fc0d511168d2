// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/report.h"
#include "core/scenario/scenario.h"

namespace ridgepoint {

/// The one door: what a scenario gives. Never fails; what cannot be is said by the verdict and the findings of the
/// report, whose numbers are then absent.
[[nodiscard]] Report evaluate(const Scenario& scenario);

/// Whether some requests of a closed loop wait for a place to run.
[[nodiscard]] inline bool someWait(const Load& load, const Metrics& metrics)
{
    return load.arrivals == Arrivals::closedLoop && metrics.running < load.concurrency * (1.0 - 1e-9);
}

/// The same configuration at another number of requests in flight.
struct LoadPoint
{
    int concurrency = 1;
    Metrics metrics;
};

/// Results of a closed loop at powers of two from 1 to 512 requests in flight, up to the first at which some have to wait for a slot:
/// beyond it nothing changes but the wait. What is infeasible is left out.
[[nodiscard]] std::vector<LoadPoint> loadCurve(Scenario scenario);

/// A configuration with its result; figures, explanations and tables are made of several.
struct Evaluated
{
    Scenario scenario;
    Report report;
    std::vector<LoadPoint> load = {};   ///< `loadCurve`, where it is at hand already; figures work it out where it is not
};

} // namespace ridgepoint
