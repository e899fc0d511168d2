// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace ridgepoint {

/// How numbers are stored, with the scales that come along. Those from q8_0 on are the recipes of GGUF files, which mix
/// block formats: they stand for the mean of the linear layers.
enum class Format
{
    fp32, bf16, fp8, fp8Block, int8, int4, int4Group32, nvfp4, mxfp4,
    q8_0, q6_k, q5_k_m, q4_k_m, q4_0, q3_k_m, q2_k
};

/// The arithmetic of the matrix units.
enum class Math { fp32, bf16, fp8, int8, fp4 };

inline constexpr std::array allFormats{Format::fp32, Format::bf16, Format::fp8, Format::fp8Block, Format::int8,
                                       Format::int4, Format::int4Group32, Format::nvfp4, Format::mxfp4,
                                       Format::q8_0, Format::q6_k, Format::q5_k_m, Format::q4_k_m,
                                       Format::q4_0, Format::q3_k_m, Format::q2_k};
inline constexpr std::array allMaths{Math::fp32, Math::bf16, Math::fp8, Math::int8, Math::fp4};

/// Bytes of one stored element, scales included.
///
///     fp8Block 1 + 4/16384 (a 4 byte scale for 128 x 128) · int4 0.5 + 2.5/128 (group of 128, with zeros)
///     int4Group32 0.5 + 2/32 · nvfp4 0.5 + 1/16 · mxfp4 0.5 + 1/32
///     bits of the GGUF blocks: q8_0 8.5, q6_k 6.5625, q5_k 5.5, q4_k and q4_0 4.5, q3_k 3.4375, q2_k 2.625
///     q4_k_m and q5_k_m hold half of the value and down projections, a seventh of a layer, in q6_k; q3_k_m and q2_k hold value,
///     output and down projections one or two steps higher
///
/// ignores  the per-channel scales of fp8 and int8 (4 B an output channel, below 0.1 % for widths above 4096)
/// source   formats as their libraries store them, see fieldMemory in presets/sources.yaml
[[nodiscard]] constexpr double bytesPerElement(Format format)
{
    switch (format) {
    case Format::fp32: return 4.0;
    case Format::bf16: return 2.0;
    case Format::fp8: return 1.0;
    case Format::fp8Block: return 1.0 + 4.0 / 16384.0;
    case Format::int8: return 1.0;
    case Format::int4: return 0.5 + 2.5 / 128.0;
    case Format::int4Group32: return 0.5 + 2.0 / 32.0;
    case Format::nvfp4: return 0.5 + 1.0 / 16.0;
    case Format::mxfp4: return 0.5 + 1.0 / 32.0;
    case Format::q8_0: return 8.5 / 8.0;
    case Format::q6_k: return 6.5625 / 8.0;
    case Format::q5_k_m: return 5.65 / 8.0;
    case Format::q4_k_m: return 4.80 / 8.0;
    case Format::q4_0: return 4.5 / 8.0;
    case Format::q3_k_m: return 3.80 / 8.0;
    case Format::q2_k: return 3.2 / 8.0;
    }
    return 0.0;
}

/// Whether a format is a recipe of GGUF files.
[[nodiscard]] constexpr bool isGguf(Format format)
{
    return format >= Format::q8_0;
}

[[nodiscard]] constexpr std::string_view idOf(Format format)
{
    switch (format) {
    case Format::fp32: return "fp32";
    case Format::bf16: return "bf16";
    case Format::fp8: return "fp8";
    case Format::fp8Block: return "fp8_block";
    case Format::int8: return "int8";
    case Format::int4: return "int4";
    case Format::int4Group32: return "int4_g32";
    case Format::nvfp4: return "nvfp4";
    case Format::mxfp4: return "mxfp4";
    case Format::q8_0: return "q8_0";
    case Format::q6_k: return "q6_k";
    case Format::q5_k_m: return "q5_k_m";
    case Format::q4_k_m: return "q4_k_m";
    case Format::q4_0: return "q4_0";
    case Format::q3_k_m: return "q3_k_m";
    case Format::q2_k: return "q2_k";
    }
    return "";
}

/// The name on screen, such as "FP8" or "NVFP4".
[[nodiscard]] constexpr std::string_view nameOf(Format format)
{
    switch (format) {
    case Format::fp32: return "FP32";
    case Format::bf16: return "BF16";
    case Format::fp8: return "FP8";
    case Format::fp8Block: return "FP8 blocks";
    case Format::int8: return "INT8";
    case Format::int4: return "INT4";
    case Format::int4Group32: return "INT4 (groups of 32)";
    case Format::nvfp4: return "NVFP4";
    case Format::mxfp4: return "MXFP4";
    case Format::q8_0: return "Q8_0 (GGUF)";
    case Format::q6_k: return "Q6_K (GGUF)";
    case Format::q5_k_m: return "Q5_K_M (GGUF)";
    case Format::q4_k_m: return "Q4_K_M (GGUF)";
    case Format::q4_0: return "Q4_0 (GGUF)";
    case Format::q3_k_m: return "Q3_K_M (GGUF)";
    case Format::q2_k: return "Q2_K (GGUF)";
    }
    return "";
}

[[nodiscard]] constexpr std::string_view idOf(Math math)
{
    switch (math) {
    case Math::fp32: return "fp32";
    case Math::bf16: return "bf16";
    case Math::fp8: return "fp8";
    case Math::int8: return "int8";
    case Math::fp4: return "fp4";
    }
    return "";
}

[[nodiscard]] constexpr std::string_view nameOf(Math math)
{
    switch (math) {
    case Math::fp32: return "FP32";
    case Math::bf16: return "BF16";
    case Math::fp8: return "FP8";
    case Math::int8: return "INT8";
    case Math::fp4: return "FP4";
    }
    return "";
}

[[nodiscard]] constexpr std::optional<Format> formatFromId(std::string_view id)
{
    for (const Format format : allFormats)
        if (idOf(format) == id)
            return format;
    return std::nullopt;
}

[[nodiscard]] constexpr std::optional<Math> mathFromId(std::string_view id)
{
    for (const Math math : allMaths)
        if (idOf(math) == id)
            return math;
    return std::nullopt;
}

} // namespace ridgepoint
