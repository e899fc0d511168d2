// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

std::string_view kindName(YamlNode::Kind kind)
{
    switch (kind) {
    case YamlNode::Kind::empty: return "empty";
    case YamlNode::Kind::scalar: return "a single value";
    case YamlNode::Kind::list: return "a list";
    case YamlNode::Kind::map: return "a mapping";
    }
    return "";
}

/// Enough of a value to recognise it in a message.
std::string shown(std::string_view text)
{
    constexpr std::size_t longest = 60;
    return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "…";
}

std::string withPlainSpaces(std::string text)
{
    constexpr std::string_view noBreakSpace = "\u00a0";
    for (std::size_t at = text.find(noBreakSpace); at != std::string::npos; at = text.find(noBreakSpace, at))
        text.replace(at, noBreakSpace.size(), 1, ' ');
    return text;
}

} // namespace

std::string limitText(double value)
{
    const bool isShortInteger = std::abs(value) < 1e15 && value == std::floor(value);
    return isShortInteger ? fmt::format("{:.0f}", value) : plainNumber(value);
}

std::string limitText(Bytes value)
{
    return withPlainSpaces(soldBytesText(value));
}

std::string limitText(Bandwidth value)
{
    return withPlainSpaces(bandwidthText(value));
}

std::string limitText(FlopRate value)
{
    return withPlainSpaces(flopRateText(value));
}

std::string limitText(Seconds value)
{
    return withPlainSpaces(secondsText(value));
}

std::string limitText(Watts value)
{
    return limitText(value.value) + " W";
}

std::string limitText(DollarRate value)
{
    constexpr double hour = 3600.0;
    return "$" + withPlainSpaces(numberText(value.value * hour)) + "/h";
}

std::string oneOf(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

void YamlErrors::add(const YamlNode& where, std::string message)
{
    if (!first)
        first = Error{std::move(message), file, where.line, where.column, {}};
}

YamlFields::YamlFields(const YamlNode& map, YamlErrors& errors) : m_map(map), m_errors(errors) {}

bool YamlFields::has(std::string_view key) const
{
    return std::any_of(m_map.keys.begin(), m_map.keys.end(), [&](const YamlNode& k) { return k.text == key; });
}

const YamlNode* YamlFields::find(std::string_view key)
{
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
        m_known.emplace_back(key);
    for (std::size_t i = 0; i < m_map.keys.size(); ++i)
        if (m_map.keys[i].text == key)
            return &m_map.items[i];
    return nullptr;
}

const YamlNode* YamlFields::required(std::string_view key)
{
    const YamlNode* node = find(key);
    if (!node && !m_errors.missing)
        m_errors.missing = Error{
            fmt::format("{} is missing; add a line \"{}: …\"", key, key), m_errors.file, m_map.line, m_map.column, {}};
    return node;
}

const YamlNode* YamlFields::scalar(std::string_view key, const YamlNode* node)
{
    if (!node)
        return nullptr;
    if (node->kind == YamlNode::Kind::scalar)
        return node;
    m_errors.add(*node, fmt::format("{} is {}; it needs a single value", key, kindName(node->kind)));
    return nullptr;
}

std::optional<double> YamlFields::inRange(std::string_view key, const YamlNode& node, double value, Range range,
                                          const std::string& least, const std::string& most)
{
    if (value >= range.minimum && value <= range.maximum)
        return value;
    m_errors.add(node, fmt::format("{} is {}; it must be from {} to {}", key, shown(node.text), least, most));
    return std::nullopt;
}

std::string YamlFields::text(std::string_view key)
{
    const YamlNode* node = required(key);
    if (!node)
        return {};
    std::string value = text(key, {});
    if (node->kind == YamlNode::Kind::scalar && value.empty())
        m_errors.add(*node, fmt::format("{} is empty; write a text", key));
    return value;
}

std::string YamlFields::text(std::string_view key, std::string fallback)
{
    const YamlNode* node = scalar(key, find(key));
    return node ? node->text : std::move(fallback);
}

int YamlFields::integer(std::string_view key, Range range)
{
    return required(key) ? integer(key, range, 0) : 0;
}

int YamlFields::integer(std::string_view key, Range range, int fallback)
{
    const YamlNode* node = scalar(key, find(key));
    if (!node)
        return fallback;
    const std::string& text = node->text;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::invalid_argument || end != text.data() + text.size()) {
        m_errors.add(*node, fmt::format("{} is \"{}\"; it must be a whole number, such as {}", key, shown(text),
                                        std::max(1.0, range.minimum)));
        return fallback;
    }
    const double checked = code == std::errc() ? double(value) : text.front() == '-' ? -1e300 : 1e300;
    return inRange(key, *node, checked, range, limitText(range.minimum), limitText(range.maximum)) ? int(value)
                                                                                                   : fallback;
}

double YamlFields::number(std::string_view key, Range range)
{
    return required(key) ? number(key, range, 0.0) : 0.0;
}

double YamlFields::number(std::string_view key, Range range, double fallback)
{
    const YamlNode* node = scalar(key, find(key));
    if (!node)
        return fallback;
    const Result<double> value = parseNumber(node->text);
    if (!value) {
        m_errors.add(*node, fmt::format("{}: {}", key, value.error().message));
        return fallback;
    }
    return inRange(key, *node, *value, range, limitText(range.minimum), limitText(range.maximum)).value_or(fallback);
}

bool YamlFields::boolean(std::string_view key, bool fallback)
{
    const YamlNode* node = scalar(key, find(key));
    if (!node)
        return fallback;
    if (node->text != "true" && node->text != "false")
        m_errors.add(*node, fmt::format("{} is \"{}\"; it must be true or false", key, shown(node->text)));
    return node->text == "true";
}

std::vector<std::string> YamlFields::texts(std::string_view key)
{
    const YamlNode* node = find(key);
    if (!node)
        return {};
    if (node->kind != YamlNode::Kind::list) {
        m_errors.add(*node, fmt::format("{} is {}; it needs a list, such as [one, two]", key, kindName(node->kind)));
        return {};
    }
    std::vector<std::string> values;
    for (const YamlNode& item : node->items) {
        if (item.kind != YamlNode::Kind::scalar || item.text.empty())
            m_errors.add(item, fmt::format("an entry of {} is {}; each must be a text", key, kindName(item.kind)));
        values.push_back(item.text);
    }
    return values;
}

std::map<std::string, std::string> YamlFields::textMap(std::string_view key)
{
    const YamlNode* node = find(key);
    if (!node)
        return {};
    if (node->kind != YamlNode::Kind::map) {
        m_errors.add(*node,
                     fmt::format("{} is {}; it needs a mapping, such as {{key: text}}", key, kindName(node->kind)));
        return {};
    }
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < node->keys.size(); ++i) {
        const YamlNode& item = node->items[i];
        const std::string& name = node->keys[i].text;
        if (item.kind != YamlNode::Kind::scalar || item.text.empty())
            m_errors.add(item, fmt::format("{}.{} is {}; it must be a text", key, name, kindName(item.kind)));
        values.emplace(name, item.text);
    }
    return values;
}

void YamlFields::map(std::string_view key, bool isRequired, const std::function<void(YamlFields&)>& read)
{
    const YamlNode* node = isRequired ? required(key) : find(key);
    if (!node)
        return;
    if (node->kind != YamlNode::Kind::map) {
        m_errors.add(*node,
                     fmt::format("{} is {}; it needs a mapping, such as {{key: value}}", key, kindName(node->kind)));
        return;
    }
    YamlFields fields(*node, m_errors);
    read(fields);
    fields.finish();
}

void YamlFields::maps(std::string_view key, const std::function<void(YamlFields&)>& read)
{
    const YamlNode* node = required(key);
    if (!node)
        return;
    if (node->kind != YamlNode::Kind::list || node->items.empty()) {
        m_errors.add(*node, fmt::format("{} is {}; it needs a list with at least one entry", key,
                                        node->kind == YamlNode::Kind::list ? "an empty list" : kindName(node->kind)));
        return;
    }
    for (const YamlNode& item : node->items) {
        if (item.kind != YamlNode::Kind::map) {
            m_errors.add(item, fmt::format("an entry of {} is {}; each needs a mapping", key, kindName(item.kind)));
            continue;
        }
        YamlFields fields(item, m_errors);
        read(fields);
        fields.finish();
    }
}

void YamlFields::eachMap(const std::function<void(const std::string& key, YamlFields&)>& read)
{
    for (std::size_t i = 0; i < m_map.keys.size(); ++i) {
        const std::string& key = m_map.keys[i].text;
        const YamlNode& item = m_map.items[i];
        if (item.kind != YamlNode::Kind::map) {
            m_errors.add(item, fmt::format("{} is {}; it needs a mapping", shown(key), kindName(item.kind)));
            continue;
        }
        YamlFields fields(item, m_errors);
        read(key, fields);
        fields.finish();
    }
}

void YamlFields::refuse(std::string_view key, std::string message)
{
    const YamlNode* node = find(key);
    m_errors.add(node ? *node : m_map, std::move(message));
}

void YamlFields::finish()
{
    for (const YamlNode& key : m_map.keys) {
        if (m_errors.first)
            return;
        if (std::find(m_known.begin(), m_known.end(), key.text) != m_known.end())
            continue;
        const std::string guess = nearest(key.text, m_known);
        m_errors.add(key,
                     fmt::format("the key \"{}\" is not known here; {}", shown(key.text),
                                 guess.empty() ? "it can be " + oneOf(m_known) : "did you mean \"" + guess + "\"?"));
    }
}

} // namespace ridgepoint
