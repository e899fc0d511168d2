// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compiled once for each instruction set. RIDGEPOINT_VARIANT names the table and Eigen's namespace: otherwise the linker
// would keep one copy of Eigen's inline functions for all variants, and a plain processor would meet AVX-512 code.
#define RIDGEPOINT_JOIN2(a, b) a##b
#define RIDGEPOINT_JOIN(a, b) RIDGEPOINT_JOIN2(a, b)
#define Eigen RIDGEPOINT_JOIN(Eigen_, RIDGEPOINT_VARIANT)

#include "probes/cpu/kernels.h"

#include <Eigen/Core>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridgepoint::probe {
namespace {

#if defined(__AVX512F__)
constexpr std::string_view instructionSet = "AVX-512";
constexpr int vectorBytes = 64;
#elif defined(__AVX2__)
constexpr std::string_view instructionSet = "AVX2";
constexpr int vectorBytes = 32;
#else
constexpr std::string_view instructionSet = "baseline";
constexpr int vectorBytes = 16;
#endif

void triad(double* __restrict a, const double* __restrict b, const double* __restrict c, double scale,
           std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + scale * c[i];
}

#if defined(__x86_64__)
void triadStreaming(double* a, const double* b, const double* c, double scale, std::size_t count)
{
#if defined(__AVX512F__)
    const __m512d factor = _mm512_set1_pd(scale);
    for (std::size_t i = 0; i < count; i += 8)
        _mm512_stream_pd(a + i, _mm512_fmadd_pd(factor, _mm512_load_pd(c + i), _mm512_load_pd(b + i)));
#elif defined(__AVX2__)
    const __m256d factor = _mm256_set1_pd(scale);
    for (std::size_t i = 0; i < count; i += 4)
        _mm256_stream_pd(a + i, _mm256_fmadd_pd(factor, _mm256_load_pd(c + i), _mm256_load_pd(b + i)));
#else
    const __m128d factor = _mm_set1_pd(scale);
    for (std::size_t i = 0; i < count; i += 2)
        _mm_stream_pd(a + i, _mm_add_pd(_mm_mul_pd(factor, _mm_load_pd(c + i)), _mm_load_pd(b + i)));
#endif
    _mm_sfence();
}
#else
constexpr auto triadStreaming = nullptr;
#endif

void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    const Eigen::Map<const Eigen::MatrixXf> left(a, m, k);
    const Eigen::Map<const Eigen::MatrixXf> right(b, k, n);
    Eigen::Map<Eigen::MatrixXf> result(c, m, n);
    result.noalias() = left * right;
}

// Twelve chains hide the latency of a fused multiply-add on every processor so far and still fit into 16 registers.
constexpr int chains = 12;
using Vector = float __attribute__((vector_size(vectorBytes)));
constexpr int lanes = vectorBytes / int(sizeof(float));

float multiplyAdd(std::size_t iterations)
{
    // Values tend to 1 and stay normal numbers however long this runs. None starts there: such a chain would be removed.
    const Vector factor = Vector{} + 0.5f;
    const Vector term = Vector{} + 0.5f;
    Vector x[chains];
    for (int i = 0; i < chains; ++i)
        x[i] = Vector{} + float(i + 2);
    for (std::size_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i)
            x[i] = x[i] * factor + term;
    }
    float sum = 0;
    for (const Vector& vector : x) {
        for (int lane = 0; lane < lanes; ++lane)
            sum += vector[lane];
    }
    return sum;
}

} // namespace

extern const Kernels RIDGEPOINT_JOIN(kernels_, RIDGEPOINT_VARIANT);
const Kernels RIDGEPOINT_JOIN(kernels_, RIDGEPOINT_VARIANT) = {instructionSet, triad,       triadStreaming,
                                                               gemm,           multiplyAdd, 2.0 * chains* lanes};

} // namespace ridgepoint::probe
