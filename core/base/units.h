// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>

namespace ridgepoint {

/// A physical quantity whose dimension is the product of powers of byte, FLOP, second, joule and dollar.
/// Base units are B, FLOP, s, J and $; a product without dimension is a plain double.
template <int Byte, int Flop, int Second, int Joule, int Dollar>
struct Quantity
{
    double value = 0.0;

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other) { value += other.value; return *this; }
    constexpr Quantity& operator-=(Quantity other) { value -= other.value; return *this; }
    constexpr Quantity& operator*=(double factor) { value *= factor; return *this; }

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
    friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
    friend constexpr Quantity operator*(double factor, Quantity a) { return {factor * a.value}; }
    friend constexpr Quantity operator/(Quantity a, double divisor) { return {a.value / divisor}; }
};

template <int B, int F, int S, int J, int D>
constexpr auto makeQuantity(double value)
{
    if constexpr (B == 0 && F == 0 && S == 0 && J == 0 && D == 0)
        return value;
    else
        return Quantity<B, F, S, J, D>{value};
}

template <int B1, int F1, int S1, int J1, int D1, int B2, int F2, int S2, int J2, int D2>
constexpr auto operator*(Quantity<B1, F1, S1, J1, D1> a, Quantity<B2, F2, S2, J2, D2> b)
{
    return makeQuantity<B1 + B2, F1 + F2, S1 + S2, J1 + J2, D1 + D2>(a.value * b.value);
}

template <int B1, int F1, int S1, int J1, int D1, int B2, int F2, int S2, int J2, int D2>
constexpr auto operator/(Quantity<B1, F1, S1, J1, D1> a, Quantity<B2, F2, S2, J2, D2> b)
{
    return makeQuantity<B1 - B2, F1 - F2, S1 - S2, J1 - J2, D1 - D2>(a.value / b.value);
}

template <int B, int F, int S, int J, int D>
constexpr auto operator/(double a, Quantity<B, F, S, J, D> b)
{
    return makeQuantity<-B, -F, -S, -J, -D>(a / b.value);
}

using Bytes = Quantity<1, 0, 0, 0, 0>;
using Flops = Quantity<0, 1, 0, 0, 0>;
using Seconds = Quantity<0, 0, 1, 0, 0>;
using Joules = Quantity<0, 0, 0, 1, 0>;
using Dollars = Quantity<0, 0, 0, 0, 1>;
using Bandwidth = Quantity<1, 0, -1, 0, 0>;
using FlopRate = Quantity<0, 1, -1, 0, 0>;
using Intensity = Quantity<-1, 1, 0, 0, 0>;
using Watts = Quantity<0, 0, -1, 1, 0>;
using DollarRate = Quantity<0, 0, -1, 0, 1>;
using Frequency = Quantity<0, 0, -1, 0, 0>;

inline constexpr double kibi = 1024.0;
inline constexpr double mebi = 1024.0 * 1024.0;
inline constexpr double gibi = 1024.0 * 1024.0 * 1024.0;

namespace literals {
// clang-format off
constexpr Bytes operator""_B(long double v) { return {double(v)}; }
constexpr Bytes operator""_B(unsigned long long v) { return {double(v)}; }
constexpr Bytes operator""_GB(long double v) { return {double(v) * 1e9}; }
constexpr Bytes operator""_GB(unsigned long long v) { return {double(v) * 1e9}; }
constexpr Bytes operator""_GiB(long double v) { return {double(v) * gibi}; }
constexpr Bytes operator""_GiB(unsigned long long v) { return {double(v) * gibi}; }
constexpr Seconds operator""_s(long double v) { return {double(v)}; }
constexpr Seconds operator""_ms(long double v) { return {double(v) * 1e-3}; }
constexpr Seconds operator""_us(long double v) { return {double(v) * 1e-6}; }
constexpr Seconds operator""_us(unsigned long long v) { return {double(v) * 1e-6}; }
constexpr Bandwidth operator""_GBps(long double v) { return {double(v) * 1e9}; }
constexpr Bandwidth operator""_GBps(unsigned long long v) { return {double(v) * 1e9}; }
constexpr Bandwidth operator""_TBps(long double v) { return {double(v) * 1e12}; }
constexpr FlopRate operator""_TFLOPS(long double v) { return {double(v) * 1e12}; }
constexpr FlopRate operator""_TFLOPS(unsigned long long v) { return {double(v) * 1e12}; }
constexpr Watts operator""_W(unsigned long long v) { return {double(v)}; }
// clang-format on
} // namespace literals

} // namespace ridgepoint
