// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace ridgepoint {

inline constexpr std::size_t largestTextFile = 64u * 1024u * 1024u;

/// fails    when the file is missing, no regular file, larger than `largestTextFile` or unreadable
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& file);

/// Writes a temporary file beside the target, flushes it to disk and renames it: the target is either old or new, whole.
[[nodiscard]] Result<void> writeTextFile(const std::filesystem::path& file, const std::string& text);

} // namespace ridgepoint
