// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/serving/engine_log.h"

#include <string_view>

namespace ridgepoint {

/// A pasted start-up log of vLLM (V0 and V1) or SGLang; lines of anything else are kept and marked as not read.
///
/// fails    when no line says how much memory weights, cache or graphs take, naming what such lines look like
/// source   public logs; both engines print "GB" for 2^30 bytes
[[nodiscard]] Result<EngineLog> readEngineLog(std::string_view text);

} // namespace ridgepoint
