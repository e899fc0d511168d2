// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/name_pattern.h"

#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr std::size_t longestName = 256;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Shell pattern without brackets, in time text x pattern: on a mismatch only the last star is widened.
bool globMatches(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
            ++p;
            ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace

Result<NamePattern> NamePattern::parse(const std::string& text)
{
    if (text.empty() || text.size() > longestName)
        return fail(fmt::format("the name has {} characters; a module name has 1 to {}", text.size(), longestName));
    NamePattern pattern;
    pattern.m_text = text;
    if (text.starts_with("re:")) {
        pattern.m_kind = Kind::regex;
        Result<SafeRegex> regex = SafeRegex::compile(std::string_view(text).substr(3));
        if (!regex)
            return fail(regex.error());
        pattern.m_regex = std::move(*regex);
        return pattern;
    }
    const std::size_t wild = text.find_first_of("*?");
    pattern.m_kind = wild == std::string::npos ? Kind::plain : Kind::glob;

    // A layer given in digits before any wildcard; "layers.1*" may also mean layer 10.
    constexpr std::string_view word = "layers.";
    const std::size_t at = text.find(word);
    if (at == std::string::npos || at > wild)
        return pattern;
    std::size_t end = at + word.size();
    int layer = 0;
    while (end < text.size() && isDigit(text[end]) && end < at + word.size() + 6)
        layer = layer * 10 + (text[end++] - '0');
    if (end > at + word.size() && (end == text.size() || text[end] == '.')) {
        pattern.m_layer = layer;
        pattern.m_prefix = text.substr(0, at);
    }
    return pattern;
}

double NamePattern::work() const
{
    constexpr double nameLength = 50;
    switch (m_kind) {
    case Kind::plain: return double(m_text.size());
    case Kind::glob: return nameLength * 2;
    case Kind::regex: return nameLength * double(m_regex.steps());
    }
    return 0;
}

bool NamePattern::matches(std::string_view name) const
{
    switch (m_kind) {
    case Kind::regex: return m_regex.matchesStart(name);
    case Kind::glob:
        for (std::size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1))
            if (globMatches(m_text, name.substr(0, end)))
                return true;
        return globMatches(m_text, name);
    case Kind::plain:
        for (std::size_t at = name.find(m_text); at != std::string_view::npos; at = name.find(m_text, at + 1)) {
            const std::size_t end = at + m_text.size();
            if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.'))
                return true;
        }
        return false;
    }
    return false;
}

} // namespace ridgepoint
