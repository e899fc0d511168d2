// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/op_cost.h"
#include "core/workload/lowering.h"

#include <array>
#include <vector>

namespace ridgepoint {

/// What time is spent on.
enum class Cause { weights, kvCache, compute, activations, communication, host, bubble, prefill, waiting };
inline constexpr std::array allCauses{Cause::weights, Cause::kvCache, Cause::compute, Cause::activations,
                                      Cause::communication, Cause::host, Cause::bubble, Cause::prefill, Cause::waiting};

/// A time by cause; the parts sum to the total.
struct Breakdown
{
    std::array<Seconds, allCauses.size()> parts{};
    [[nodiscard]] Seconds& operator[](Cause cause) { return parts[std::size_t(cause)]; }
    [[nodiscard]] Seconds operator[](Cause cause) const { return parts[std::size_t(cause)]; }
    [[nodiscard]] Seconds total() const
    {
        Seconds sum;
        for (const Seconds part : parts)
            sum += part;
        return sum;
    }
    Breakdown& operator+=(const Breakdown& other)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i] += other.parts[i];
        return *this;
    }
    Breakdown& operator*=(double factor)
    {
        for (Seconds& part : parts)
            part *= factor;
        return *this;
    }
    friend Breakdown operator*(Breakdown a, double factor) { return a *= factor; }
    friend Breakdown operator+(Breakdown a, const Breakdown& b) { return a += b; }
    bool operator==(const Breakdown&) const = default;
};

/// One operator's share of a step.
struct OpTime
{
    Op op;
    Seconds time;             ///< of all `op.count` instances
    Seconds launch, compute, memory, communication;  ///< of all instances: parts that overlap, not a sum
    KernelOrigin origin = KernelOrigin::measured;    ///< of the constants behind it
    double spread = 0.0;                             ///< of the logarithm of its time, over rows that were not fitted on
};

/// One step of one pipeline stage.
struct StepCost
{
    Breakdown parts;
    std::vector<OpTime> ops;
    double kernels = 0;       ///< launched in the step, for the cost of steps that run outside a captured graph
    Bytes weightBytes;        ///< read
    Bytes kvBytes;            ///< of the cache, moved
    Flops flops;
};

/// Sum of the operators of a step on one device, without overlap, by cause.
///
/// Time beyond the launch is put down to compute or to the bytes that were moved in the shares of the p-norm, and the
/// bytes' part to weights, cache and activations by their amount. Launches and the latency of kernels count as host.
///
/// ops      as lowered; scratch space that the caller may reuse
/// source   e2eData, serving analysis §1: operators with their launch terms, summed, explain 11 to 14 % of TPOT
[[nodiscard]] StepCost stepCost(const std::vector<Op>& ops, const System& system, const KernelFamily& kernels);

} // namespace ridgepoint
