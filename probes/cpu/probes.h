// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probes/common/probe.h"

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace ridgepoint::probe {

// The probes of this program, a file each.
[[nodiscard]] Probe streamTriad();
[[nodiscard]] Probe multiplyAddPeak();
[[nodiscard]] Probe matmul();

struct FreeAligned
{
    void operator()(void* memory) const { ::operator delete(memory, std::align_val_t(64)); }
};

/// Memory that starts at a cache line and is not touched yet, so that the first thread that writes a page owns it.
template <typename T>
using Array = std::unique_ptr<T[], FreeAligned>;

template <typename T>
[[nodiscard]] Array<T> untouched(std::size_t count)
{
    return Array<T>(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(64))));
}

/// The first core alone and, where there are more, all together.
[[nodiscard]] inline std::vector<std::vector<int>> coreSets(const Machine& machine)
{
    std::vector<std::vector<int>> sets = {{machine.cores.front()}};
    if (machine.cores.size() > 1)
        sets.push_back(machine.cores);
    return sets;
}

} // namespace ridgepoint::probe
