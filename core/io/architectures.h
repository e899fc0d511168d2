// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json_reader.h"
#include "core/workload/network.h"

#include <string_view>
#include <vector>

namespace ridgepoint {

/// What a config.json says without its quantisation: one group for each layer, in order.
struct ReadNetwork
{
    Network network;                  ///< all but layers, formats and names
    std::vector<LayerGroup> layers;
    Format base = Format::bf16;       ///< of what is not quantised
};

/// Reads the fields of an architecture that is known. Fields are sorted into three kinds: those that make the network,
/// which are read; those known not to change tensors or work, such as token ids and training settings, which are passed
/// over; and all others, which are a mistake unless they are null, false, zero or empty.
///
/// Where a field is missing, what the publisher's own code takes is taken: as many KV heads as heads, head dimension =
/// hidden / heads for the architectures whose code does so.
[[nodiscard]] ReadNetwork readArchitecture(const nlohmann::json& config, JsonMistakes& mistakes);

/// As a checkpoint names them.
[[nodiscard]] std::vector<std::string_view> knownArchitectures();

} // namespace ridgepoint
