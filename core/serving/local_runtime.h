// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/step.h"
#include "core/hardware/system.h"
#include "core/serving/engine_profile.h"
#include "core/workload/lowering.h"

#include <string_view>

namespace ridgepoint {

/// The kernels of an engine on a device; null when it brings none of its own for it.
///
/// date   of the build, "2024-05" or "2024-05-17"; empty: today's
[[nodiscard]] const RuntimeKernels* runtimeFor(const EngineProfile& engine, const Device& device, std::string_view date = {});

/// A runtime's constants as a kernel family, so that steps are priced like any other.
///
///     weights w = min(e W, units u_w)/W, cache likewise; a layer's launches stand at its two element-wise kernels
///     prompt  c = [ e_p^-4 + (eta power/P)^-4 ]^(-1/4): a card that cannot hold its clock is bound by its power
///
/// device   bandwidth W [B/s], compute units, 16-bit peak P [FLOP/s] with 16-bit sums where those are faster, board power [W]
/// returns  constants relative to the device's data sheet; matrix products without tiling loss
/// source   fieldSpeed sections 1 and 2; the power term and the passes of quantised weights and scores are fitted there
[[nodiscard]] KernelFamily runtimeKernelFamily(const RuntimeKernels& runtime, const Device& device);

/// One stream, or a few, on cards that hold some layers each and work in turn.
struct LocalTimes
{
    StepCost decode;         ///< one token for each sequence, all layers
    Breakdown token;         ///< time of that step
    Breakdown prompt;        ///< time to read the prompts of all sequences
};

/// Decoding passes the cards one after the other, so that more of them do not add bandwidth; a prompt passes them in
/// batches of `engine.batchedTokens`, several of which are on their way at once.
///
///     t_token  = step of all layers + (G - 1) hop
///     t_prompt = t_batch [ 1 + (m - 1) i/G ],  m = ceil(n/batch)
///     i        = max( G ceil((L + 1)/G)/L, G/F ),  F = min(G, in flight, max(1, Q G/L))
///
/// i is the time between two batches as a multiple of a card's mean share of the layers: that of the largest share, or of
/// all G where only F batches are on their way, since a queue takes the launches of Q layers before it is full.
///
/// Engines that launch all by themselves add, for each step, a time for every expert and for every product of 8-bit weights.
///
/// kernels  as `runtimeKernelFamily` made them
/// hostPerStep  that the device waits for
/// cards    G that share the layers
/// sequences, written, context: of the step: sequences, and the tokens each sees in the mean while writing
/// context  0: nothing is written · promptTokens of each sequence; 0: none is read
/// source   fieldSpeed sections 1 and 2
[[nodiscard]] LocalTimes localTimes(const Network& network, const ResolvedPrecision& precision, const System& system,
                                    const KernelFamily& kernels, const RuntimeKernels& runtime,
                                    const EngineProfile& engine, Seconds hostPerStep, int tensorParallel, int cards, double sequences, double context, double promptTokens);

} // namespace ridgepoint
