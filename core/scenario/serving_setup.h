// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/footprint.h"
#include "core/scenario/scenario.h"
#include "core/serving/simulation.h"
#include "core/serving/step_pricer.h"

namespace ridgepoint {

/// The formats that a scenario's knobs and its device lead to.
[[nodiscard]] ResolvedPrecision resolvedPrecision(const Scenario& scenario);

/// How a plan cuts the network on the scenario's system.
[[nodiscard]] Split splitOf(const Scenario& scenario, const Plan& plan);

/// The constants of the kernels that the scenario's engine runs on its device.
[[nodiscard]] KernelFamily kernelsInUse(const Scenario& scenario);

/// The same without a copy where they are the device's own; else they are put into `room`.
[[nodiscard]] const KernelFamily& kernelsInUse(const Scenario& scenario, KernelFamily& room);

/// The load of one of `replicas` equal ones.
[[nodiscard]] ServingLoad loadOfReplica(const Load& load, int replicas);

/// What one replica of a plan can hold, by its ledger.
[[nodiscard]] Replica replicaOf(const Scenario& scenario, const Plan& plan, const Footprint& footprint);

/// Devices of all workers.
[[nodiscard]] int devicesOf(const Scenario& scenario);

/// Moving the keys and values of a mean prompt from a prefill to a decode worker.
///
///     t = bytes of the cache of one prompt / (bandwidth of one device x devices of the narrower worker) + hand-over
///
/// Bandwidth is that of the scale-up links where both workers lie within their reach, else that of the network.
/// ignores  overlap with the prefill of later layers, latency of the router
[[nodiscard]] Seconds cacheTransfer(const Scenario& scenario, const ResolvedPrecision& precision);

/// The scheduler simulated step by step for one replica of the scenario; see `simulate` and `simulateDisaggregated`.
///
/// fails    when the plan does not fit, or the load is fixed batches
[[nodiscard]] Result<Simulation> simulateScenario(const Scenario& scenario, const SimulationOptions& options = {});

} // namespace ridgepoint
