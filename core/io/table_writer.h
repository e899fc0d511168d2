// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/catalog.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ridgepoint {

// Keys of `reportJson`. They stay; new ones may come. Numbers are plain; null means unknown or infeasible.
//
// | key                | holds                                                                                     |
// |--------------------|-------------------------------------------------------------------------------------------|
// | name               | of the configuration                                                                      |
// | hardware           | "8 × H100 SXM"                                                                            |
// | scenario           | every knob by its id: a number in the knob's unit, or the id of a choice                  |
// | verdict            | fits, tight, does_not_fit, impossible                                                     |
// | short_by_bytes     | memory missing on a device; 0 when it fits                                                |
// | metrics            | every metric by its id, in the unit of the metric table; also null where a wait has no end |
// | breakdowns         | tpot_ms, ttft_ms, decode_step_ms: milliseconds by cause and their total; each null when   |
// |                    | infeasible                                                                                |
// | footprint          | memory of the fullest device: *_bytes, kv_capacity_tokens, maximum_concurrency; or null   |
// | operators          | decode and prefill: lists of operator, name, count, arithmetic, time_ms, launch_ms,       |
// |                    | compute_ms, memory_ms, communication_ms (of all instances), flops, weight_bytes,          |
// |                    | kv_bytes, activation_bytes, message_bytes (of one instance)                               |
// | findings           | list of code, severity (information, warning, problem), knob (null when none), text       |
// | not_modelled       | list of parts of reality that are left out                                                |
// | provenance         | of times: data_sheet, family_default, general_default, unknown                            |
// | band               | "80 %" where `bands` are known, else "unknown"                                            |
// | bands              | by metric id: [low, high], between which the true value is expected in 8 cases of 10      |
// | parameters         | of the network; active_parameters: those used for one token                               |
// | kv_bytes_per_token | of the unsharded network, in kv_format                                                    |
// | kv_format          | of the KV cache in use; activation_format: of the inputs of matrix products               |
// | quality            | list, one a part with fewer than 16 bits: formats, knob, effect (published or unknown),   |
// |                    | facts: checkpoint, benchmark, baseline, value (null where only a share is published),     |
// |                    | kept (value / baseline), publisher, source, date                                          |

/// Plain C numbers, RFC 4180 quoting.
[[nodiscard]] std::string figureCsv(const Figure& figure);
[[nodiscard]] nlohmann::ordered_json figureJson(const Figure& figure);

/// One line per metric and knob, one column per configuration; a cell is empty when unknown or infeasible.
[[nodiscard]] std::string comparisonCsv(std::span<const Evaluated> configurations);

/// The keys are documented above and in app/cli/README.md and stay.
[[nodiscard]] nlohmann::ordered_json reportJson(const Evaluated& configuration);

} // namespace ridgepoint
