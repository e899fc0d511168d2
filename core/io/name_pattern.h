// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/safe_regex.h"

#include <string>
#include <string_view>

namespace ridgepoint {

/// What a quantisation recipe calls a module, or a group of them.
///
///     re:EXPRESSION   matches at the beginning of the name, as compressed-tensors does
///     with * or ?     matches the name, or a module that holds it: model.layers.*.self_attn holds ….self_attn.q_proj
///     otherwise       stands in the name as whole components: mlp.gate is in model.layers.0.mlp.gate, and not in
///                     ….mlp.gate_proj
class NamePattern
{
public:
    [[nodiscard]] static Result<NamePattern> parse(const std::string& text);
    [[nodiscard]] bool matches(std::string_view name) const;

    /// The layer it speaks of when that stands in it in digits, -1 when it may speak of several. What stands before
    /// "layers." is in `prefix` then.
    [[nodiscard]] int layer() const { return m_layer; }
    [[nodiscard]] const std::string& prefix() const { return m_prefix; }
    [[nodiscard]] const std::string& text() const { return m_text; }

    /// Comparisons that matching a name of usual length takes at most, roughly.
    [[nodiscard]] double work() const;

private:
    enum class Kind
    {
        plain,
        glob,
        regex
    };
    Kind m_kind = Kind::plain;
    std::string m_text;
    std::string m_prefix;
    int m_layer = -1;
    SafeRegex m_regex;
};

} // namespace ridgepoint
