// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/yaml_tree.h"

#include "core/io/yaml_plain.h"

#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <unordered_set>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace ridgepoint {

namespace {

Error errorAt(const std::string& file, int line, int column, std::string message)
{
    Error error;
    error.message = std::move(message);
    error.file = file;
    error.line = line;
    error.column = column;
    return error;
}

/// Carries an error through yaml-cpp; it does not leave `parseYaml`.
struct Refusal
{
    int line = 0, column = 0;
    std::string message;
};

/// Length of the UTF-8 sequence at `at`; 0 when it is none.
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t offset) {
        return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0u;
    };
    const auto follows = [&](std::size_t offset) { return (byte(offset) & 0xc0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool overlong = first == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool overlong = first == 0xf0 && byte(1) < 0x90;
        const bool beyond = first == 0xf4 && byte(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// What the characters themselves forbid, before any structure is looked at.
std::optional<Refusal> refusedCharacter(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        return Refusal{1, 1, "the file starts with a byte order mark; save it as UTF-8 without one"};
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return Refusal{1, 1, "the file is UTF-16; save it as UTF-8"};
    int line = 1, column = 1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text, at);
        const auto byte = static_cast<unsigned char>(text[at]);
        if (length == 0)
            return Refusal{line, column, "this is not UTF-8 text; save the file as UTF-8"};
        if (byte == '\t')
            return Refusal{line, column, "there is a tab; use spaces"};
        const bool lineEnd = byte == '\n' || (byte == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
        if ((byte < 0x20 && !lineEnd) || byte == 0x7f)
            return Refusal{line, column, "there is a control character; this must be a text file"};
        column = byte == '\n' ? 1 : column + 1;
        line += byte == '\n' ? 1 : 0;
        at += length;
    }
    return std::nullopt;
}

/// yaml-cpp counts bytes; people count characters. Beyond a length that no one reads the difference does not matter.
int columnInCharacters(std::string_view text, const YAML::Mark& mark)
{
    constexpr int longestLine = 2000;
    if (mark.column <= 0 || mark.column > longestLine || std::size_t(mark.pos) > text.size())
        return std::max(mark.column, 0) + 1;
    int column = 1;
    for (const char c : text.substr(std::size_t(mark.pos - mark.column), std::size_t(mark.column)))
        column += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1 : 0;
    return column;
}

/// Builds the tree from the events of yaml-cpp and stops it at the first thing that is refused.
class TreeBuilder final : public YAML::EventHandler
{
public:
    explicit TreeBuilder(std::string_view text) : m_text(text) {}

    [[nodiscard]] YamlNode takeRoot() { return std::move(m_root); }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(nodeAt(mark, YamlNode::Kind::empty)); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuseAnchor(mark); }
    void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuseAnchor(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override
    {
        refuseTag(mark, tag);
        YamlNode node = nodeAt(mark, YamlNode::Kind::scalar);
        if (!isClosed(std::size_t(mark.pos)))
            refuse(node, "the quote that opens here is never closed; add the closing one");
        node.text = value;
        add(std::move(node));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                         YAML::EmitterStyle::value) override
    {
        refuseTag(mark, tag);
        open(nodeAt(mark, YamlNode::Kind::list));
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        refuseTag(mark, tag);
        open(nodeAt(mark, YamlNode::Kind::map));
    }
    void OnMapEnd() override { close(); }

private:
    struct Open
    {
        YamlNode node;
        std::unordered_set<std::string> seen;   ///< keys of a map
        bool awaitsValue = false;
    };

    YamlNode nodeAt(const YAML::Mark& mark, YamlNode::Kind kind) const
    {
        YamlNode node;
        node.kind = kind;
        node.line = mark.line + 1;
        node.column = columnInCharacters(m_text, mark);
        return node;
    }

    /// Whether the quoted text that starts at `at` ends before the file does, which yaml-cpp does not check.
    [[nodiscard]] bool isClosed(std::size_t at) const
    {
        if (at >= m_text.size() || (m_text[at] != '"' && m_text[at] != '\''))
            return true;
        const char quote = m_text[at];
        for (++at; at < m_text.size(); ++at) {
            if (quote == '"' && m_text[at] == '\\')
                ++at;
            else if (m_text[at] == quote)
                return true;
        }
        return false;
    }

    [[noreturn]] static void refuse(const YamlNode& where, std::string message)
    {
        throw Refusal{where.line, where.column, std::move(message)};
    }
    [[noreturn]] void refuseAnchor(const YAML::Mark& mark) const
    {
        refuse(nodeAt(mark, YamlNode::Kind::empty), "anchors (&) and aliases (*) are not read; write the value out");
    }
    void refuseTag(const YAML::Mark& mark, const std::string& tag) const
    {
        const bool implied = tag.empty() || tag == "?" || tag == "!";
        if (!implied)
            refuse(nodeAt(mark, YamlNode::Kind::empty), "tags (!) are not read; leave the tag out");
    }

    void open(YamlNode node)
    {
        if (int(m_open.size()) >= deepestYaml)
            refuse(node, fmt::format("the nesting is too deep; at most {} levels are read", deepestYaml));
        if (!m_open.empty() && m_open.back().node.kind == YamlNode::Kind::map && !m_open.back().awaitsValue)
            refuse(node, "a key must be plain text, not a list or a mapping");
        m_open.push_back({std::move(node), {}, false});
    }

    void close()
    {
        YamlNode node = std::move(m_open.back().node);
        m_open.pop_back();
        add(std::move(node));
    }

    void add(YamlNode node)
    {
        if (++m_count > mostYamlValues)
            refuse(node, fmt::format("the file is too large; at most {} values are read", mostYamlValues));
        if (m_open.empty()) {
            m_root = std::move(node);
            return;
        }
        Open& parent = m_open.back();
        const bool isKey = parent.node.kind == YamlNode::Kind::map && !parent.awaitsValue;
        if (isKey) {
            addKey(parent, std::move(node));
        } else {
            if (parent.awaitsValue && node.kind == YamlNode::Kind::empty)
                standAtKey(node, parent.node.keys.back());
            parent.node.items.push_back(std::move(node));
        }
        parent.awaitsValue = isKey;
    }

    /// yaml-cpp gives a value that is not written the place of what follows on a later line.
    static void standAtKey(YamlNode& value, const YamlNode& key)
    {
        if (value.line <= key.line)
            return;
        value.line = key.line;
        value.column = key.column;
    }

    static void addKey(Open& map, YamlNode key)
    {
        if (key.kind != YamlNode::Kind::scalar)
            refuse(key, "a key is missing before the colon");
        if (!map.seen.insert(key.text).second)
            refuse(key, fmt::format("the key \"{}\" is here a second time; keep one of the two", key.text));
        map.node.keys.push_back(std::move(key));
    }

    std::string_view m_text;
    YamlNode m_root;
    std::vector<Open> m_open;
    int m_count = 0;
};

Result<YamlNode> checkedRoot(YamlNode root, const std::string& file)
{
    if (root.kind == YamlNode::Kind::empty)
        return fail(errorAt(file, 1, 1, "the file is empty; it needs keys and values, such as \"name: H100 SXM\""));
    if (root.kind != YamlNode::Kind::map)
        return fail(errorAt(file, std::max(root.line, 1), std::max(root.column, 1),
                            "the file needs keys and values, such as \"name: H100 SXM\""));
    return root;
}

} // namespace

Result<YamlNode> parseYaml(const std::string& text, const std::string& file)
{
    if (text.size() > largestYamlText)
        return fail(errorAt(file, 1, 1,
                            fmt::format("the file has {} KiB; at most {} KiB are read", text.size() >> 10,
                                        largestYamlText >> 10)));
    if (const auto refusal = refusedCharacter(text))
        return fail(errorAt(file, refusal->line, refusal->column, refusal->message));
    if (std::optional<YamlNode> plain = parsePlainYaml(text))
        return std::move(*plain);
    return parseGeneralYaml(text, file);
}

Result<YamlNode> parseGeneralYaml(const std::string& text, const std::string& file)
{
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        TreeBuilder builder(text);
        parser.HandleNextDocument(builder);
        YamlNode root = builder.takeRoot();
        TreeBuilder second(text);
        if (parser.HandleNextDocument(second)) {
            const YamlNode next = second.takeRoot();
            return fail(errorAt(file, std::max(next.line, 1), std::max(next.column, 1),
                                "a second document starts here; keep one document in a file"));
        }
        return checkedRoot(std::move(root), file);
    } catch (const Refusal& refusal) {
        return fail(errorAt(file, refusal.line, refusal.column, refusal.message));
    } catch (const YAML::Exception& problem) {
        return fail(errorAt(file, std::max(problem.mark.line, 0) + 1, columnInCharacters(text, problem.mark),
                            fmt::format("this is not YAML as it stands ({}); check indentation, colons, quotes and "
                                        "brackets around here",
                                        problem.msg)));
    }
}

} // namespace ridgepoint
