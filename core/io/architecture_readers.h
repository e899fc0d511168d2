// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/architectures.h"
#include "core/io/json_reader.h"

namespace ridgepoint {

// What no network exceeds; more is a mistake of the file.
inline constexpr int mostLayers = 10'000;
inline constexpr int mostHeads = 100'000;
inline constexpr int widest = 10'000'000;
inline constexpr int mostExperts = 100'000;
inline constexpr int longestContext = 1'000'000'000;

/// What a reader of one architecture works on.
struct Reading
{
    JsonFields& fields;
    ReadNetwork& out;
    int layerCount = 0;

    [[nodiscard]] int hidden() const { return out.network.hidden; }
};

// Each reads the layers of a family of architectures into `out.layers`, and what else the network needs.
void readLlama(Reading& r);
void readMistral(Reading& r);
void readQwen2(Reading& r);
void readQwen3(Reading& r);
void readMixtral(Reading& r);
void readQwen2Mixture(Reading& r);
void readQwen3Mixture(Reading& r);
void readQwenHybridMixture(Reading& r);
void readGptOss(Reading& r);
void readDeepSeekV2(Reading& r);
void readDeepSeekV3(Reading& r);
void readSparseLatent(Reading& r);
void readGemma(Reading& r);
void readGemma2(Reading& r);
void readGemma3(Reading& r);
void readPhi3(Reading& r);

} // namespace ridgepoint
