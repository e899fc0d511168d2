// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/collective.h"

namespace ridgepoint {

namespace {

/// End-to-end latency of one message over the scale-out network, see the textbook values of the interconnect facts.
constexpr Seconds networkLatency{5e-6};

KernelCost ringOrDirect(double bytesPerDevice, int group, const System& system, const CollectiveKernel& kernel)
{
    const double bandwidth = groupBandwidth(system, group).value;
    if (group <= 1 || system.freeLinks || bandwidth <= 0.0)
        return {};
    const double ringLatency = (kernel.ringFixed + kernel.ringPerDevice * group).value;
    const double ringBytes = bytesPerDevice / (kernel.ringBandwidth * bandwidth);
    double latency = ringLatency;
    double moved = ringBytes;
    double time = overlapped(ringLatency, ringBytes, kernel.overlap).time;
    if (kernel.hasDirect) {
        const double directLatency = (kernel.directFixed + kernel.directPerDoubling * std::log2(group)).value;
        const double directBytes = bytesPerDevice / (kernel.directBandwidth * bandwidth);
        const double direct = overlapped(directLatency, directBytes, kernel.overlap).time;
        if (direct < time) {
            time = direct;
            latency = directLatency;
            moved = directBytes;
        }
    }
    KernelCost cost;
    cost.time = Seconds{time};
    cost.launch = Seconds{std::min(latency, time)};
    cost.memory = Seconds{moved};
    return cost;
}

} // namespace

KernelCost allReduceCost(Bytes message, int group, const System& system, const CollectiveKernel& kernel)
{
    return ringOrDirect(2.0 * (group - 1) / group * message.value, group, system, kernel);
}

KernelCost allGatherCost(Bytes message, int group, const System& system, const CollectiveKernel& kernel)
{
    return ringOrDirect(1.0 * (group - 1) / group * message.value, group, system, kernel);
}

KernelCost sendCost(Bytes message, bool acrossNodes, const System& system, const CollectiveKernel& kernel)
{
    if (system.freeLinks)
        return {};
    const double bandwidth = acrossNodes ? system.networkBandwidth.value : groupBandwidth(system, 2).value;
    if (bandwidth <= 0.0)
        return {};
    const double latency = acrossNodes ? networkLatency.value : (kernel.ringFixed + kernel.ringPerDevice * 2).value;
    const double moved = message.value / (kernel.ringBandwidth * bandwidth);
    KernelCost cost;
    cost.launch = Seconds{latency};
    cost.memory = Seconds{moved};
    cost.time = Seconds{latency + moved};
    return cost;
}

} // namespace ridgepoint
