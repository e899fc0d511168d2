// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/speed_fit.h"

#include <fmt/format.h>
#include <span>
#include <string>

namespace ridgepoint::app {

/// Lines that say how often two devices are in the right order.
inline std::string ordersText(std::span<const NamedOrder> orders)
{
    std::string text = "order of two devices on one workload that differ by more than 15 %\n";
    for (const NamedOrder& one : orders)
        text += fmt::format("  {:<36} {:>5} of {:>5} right, {:.1f} %\n", one.name, one.order.right, one.order.pairs,
                            100.0 * double(one.order.right) / double(one.order.pairs));
    return text;
}

} // namespace ridgepoint::app
