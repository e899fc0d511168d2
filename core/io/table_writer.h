// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/catalog.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ridgepoint {

/// Plain C numbers, RFC 4180 quoting.
[[nodiscard]] std::string figureCsv(const Figure& figure);
[[nodiscard]] nlohmann::ordered_json figureJson(const Figure& figure);

/// One line per metric and knob, one column per configuration.
[[nodiscard]] std::string comparisonCsv(std::span<const Evaluated> configurations);

/// The keys are documented in app/cli/README.md and stay.
[[nodiscard]] nlohmann::ordered_json reportJson(const Evaluated& configuration);

} // namespace ridgepoint
