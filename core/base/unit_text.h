// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <cmath>
#include <string>
#include <string_view>

namespace ridgepoint {

// Reading: "3.35 TB/s", "80 GB", "989 TFLOP/s", "700 W", "2.5 us", "$6.88/h". The unit is required, and a number must be
// finite and not negative. The message of a failure says which units would be right.
[[nodiscard]] Result<Bytes> parseBytes(std::string_view text);
[[nodiscard]] Result<Bandwidth> parseBandwidth(std::string_view text);
[[nodiscard]] Result<FlopRate> parseFlopRate(std::string_view text);
[[nodiscard]] Result<Watts> parseWatts(std::string_view text);
[[nodiscard]] Result<Seconds> parseSeconds(std::string_view text);
[[nodiscard]] Result<DollarRate> parseDollarRate(std::string_view text);
[[nodiscard]] Result<double> parseNumber(std::string_view text);

// Display: three significant digits unless told, thousands with commas, a no-break space before the unit.
[[nodiscard]] std::string numberText(double value, int significantDigits = 3);
[[nodiscard]] inline std::string countText(double value)   ///< whole: "64", "16,384"
{
    const double whole = std::round(value);
    return numberText(whole, whole < 10 ? 1 : 1 + int(std::log10(whole)));
}
[[nodiscard]] std::string bytesText(Bytes value);          ///< GiB, MiB, KiB: what software allots
[[nodiscard]] std::string soldBytesText(Bytes value);      ///< GB, TB: what vendors sell
[[nodiscard]] std::string bandwidthText(Bandwidth value);
[[nodiscard]] std::string flopRateText(FlopRate value);
[[nodiscard]] std::string secondsText(Seconds value);
[[nodiscard]] std::string dollarsText(Dollars value);
[[nodiscard]] std::string percentText(double share);       ///< 0.394 -> "39 %"
[[nodiscard]] std::string changeText(double ratio);        ///< 1.14 -> "+14 %", 0.82 -> "−18 %", 12 -> "×12"

/// The shortest text that reads back as the same number, independent of locale; for files.
[[nodiscard]] std::string plainNumber(double value);

} // namespace ridgepoint
