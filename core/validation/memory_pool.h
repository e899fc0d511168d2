// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/footprint.h"
#include "core/validation/memory_row.h"
#include "core/workload/cache_layout.h"

namespace ridgepoint {

/// The ledger of a row of an engine that sets a pool aside.
struct RowPool
{
    EngineProfile engine;
    Bytes weights;             ///< of one device, of all networks on it
    MemoryBudget budget;
    CacheLayout layout;
    CacheRules rules;
    double layerShare = 1.0;   ///< of the layers that the fullest stage holds
    double context = 0;        ///< of one request, as the row says or the longest the network takes
    Bytes uncertainty;         ///< of the pool, at 80 %
    Bytes upperUncertainty;    ///< upwards: weights whose format is not stated may be stored in 4 bit

    /// Bytes one request of `tokens` tokens takes on one device.
    [[nodiscard]] Bytes request(double tokens) const;
    [[nodiscard]] PoolCapacity capacity(Bytes pool) const;
    double bytesPerToken = 0;  ///< where a token costs the same wherever it stands (SGLang); 0: by blocks
};

/// Devices whose forks of an engine hold warm-up buffers and graphs that no rule here describes.
[[nodiscard]] bool isForeign(const MemoryRow& row);

/// Weights of a row on one device, those of its multi-token-prediction head and of a second network included.
[[nodiscard]] Bytes rowWeights(const MemoryRow& row);

/// Fails with what is missing: a network, an engine with a known rule, the memory of the device.
[[nodiscard]] Result<RowPool> rowPool(const MemoryRow& row);

} // namespace ridgepoint
