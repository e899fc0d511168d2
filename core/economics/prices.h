// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string>

namespace ridgepoint {

/// A dated price for renting one device for an hour.
struct Price
{
    std::string id;
    std::string name;                ///< provider, instance and term
    std::string device;              ///< id of the device
    DollarRate perDevice;            ///< $/s of one device
    std::string date;                ///< ISO, or the year when the source gives no day
    std::string region;
    std::string source;              ///< key of sources.yaml
    bool unverified = false;
    bool operator==(const Price&) const = default;
};

} // namespace ridgepoint
