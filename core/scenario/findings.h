// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include <array>
#include <string>
#include <string_view>

namespace ridgepoint {

struct Scenario;

enum class Severity { information, warning, problem };

enum class FindingCode
{
    weightsDoNotFit,          ///< values: bytes needed, bytes usable, bytes short by (per device)
    cacheDoesNotFit,          ///< values: bytes of one request, bytes free, bytes short by
    tensorParallelDoesNotDivide, ///< values: degree, heads
    expertParallelDoesNotDivide, ///< values: parts, experts, devices that hold a layer
    tensorParallelBeyondNode, ///< values: degree, devices of a node
    planTooLarge,             ///< values: devices asked, devices of the system
    pipelineTooDeep,          ///< values: stages, layers
    contextTooLong,           ///< values: tokens asked, positions of the network
    precisionMissing,         ///< values: (Format), (Format): the device has no arithmetic it can fall back to
    memoryUnknown,            ///< the capacity of the device depends on how it is built and is not set
    tightMemory,              ///< values: bytes of headroom, share of the device
    cacheLimitsConcurrency,   ///< values: requests that run, requests asked
    sequencesLimitConcurrency,///< values: requests that run, requests asked
    rateExceedsCapacity,      ///< values: requests a second sent, answered
    precisionFallback,        ///< values: (Format) stored, (Math) used
    kvHeadsReplicated,        ///< values: degree, heads, copies
    latentCacheReplicated,    ///< values: degree, bytes per token
    windowIgnored,            ///< values: bytes kept, bytes the windows need
    samplerMemory,            ///< values: bytes, sequences
    priceUnknown,
    pipelineIdle,             ///< values: requests per stage
    prefillSaturates,         ///< values: share of steps that hold prefill
    defaultKernels,           ///< the device family was never measured
    unlinkedDevices           ///< values: devices; nothing joins them but the host
};

/// A fact about a result. Numbers only; the sentence is made on demand by `sentence`.
struct Finding
{
    FindingCode code{};
    Severity severity = Severity::information;
    std::string_view knob;             ///< id of the knob that mends it, empty when none; points into the knob table
    std::array<double, 3> values{};
    bool operator==(const Finding&) const = default;
};

/// The finding in words, with the smallest change that mends it where there is one.
[[nodiscard]] std::string sentence(const Finding& finding, const Scenario& scenario, const Definitions& definitions = {});
[[nodiscard]] std::string_view keyOf(FindingCode code);      ///< in files, such as "weights_do_not_fit"
[[nodiscard]] std::string_view keyOf(Severity severity);

} // namespace ridgepoint
