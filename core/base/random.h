// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace ridgepoint {

/// A stream of random numbers that is the same for a seed on every machine, which std's distributions are not.
///
/// source   xoshiro256++ of Blackman and Vigna, seeded by splitmix64 (both in the public domain)
class RandomStream
{
public:
    explicit RandomStream(std::uint64_t seed)
    {
        for (std::uint64_t& word : m_state) {
            seed += 0x9E3779B97F4A7C15u;
            std::uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
            word = z ^ (z >> 31);
        }
    }

    [[nodiscard]] std::uint64_t bits()
    {
        const std::uint64_t result = std::rotl(m_state[0] + m_state[3], 23) + m_state[0];
        const std::uint64_t shifted = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= shifted;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }

    /// In (0, 1), never an end.
    [[nodiscard]] double uniform() { return (double(bits() >> 12) + 0.5) * 0x1p-52; }

    /// Mean 1.
    [[nodiscard]] double exponential() { return -std::log(uniform()); }

    /// Mean 0, variance 1.
    [[nodiscard]] double normal()
    {
        return std::sqrt(2.0 * exponential()) * std::cos(2.0 * std::numbers::pi * uniform());
    }

    /// Mean `shape`, variance `shape`; shape > 0. Marsaglia and Tsang 2000.
    [[nodiscard]] double gamma(double shape)
    {
        if (shape < 1.0)
            return gamma(shape + 1.0) * std::pow(uniform(), 1.0 / shape);
        const double d = shape - 1.0 / 3.0;
        const double c = 1.0 / std::sqrt(9.0 * d);
        for (;;) {
            const double x = normal();
            const double root = 1.0 + c * x;
            if (root <= 0.0)
                continue;
            const double v = root * root * root;
            if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v))
                return d * v;
        }
    }

private:
    std::uint64_t m_state[4];
};

} // namespace ridgepoint
