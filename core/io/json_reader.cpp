// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace ridgepoint {

namespace {

using nlohmann::json;

struct Position
{
    int line = 1;
    int column = 1;
};

Position positionOf(const std::string& text, std::size_t offset)
{
    Position position;
    for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
        if (text[i] == '\n') {
            ++position.line;
            position.column = 1;
        } else if ((static_cast<unsigned char>(text[i]) & 0xC0u) != 0x80u) {
            ++position.column;   // a character, not a byte of one that began before
        }
    }
    return position;
}

Error errorAt(const std::string& text, const std::string& file, std::size_t offset, std::string message)
{
    const Position position = positionOf(text, offset);
    return {
        .message = std::move(message), .file = file, .line = position.line, .column = position.column, .pointer = {}};
}

/// Offset of the bracket that goes too deep, or nothing. Runs before the parser, which then meets no deep text.
std::optional<std::size_t> tooDeep(const std::string& text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepestJson)
                return i;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return std::nullopt;
}

std::string escaped(std::string_view key)
{
    std::string text;
    for (const char c : key) {
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return text;
}

/// Builds the document and refuses a key that stands twice in one object, which the library would settle in silence.
class DocumentBuilder : public nlohmann::json_sax<json>
{
public:
    json document;
    std::optional<std::string> twice;   // pointer
    std::size_t faultAt = 0;
    std::string fault;

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t& value) override
    {
        Level& level = m_levels.back();
        level.key = value;
        if (level.node->contains(value)) {
            twice = pointer();
            return false;
        }
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override
    {
        fault = error.what();
        // A literal in the wrong place is pointed at by its beginning, all else where reading stopped. For punctuation
        // the library's token still holds what came before it.
        const bool misplaced = fault.find("literal; expected") != std::string::npos;
        const std::size_t back = misplaced ? std::max<std::size_t>(token.size(), 1) : 1;
        faultAt = position < back ? 0 : position - back;
        return false;
    }

private:
    struct Level
    {
        json* node = nullptr;
        std::string key;
    };

    json* place(json value)
    {
        if (m_levels.empty()) {
            document = std::move(value);
            return &document;
        }
        Level& level = m_levels.back();
        if (level.node->is_array()) {
            level.node->push_back(std::move(value));
            return &level.node->back();
        }
        json& slot = (*level.node)[level.key];
        slot = std::move(value);
        return &slot;
    }

    bool put(json value)
    {
        place(std::move(value));
        return true;
    }

    bool open(json value)
    {
        m_levels.push_back({place(std::move(value)), {}});
        return true;
    }

    bool close()
    {
        m_levels.pop_back();
        return true;
    }

    [[nodiscard]] std::string pointer() const
    {
        std::string text;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const Level& level = m_levels[i];
            text += '/';
            if (!level.node->is_array())
                text += escaped(level.key);
            else // the element on the way down is the last one
                text += std::to_string(level.node->size() - (i + 1 < m_levels.size() ? 1 : 0));
        }
        return text;
    }

    std::vector<Level> m_levels;
};

/// The part of the library's message that says what was met and what was expected.
std::string reasonOf(const std::string& what)
{
    const std::size_t dash = what.find(" - ");
    const std::size_t colon = what.find(": ");
    std::string reason = what;
    if (dash != std::string::npos)
        reason = what.substr(dash + 3);
    else if (colon != std::string::npos)
        reason = what.substr(colon + 2);
    else if (what.starts_with("[json.exception"))   // a number that no double holds is told without a place
        reason = what.substr(std::min(what.find("] ") + 2, what.size()));
    for (const char* closing : {"expected '}'", "expected ']'"}) // the library forgets that more may follow
        if (const std::size_t at = reason.find(closing); at != std::string::npos && at > 0 && reason[at - 1] == ' ')
            reason.insert(at + std::string_view("expected ").size(), "',' or ");
    constexpr std::size_t longest = 160;
    if (reason.size() > longest)
        reason = reason.substr(0, longest) + "…";
    for (char& c : reason) // the message may quote bytes of the file
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    return reason;
}

bool saysNothing(const json& value)
{
    if (value.is_null() || ((value.is_object() || value.is_array()) && value.empty()))
        return true;
    if (value.is_boolean())
        return !value.get<bool>();
    if (value.is_number())
        return value.get<double>() == 0.0;
    return value.is_string() && value.get_ref<const std::string&>().empty();
}

} // namespace

Result<json> readJson(const std::string& text, const std::string& file)
{
    if (text.size() > largestJsonText)
        return fail(Error{.message = fmt::format("is {} MB large; a configuration has at most {} MB",
                                                 text.size() / 1000000, largestJsonText / 1000000),
                          .file = file,
                          .line = 0,
                          .column = 0,
                          .pointer = {}});
    if (const auto offset = tooDeep(text))
        return fail(errorAt(text, file, *offset,
                            fmt::format("objects and lists are nested deeper than {} levels; a configuration needs "
                                        "fewer than ten",
                                        deepestJson)));
    DocumentBuilder builder;
    bool complete = false;
    try {
        complete = json::sax_parse(text, &builder);
    } catch (const json::exception& error) {
        return fail(Error{.message = fmt::format("is no JSON: {}", reasonOf(error.what())),
                          .file = file,
                          .line = 0,
                          .column = 0,
                          .pointer = {}});
    }
    if (builder.twice)
        return fail(Error{.message = "stands twice in one object; keep one of the two",
                          .file = file,
                          .line = 0,
                          .column = 0,
                          .pointer = *builder.twice});
    if (!complete)
        return fail(errorAt(text, file, builder.faultAt, fmt::format("is no JSON: {}", reasonOf(builder.fault))));
    return std::move(builder.document);
}

std::string shown(const json& value)
{
    constexpr std::size_t longest = 60;
    if (value.is_object() && !value.empty())
        return "an object";
    if (value.is_array() && value.size() > 8)
        return fmt::format("a list of {}", value.size());
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace); // plain ASCII, safe to cut
    if (text.size() > longest)
        text = text.substr(0, longest) + "…";
    return text;
}

void JsonMistakes::add(std::string pointer, std::string message)
{
    if (!first)
        first =
            Error{.message = std::move(message), .file = file, .line = 0, .column = 0, .pointer = std::move(pointer)};
}

JsonFields::JsonFields(const json& object, std::string pointer, JsonMistakes& mistakes)
    : m_object(object),
      m_pointer(std::move(pointer)),
      m_mistakes(mistakes)
{
    if (!m_object.is_object())
        m_mistakes.add(m_pointer,
                       fmt::format("is {}; it needs an object with fields, such as {{\"hidden_size\": 4096}}",
                                   shown(m_object)));
}

std::string JsonFields::pointerTo(std::string_view key) const
{
    return m_pointer + "/" + escaped(key);
}

void JsonFields::mistake(std::string_view key, std::string message)
{
    m_mistakes.add(pointerTo(key), std::move(message));
}

const json* JsonFields::value(std::string_view key)
{
    ignore(key);
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool JsonFields::has(std::string_view key) const
{
    if (!m_object.is_object())
        return false;
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

int JsonFields::whole(std::string_view key, int minimum, int maximum)
{
    if (value(key) == nullptr) {
        mistake(key, fmt::format("is missing; it needs a whole number from {} to {}", minimum, maximum));
        return minimum;
    }
    return wholeOr(key, minimum, minimum, maximum);
}

namespace {

std::optional<int> wholeNumber(const json& found, int minimum, int maximum)
{
    if (!found.is_number())
        return std::nullopt;
    const double number = found.get<double>(); // whole numbers of this range are exact in a double
    if (!(number >= minimum && number <= maximum) || number != std::floor(number))
        return std::nullopt;
    return int(number);
}

} // namespace

int JsonFields::wholeOr(std::string_view key, int fallback, int minimum, int maximum)
{
    const json* found = value(key);
    if (found == nullptr)
        return fallback;
    if (const auto number = wholeNumber(*found, minimum, maximum))
        return *number;
    mistake(key, fmt::format("is {}; it needs a whole number from {} to {}", shown(*found), minimum, maximum));
    return minimum;
}

double JsonFields::numberOr(std::string_view key, double fallback, double minimum, double maximum)
{
    const json* found = value(key);
    if (found == nullptr)
        return fallback;
    if (found->is_number()) {
        const double number = found->get<double>();
        if (number >= minimum && number <= maximum)
            return number;
    }
    mistake(key, fmt::format("is {}; it needs a number from {} to {}", shown(*found), minimum, maximum));
    return minimum;
}

bool JsonFields::flagOr(std::string_view key, bool fallback)
{
    const json* found = value(key);
    if (found == nullptr)
        return fallback;
    if (found->is_boolean())
        return found->get<bool>();
    mistake(key, fmt::format("is {}; it needs true or false", shown(*found)));
    return fallback;
}

std::string JsonFields::textOr(std::string_view key, std::string_view fallback)
{
    const json* found = value(key);
    if (found == nullptr)
        return std::string(fallback);
    if (found->is_string())
        return found->get<std::string>();
    mistake(key, fmt::format("is {}; it needs a text in quotes", shown(*found)));
    return std::string(fallback);
}

std::vector<std::string> JsonFields::texts(std::string_view key)
{
    const json* found = value(key);
    std::vector<std::string> list;
    if (found == nullptr)
        return list;
    if (!found->is_array()) {
        mistake(key, fmt::format("is {}; it needs a list of texts, such as [\"lm_head\"]", shown(*found)));
        return list;
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
        const json& element = (*found)[i];
        if (!element.is_string()) {
            m_mistakes.add(fmt::format("{}/{}", pointerTo(key), i),
                           fmt::format("is {}; it needs a text in quotes", shown(element)));
            return list;
        }
        list.push_back(element.get<std::string>());
    }
    return list;
}

std::vector<int> JsonFields::wholes(std::string_view key, int minimum, int maximum)
{
    const json* found = value(key);
    std::vector<int> list;
    if (found == nullptr)
        return list;
    if (!found->is_array()) {
        mistake(key, fmt::format("is {}; it needs a list of whole numbers, such as [0, 1]", shown(*found)));
        return list;
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
        const auto number = wholeNumber((*found)[i], minimum, maximum);
        if (!number) {
            m_mistakes.add(fmt::format("{}/{}", pointerTo(key), i),
                           fmt::format("is {}; it needs a whole number from {} to {}", shown((*found)[i]), minimum,
                                       maximum));
            return list;
        }
        list.push_back(*number);
    }
    return list;
}

const json* JsonFields::objectOr(std::string_view key)
{
    const json* found = value(key);
    if (found == nullptr)
        return nullptr;
    if (!found->is_object()) {
        mistake(key, fmt::format("is {}; it needs an object in braces", shown(*found)));
        return nullptr;
    }
    return found;
}

std::vector<std::string> JsonFields::unread() const
{
    std::vector<std::string> keys;
    if (!m_object.is_object())
        return keys;
    for (const auto& [key, value] : m_object.items())
        if (!m_read.contains(key) && !saysNothing(value))
            keys.push_back(key);
    return keys;
}

} // namespace ridgepoint
