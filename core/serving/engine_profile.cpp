// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/engine_profile.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridgepoint {

namespace {

/// "0.6.3" -> {0, 6, 3}; a part that is no number ends it: "0.2.x" -> {0, 2, -1}.
std::array<int, 3> numbersOf(std::string_view text)
{
    std::array<int, 3> parts{-1, -1, -1};
    std::size_t at = 0;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) == 0)
        ++at;
    for (int& part : parts) {
        if (at >= text.size() || std::isdigit(static_cast<unsigned char>(text[at])) == 0)
            break;
        part = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0 && part < 100'000)
            part = part * 10 + (text[at++] - '0');
        if (at < text.size() && text[at] == '.')
            ++at;
    }
    return parts;
}

bool contains(std::string_view text, std::string_view word)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// The era a version belongs to; a missing patch number counts as the last patch unless the text says "before".
const MemoryEra& eraOf(const std::vector<MemoryEra>& eras, std::string_view version, std::string_view date)
{
    const MemoryEra* found = &eras.front();
    std::array<int, 3> wanted = numbersOf(version);
    // A build from the main branch carries "0.1.dev" whatever its age.
    const bool known = wanted[0] >= 0 && wanted[1] >= 0 && !(wanted[0] == 0 && wanted[1] == 1 && contains(version, "dev"));
    if (known && wanted[2] < 0 && !contains(version, "before"))
        wanted[2] = 1'000;
    for (const MemoryEra& era : eras) {
        const std::array<int, 3> first = numbersOf(era.version);
        const bool holds = known ? wanted >= first : date.empty() || date.substr(0, 7) >= era.date;
        if (holds)
            found = &era;
    }
    return *found;
}

} // namespace

EngineProfile atVersion(const EngineProfile& engine, std::string_view version, std::string_view date,
                        std::string_view device, Bytes visible, double context)
{
    if (engine.memoryEras.empty())
        return engine;
    const MemoryEra& era = eraOf(engine.memoryEras, version, date);
    EngineProfile result = engine;
    result.memoryFraction = era.memoryFraction;
    result.runtimeFixed = era.runtimeFixed;
    result.runtimePerPeer = era.runtimePerPeer;
    result.runtimePerFurtherPeer = era.runtimePerFurtherPeer;
    result.graphs = era.graphs;
    result.graphsSpread = era.graphsSpread;
    result.runtimeSpread = era.runtimeSpread;
    result.samplerBytesPerLogit = era.samplerBytesPerLogit;
    result.samplerSpread = era.samplerSpread;
    result.expandedLatent = era.expandedLatent;
    result.imagesForSequences = era.imagesForSequences;
    result.packedImageScores = era.packedImageScores;
    result.oldAttention = contains(device, "before Ampere") ? era.oldAttention : 0.0;
    const bool large = engine.largeMemory.value > 0.0 && visible >= engine.largeMemory &&
                       (engine.notLarge.empty() || !contains(device, engine.notLarge));
    result.maximumSequences = large && era.largeSequences > 0 ? era.largeSequences : era.maximumSequences;
    result.batchedTokens = large && era.largeTokens > 0 ? era.largeTokens : era.batchedTokens;
    constexpr double shortest = 2048.0, longest = 10'000'000.0;
    if (result.batchedTokens == 0)
        result.batchedTokens = result.wholePromptTokens = int(std::clamp(context, shortest, longest));
    if (era.longContext > 0 && context > era.longContext) {
        result.batchedTokens = era.longContextTokens;
        result.samplerCounted = era.longContextSampler;
        result.oldAttention = 0.0;
    }
    return result;
}

} // namespace ridgepoint
