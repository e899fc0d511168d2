// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unit_text.h"

#include "core/base/trimmed.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace ridgepoint {

namespace {

constexpr std::string_view noBreakSpace = "\u00a0";
constexpr std::string_view minusSign = "\u2212";
constexpr double hour = 3600.0;
constexpr double day = 24.0 * hour;

struct Unit
{
    std::string_view name;
    double factor;
};

constexpr std::array byteUnits{Unit{"B", 1.0},    Unit{"kB", 1e3},   Unit{"MB", 1e6},
                               Unit{"GB", 1e9},   Unit{"TB", 1e12},  Unit{"KiB", kibi},
                               Unit{"MiB", mebi}, Unit{"GiB", gibi}, Unit{"TiB", kibi* gibi}};
constexpr std::array bandwidthUnits{Unit{"B/s", 1.0}, Unit{"kB/s", 1e3}, Unit{"MB/s", 1e6}, Unit{"GB/s", 1e9},
                                    Unit{"TB/s", 1e12}};
constexpr std::array flopRateUnits{Unit{"FLOP/s", 1.0},   Unit{"MFLOP/s", 1e6},  Unit{"GFLOP/s", 1e9},
                                   Unit{"TFLOP/s", 1e12}, Unit{"PFLOP/s", 1e15}, Unit{"OP/s", 1.0},
                                   Unit{"GOP/s", 1e9},    Unit{"TOP/s", 1e12},   Unit{"POP/s", 1e15}};
constexpr std::array wattUnits{Unit{"mW", 1e-3}, Unit{"W", 1.0}, Unit{"kW", 1e3}, Unit{"MW", 1e6}};
constexpr std::array secondUnits{Unit{"s", 1.0},        Unit{"ms", 1e-3}, Unit{"us", 1e-6},  Unit{"\u00b5s", 1e-6},
                                 Unit{"\u03bcs", 1e-6}, Unit{"ns", 1e-9}, Unit{"min", 60.0}, Unit{"h", hour}};
constexpr std::array dollarRateUnits{Unit{"$/h", 1.0 / hour}, Unit{"$/s", 1.0}};

std::string unitNames(std::span<const Unit> units)
{
    std::string names;
    for (const Unit& unit : units) {
        if (unit.name.front() == '\xc2' || unit.name.front() == '\xce')
            continue; // the two spellings of micro read, but "us" is the one to name
        names += names.empty() ? "" : ", ";
        names += unit.name;
    }
    return names;
}

struct NumberAndRest
{
    double number = 0.0;
    std::string_view rest;
};

Result<NumberAndRest> leadingNumber(std::string_view whole, std::string_view example)
{
    const std::string_view text = trimmed(whole);
    NumberAndRest result;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), result.number);
    if (code == std::errc::result_out_of_range)
        return fail(fmt::format("\"{}\" is too large or too small a number; write it like {}", text, example));
    if (code != std::errc())
        return fail(fmt::format("\"{}\" is not a number; write it like {}", text, example));
    if (!std::isfinite(result.number))
        return fail(fmt::format("\"{}\" is not finite; write a number like {}", text, example));
    if (std::signbit(result.number) && result.number != 0.0)
        return fail(fmt::format("\"{}\" is negative; it must be 0 or more, like {}", text, example));
    result.rest = trimmed(text.substr(std::size_t(end - text.data())));
    if (result.rest.starts_with(noBreakSpace))
        result.rest = trimmed(result.rest.substr(noBreakSpace.size()));
    return result;
}

Result<double> parseWithUnit(std::string_view text, std::span<const Unit> units, std::string_view example)
{
    const Result<NumberAndRest> parts = leadingNumber(text, example);
    if (!parts)
        return fail(parts.error());
    if (parts->rest.empty())
        return fail(fmt::format("\"{}\" needs a unit ({}), such as {}", trimmed(text), unitNames(units), example));
    for (const Unit& unit : units) {
        if (unit.name != parts->rest)
            continue;
        const double value = parts->number * unit.factor;
        if (!std::isfinite(value))
            return fail(fmt::format("\"{}\" is too large; write a value like {}", trimmed(text), example));
        return value;
    }
    return fail(fmt::format("\"{}\" has the unit {}; write one of {}, such as {}", trimmed(text), parts->rest,
                            unitNames(units), example));
}

template <typename Q>
Result<Q> asQuantity(const Result<double>& value)
{
    if (!value)
        return fail(value.error());
    return Q{*value};
}

std::string withCommas(std::string digits)
{
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t at = point; at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

/// How often the magnitude can be divided by ten before it falls below 1, after rounding to `digits`.
int decimalExponent(double magnitude, int digits)
{
    const std::string text = fmt::format("{:.{}e}", magnitude, digits - 1);
    return std::stoi(text.substr(text.find('e') + 1));
}

std::string superscript(int value)
{
    static constexpr std::array<std::string_view, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                             "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    std::string text = value < 0 ? "\u207b" : "";
    for (const char digit : std::to_string(std::abs(value)))
        text += digits[std::size_t(digit - '0')];
    return text;
}

std::string withoutTrailingZeros(std::string text)
{
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string withUnit(const std::string& number, std::string_view unit)
{
    return fmt::format("{}{}{}", number, noBreakSpace, unit);
}

/// The largest unit of which there is at least one after rounding to three digits; the first one below that.
const Unit& fittingUnit(double value, std::span<const Unit> units)
{
    const Unit* best = &units.front();
    for (const Unit& unit : units)
        if (std::abs(value) >= unit.factor * 0.9995)
            best = &unit;
    return *best;
}

std::string scaled(double value, std::span<const Unit> units)
{
    if (!std::isfinite(value))
        return "unknown";
    const Unit& unit = fittingUnit(value, units);
    return withUnit(numberText(value / unit.factor), unit.name);
}

std::string percent(double value, int decimals)
{
    return withUnit(withCommas(fmt::format("{:.{}f}", value, decimals)), "%");
}

} // namespace

Result<double> parseNumber(std::string_view text)
{
    const Result<NumberAndRest> parts = leadingNumber(text, "0.9");
    if (!parts)
        return fail(parts.error());
    if (!parts->rest.empty())
        return fail(fmt::format("\"{}\" is not a plain number; leave out \"{}\"", trimmed(text), parts->rest));
    return parts->number;
}

Result<Bytes> parseBytes(std::string_view text)
{
    return asQuantity<Bytes>(parseWithUnit(text, byteUnits, "80 GB"));
}

Result<Bandwidth> parseBandwidth(std::string_view text)
{
    return asQuantity<Bandwidth>(parseWithUnit(text, bandwidthUnits, "3.35 TB/s"));
}

Result<FlopRate> parseFlopRate(std::string_view text)
{
    return asQuantity<FlopRate>(parseWithUnit(text, flopRateUnits, "989 TFLOP/s"));
}

Result<Watts> parseWatts(std::string_view text)
{
    return asQuantity<Watts>(parseWithUnit(text, wattUnits, "700 W"));
}

Result<Seconds> parseSeconds(std::string_view text)
{
    return asQuantity<Seconds>(parseWithUnit(text, secondUnits, "2.5 us"));
}

Result<DollarRate> parseDollarRate(std::string_view text)
{
    const std::string_view whole = trimmed(text);
    if (!whole.starts_with('$'))
        return asQuantity<DollarRate>(parseWithUnit(whole, dollarRateUnits, "$6.88/h"));
    const std::string_view amount = whole.substr(1);
    const std::size_t slash = amount.find('/');
    const std::string spaced = slash == std::string_view::npos
                                   ? std::string(amount)
                                   : fmt::format("{} ${}", amount.substr(0, slash), amount.substr(slash));
    return asQuantity<DollarRate>(parseWithUnit(spaced, dollarRateUnits, "$6.88/h"));
}

std::string numberText(double value, int significantDigits)
{
    if (!std::isfinite(value))
        return "unknown";
    if (value == 0.0)
        return "0";
    const std::string sign = value < 0.0 ? std::string(minusSign) : std::string();
    const double magnitude = std::abs(value);
    const int exponent = decimalExponent(magnitude, significantDigits);
    if (exponent < -5 || exponent > 14) {
        const double mantissa = magnitude / std::pow(10.0, exponent);
        return fmt::format("{}{:.{}f}{}×{}10{}", sign, mantissa, significantDigits - 1, noBreakSpace, noBreakSpace,
                           superscript(exponent));
    }
    const int decimals = std::max(0, significantDigits - 1 - exponent);
    return sign + withCommas(fmt::format("{:.{}f}", magnitude, decimals));
}

std::string bytesText(Bytes value)
{
    static constexpr std::array units{Unit{"B", 1.0}, Unit{"KiB", kibi}, Unit{"MiB", mebi}, Unit{"GiB", gibi}};
    return value.value == 0.0 ? withUnit("0", "GiB") : scaled(value.value, units);
}

std::string soldBytesText(Bytes value)
{
    static constexpr std::array units{Unit{"B", 1.0}, Unit{"kB", 1e3}, Unit{"MB", 1e6}, Unit{"GB", 1e9},
                                      Unit{"TB", 1e12}};
    if (!std::isfinite(value.value))
        return "unknown";
    if (value.value == 0.0)
        return withUnit("0", "GB");
    const Unit& unit = fittingUnit(value.value, units);
    return withUnit(withoutTrailingZeros(numberText(value.value / unit.factor)), unit.name);
}

std::string bandwidthText(Bandwidth value)
{
    static constexpr std::array units{Unit{"B/s", 1.0}, Unit{"kB/s", 1e3}, Unit{"MB/s", 1e6}, Unit{"GB/s", 1e9},
                                      Unit{"TB/s", 1e12}};
    return value.value == 0.0 ? withUnit("0", "GB/s") : scaled(value.value, units);
}

std::string flopRateText(FlopRate value)
{
    static constexpr std::array units{Unit{"FLOP/s", 1.0}, Unit{"MFLOP/s", 1e6}, Unit{"GFLOP/s", 1e9},
                                      Unit{"TFLOP/s", 1e12}, Unit{"PFLOP/s", 1e15}};
    return value.value == 0.0 ? withUnit("0", "TFLOP/s") : scaled(value.value, units);
}

std::string secondsText(Seconds time)
{
    static constexpr std::array units{Unit{"\u00b5s", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1.0}};
    const double value = time.value;
    if (!std::isfinite(value))
        return "unknown";
    if (value == 0.0)
        return withUnit("0", "s");
    if (std::abs(value) < 59.95)
        return scaled(value, units);
    const std::string sign = value < 0.0 ? std::string(minusSign) : std::string();
    const double magnitude = std::abs(value);
    if (magnitude >= 2.0 * day)
        return withUnit(sign + withoutTrailingZeros(numberText(magnitude / day)), "days");
    const bool hours = magnitude >= hour - 0.5;
    const double small = hours ? 60.0 : 1.0;
    const long count = std::lround(magnitude / small);
    return fmt::format("{}{}{}{}", sign, withUnit(std::to_string(count / 60), hours ? "h" : "min"), noBreakSpace,
                       withUnit(std::to_string(count % 60), hours ? "min" : "s"));
}

std::string dollarsText(Dollars money)
{
    const double value = money.value;
    if (!std::isfinite(value))
        return "unknown";
    const double magnitude = std::abs(value);
    const std::string sign = value < 0.0 ? std::string(minusSign) : std::string();
    if (magnitude == 0.0)
        return "$0";
    if (magnitude < 0.9995)
        return sign + "$" + numberText(magnitude, 3);
    return sign + "$" + withCommas(fmt::format("{:.{}f}", magnitude, magnitude < 999.995 ? 2 : 0));
}

std::string percentText(double share)
{
    if (!std::isfinite(share))
        return "unknown";
    const std::string sign = share < 0.0 ? std::string(minusSign) : std::string();
    const double value = std::abs(share) * 100.0;
    if (value < 0.005)
        return percent(0.0, 0);
    const int decimals = value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;
    return sign + percent(value, decimals);
}

std::string changeText(double ratio)
{
    if (!std::isfinite(ratio))
        return "unknown";
    if (ratio >= 10.0 || (ratio > 0.0 && ratio < 0.01))
        return "×" + numberText(ratio, 2);
    const double change = (ratio - 1.0) * 100.0;
    const double magnitude = std::abs(change);
    if (magnitude < 0.05)
        return percent(0.0, 0);
    const std::string sign = change < 0.0 ? std::string(minusSign) : "+";
    return sign + percent(magnitude, magnitude < 0.95 ? 1 : 0);
}

std::string plainNumber(double value)
{
    std::array<char, 40> buffer{};
    // 200000 and not 2e+05: counts are read by people, too.
    const bool count = value == std::floor(value) && std::abs(value) < 1e15;
    const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           count ? std::chars_format::fixed : std::chars_format::general);
    return code == std::errc() ? std::string(buffer.data(), end) : std::string();
}

} // namespace ridgepoint
