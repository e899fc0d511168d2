// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>

namespace ridgepoint::probe {

/// Runs `work(index)` on one thread a core, pinned there where the system allows it.
///
/// cores    logical processors, one thread for each
/// returns  seconds from when all threads were ready until the last one was done
double timeOnCores(std::span<const int> cores, const std::function<void(std::size_t index)>& work);

} // namespace ridgepoint::probe
