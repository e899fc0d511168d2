// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/collective.h"

namespace ridgepoint {

namespace {

/// End-to-end latency of one message over the scale-out network, see the textbook values of the interconnect facts.
constexpr Seconds networkLatency{5e-6};

} // namespace

KernelCost collectiveCost(double volume, Bytes message, int group, Bandwidth bandwidth, const CollectiveKernel& kernel,
                          bool benchmark)
{
    const double growth = kernel.growth == 1.0 ? 1.0 : std::pow(kernel.growth, std::log2(double(group)) - 1.0);
    const double latency = (kernel.fixed + kernel.perDevice * group).value;
    const double moved = volume / (kernel.bandwidth * growth * bandwidth.value);
    double time = overlapped(latency, moved, kernel.overlap).time;
    if (kernel.residual.grid)
        time *= kernel.residual.factor(message.value, group, 1.0);
    if (!benchmark)
        time = std::max(time, volume / bandwidth.value);
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.time = Seconds{time};
    cost.launch = Seconds{std::min(latency, time)};
    cost.memory = Seconds{moved};
    return cost;
}

KernelCost allReduceCost(Bytes message, int group, const System& system, const KernelFamily& kernels)
{
    const Bandwidth bandwidth = groupBandwidth(system, group);
    if (group <= 1 || system.freeLinks || bandwidth.value <= 0.0)
        return {};
    const double volume = 2.0 * (group - 1) / group * message.value;
    const KernelCost general = collectiveCost(volume, message, group, bandwidth, kernels.allReduce);
    if (!kernels.allReduceDirect.exists || group > system.devicesPerNode)
        return general;
    const KernelCost direct = collectiveCost(volume, message, group, bandwidth, kernels.allReduceDirect);
    return direct.time < general.time ? direct : general;
}

KernelCost allGatherCost(Bytes message, int group, const System& system, const KernelFamily& kernels)
{
    const Bandwidth bandwidth = groupBandwidth(system, group);
    if (group <= 1 || system.freeLinks || bandwidth.value <= 0.0)
        return {};
    return collectiveCost(1.0 * (group - 1) / group * message.value, message, group, bandwidth, kernels.allGather);
}

KernelCost sendCost(Bytes message, bool acrossNodes, const System& system, const CollectiveKernel& kernel)
{
    const Bandwidth bandwidth = acrossNodes ? system.networkBandwidth : groupBandwidth(system, 2);
    if (system.freeLinks || bandwidth.value <= 0.0)
        return {};
    KernelCost cost = collectiveCost(message.value, message, 2, bandwidth, kernel);
    if (acrossNodes) {
        cost.launch += networkLatency;
        cost.time += networkLatency;
    }
    return cost;
}

} // namespace ridgepoint
