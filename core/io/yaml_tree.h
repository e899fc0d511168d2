// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A YAML value and where it stands. Text is kept as written: what it means is up to the reader of the field.
struct YamlNode
{
    enum class Kind
    {
        empty,
        scalar,
        list,
        map
    };
    Kind kind = Kind::empty;
    std::string text;                ///< of a scalar
    int line = 0, column = 0;        ///< from 1
    std::vector<YamlNode> items;     ///< of a list, or the values of a map
    std::vector<YamlNode> keys;      ///< of a map: scalars, all different, one for each item
};

inline constexpr std::size_t largestYamlText = 1024u * 1024u;
inline constexpr int deepestYaml = 64;
inline constexpr int mostYamlValues = 200'000;

/// Reads one document whose root is a mapping.
///
/// fails    for text that is not UTF-8, byte order marks, tabs, control characters, syntax errors, duplicate keys,
///          several documents, and what lies beyond the limits above; anchors and aliases are refused, so no text can
///          stand for more values than it spells out
[[nodiscard]] Result<YamlNode> parseYaml(const std::string& text, const std::string& file);

} // namespace ridgepoint
