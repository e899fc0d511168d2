// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// How an engine is started so that it does what an estimate assumed.
struct LaunchCommand
{
    std::vector<std::string> words;     ///< program and arguments, not quoted
    std::string settings;               ///< text of a YAML file that the command names, empty when there is none
    std::string settingsFile;           ///< its name
    std::vector<std::string> notes;     ///< what the command alone does not bring about, a sentence each

    /// For a POSIX shell: one option a line, quoted where needed, the notes as comments above.
    [[nodiscard]] std::string text() const;
};

/// The command of one replica, with every flag that the estimate rests on.
///
/// Names of options are those of the versions that the engine profile names; read in the engines' own pages (engineArguments).
///
/// fails    for an engine without a server of its own, such as the ideal one
[[nodiscard]] Result<LaunchCommand> launchCommand(const Scenario& scenario);

} // namespace ridgepoint
