// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probes/common/machine.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::probe {

/// Does the measured work `passes` times and returns the seconds that took. It owns the memory it works on.
using Work = std::function<double(int passes)>;

/// One point to measure. The memory is allotted by `prepare`, so that only one case holds any at a time.
struct Case
{
    std::string shape;                 ///< such as "bytes=268435456 threads=2"
    int threads = 1;
    double amount = 0;                 ///< bytes or FLOP of one pass; 0 when the value is the time itself
    std::function<Work()> prepare;
};

/// What is measured and where: the machine, and whether to be brief.
struct Conditions
{
    Machine machine;
    bool quick = false;
};

/// A row of the table in the program's main.cpp.
struct Probe
{
    std::string_view name;
    std::string_view unit;                                   ///< "B/s", "FLOP/s" or "s"
    std::string (*unsupported)(const Machine&) = nullptr;    ///< why it cannot run here, empty when it can
    std::vector<Case> (*cases)(const Conditions&) = nullptr;
};

} // namespace ridgepoint::probe
