// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/workload/network.h"

#include <filesystem>
#include <string>

namespace ridgepoint {

/// A network from a Hugging Face config.json. A file beside it named `hf_quant_config.json`, or with the same prefix
/// (`X_config.json` and `X_hf_quant_config.json`), is read too. Vision and audio parts are named in `leftOut`.
///
/// fails    for text that is no JSON (line and column), values of the wrong type or range (JSON pointer), and
///          architectures it does not know, naming the fields it did not understand; it never guesses
[[nodiscard]] Result<Network> importNetwork(const std::filesystem::path& configFile);

/// The same from text; `quantText` may be empty.
[[nodiscard]] Result<Network> importNetworkText(const std::string& configText, const std::string& configName,
                                                const std::string& quantText, const std::string& quantName);

} // namespace ridgepoint
