// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/system.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

Bandwidth groupBandwidth(const System& system, int group)
{
    if (group <= 1)
        return {};
    if (group > system.devicesPerNode)
        return system.networkBandwidth;
    const Bandwidth links = system.device.linkBandwidth;
    switch (system.topology) {
    case Topology::none: return {};
    case Topology::switched: return links;
    case Topology::fullMesh: return links * (double(group - 1) / double(system.devicesPerNode - 1));
    case Topology::torus: {
        // The group is laid out as close to a square as its size allows; a ring of three or more has two neighbours a
        // dimension, a pair has one.
        int shorter = int(std::sqrt(double(group)));
        while (group % shorter != 0)
            --shorter;
        const int longer = group / shorter;
        const int ports = std::min(2, shorter - 1) + std::min(2, longer - 1);
        return links * (ports / 4.0);
    }
    case Topology::pcie: return system.device.hostLinkBandwidth / std::max(1.0, group / 2.0);
    }
    return {};
}

} // namespace ridgepoint
