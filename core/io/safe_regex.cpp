// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safe_regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace ridgepoint {

namespace {

using Step = SafeRegex::Step;
using Program = std::vector<Step>;

constexpr std::size_t longestPattern = 256;
constexpr std::size_t mostSteps = 4096;
constexpr int deepestGroup = 16;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::bitset<256> charactersOf(char first, char last)
{
    std::bitset<256> set;
    for (int c = static_cast<unsigned char>(first); c <= static_cast<unsigned char>(last); ++c)
        set.set(std::size_t(c));
    return set;
}

/// \d, \w, \s and their capitals; nothing for other letters.
std::optional<std::bitset<256>> classOf(char letter)
{
    std::bitset<256> set;
    switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'd': set = charactersOf('0', '9'); break;
    case 'w':
        set = charactersOf('0', '9') | charactersOf('a', 'z') | charactersOf('A', 'Z');
        set.set('_');
        break;
    case 's':
        for (const char c : {' ', '\t', '\n', '\r', '\f', '\v'})
            set.set(static_cast<unsigned char>(c));
        break;
    default: return std::nullopt;
    }
    return std::isupper(static_cast<unsigned char>(letter)) != 0 ? ~set : set;
}

/// Recursive descent; the first mistake stops it.
class RegexParser
{
public:
    explicit RegexParser(std::string_view pattern) : m_pattern(pattern) {}

    std::optional<Program> parse()
    {
        Program program = alternatives(0);
        if (m_fault.empty() && !atEnd())
            m_fault = "a closing parenthesis has no opening one";
        if (!m_fault.empty())
            return std::nullopt;
        program.push_back({});
        return program;
    }

    [[nodiscard]] const std::string& fault() const { return m_fault; }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_pattern.size(); }
    [[nodiscard]] bool sees(char c) const { return !atEnd() && m_pattern[m_at] == c; }
    bool take(char c)
    {
        if (!sees(c))
            return false;
        ++m_at;
        return true;
    }

    void limit(const Program& program)
    {
        if (program.size() > mostSteps && m_fault.empty())
            m_fault = "its repetitions are too many";
    }

    Program alternatives(int depth)
    {
        Program program = sequence(depth);
        while (m_fault.empty() && take('|')) {
            Program other = sequence(depth);
            Program both;
            both.push_back({.kind = Step::Kind::split, .set = {}, .next = 1, .other = int(program.size()) + 2});
            both.insert(both.end(), program.begin(), program.end());
            both.push_back({.kind = Step::Kind::jump, .set = {}, .next = int(other.size()) + 1, .other = 1});
            both.insert(both.end(), other.begin(), other.end());
            program = std::move(both);
            limit(program);
        }
        return program;
    }

    Program sequence(int depth)
    {
        Program program;
        while (m_fault.empty() && !atEnd() && !sees('|') && !sees(')')) {
            const Program part = repeated(atom(depth));
            program.insert(program.end(), part.begin(), part.end());
            limit(program);
        }
        return program;
    }

    Program atom(int depth)
    {
        const char c = m_pattern[m_at++];
        switch (c) {
        case '(': return group(depth);
        case '[': return {characters(bracket())};
        case '.': {
            std::bitset<256> set;
            set.set();
            set.reset('\n');
            return {characters(set)};
        }
        case '^': return {{.kind = Step::Kind::textStart, .set = {}, .next = 1, .other = 1}};
        case '$': return {{.kind = Step::Kind::textEnd, .set = {}, .next = 1, .other = 1}};
        case '\\': return {characters(escape())};
        case '*':
        case '+':
        case '?': m_fault = fmt::format("{} has nothing before it to repeat", c); return {};
        default: return {characters(charactersOf(c, c))};
        }
    }

    Program group(int depth)
    {
        if (depth >= deepestGroup) {
            m_fault = "its groups are nested too deep";
            return {};
        }
        if (take('?') && !take(':')) {
            m_fault = "looking ahead, looking behind and named groups are not known";
            return {};
        }
        Program inner = alternatives(depth + 1);
        if (m_fault.empty() && !take(')'))
            m_fault = "a group is not closed";
        return inner;
    }

    static Step characters(const std::bitset<256>& set)
    {
        return {.kind = Step::Kind::characters, .set = set, .next = 1, .other = 1};
    }

    std::bitset<256> escape()
    {
        if (atEnd()) {
            m_fault = "it ends in a backslash";
            return {};
        }
        const char c = m_pattern[m_at++];
        if (const auto set = classOf(c))
            return *set;
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            m_fault = fmt::format("\\{} is not known", c);
            return {};
        }
        return charactersOf(c, c);
    }

    std::bitset<256> bracket()
    {
        const bool inverted = take('^');
        std::bitset<256> set;
        bool first = true;
        while (m_fault.empty()) {
            if (atEnd()) {
                m_fault = "a bracket is not closed";
                break;
            }
            char c = m_pattern[m_at++];
            if (c == ']' && !first)
                break;
            first = false;
            if (c == '\\') {
                set |= escape();
                continue;
            }
            if (sees('-') && m_at + 1 < m_pattern.size() && m_pattern[m_at + 1] != ']') {
                const char last = m_pattern[m_at + 1];
                m_at += 2;
                if (last == '\\' || static_cast<unsigned char>(last) < static_cast<unsigned char>(c))
                    m_fault = "a range in brackets runs backwards";
                else
                    set |= charactersOf(c, last);
                continue;
            }
            set |= charactersOf(c, c);
        }
        return inverted ? ~set : set;
    }

    /// {n}, {n,} or {n,m} after an atom; nothing when the brace is none of them, as in Python.
    std::optional<std::pair<int, int>> counts()
    {
        std::size_t at = m_at + 1;
        const auto number = [&]() -> std::optional<int> {
            int value = 0;
            const std::size_t start = at;
            while (at < m_pattern.size() && isDigit(m_pattern[at]) && at - start < 4)
                value = value * 10 + (m_pattern[at++] - '0');
            return at == start ? std::nullopt : std::optional(value);
        };
        const std::optional<int> least = number();
        std::optional<int> most = least;
        if (at < m_pattern.size() && m_pattern[at] == ',') {
            ++at;
            most = number();
            if (!most)
                most = -1;
        }
        if (!least || at >= m_pattern.size() || m_pattern[at] != '}')
            return std::nullopt;
        m_at = at + 1;
        return std::pair{*least, *most};
    }

    Program repeated(const Program& atom)
    {
        Program program = atom;
        while (m_fault.empty() && !atEnd()) {
            if (take('*')) {
                program = any(program);
            } else if (take('+')) {
                Program more = any(program);
                program.insert(program.end(), more.begin(), more.end());
            } else if (take('?')) {
                program = maybe(program);
            } else if (sees('{')) {
                const auto range = counts();
                if (!range) {
                    break;
                }
                program = times(program, range->first, range->second);
            } else {
                break;
            }
            take('?');   // a lazy quantifier finds the same matches
            limit(program);
        }
        return program;
    }

    static Program any(const Program& inner)
    {
        const int size = int(inner.size());
        Program program{{.kind = Step::Kind::split, .set = {}, .next = 1, .other = size + 2}};
        program.insert(program.end(), inner.begin(), inner.end());
        program.push_back({.kind = Step::Kind::jump, .set = {}, .next = -size - 1, .other = 1});
        return program;
    }

    static Program maybe(const Program& inner)
    {
        Program program{{.kind = Step::Kind::split, .set = {}, .next = 1, .other = int(inner.size()) + 1}};
        program.insert(program.end(), inner.begin(), inner.end());
        return program;
    }

    Program times(const Program& inner, int least, int most)
    {
        if (most >= 0 && most < least) {
            m_fault = "a repetition runs backwards";
            return {};
        }
        Program program;
        const auto append = [&](const Program& part) {
            program.insert(program.end(), part.begin(), part.end());
            limit(program);
        };
        for (int i = 0; i < least && m_fault.empty(); ++i)
            append(inner);
        if (most < 0)
            append(any(inner));
        for (int i = least; i < most && m_fault.empty(); ++i)
            append(maybe(inner));
        return program;
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    std::string m_fault;
};

} // namespace

Result<SafeRegex> SafeRegex::compile(std::string_view pattern)
{
    if (pattern.size() > longestPattern)
        return fail(
            fmt::format("the pattern has {} characters; at most {} are allowed", pattern.size(), longestPattern));
    RegexParser parser(pattern);
    std::optional<Program> program = parser.parse();
    if (!program)
        return fail(fmt::format("the regular expression is not understood: {}; list the modules by name or with *",
                                parser.fault()));
    SafeRegex regex;
    regex.m_program = std::move(*program);
    return regex;
}

bool SafeRegex::matchesStart(std::string_view text) const
{
    std::vector<bool> seen;
    std::vector<int> now, next, pending;
    const auto follow = [&](int from, std::size_t at, std::vector<int>& into) {
        pending.assign(1, from);
        while (!pending.empty()) {
            const int address = pending.back();
            pending.pop_back();
            if (seen[std::size_t(address)])
                continue;
            seen[std::size_t(address)] = true;
            const Step& step = m_program[std::size_t(address)];
            switch (step.kind) {
            case Step::Kind::split:
                pending.push_back(address + step.other);
                pending.push_back(address + step.next);
                break;
            case Step::Kind::jump: pending.push_back(address + step.next); break;
            case Step::Kind::textStart:
                if (at == 0)
                    pending.push_back(address + 1);
                break;
            case Step::Kind::textEnd:
                if (at == text.size())
                    pending.push_back(address + 1);
                break;
            case Step::Kind::match: return true;
            case Step::Kind::characters: into.push_back(address); break;
            }
        }
        return false;
    };
    if (m_program.empty())
        return false;
    seen.assign(m_program.size(), false);
    if (follow(0, 0, now))
        return true;
    for (std::size_t at = 0; at < text.size() && !now.empty(); ++at) {
        seen.assign(m_program.size(), false);
        next.clear();
        for (const int address : now)
            if (m_program[std::size_t(address)].set[static_cast<unsigned char>(text[at])] &&
                follow(address + 1, at + 1, next))
                return true;
        std::swap(now, next);
    }
    return false;
}

} // namespace ridgepoint
