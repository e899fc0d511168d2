// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ridgepoint::probe {

/// The inner loops, compiled once for each instruction set that this program knows.
struct Kernels
{
    std::string_view instructions;    ///< "baseline", "AVX2" or "AVX-512"

    /// a[i] = b[i] + scale * c[i] with ordinary stores.
    void (*triad)(double* a, const double* b, const double* c, double scale, std::size_t count);

    /// The same with stores that bypass the caches; null where there are none. Arrays start at 64 bytes, counts are
    /// multiples of 8.
    void (*triadStreaming)(double* a, const double* b, const double* c, double scale, std::size_t count);

    /// c[m, n] = a[m, k] b[k, n] in fp32, all stored by columns.
    void (*gemm)(const float* a, const float* b, float* c, int m, int n, int k);

    /// `iterations` rounds of `multiplyAddFlops` that touch no memory. The result only keeps the work from being removed.
    float (*multiplyAdd)(std::size_t iterations);
    double multiplyAddFlops; ///< of one iteration
};

/// Those that this processor can run, best last.
[[nodiscard]] std::vector<const Kernels*> supportedKernels();

/// The best that this processor can run.
[[nodiscard]] const Kernels& kernels();

} // namespace ridgepoint::probe
