// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/definitions.h"

#include "core/base/nearest.h"
#include "core/base/trimmed.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridgepoint {
namespace {

constexpr std::array table{
    DefinitionChoice{"tpot", "TPOT", {"without-first", "with-first"}, {"without the first token", "with the first token"},
                     &Definitions::tpotWithFirst},
    DefinitionChoice{"memory", "Memory", {"gib", "gb"}, {"in GiB (2^30 bytes)", "in GB (10^9 bytes)"}, &Definitions::gigabytes},
    DefinitionChoice{"arithmetic", "Arithmetic", {"flop", "mac"}, {"in FLOP", "in MAC (2 FLOP each)"}, &Definitions::macs},
    DefinitionChoice{"links", "Links", {"one-way", "both-ways"}, {"one way", "both ways together"}, &Definitions::linksBothWays},
};

} // namespace

std::span<const DefinitionChoice> definitionChoices()
{
    return table;
}

Result<void> define(Definitions& definitions, std::string_view text)
{
    const std::size_t sign = text.find('=');
    const std::string_view id = trimmed(text.substr(0, sign));
    std::vector<std::string_view> ids;
    for (const DefinitionChoice& choice : table) {
        ids.push_back(choice.id);
        if (choice.id != id)
            continue;
        const std::string_view value = sign == std::string_view::npos ? std::string_view() : trimmed(text.substr(sign + 1));
        for (std::size_t i = 0; i < choice.values.size(); ++i)
            if (choice.values[i] == value) {
                definitions.*choice.second = i == 1;
                return {};
            }
        return fail(fmt::format("{} is defined as \"{}\"; it can be {} or {}", id, value, choice.values[0], choice.values[1]));
    }
    return fail(fmt::format("no definition is called \"{}\"; there are {}, each as in {}={}", id, fmt::join(ids, ", "), table[0].id,
                            table[0].values[1]));
}

std::vector<std::pair<std::string_view, std::string_view>> chosen(const Definitions& definitions)
{
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (const DefinitionChoice& choice : table)
        if (definitions.*choice.second)
            pairs.emplace_back(choice.id, choice.values[1]);
    return pairs;
}

std::string definitionsText(const Definitions& d)
{
    return fmt::format("{} · memory in {} · arithmetic in {} · links {}", d.tpotWithFirst ? "TPOT with the first token" : "TPOT without the first token",
                       memoryUnitName(d), operationName(d), linkName(d));
}

std::string memoryText(Bytes value, const Definitions& definitions)
{
    return definitions.gigabytes ? soldBytesText(value) : bytesText(value);
}

std::string operationRateText(FlopRate value, const Definitions& definitions)
{
    std::string text = flopRateText(value / operationUnit(definitions));
    const std::string_view usual = "FLOP";
    if (const std::size_t at = text.find(usual); at != std::string::npos)
        text.replace(at, usual.size(), operationName(definitions));
    return text;
}

std::string linkText(Bandwidth oneWay, const Definitions& definitions)
{
    return bandwidthText(definitions.linksBothWays ? oneWay * 2.0 : oneWay);
}

} // namespace ridgepoint
