// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/exchange.h"

namespace ridgepoint {

namespace {

/// Expected number of different places out of `places` that `draws` experts lie in.
double distinct(double places, double draws)
{
    return places <= 1.0 ? 1.0 : places * (1.0 - std::pow(1.0 - 1.0 / places, draws));
}

} // namespace

KernelCost exchangeCost(const ExchangeShape& s, const ExchangeKernel& kernel, Bandwidth link, Bandwidth network)
{
    const double once = s.tokens * s.tokenBytes;
    double all = 0.0;
    double inside = 0.0;
    double across = 0.0;
    if (s.copyForEachExpert) {
        all = once * s.expertsPerToken;
        inside = all / s.nodes;
        across = all - inside;
    } else {
        all = inside = once * distinct(s.devices, s.expertsPerToken);
        across = once * distinct(s.nodes, s.expertsPerToken) * (1.0 - 1.0 / s.nodes);
    }
    const double linkTime = link.value > 0.0 ? inside / (kernel.linkBandwidth * link.value) : 0.0;
    const double networkTime = network.value > 0.0 ? across / (kernel.networkBandwidth * network.value) : 0.0;
    const double unitTime =
        s.units > 0.0 && kernel.unitRate > 0.0 && link.value > 0.0 ? all / (kernel.unitRate * link.value * s.units) : 0.0;
    const double moved =
        overlapped(overlapped(linkTime, networkTime, kernel.overlap).time, unitTime, kernel.overlap).time;
    KernelCost cost;
    cost.fit = &kernel.fit;
    cost.launch = kernel.fixed + kernel.perDoubling * std::log2(std::max(1.0, s.nodes)) +
                  kernel.perExpert * (s.experts / s.devices);
    cost.memory = Seconds{moved};
    cost.time = cost.launch + cost.memory;
    if (kernel.residual.grid)
        cost.time *= kernel.residual.factor(s.tokens, s.nodes, std::max(1.0, s.units));
    return cost;
}

} // namespace ridgepoint
