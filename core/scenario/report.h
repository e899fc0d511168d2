// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/definitions.h"
#include "core/base/units.h"
#include "core/cost/footprint.h"
#include "core/cost/step.h"
#include "core/scenario/findings.h"
#include "core/scenario/uncertainty.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Where a number comes from, best first.
enum class Provenance { calibrated, dataSheet, familyDefault, generalDefault, unknown };

enum class Verdict
{
    fits,
    tight,        ///< within 3 % of the device, or of what the parts are known to
    doesNotFit,
    impossible    ///< the plan or the precision cannot be, whatever the memory
};

struct Metrics
{
    Seconds ttft;             ///< mean, request sent to first token
    Seconds tpot;             ///< mean, (last - first) / (n - 1)
    Seconds decodeStep;       ///< a step without prefill
    Seconds requestLatency;   ///< mean, request sent to last token
    Frequency requestRate;    ///< finished, all replicas
    Frequency outputRate;     ///< output tokens, all replicas
    Frequency totalRate;      ///< input and output tokens
    Frequency outputPerDevice;
    std::optional<DollarRate> rent;             ///< of all devices
    std::optional<Dollars> costPerMillionOutput;///< rent split by the share of time decoding takes
    std::optional<Dollars> costPerMillionInput;
    std::optional<Dollars> costPerMillionTokens;///< all tokens alike
    std::optional<double> outputTokensPerDollar;
    std::optional<double> outputPerWatt;        ///< tokens/s per W of data-sheet board power = tokens/J
    double running = 0;       ///< requests in service at a time, all replicas
    double memoryUse = 0;     ///< MBU of the decode step: least bytes / (bandwidth x time)
    double computeUse = 0;    ///< MFU: 2 FLOP per active parameter and token, without attention, of the dense peak of the main products
};

/// Parts of reality that a result leaves out.
enum class NotModelled
{
    percentiles, clientNetwork, tokenizer, thermalThrottling, multimodalTower, multiTokenPrediction, routingSkew, energy
};

/// What `evaluate` returns: numbers and codes only.
struct Report
{
    Verdict verdict = Verdict::impossible;
    Bytes shortBy;                          ///< per device, when it does not fit
    std::optional<Footprint> footprint;     ///< absent when the plan is impossible
    std::optional<Metrics> metrics;         ///< absent when infeasible
    bool overloaded = false;                ///< more requests are sent than leave: the wait, and TTFT with it, has no end
    Breakdown tpot;                         ///< sums to metrics->tpot
    Breakdown ttft;                         ///< sums to metrics->ttft; without the wait when overloaded
    Breakdown decodeStep;                   ///< sums to metrics->decodeStep
    std::vector<OpTime> decodeOps;          ///< of a step without prefill, one device of the slowest stage
    std::vector<OpTime> prefillOps;         ///< of one prompt alone
    std::vector<Finding> findings;          ///< problems first
    std::vector<NotModelled> notModelled;
    Provenance provenance = Provenance::unknown;    ///< of times
    std::optional<Spread> tpotSpread;       ///< of TPOT, rates and costs; absent: the band is not known
    std::optional<Spread> ttftSpread;
    Bytes leastDecodeBytes;                 ///< weights and cache a decode step must read, per device
    std::int64_t parameters = 0;
    std::int64_t activeParameters = 0;
    Bytes kvBytesPerToken;                  ///< unsharded, in the cache format in use
    Format kvFormat = Format::bf16;
    Format activationFormat = Format::bf16;

    [[nodiscard]] bool feasible() const { return metrics.has_value(); }
};

[[nodiscard]] std::string_view keyOf(Verdict verdict);
[[nodiscard]] std::string verdictText(const Report& report, const Definitions& definitions = {});   ///< "fits", "does not fit: 3.8 GiB short"
[[nodiscard]] std::string_view keyOf(Cause cause);
[[nodiscard]] std::string_view nameOf(Cause cause);          ///< on screen, such as "Weights"
[[nodiscard]] std::string_view keyOf(Provenance provenance);
[[nodiscard]] std::string_view nameOf(Provenance provenance);///< the badge, such as "Family default"
[[nodiscard]] std::string_view keyOf(NotModelled part);
[[nodiscard]] std::string_view nameOf(NotModelled part);

} // namespace ridgepoint
