// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unit_text.h"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace ridgepoint {
namespace {

using testing::HasSubstr;

/// Spelled with ordinary spaces for reading; the display has no-break spaces.
std::string withNoBreakSpaces(std::string text)
{
    for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 2))
        text.replace(at, 1, "\u00a0");
    return text;
}

template <typename Q>
struct Read
{
    const char* text;
    double value;
};

template <typename Q, std::size_t N>
void expectReads(Result<Q> (*parse)(std::string_view), const Read<Q> (&cases)[N])
{
    for (const Read<Q>& c : cases) {
        const Result<Q> value = parse(c.text);
        ASSERT_TRUE(value) << c.text << ": " << value.error().message;
        EXPECT_DOUBLE_EQ(value->value, c.value) << c.text;
    }
}

TEST(UnitText, ReadsEveryUnit)
{
    expectReads<Bytes>(parseBytes, {{"80 GB", 80e9},
                                    {"80GB", 80e9},
                                    {"79.18 GiB", 79.18 * gibi},
                                    {"1.5 TB", 1.5e12},
                                    {"2 TiB", 2 * gibi * kibi},
                                    {"3 kB", 3e3},
                                    {"3 KiB", 3072},
                                    {"50 MB", 50e6},
                                    {"0.5 MiB", mebi / 2},
                                    {"7 B", 7},
                                    {" 0 B ", 0},
                                    {"1e3 B", 1000},
                                    {"80\u00a0GB", 80e9}});
    expectReads<Bandwidth>(parseBandwidth, {{"3.35 TB/s", 3.35e12}, {"450 GB/s", 450e9}, {"9 B/s", 9}});
    expectReads<FlopRate>(parseFlopRate, {{"989 TFLOP/s", 989e12},
                                          {"1.98 PFLOP/s", 1.98e15},
                                          {"5 GFLOP/s", 5e9},
                                          {"3 FLOP/s", 3},
                                          {"1979 TOP/s", 1979e12}});
    expectReads<Watts>(parseWatts, {{"700 W", 700}, {"1.2 kW", 1200}});
    expectReads<Seconds>(parseSeconds, {{"1 s", 1},
                                        {"2.5 ms", 2.5e-3},
                                        {"2.5 us", 2.5e-6},
                                        {"2.5 µs", 2.5e-6},
                                        {"2.5 \u03bcs", 2.5e-6},
                                        {"30 ns", 30e-9}});
    expectReads<DollarRate>(parseDollarRate, {{"$6.88/h", 6.88 / 3600}, {"6.88 $/h", 6.88 / 3600}});
}

TEST(UnitText, ReadsPlainNumbers)
{
    for (const auto& [text, value] : {std::pair{"0.9", 0.9}, {"1e-6", 1e-6}, {"0", 0.0}, {" 12 ", 12.0}}) {
        ASSERT_TRUE(parseNumber(text)) << text;
        EXPECT_DOUBLE_EQ(*parseNumber(text), value) << text;
    }
}

TEST(UnitText, SaysWhatWouldBeRight)
{
    struct Case
    {
        const char* text;
        const char* part;
    };
    for (const Case& c : {Case{"3.35", "needs a unit (B/s, kB/s, MB/s, GB/s, TB/s), such as 3.35 TB/s"},
                          {"3.35 TB", "has the unit TB; write one of B/s"},
                          {"3.35 tb/s", "has the unit tb/s"},
                          {"fast", "is not a number; write it like 3.35 TB/s"},
                          {"", "is not a number"},
                          {"-1 TB/s", "is negative"},
                          {"nan TB/s", "is not finite"},
                          {"inf TB/s", "is not finite"},
                          {"1e999 TB/s", "too large"},
                          {"1e308 TB/s", "too large"},
                          {"0x10 TB/s", "has the unit x10"},
                          {"3,350 GB/s", "has the unit ,350 GB/s"},
                          {"1 2 TB/s", "has the unit 2 TB/s"}}) {
        const Result<Bandwidth> value = parseBandwidth(c.text);
        ASSERT_FALSE(value) << c.text;
        EXPECT_THAT(value.error().message, HasSubstr(c.part)) << c.text;
    }
    EXPECT_FALSE(parseNumber("0.9 GB"));
    EXPECT_FALSE(parseNumber("nan"));
    EXPECT_FALSE(parseDollarRate("$6.88"));
    EXPECT_FALSE(parseDollarRate("$/h"));
    EXPECT_FALSE(parseDollarRate("$-1/h"));
}

template <typename T, std::size_t N>
void expectShows(std::string (*show)(T), const std::pair<T, const char*> (&cases)[N])
{
    for (const auto& [value, text] : cases)
        EXPECT_EQ(show(value), withNoBreakSpaces(text));
}

TEST(UnitText, ShowsThreeSignificantDigits)
{
    const std::pair<double, const char*> cases[] = {
        {22.24, "22.2"}, {1434.2, "1,434"},   {16384, "16,384"}, {1234567, "1,234,567"}, {7.7, "7.70"},
        {9.996, "10.0"}, {99.96, "100"},      {999.6, "1,000"},  {0.4567, "0.457"},      {0.0001234, "0.000123"},
        {0, "0"},        {-3.14159, "−3.14"}, {-0.0, "0"},       {1e-9, "1.00 × 10⁻⁹"},  {2.5e20, "2.50 × 10²⁰"}};
    for (const auto& [value, text] : cases)
        EXPECT_EQ(numberText(value), withNoBreakSpaces(text));
    EXPECT_EQ(numberText(21.4444, 4), "21.44");
    EXPECT_EQ(numberText(std::numeric_limits<double>::infinity()), "unknown");
    EXPECT_EQ(numberText(std::nan("")), "unknown");
}

TEST(UnitText, ShowsQuantitiesInAFittingUnit)
{
    expectShows<Bytes>(bytesText, {{{59.7 * gibi}, "59.7 GiB"},
                                   {{0}, "0 GiB"},
                                   {{512}, "512 B"},
                                   {{1.5 * mebi}, "1.50 MiB"},
                                   {{1023.9999 * mebi}, "1.00 GiB"},
                                   {{-2 * gibi}, "−2.00 GiB"},
                                   {{5000 * gibi}, "5,000 GiB"}});
    expectShows<Bytes>(soldBytesText, {{{80e9}, "80 GB"}, {{1.5e12}, "1.5 TB"}, {{141e9}, "141 GB"}, {{0}, "0 GB"}});
    expectShows<Bandwidth>(bandwidthText, {{{7.7e12}, "7.70 TB/s"}, {{450e9}, "450 GB/s"}, {{0}, "0 GB/s"}});
    expectShows<FlopRate>(flopRateText, {{{989.4e12}, "989 TFLOP/s"}, {{1.9789e15}, "1.98 PFLOP/s"}});
    expectShows<Seconds>(secondsText, {{{3.6e-6}, "3.60 µs"},
                                       {{0.0222}, "22.2 ms"},
                                       {{1.5}, "1.50 s"},
                                       {{797}, "13 min 17 s"},
                                       {{60}, "1 min 0 s"},
                                       {{3600}, "1 h 0 min"},
                                       {{3599.8}, "1 h 0 min"},
                                       {{8000}, "2 h 13 min"},
                                       {{72 * 86400.0}, "72 days"},
                                       {{0}, "0 s"}});
    EXPECT_EQ(secondsText(Seconds{std::nan("")}), "unknown");
}

TEST(UnitText, ShowsMoneySharesAndChanges)
{
    expectShows<Dollars>(dollarsText, {{{2.71}, "$2.71"},
                                       {{21.44}, "$21.44"},
                                       {{14}, "$14.00"},
                                       {{0.2714}, "$0.271"},
                                       {{1434.5}, "$1,434"},
                                       {{0}, "$0"},
                                       {{-2.5}, "−$2.50"},
                                       {{0.99999}, "$1.00"},
                                       {{999.999}, "$1,000"}});
    expectShows<double>(percentText, {{0.394, "39 %"},
                                      {0.6, "60 %"},
                                      {0.0394, "3.9 %"},
                                      {0.00394, "0.39 %"},
                                      {0, "0 %"},
                                      {1, "100 %"},
                                      {0.0999, "10 %"},
                                      {-0.5, "−50 %"}});
    expectShows<double>(
        changeText,
        {{1.14, "+14 %"}, {0.82, "−18 %"}, {1.0, "0 %"}, {1.004, "+0.4 %"}, {0.97, "−3 %"}, {9.9, "+890 %"}, {12.0, "×12"},
         {0.0048, "×0.0048"}, {0, "−100 %"}});
}

TEST(UnitText, PlainNumbersReadBackExactly)
{
    for (const double value : {0.1, 1.0 / 3.0, 6.02e23, -5e-324, 123456789.0, 0.0, 3.35e12})
        EXPECT_EQ(std::strtod(plainNumber(value).c_str(), nullptr), value);
    EXPECT_EQ(plainNumber(0.1), "0.1");
    EXPECT_EQ(plainNumber(64), "64");
}

} // namespace
} // namespace ridgepoint
