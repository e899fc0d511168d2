// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/mixture.h"

namespace ridgepoint {

KernelCost mixtureCost(const Op& op, const MixtureKernel& kernel, const Device& device, FlopRate peak)
{
    const double bandwidth = device.memoryBandwidth.value;
    const double matrices = op.gated ? 3.0 : 2.0;
    const double rows = std::max(op.activeExperts * kernel.rowTile,
                                 op.routedRows + op.activeExperts * kernel.rowTile / 2.0);
    const double compute = 2.0 * rows * matrices * op.k * op.n / (kernel.compute * peak.value);
    const double memory = op.weightBytes.value / (kernel.memory * bandwidth);
    const Overlapped both = overlapped(compute, memory, kernel.overlap);
    const double activation = kernel.activation * op.activationBytes.value / bandwidth;

    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.launch + kernel.perExpert * op.activeExperts;
    cost.compute = Seconds{compute};
    cost.memory = Seconds{memory + activation};
    const double body = both.time + activation;
    cost.computeShare = body > 0.0 ? both.time * both.shareOfFirst / body : 0.0;
    cost.time = Seconds{cost.launch.value + body};
    return cost;
}

} // namespace ridgepoint
