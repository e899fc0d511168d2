// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/yaml_tree.h"

#include <optional>

namespace ridgepoint {

/// Reads the plain part of YAML that presets are written in, some thirty times as fast as the general parser: block
/// mappings and lists of mappings, flow mappings and lists, plain text and double-quoted text without escapes.
///
/// text     must be UTF-8 without control characters, as `parseYaml` makes sure of
/// returns  the very tree the general parser gives; nothing for whatever is not plain, be it right or wrong
[[nodiscard]] std::optional<YamlNode> parsePlainYaml(std::string_view text);

/// The general parser alone: what `parseYaml` gives for text that passed its checks of the characters.
[[nodiscard]] Result<YamlNode> parseGeneralYaml(const std::string& text, const std::string& file);

} // namespace ridgepoint
