// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving/batching.h"

namespace ridgepoint {

/// Prefill and decode on workers of their own, in closed form.
///
///     rate l: a closed loop has C = l (outside + w + t_1 + transfer + t_d/2) + n D,  n D = l S t_d(n);  an open one its own
///     w: prompts queue for P prefill workers that take s = t_B I/B each when full; closed: w^2 + (Z - m s) w - m s^2/2 = 0
///     with m = C/P - 1 and Z = C/l - w; open: M/D/P after Sakasegawa
///     TTFT = outside + w + t_1 + transfer + t_d/2;  TPOT = (S + lag) t_d(n)/(O - 1)
///
/// t_1 is one prompt alone, t_B a step full of prompts, t_d(n) a decode step of n sequences, taken from a line through
/// four priced ones.
///
/// load      of all workers together
/// prefill   pricer of a prefill worker, `decode` of a decode worker, both without speculation
/// returns   decodeStep, tpot and running are those of the decode workers; saturated when prompts or requests come faster
///           than either pool can serve
/// ignores   batching of prompts at low load, KV transfer that overlaps with prefill, routing
/// source    rate matching as in model.md §4 of the design notes; sakasegawa1977
[[nodiscard]] ServingTimes disaggregated(const ServingLoad& load, const Pools& pools, const StepPricer& prefill,
                                         const StepPricer& decode, const EngineProfile& engine);

} // namespace ridgepoint
