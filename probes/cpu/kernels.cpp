// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/cpu/kernels.h"

namespace ridgepoint::probe {

extern const Kernels kernels_baseline;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

std::vector<const Kernels*> supportedKernels()
{
    std::vector<const Kernels*> supported = {&kernels_baseline};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        supported.push_back(&kernels_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma"))
        supported.push_back(&kernels_avx512);
#endif
    return supported;
}

const Kernels& kernels()
{
    static const Kernels& best = *supportedKernels().back();
    return best;
}

} // namespace ridgepoint::probe
