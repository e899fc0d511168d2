// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A regular expression that is matched in time proportional to text times pattern, whatever it says: its states are
/// followed side by side and nothing is tried twice.
///
/// Knows characters, . [..] ( ) (?: ) | * + ? {n,m} ^ $ and the classes \d \w \s with their capitals; lazy quantifiers
/// count as greedy ones, since only whether there is a match is asked.
class SafeRegex
{
public:
    /// fails    for a syntax it does not know (looking ahead or behind, back references, \b), for a pattern longer than 256
    ///          characters, and for repetitions that would unfold into more than 4,096 states
    [[nodiscard]] static Result<SafeRegex> compile(std::string_view pattern);

    /// True when the expression matches at the beginning of the text; it need not reach the end.
    [[nodiscard]] bool matchesStart(std::string_view text) const;

    [[nodiscard]] std::size_t steps() const { return m_program.size(); }

    /// One step of the program; public for the parser beside it.
    struct Step
    {
        enum class Kind { characters, split, jump, textStart, textEnd, match };
        Kind kind = Kind::match;
        std::bitset<256> set;      ///< of characters
        int next = 1;              ///< relative address
        int other = 1;             ///< relative address of the second way of a split
    };

private:
    std::vector<Step> m_program;
};

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
    enum class Kind { plain, glob, regex };
    Kind m_kind = Kind::plain;
    std::string m_text;
    std::string m_prefix;
    int m_layer = -1;
    SafeRegex m_regex;
};

} // namespace ridgepoint
