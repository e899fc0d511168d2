// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/device.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// How the devices of a node reach each other.
enum class Topology
{
    none,      ///< one device, or no path but the host
    switched,  ///< any group gets the full link bandwidth (NVSwitch)
    fullMesh,  ///< a direct link to each peer: a group of n out of N reaches (n-1)/(N-1) of the links
    torus,     ///< rings along two dimensions
    pcie       ///< peers share the host bus
};

/// A node or pod of equal devices, and what joins several of them.
struct System
{
    std::string id;
    std::string name;                ///< of the system, such as "HGX H100"
    std::vector<std::string> aliases;
    Device device;
    int devicesPerNode = 1;          ///< reach of the scale-up links
    int maximumNodes = 1;
    Topology topology = Topology::none;
    Bandwidth networkBandwidth;      ///< scale-out, per device, one way
    bool freeLinks = false;          ///< a what-if: communication takes no time
    std::map<std::string, std::string> sources;
    bool operator==(const System&) const = default;
};

/// What a group of devices can carry, one way, per device.
///
///     switched B · fullMesh B (n-1)/(N-1) · torus B ports/4, ports = sum over dimensions of min(2, size - 1)
///     pcie B / (n/2): the peers share root ports · across nodes the network bandwidth
///
/// group    devices that talk to each other, >= 1
/// returns  bandwidth [B/s]; 0 when the group cannot reach each other
/// source   thakur2005, xgmi links as in mlengNetwork; pcie sharing is an assumption, see docs
[[nodiscard]] Bandwidth groupBandwidth(const System& system, int group);

} // namespace ridgepoint
