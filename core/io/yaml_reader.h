// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/nearest.h"
#include "core/base/result.h"
#include "core/base/unit_text.h"
#include "core/io/yaml_tree.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgepoint {

/// Where the first mistake of a file is kept, so that fields can be read in a row and checked once.
struct YamlErrors
{
    std::string file;
    std::optional<Error> first;
    std::optional<Error> missing;   ///< first missing key; an unknown key, often its misspelling, is told before it

    void add(const YamlNode& where, std::string message);
};

/// The fields of one mapping by name, type and range. A field that cannot be read gives its fallback or an empty value
/// and leaves an error; `finish` also refuses keys that nobody asked for.
class YamlFields
{
public:
    YamlFields(const YamlNode& map, YamlErrors& errors);

    struct Range
    {
        double minimum = 0.0;
        double maximum = 1e18;
    };

    [[nodiscard]] bool has(std::string_view key) const;

    // Without a fallback the field is required.
    std::string text(std::string_view key);
    std::string text(std::string_view key, std::string fallback);
    int integer(std::string_view key, Range range);
    int integer(std::string_view key, Range range, int fallback);
    double number(std::string_view key, Range range);
    double number(std::string_view key, Range range, double fallback);
    bool boolean(std::string_view key, bool fallback);

    /// A number with its unit; the range is in base units.
    template <typename Q>
    Q quantity(std::string_view key, Result<Q> (*parse)(std::string_view), Range range);
    template <typename Q>
    Q quantity(std::string_view key, Result<Q> (*parse)(std::string_view), Range range, Q fallback);

    /// One of the names of a table.
    template <typename E, typename Table>
    E choice(std::string_view key, const Table& table);
    template <typename E, typename Table>
    E choice(std::string_view key, const Table& table, E fallback);

    std::vector<std::string> texts(std::string_view key);             ///< optional list
    std::map<std::string, std::string> textMap(std::string_view key); ///< optional mapping of texts
    void map(std::string_view key, bool required, const std::function<void(YamlFields&)>& read);
    void maps(std::string_view key, const std::function<void(YamlFields&)>& read);  ///< required list of mappings

    /// Every key with its own mapping, for files that are tables of things; in place of `finish`.
    void eachMap(const std::function<void(const std::string& key, YamlFields&)>& read);

    /// An error at the value of `key`, or at the mapping when it is absent.
    void refuse(std::string_view key, std::string message);
    [[nodiscard]] bool failed() const { return m_errors.first.has_value() || m_errors.missing.has_value(); }

    /// Refuses unknown keys. Nested mappings are finished by `map` and `maps`.
    void finish();

private:
    const YamlNode* find(std::string_view key);
    const YamlNode* required(std::string_view key);
    const YamlNode* scalar(std::string_view key, const YamlNode* node);
    std::optional<double> inRange(std::string_view key, const YamlNode& node, double value, Range range,
                                  const std::string& least, const std::string& most);

    const YamlNode& m_map;
    YamlErrors& m_errors;
    std::vector<std::string> m_known;
};

/// The first mistake of a file in the order a reader mends it, or the value.
template <typename T>
[[nodiscard]] Result<T> finished(YamlErrors& errors, T value)
{
    if (errors.first)
        return fail(*errors.first);
    if (errors.missing)
        return fail(*errors.missing);
    return value;
}


/// "a, b or c".
[[nodiscard]] std::string oneOf(const std::vector<std::string>& names);

// A limit as messages show it, with ordinary spaces.
[[nodiscard]] std::string limitText(double value);
[[nodiscard]] std::string limitText(Bytes value);
[[nodiscard]] std::string limitText(Bandwidth value);
[[nodiscard]] std::string limitText(FlopRate value);
[[nodiscard]] std::string limitText(Seconds value);
[[nodiscard]] std::string limitText(Watts value);
[[nodiscard]] std::string limitText(DollarRate value);

template <typename Q>
Q YamlFields::quantity(std::string_view key, Result<Q> (*parse)(std::string_view), Range range)
{
    return required(key) ? quantity(key, parse, range, Q{}) : Q{};
}

template <typename Q>
Q YamlFields::quantity(std::string_view key, Result<Q> (*parse)(std::string_view), Range range, Q fallback)
{
    const YamlNode* node = scalar(key, find(key));
    if (!node)
        return fallback;
    const Result<Q> value = parse(node->text);
    if (!value) {
        m_errors.add(*node, std::string(key) + ": " + value.error().message);
        return fallback;
    }
    const auto checked =
        inRange(key, *node, value->value, range, limitText(Q{range.minimum}), limitText(Q{range.maximum}));
    return checked ? Q{*checked} : fallback;
}

template <typename E, typename Table>
E YamlFields::choice(std::string_view key, const Table& table)
{
    return required(key) ? choice(key, table, E{}) : E{};
}

template <typename E, typename Table>
E YamlFields::choice(std::string_view key, const Table& table, E fallback)
{
    const YamlNode* node = scalar(key, find(key));
    if (!node)
        return fallback;
    std::vector<std::string> names;
    for (const auto& [name, value] : table) {
        if (name == node->text)
            return value;
        names.emplace_back(name);
    }
    const std::string guess = nearest(node->text, names);
    m_errors.add(*node, std::string(key) + " is \"" + node->text + "\"; it must be " + oneOf(names) +
                            (guess.empty() ? "" : "; did you mean \"" + guess + "\"?"));
    return fallback;
}

} // namespace ridgepoint
