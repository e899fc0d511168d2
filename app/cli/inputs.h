// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "core/base/result.h"
#include "core/io/preset_library.h"
#include "core/scenario/evaluate.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::app {

/// Shipped presets, then the user's own, then `more`; a later folder overrides. Nothing is printed.
[[nodiscard]] LoadedPresets loadAllPresets(const std::vector<std::string>& more);

/// The configurations a command works on.
struct Columns
{
    std::vector<Scenario> scenarios;
    std::size_t baseline = 0;
    Definitions definitions;      ///< of the project, then of the options
    Presets presets;
};

/// Loads presets, names those that cannot be read on standard error, and builds the configurations: of the project
/// file, of `columns`, or of the sample when both are empty. One configuration only for `single`.
[[nodiscard]] Result<Columns> readColumns(const ScenarioOptions& options, const std::string& projectFile,
                                          const std::vector<std::string>& columns, bool single);

/// "not loaded: file:2:1: ...", or what is wrong with what was loaded.
[[nodiscard]] std::string notLoadedText(const Error& error);

/// "ridgepoint-cli: MESSAGE" on standard error.
int complain(const std::string& message, ExitCode code);
int complain(const Error& error, ExitCode code);

void print(std::string_view text);
void printJson(const nlohmann::ordered_json& json);

} // namespace ridgepoint::app
