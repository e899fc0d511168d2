// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/device.h"
#include "core/parallelism/plan.h"
#include "core/serving/engine_profile.h"
#include "core/workload/lowering.h"

namespace ridgepoint {

/// The memory of one device, the fullest one. All parts sum to `visible`.
struct Footprint
{
    Bytes visible;            ///< what the driver shows
    Bytes weights;
    Bytes kvNeeded;           ///< cache of the requests that run
    Bytes kvFree;             ///< rest of the pool
    Bytes activations;
    Bytes runtime;            ///< context, communicators, workspace
    Bytes graphs;
    Bytes reserve;            ///< what the engine leaves alone
    Bytes kvPool;             ///< kvNeeded + kvFree; not a further part
    Bytes kvPerRequest;       ///< one request at its full length, on one device
    Bytes kvPerToken;         ///< on one device, mean over the tokens of a request of this load
    double kvCapacityTokens = 0;   ///< tokens of this load's requests one replica can hold
    double maximumConcurrency = 0; ///< requests of this length one replica can hold
    bool operator==(const Footprint&) const = default;
};

/// Bytes that one request of `tokens` tokens keeps on one device, by the engine's policy for each kind of layer.
///
///     full attention   tokens x bytes · window  min(tokens, w), or whole blocks of min(w - 1 + T, tokens) and one more
///     latent           not divided over tensor parallel · linear  one state, padded to a block under `blocks`
///
/// network  layers; `stages` of them share
/// engine   window policy, block size and T = batchedTokens
/// returns  [B]
/// ignores  padding of layer groups of unlike size, which hybrids with uneven groups have
/// source   fieldMemory §3 and §6
[[nodiscard]] Bytes cacheOfRequest(const Network& network, Format kv, const EngineProfile& engine, int tensorParallel,
                                   int stages, double tokens);

/// Bytes of weights on the fullest device: layers of a stage, embedding and head, rotary table.
///
/// source   fieldMemory §2
[[nodiscard]] Bytes weightsOnDevice(const Network& network, const std::optional<Format>& weights, int tensorParallel,
                                    int stages);

/// The ledger of one device.
///
/// asked    requests one replica is to run, each `tokens` long at its end
/// returns  parts that sum to the visible memory; negative kvFree means it does not fit, and by how much
/// source   fieldMemory §4 and §5: activation peak max(sampler, forward), budget by engine
[[nodiscard]] Footprint footprint(const Device& device, const Network& network, const ResolvedPrecision& precision,
                                  const Plan& plan, const EngineProfile& engine, double tokens, double asked);

} // namespace ridgepoint
