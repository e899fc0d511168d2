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
    Bytes uncertainty;        ///< by which the parts may be off, together, at 80 %
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
/// source   fieldMemory §3 and §6
[[nodiscard]] Bytes cacheOfRequest(const Network& network, Format kv, const EngineProfile& engine, int tensorParallel,
                                   int stages, double tokens);

/// Bytes of weights on the fullest device: layers of a stage, embedding and head, rotary table.
///
/// source   fieldMemory §2
[[nodiscard]] Bytes weightsOnDevice(const Network& network, const std::optional<Format>& weights, int tensorParallel,
                                    int stages);

/// What a device holds besides the cache, and the pool that is left for it; negative when they do not fit.
struct MemoryBudget
{
    Bytes activations;        ///< peak of a forward pass or of sampling
    Bytes runtime;            ///< context, communicators, workspace
    Bytes graphs;
    Bytes pool;
    Bytes uncertainty;        ///< of the pool, from the parts but the weights, at 80 %
};

/// The budget of an engine.
///
///     budget u M - W - N - A - C · static pool min(f (M - N) - W, M - W - N - A - C) · free fraction f (M - W - N - A - C)
///     whole context M - W - N - A, with A = (V + 2 h) u 4 of a micro-batch of u tokens
///     A = max(sampler, forward), sampler c S V + 1.48 T h 2, forward T (3 F/t + 3 h) 2
///     in early versions of vLLM also: encoders of packed images 8 heads (images x patches)^2, images = T/tokens of one,
///     and no more sequences than images; whole prompts on devices before Ampere hold 59 T h more
///     N = fixed + peer + (t - 2) further peers, where devices are linked
///
/// visible  M, what the driver shows or what others leave of it
/// weights  W of one device
/// linked   NVLink or the like joins the devices of the group: each other one costs buffers of communication
/// source   fieldMemory §4, §5 and §8
[[nodiscard]] MemoryBudget memoryBudget(Bytes visible, Bytes weights, const Network& network, int tensorParallel,
                                        const EngineProfile& engine, bool linked = true);

/// The ledger of one device.
///
/// asked    requests one replica is to run, each `tokens` long at its end
/// returns  parts that sum to the visible memory; negative kvFree means it does not fit, and by how much
/// source   fieldMemory §4 and §5: activation peak max(sampler, forward), budget by engine
[[nodiscard]] Footprint footprint(const Device& device, const Network& network, const ResolvedPrecision& precision,
                                  const Plan& plan, const EngineProfile& engine, double tokens, double asked);

} // namespace ridgepoint
