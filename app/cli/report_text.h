// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/explanation.h"
#include "core/scenario/evaluate.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint::app {

[[nodiscard]] std::vector<Evaluated> evaluateAll(const std::vector<Scenario>& scenarios);

/// One configuration as people read it.
[[nodiscard]] std::string reportText(const Evaluated& configuration, const Definitions& definitions = {});

/// Several, side by side, with differences to the baseline.
[[nodiscard]] std::string comparisonText(std::span<const Evaluated> configurations, std::size_t baseline,
                                         const Definitions& definitions = {});

[[nodiscard]] std::string explanationText(const Explanation& explanation);
[[nodiscard]] nlohmann::ordered_json explanationJson(const Explanation& explanation);
[[nodiscard]] nlohmann::ordered_json sentenceJson(const Sentence& sentence);

} // namespace ridgepoint::app
