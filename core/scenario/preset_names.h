// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/presets.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Finds presets by the names that logs, tables and people give them: "meta-llama/Llama-2-13b-chat-hf",
/// "Llama 2 13 B", "NVIDIA GeForce RTX 3090", "A100-SXM4-40GB (ECC on)".
///
/// A full id, alias or name always wins. Else what does not change the shape is taken away step by step and the rest has
/// to be equal: owner, remarks in brackets, quantisation, tuning, dates, and for devices vendor and form. A memory size in
/// the text has to agree with the device's.
///
/// returns  null when nothing, or more than one thing, is left; never the most similar one
class PresetNames
{
public:
    /// `presets` must outlive the object.
    explicit PresetNames(const Presets& presets);

    [[nodiscard]] const Network* network(std::string_view text) const;
    [[nodiscard]] const Device* device(std::string_view text) const;

private:
    template <typename T>
    using Index = std::map<std::string, std::vector<const T*>, std::less<>>;

    const Presets& m_presets;
    std::vector<Index<Network>> m_networks;   ///< one index for each step of taking away
    std::vector<Index<Device>> m_devices;
};

/// Memory in a device's name, such as 80 in "A100-80GB (40 GB free)"; 0 when there is none. [GB as the label counts them]
[[nodiscard]] double labelledMemory(std::string_view text);

/// The text without remarks in brackets, in single spaces, with plain dashes for typographic ones.
[[nodiscard]] std::string withoutRemarks(std::string_view text);

/// Words of a name in lower case, parted at spaces, dashes, underscores, slashes and commas: "Q4_K_M" is one word.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

} // namespace ridgepoint
