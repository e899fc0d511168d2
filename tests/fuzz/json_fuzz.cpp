// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes are a network or an error with a message; what is a network can be counted and written. A zero byte parts
// config.json from hf_quant_config.json.
#include "core/io/network_import.h"
#include "core/workload/parameters.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = text.find('\0');
    const std::string config = text.substr(0, zero);
    const std::string quant = zero == std::string::npos ? std::string() : text.substr(zero + 1);
    const auto network = ridgepoint::importNetworkText(config, "config.json", quant, "hf_quant_config.json");
    if (!network) {
        if (network.error().message.empty() || network.error().text().find('\n') != std::string::npos)
            std::abort();
        return 0;
    }
    const ridgepoint::ParameterCount count = ridgepoint::parameterCount(*network);
    const double bytes = ridgepoint::storedWeights(*network, {}, 8).total().value;
    if (count.total <= 0 || count.active <= 0 || count.active > count.total || !(bytes > 0.0 && bytes < 1e18))
        std::abort();
    return 0;
}
