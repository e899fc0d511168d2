// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgepoint {

/// Which of two usual definitions numbers are shown in. They change what is shown, never what is computed; a number and its
/// label always change together.
struct Definitions
{
    bool tpotWithFirst = false;      ///< TPOT as request latency / output tokens; else (last − first) / (n − 1)
    bool gigabytes = false;          ///< memory that software allots in GB (10^9); else GiB (2^30)
    bool macs = false;               ///< arithmetic in MAC, two FLOP each; else FLOP
    bool linksBothWays = false;      ///< link bandwidth as the sum of both directions; else of one
    bool operator==(const Definitions&) const = default;
};

/// A row of the switchboard.
struct DefinitionChoice
{
    std::string_view id;                         ///< in files and options, such as "tpot"
    std::string_view label;                      ///< on screen
    std::array<std::string_view, 2> values;      ///< ids of the two, the default first
    std::array<std::string_view, 2> names;       ///< on screen
    bool Definitions::* second;                  ///< true: the second is chosen
};

[[nodiscard]] std::span<const DefinitionChoice> definitionChoices();

/// Reads "tpot=with-first".
///
/// fails    for an unknown id or value, naming those there are
[[nodiscard]] Result<void> define(Definitions& definitions, std::string_view text);

/// Ids and values of those that are not the default.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> chosen(const Definitions& definitions);

/// What exports are stamped with: "TPOT without the first token · memory in GiB · arithmetic in FLOP · links one way".
[[nodiscard]] std::string definitionsText(const Definitions& definitions);

// What software allots, in the unit chosen. `memoryText` picks smaller units for small values.
[[nodiscard]] constexpr double memoryUnit(const Definitions& d) { return d.gigabytes ? 1e9 : gibi; }
[[nodiscard]] constexpr std::string_view memoryUnitName(const Definitions& d) { return d.gigabytes ? "GB" : "GiB"; }
[[nodiscard]] std::string memoryText(Bytes value, const Definitions& definitions);

// FLOP in one shown operation, and its name.
[[nodiscard]] constexpr double operationUnit(const Definitions& d) { return d.macs ? 2.0 : 1.0; }
[[nodiscard]] constexpr std::string_view operationName(const Definitions& d) { return d.macs ? "MAC" : "FLOP"; }

[[nodiscard]] constexpr std::string_view tpotName(const Definitions& d) { return d.tpotWithFirst ? "TPOT with the first token" : "TPOT"; }

/// "989 TFLOP/s", "495 TMAC/s".
[[nodiscard]] std::string operationRateText(FlopRate value, const Definitions& definitions);

/// Of a link whose one direction is given; `linkName` says what is shown: "one way", "both ways".
[[nodiscard]] std::string linkText(Bandwidth oneWay, const Definitions& definitions);
[[nodiscard]] constexpr std::string_view linkName(const Definitions& d) { return d.linksBothWays ? "both ways" : "one way"; }

} // namespace ridgepoint
