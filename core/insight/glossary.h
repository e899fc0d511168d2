// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// A word of the field and what it means, in one sentence, for a reader who is no specialist.
struct Term
{
    std::string_view id;       ///< such as "ttft"
    std::string_view name;     ///< as headings have it
    std::string_view text;
    std::string_view words = {};   ///< forms that texts use, with commas between; empty: the name alone
};

/// Every term, in the order of their names.
[[nodiscard]] std::span<const Term> glossary();
[[nodiscard]] const Term* findTerm(std::string_view id);   ///< null when there is none

/// Where a text uses a term; whole words only. Abbreviations are told by their capitals, other words in any case.
struct TermUse
{
    const Term* term = nullptr;
    std::size_t from = 0, to = 0;      ///< bytes of the text, the second past the end
};
/// In the order of the text; the longer of two that overlap.
[[nodiscard]] std::vector<TermUse> termsIn(std::string_view text);

/// "TTFT: Time from …" for each term of a text, one a line and once; empty where it uses none.
[[nodiscard]] std::string explainedTerms(std::string_view text);

} // namespace ridgepoint
