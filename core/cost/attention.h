// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cache_state.h"
#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// Decode attention: each sequence reads its cache once. Grouped heads, or latent attention with one KV head.
///
///     t = launch + [ (B/(e_m W))^p + (X tau + item max(0, U/(r units) - 1))^p ]^(1/p) + query IO/W
///             + (U < units and L > 128 ? split : 0) + reduce y/(y + 1)
///     U = sequences kvHeads ceil(g/G) work items of n = ceil(L/T) T/128 tiles,  y = U n/units
///     X = [ (y/r)^s + max(n/parts, min(1, n))^s ]^(1/s):  the work of all units and the longest item
///     tau = max( 128 b/(coreStream W/units), 2 rows 128 (d_k + d_v)/(e_c P/units) ):  one tile in one unit
///     then times the residual of the shape, and never below max(F/P, (B + IO)/W)
///
/// op       sequences, context L, heads, kvHeads, headDim d_k, valueDim d_v of one device; kvBytes B, activationBytes IO
///          b bytes of a token and KV head; g = heads/kvHeads, rows = g rounded up to 16, G at most
/// cache    a repeated benchmark finds part of B and IO in the last-level cache, and may beat the data sheet by it
/// returns  time [s]
/// ignores  unequal lengths inside the batch
/// source   opsData, form D of the operator analysis, and the latent rows of its section 7
[[nodiscard]] KernelCost decodeAttentionCost(const Op& op, const DecodeKernel& kernel, const Device& device,
                                             const CacheState& cache = {});

/// Prefill attention in tiles of T queries x 128 keys, along the causal diagonal or over all keys.
///
///     t = launch + [ (X tau + tileRow max(0, rows/units - 1))^p + (IO/(e_m W))^p ]^(1/p) + write (KVwrite + Q)/W
///     X = [ (tiles/units)^s + longest^s ]^(1/s),  tau = 2 (d_k + d_v) T 128/(e_c P/units d_k/(d_k + d_half))
///     then times the residual of the shape, and never below max(F/P, bytes/W)
///
/// op       sequences with `queries` new tokens each, the last of which sees `context` tokens; causal or not
///          tiles, rows and longest row are those of all heads; head widths are padded to 64, 96, 128, 192, 256
///          Q = 3 bytes of each element that is quantised when the arithmetic has 8 bits
/// peak     P, of the arithmetic in use [FLOP/s]
/// cache    as above
/// source   opsData, form P of the operator analysis
[[nodiscard]] KernelCost prefillAttentionCost(const Op& op, const PrefillKernel& kernel, const Device& device,
                                              FlopRate peak, const CacheState& cache = {});

} // namespace ridgepoint
