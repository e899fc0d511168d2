// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string_view>

namespace ridgepoint {

/// The share of memory SGLang gives to weights and cache when nobody says.
///
///     reserve = 512 + 1.5 max(chunk, 2048) + 2 graph batch + 128 t p MiB, at least 10240 above 60 GiB
///     f = round((total - reserve) / total, 3)
///
/// total       what the driver shows
/// date        month of the version; before 2025-09 a table by t stood in place of the formula
/// ignores     drafts and multimodal networks, which lower it further
/// source      fieldMemory §4
[[nodiscard]] double defaultStaticFraction(Bytes total, int tensorParallel, int stages, std::string_view date);

/// The same for a given chunk of prefill and largest batch of a captured graph.
[[nodiscard]] double staticFraction(Bytes total, int tensorParallel, int stages, double chunk, double graphBatch);

} // namespace ridgepoint
