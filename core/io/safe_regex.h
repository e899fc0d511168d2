// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <bitset>
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
    /// fails    for a syntax it does not know (looking ahead or behind, back references, \b), for a pattern longer than
    ///          256 characters, and for repetitions that would unfold into more than 4,096 states
    [[nodiscard]] static Result<SafeRegex> compile(std::string_view pattern);

    /// True when the expression matches at the beginning of the text; it need not reach the end.
    [[nodiscard]] bool matchesStart(std::string_view text) const;

    [[nodiscard]] std::size_t steps() const { return m_program.size(); }

    /// One step of the program; public for the parser beside it.
    struct Step
    {
        enum class Kind
        {
            characters,
            split,
            jump,
            textStart,
            textEnd,
            match
        };
        Kind kind = Kind::match;
        std::bitset<256> set; ///< of characters
        int next = 1; ///< relative address
        int other = 1; ///< relative address of the second way of a split
    };

private:
    std::vector<Step> m_program;
};

} // namespace ridgepoint
