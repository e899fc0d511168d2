// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/csv_table.h"
#include "core/scenario/preset_names.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// What a published speed is a speed of.
enum class SpeedKind
{
    decode,      ///< one stream, or a fixed small batch, writing
    prompt,      ///< one stream reading
    request,     ///< one request as a whole: tokens read and written over its time
    fixedBatch,  ///< one batch from its first prompt to its last token
    offline,     ///< as much as the system can do
    online,      ///< requests that arrive or are kept in flight
    none         ///< a ratio, a single operator: no speed of a system
};

/// A row of a table of speeds, read. Measured columns are not in it, nor which of them are filled: its kind says what it
/// may hold.
struct SpeedRow
{
    SpeedKind kind = SpeedKind::none;
    std::string problem;                   ///< why it cannot be predicted; empty when it can
    const Network* network = nullptr;
    const Device* device = nullptr;
    std::string engineId;                  ///< preset
    std::string engineName;                ///< as written
    std::string date;                      ///< of the report; empty when not stated
    bool old = false;                      ///< software from before 2025
    bool weakHost = false;                 ///< a card on a single-board computer
    bool benchmark = false;                ///< MLPerf: data set lengths, the submitter chooses the plan
    bool server = false, interactive = false;
    double serverLimit = 0, interactiveLimit = 0;   ///< of the time between tokens [s]; 0: none
    std::optional<Format> weights, activations, kv;
    std::optional<double> bitsPerWeight;   ///< where the format is named by its width
    std::string precision;                 ///< as written
    int devices = 1;                       ///< of the system
    int tensorParallel = 0;                ///< 0: not stated
    int pipelineParallel = 1;
    int dataParallel = 1;
    bool attentionData = false;
    double batch = 1;
    double concurrency = 0;                ///< 0: not stated
    double requestRate = 0;                ///< [1/s], 0: not stated
    double inputTokens = 0, outputTokens = 0;   ///< 0: not stated, or none of that kind
    bool emptyStart = false;               ///< it is stated that nothing is read
    std::string_view setAside;             ///< why its measurement says little about the device; empty: it does. Never predicts
};

/// Reads one row. Names that no preset has end up in `problem`: "unknown device NAME".
[[nodiscard]] SpeedRow readSpeedRow(const CsvTable& table, std::size_t row, const PresetNames& names);

/// Rows whose measurement the study of these reports found unusable or at odds with its siblings, so that accuracy is
/// shown with and without them and no constant is fitted to them.
///
/// scenario, hardware   as written, the scenario in small letters
/// returns              the reason, or nothing
/// source               fieldSpeed section 6
[[nodiscard]] std::string_view whySetAside(const SpeedRow& row, std::string_view scenario, std::string_view hardware);

} // namespace ridgepoint
