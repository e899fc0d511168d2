// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"
#include "core/serving/engine_log.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

enum class Agreement
{
    agrees,
    close,           ///< differs a little
    disagrees,
    notCompared      ///< the log does not say, or the engine holds it outside its budget
};
[[nodiscard]] std::string_view keyOf(Agreement agreement);
[[nodiscard]] std::string_view nameOf(Agreement agreement);

/// A line of the ledger beside what the engine's log says of it.
struct LedgerCheck
{
    std::string_view key;             ///< such as "weights"
    std::string_view name;
    std::string_view formula;         ///< how the ledger comes to it
    bool isBytes = true;              ///< else tokens
    double predicted = 0;             ///< [B], of one device, or tokens of one replica
    std::optional<double> logged;
    Agreement agreement = Agreement::notCompared;
    int logLine = 0;                  ///< first line of the log that gives it, from 1; 0: none
    std::string cause;                ///< of a disagreement, in words
};

/// A knob that would make the configuration what the log shows.
struct EngineChange
{
    std::string knob;
    KnobValue value;
    std::string text;                 ///< "KV cache BF16 in place of FP8"
    bool stated = true;               ///< the log says it; else it is what explains the numbers best
};

struct Reconciliation
{
    std::vector<LedgerCheck> lines;
    std::vector<EngineChange> changes;   ///< all that "apply engine values" sets
    std::string verdict;              ///< one sentence
};

/// The ledger of a configuration against an engine's start-up log: which line disagrees, why, and what would mend it.
///
/// A line agrees within 2 % or 0.05 GiB and is close within 10 % or 0.3 GiB. The cause is looked for among the settings that
/// the log states, then among formats of weights and cache and degrees of tensor parallelism: the single change that
/// brings the lines nearest to the log.
///
/// returns  lines without a prediction where the plan is impossible are left out
/// ignores  ranks other than the fullest
[[nodiscard]] Reconciliation reconcile(const Scenario& scenario, const EngineLog& log, const Presets& presets);

/// The scenario as the log shows it; a change that cannot be set is left out.
[[nodiscard]] Scenario withEngineValues(Scenario scenario, const Reconciliation& reconciliation, const Presets& presets);

} // namespace ridgepoint
