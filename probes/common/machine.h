// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgepoint::probe {

/// The part of this machine that the process may use.
struct Machine
{
    std::string processor;
    std::vector<int> cores;            ///< a logical processor of each physical core, as many as the quota allows
    std::size_t level1 = 0;            ///< data cache of one core, bytes; 0 when unknown
    std::size_t level2 = 0;            ///< of one core, bytes; 0 when unknown
    std::size_t lastLevel = 0;         ///< all of its instances that serve `cores`, bytes; 0 when unknown
    std::size_t memory = 0;            ///< that may be allotted now, bytes; 0 when unknown
    std::string governor;              ///< of the clock; empty when it cannot be read
};

[[nodiscard]] Machine describeMachine();

/// "2 cores, L1 48 KiB, L2 2.00 MiB, last level 300 MiB, clock governor unknown"
[[nodiscard]] std::string machineText(const Machine& machine);

/// UTC, such as "2026-01-31T12:00:00Z".
[[nodiscard]] std::string currentDate();

/// "Intel(R) Xeon(R) Gold 6130" at 2026-01-31T12:00:00Z on 16 cores -> "intel-xeon-gold-6130-16c-20260131-120000"
[[nodiscard]] std::string calibrationId(const Machine& machine, const std::string& date);

} // namespace ridgepoint::probe
