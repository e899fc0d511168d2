// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/serving/simulation.h"

#include <string_view>

namespace ridgepoint {

/// Whether the requests of a load wait because something of their deployment is used up.
enum class CongestionState
{
    none,
    near,        ///< they would if the deployment held less than predicted, within what is known of it
    saturated    ///< they do
};

struct Congestion
{
    CongestionState state = CongestionState::none;
    std::string_view what;       ///< is used up, such as "cache"; empty when nothing is
    double ttftLow = 0;          ///< [s] mean TTFT without the wait and with it; both the predicted one away from capacity
    double ttftHigh = 0;
};

/// How near a closed loop is to what its deployment holds.
///
///     cache            u = reserved tokens / capacity;  at u0 of it n = C u0/u run and C - n wait for (C - n)/(X n/C)
///     prefill workers  busy for a share b of the time: TTFT = C / (X/b e^(-z s)) - (O - 1) TPOT
///     decode slots     of a pool: simulated with the next power of two below a rank's share of the load; with one slot
///                      a worker requests that were sent to the same one wait (O - 1) TPOT (C - 1)/M
///
/// X is the simulated rate, M the number of decode ranks. Launch scripts set the memory an engine is granted, what runtimes
/// take differs, and a rank's slots are those whose steps were captured: these are not recorded, so TTFT is a range. The
/// load is near capacity where that wait may exceed 0.3 of the time an answer takes, for the cache where it is over u0.
///
/// run      the simulation of the same scenario
/// ignores  what limits the client
/// source   e2eData: closed network of M queues with one server each for the last term
[[nodiscard]] Congestion congestionOf(const Scenario& scenario, const Simulation& run);

} // namespace ridgepoint
