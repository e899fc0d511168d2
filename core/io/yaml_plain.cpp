// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/yaml_plain.h"

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

/// Thrown inside this file at the first thing that is not plain.
struct NotPlain
{};

struct Line
{
    std::size_t start = 0;   ///< of the line
    std::size_t begin = 0;   ///< of what stands in it
    std::size_t end = 0;     ///< without the line break
    int number = 0;          ///< from 1
    [[nodiscard]] std::size_t indent() const { return begin - start; }
};

bool isNull(std::string_view text)
{
    constexpr std::array<std::string_view, 5> nulls{"", "~", "null", "Null", "NULL"};
    return std::find(nulls.begin(), nulls.end(), text) != nulls.end();
}

/// Reads the lines that hold something, one after the other.
class PlainParser
{
public:
    explicit PlainParser(std::string_view text) : m_text(text) { findLines(); }

    YamlNode document()
    {
        if (m_lines.empty() || m_lines.front().indent() != 0)
            throw NotPlain{};
        YamlNode root = blockMap(0);
        if (m_next != m_lines.size())
            throw NotPlain{};
        return root;
    }

private:
    void findLines()
    {
        int number = 0;
        for (std::size_t start = 0; start < m_text.size();) {
            const std::size_t end = std::min(m_text.find('\n', start), m_text.size());
            const Line line{start, std::min(m_text.find_first_not_of(' ', start), end), end, ++number};
            const std::string_view content = m_text.substr(line.begin, line.end - line.begin);
            if (content.starts_with("---") || content.starts_with("...") || content.starts_with('%'))
                throw NotPlain{};
            if (!content.empty() && content.front() != '#')
                m_lines.push_back(line);
            start = end + 1;
        }
    }

    [[nodiscard]] bool atEnd() const { return m_next == m_lines.size(); }
    [[nodiscard]] bool isItem(const Line& line) const { return m_text.substr(line.begin, 2) == "- "; }

    [[nodiscard]] int columnAt(std::size_t lineStart, std::size_t at) const
    {
        int column = 1;
        for (std::size_t i = lineStart; i < at; ++i)
            column += (static_cast<unsigned char>(m_text[i]) & 0xc0u) != 0x80u ? 1 : 0;
        return column;
    }

    [[nodiscard]] YamlNode nodeAt(YamlNode::Kind kind, const Line& line, std::size_t at) const
    {
        YamlNode node;
        node.kind = kind;
        node.line = line.number;
        node.column = columnAt(line.start, at);
        return node;
    }

    [[nodiscard]] YamlNode scalarAt(const Line& line, std::size_t at, std::string_view text) const
    {
        if (isNull(text) || std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) {
            // "-5" and "-a" are plain text, "- a" is not.
            if (text.size() < 2 || text.front() != '-' || text[1] == ' ')
                throw NotPlain{};
        }
        YamlNode node = nodeAt(YamlNode::Kind::scalar, line, at);
        node.text = text;
        return node;
    }

    static void addPair(YamlNode& map, YamlNode key, YamlNode value)
    {
        for (const YamlNode& other : map.keys)
            if (other.text == key.text)
                throw NotPlain{};
        map.keys.push_back(std::move(key));
        map.items.push_back(std::move(value));
    }

    /// The end of plain text that starts at `at`: trailing blanks and a comment do not belong to it.
    [[nodiscard]] std::size_t plainEnd(std::size_t at, std::size_t end) const
    {
        for (std::size_t i = at; i < end; ++i)
            if (m_text[i] == '#' && i > at && m_text[i - 1] == ' ') {
                end = i;
                break;
            }
        while (end > at && m_text[end - 1] == ' ')
            --end;
        return end;
    }

    YamlNode blockMap(std::size_t indent)
    {
        deeper();
        YamlNode map = nodeAt(YamlNode::Kind::map, m_lines[m_next], m_lines[m_next].begin);
        while (!atEnd() && m_lines[m_next].indent() == indent && !isItem(m_lines[m_next])) {
            const Line line = m_lines[m_next];
            std::size_t colon = line.begin;
            while (colon < line.end && !(m_text[colon] == ':' && (colon + 1 == line.end || m_text[colon + 1] == ' ')))
                ++colon;
            constexpr std::size_t longestKey = 512;
            if (colon == line.end || plainEnd(line.begin, colon) != colon || colon - line.begin > longestKey)
                throw NotPlain{};
            YamlNode key = scalarAt(line, line.begin, m_text.substr(line.begin, colon - line.begin));
            YamlNode value = blockValue(line, colon + 1);
            addPair(map, std::move(key), std::move(value));
        }
        if (!atEnd() && m_lines[m_next].indent() > indent)
            throw NotPlain{};
        --m_depth;
        return map;
    }

    YamlNode blockList(std::size_t indent)
    {
        deeper();
        YamlNode list = nodeAt(YamlNode::Kind::list, m_lines[m_next], m_lines[m_next].begin);
        while (!atEnd() && m_lines[m_next].indent() == indent && isItem(m_lines[m_next])) {
            Line& line = m_lines[m_next];
            const std::size_t at = std::min(m_text.find_first_not_of(' ', line.begin + 1), line.end);
            if (at == line.end)
                throw NotPlain{};
            if (m_text[at] == '{' || m_text[at] == '[') {
                const Line here = line;
                list.items.push_back(blockValue(here, at));
                continue;
            }
            line.begin = at;   // the item is a mapping that starts here
            list.items.push_back(blockMap(line.indent()));
        }
        if (!atEnd() && m_lines[m_next].indent() >= indent)
            throw NotPlain{};
        --m_depth;
        return list;
    }

    /// What stands after the colon of `line`; moves on to the first line after it.
    YamlNode blockValue(const Line& line, std::size_t at)
    {
        at = std::min(m_text.find_first_not_of(' ', at), line.end);
        ++m_next;
        if (at == line.end || m_text[at] == '#') {
            if (atEnd() || m_lines[m_next].indent() <= line.indent())
                throw NotPlain{};
            const std::size_t indent = m_lines[m_next].indent();
            return isItem(m_lines[m_next]) ? blockList(indent) : blockMap(indent);
        }
        if (m_text[at] == '{' || m_text[at] == '[' || m_text[at] == '"') {
            m_flowLine = line;
            m_at = at;
            YamlNode value = flowValue(line.indent());
            const std::size_t rest = std::min(m_text.find_first_not_of(' ', m_at), m_flowLine.end);
            if (rest < m_flowLine.end && (m_text[rest] != '#' || rest == m_at))
                throw NotPlain{};
            return value;
        }
        const std::string_view text = m_text.substr(at, plainEnd(at, line.end) - at);
        if (text.find(": ") != std::string_view::npos || text.ends_with(':'))
            throw NotPlain{};
        if (!atEnd() && m_lines[m_next].indent() > line.indent())   // text over several lines
            throw NotPlain{};
        return scalarAt(line, at, text);
    }

    /// Blanks and line breaks inside a flow mapping or list; comments there are left to the general parser.
    void skipBlanks(std::size_t indent)
    {
        while (true) {
            m_at = std::min(m_text.find_first_not_of(' ', m_at), m_flowLine.end);
            if (m_at < m_flowLine.end)
                break;
            if (atEnd() || m_lines[m_next].indent() <= indent || m_lines[m_next].number != m_flowLine.number + 1)
                throw NotPlain{};
            m_flowLine = m_lines[m_next++];
            m_at = m_flowLine.begin;
        }
        if (m_text[m_at] == '#')
            throw NotPlain{};
    }

    [[nodiscard]] char peek() const { return m_at < m_flowLine.end ? m_text[m_at] : '\0'; }

    /// Text in double quotes, which may go on over the next lines: a break with the blanks around it is one blank.
    YamlNode quotedScalar(std::size_t indent)
    {
        YamlNode node = nodeAt(YamlNode::Kind::scalar, m_flowLine, m_at);
        ++m_at;
        while (true) {
            const std::size_t close = std::min(m_text.find('"', m_at), m_flowLine.end);
            std::size_t end = close;
            if (close == m_flowLine.end)
                while (end > m_at && m_text[end - 1] == ' ')
                    --end;
            node.text += m_text.substr(m_at, end - m_at);
            m_at = close;
            if (close < m_flowLine.end)
                break;
            if (atEnd() || m_lines[m_next].indent() <= indent || m_lines[m_next].number != m_flowLine.number + 1)
                throw NotPlain{};
            m_flowLine = m_lines[m_next++];
            m_at = m_flowLine.begin;
            node.text += ' ';
        }
        ++m_at;
        if (node.text.find('\\') != std::string::npos)
            throw NotPlain{};
        return node;
    }

    YamlNode flowScalar(std::size_t indent)
    {
        const std::size_t begin = m_at;
        if (peek() == '"')
            return quotedScalar(indent);
        while (m_at < m_flowLine.end && std::string_view(",?[]{}").find(m_text[m_at]) == std::string_view::npos) {
            const char after = m_at + 1 < m_flowLine.end ? m_text[m_at + 1] : ' ';
            if (m_text[m_at] == ':' && std::string_view(" ,?[]{}").find(after) != std::string_view::npos)
                break;
            ++m_at;
        }
        if (peek() == '?')
            throw NotPlain{};
        const std::size_t end = plainEnd(begin, m_at);
        if (m_text.substr(end, m_at - end).find('#') != std::string_view::npos)
            throw NotPlain{};
        return scalarAt(m_flowLine, begin, m_text.substr(begin, end - begin));
    }

    YamlNode flowValue(std::size_t indent)
    {
        if (peek() != '{' && peek() != '[')
            return flowScalar(indent);
        deeper();
        const bool isMap = peek() == '{';
        const char close = isMap ? '}' : ']';
        YamlNode node = nodeAt(isMap ? YamlNode::Kind::map : YamlNode::Kind::list, m_flowLine, m_at++);
        skipBlanks(indent);
        while (peek() != close) {
            if (isMap) {
                const int keyLine = m_flowLine.number;
                YamlNode key = flowScalar(indent);
                if (m_flowLine.number != keyLine || peek() != ':' || m_at + 1 == m_flowLine.end ||
                    m_text[m_at + 1] != ' ')
                    throw NotPlain{};
                ++m_at;
                skipBlanks(indent);
                addPair(node, std::move(key), flowValue(indent));
            } else {
                node.items.push_back(flowValue(indent));
                if (peek() == ':')
                    throw NotPlain{};
            }
            skipBlanks(indent);
            if (peek() == ',') {
                ++m_at;
                skipBlanks(indent);
                if (peek() == close)   // a comma before the end
                    throw NotPlain{};
            } else if (peek() != close) {
                throw NotPlain{};
            }
        }
        ++m_at;
        --m_depth;
        return node;
    }

    void deeper()
    {
        constexpr int deepest = 16;
        if (++m_depth > deepest)
            throw NotPlain{};
    }

    std::string_view m_text;
    std::vector<Line> m_lines;
    std::size_t m_next = 0;      ///< of m_lines
    Line m_flowLine;             ///< where a flow mapping or list has come to
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

std::optional<YamlNode> parsePlainYaml(std::string_view text)
{
    constexpr std::size_t longest = 256u * 1024u;   // beyond it the limits of the general parser may matter
    if (text.size() > longest || text.find('\r') != std::string_view::npos)
        return std::nullopt;
    try {
        return PlainParser(text).document();
    } catch (const NotPlain&) {
        return std::nullopt;
    }
}

} // namespace ridgepoint
