// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

inline constexpr std::size_t largestJsonText = 16u * 1024u * 1024u;
inline constexpr int deepestJson = 32;

/// The document in `text`.
///
/// fails    for a syntax error, bad UTF-8, a number too large, a text above `largestJsonText` or nested deeper than
///          `deepestJson` (line and column), and a key that stands twice in one object (pointer)
[[nodiscard]] Result<nlohmann::json> readJson(const std::string& text, const std::string& file);

/// A value as a sentence quotes it: on one line, cut when long, never with control characters.
[[nodiscard]] std::string shown(const nlohmann::json& value);

/// The first mistake met while reading a document.
struct JsonMistakes
{
    std::string file;
    std::optional<Error> first;
    void add(std::string pointer, std::string message);
};

/// Typed access to the fields of one object. A missing or wrong field adds a mistake and yields the smallest value that
/// is allowed, so that a reader can go on to its end and ask once whether all was well. Fields that were read are
/// remembered: `unread` names what nobody asked for.
class JsonFields
{
public:
    /// `object` and `mistakes` must outlive this.
    JsonFields(const nlohmann::json& object, std::string pointer, JsonMistakes& mistakes);

    [[nodiscard]] bool has(std::string_view key) const; ///< present and not null
    [[nodiscard]] int whole(std::string_view key, int minimum, int maximum);
    [[nodiscard]] int wholeOr(std::string_view key, int fallback, int minimum, int maximum);
    [[nodiscard]] double numberOr(std::string_view key, double fallback, double minimum, double maximum);
    [[nodiscard]] bool flagOr(std::string_view key, bool fallback);
    [[nodiscard]] std::string textOr(std::string_view key, std::string_view fallback);
    [[nodiscard]] std::vector<std::string> texts(std::string_view key); ///< empty when absent
    [[nodiscard]] std::vector<int> wholes(std::string_view key, int minimum, int maximum);
    [[nodiscard]] const nlohmann::json* objectOr(std::string_view key); ///< null when absent

    void ignore(std::string_view key) { m_read.insert(std::string(key)); }
    void mistake(std::string_view key, std::string message);
    [[nodiscard]] std::string pointerTo(std::string_view key) const;
    [[nodiscard]] JsonMistakes& mistakes() { return m_mistakes; }

    /// Keys that were not read and whose value says something: not null, false, zero or empty.
    [[nodiscard]] std::vector<std::string> unread() const;

private:
    [[nodiscard]] const nlohmann::json* value(std::string_view key);

    const nlohmann::json& m_object;
    std::string m_pointer;
    JsonMistakes& m_mistakes;
    std::set<std::string> m_read;
};

} // namespace ridgepoint
