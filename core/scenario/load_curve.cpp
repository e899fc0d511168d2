// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/evaluate.h"

namespace ridgepoint {

std::vector<LoadPoint> loadCurve(Scenario scenario)
{
    constexpr int largest = 512;
    std::vector<LoadPoint> points;
    scenario.load.arrivals = Arrivals::closedLoop;
    for (int concurrency = 1; concurrency <= largest; concurrency *= 2) {
        scenario.load.concurrency = concurrency;
        const Report report = evaluate(scenario);
        if (!report.feasible())
            break;
        points.push_back({concurrency, *report.metrics});
        if (someWait(scenario.load, *report.metrics))
            break;
    }
    return points;
}

} // namespace ridgepoint
