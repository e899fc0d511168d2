// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/kernel_cost.h"
#include "core/hardware/device.h"
#include "core/workload/op.h"

namespace ridgepoint {

/// Decode attention: each sequence reads its cache once.
///
///     t = launch + [ ((B + IO)/(e_m W))^p + (x 256 d b / s)^p + (F_padded/(e_c P))^p ]^(1/p)
///             + (U < units and L > 128 ? split : 0) + reduce y/(y + 1)
///     U = sequences kvHeads ceil(g/G),  x = max(1, y),  y = U ceil(L/128)/units,  s = coreStream W/units
///
/// op       sequences, context L, heads, kvHeads, headDim d, kvElementBytes b of one device
/// returns  time [s]
/// ignores  cache hits, unequal lengths inside the batch
/// source   opsData, form D of the operator analysis
[[nodiscard]] KernelCost decodeAttentionCost(const Op& op, const DecodeKernel& kernel, const Device& device);

/// Prefill attention in tiles of 128 x 128 along the causal diagonal.
///
///     t = launch + [ (max(tiles seq heads/units, longest) tau + te max(1, seq heads n_q/units))^p + (IO/(e_m W))^p ]^(1/p)
///             + KVwrite/(e_m W),   tau = 4 d 128 128 / (P/units e_c d/(d + d_half))
///
/// op       sequences with `queries` new tokens each, the last of which sees `context` tokens
/// peak     of the arithmetic in use [FLOP/s]
/// source   opsData, form P of the operator analysis
[[nodiscard]] KernelCost prefillAttentionCost(const Op& op, const PrefillKernel& kernel, const Device& device,
                                              FlopRate peak);

/// Latent attention and its absorbed products: launch and a p-norm of bytes and FLOPs of the operator.
///
/// source   e2eData, serving analysis §3.1; mean error there 19 to 27 %
[[nodiscard]] KernelCost latentCost(const Op& op, const LatentKernel& kernel, const Device& device, FlopRate peak);

} // namespace ridgepoint
