// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/findings.h"
#include "core/scenario/scenario.h"

#include <string>

namespace ridgepoint {

// What mends a finding, as text. Every change that is named was tried with `evaluate` and helps.

/// "What helps: 256 sequences in a step or TP 2.", or that nothing tried does.
[[nodiscard]] std::string memoryRemedies(const Scenario& s);
/// The same for a load of which only `runs` requests run; `code` is the finding that has to go.
[[nodiscard]] std::string concurrencyRemedies(const Scenario& s, double runs, FindingCode code);
/// The largest group of a node, no larger than asked, that shares the heads evenly.
[[nodiscard]] int usableGroup(const Scenario& s);
/// "TP 2 or TP 4": the nearest groups of a node that share the heads evenly.
[[nodiscard]] std::string groupsNear(const Scenario& s);
/// "at most PP 4": what both the devices and the layers allow, with a group that works.
[[nodiscard]] std::string deepestPlan(const Scenario& s);
/// The smaller group that holds more requests per device, empty when there is none.
[[nodiscard]] std::string smallerLatentGroup(const Scenario& s);

} // namespace ridgepoint
