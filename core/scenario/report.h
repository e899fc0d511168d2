// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/scenario/findings.h"
#include "core/workload/op.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Where a number comes from, best first.
enum class Provenance { dataSheet, familyDefault, generalDefault, unknown };

enum class Verdict
{
    fits,
    tight,        ///< within 3 % of the device, or of what the parts are known to
    doesNotFit,
    impossible    ///< the plan or the precision cannot be, whatever the memory
};

/// What time is spent on.
enum class Cause { weights, kvCache, compute, activations, communication, host, bubble, prefill, waiting };
inline constexpr std::array allCauses{Cause::weights, Cause::kvCache, Cause::compute, Cause::activations,
                                      Cause::communication, Cause::host, Cause::bubble, Cause::prefill, Cause::waiting};

/// A time by cause; the parts sum to the total.
struct Breakdown
{
    std::array<Seconds, allCauses.size()> parts{};
    [[nodiscard]] Seconds& operator[](Cause cause) { return parts[std::size_t(cause)]; }
    [[nodiscard]] Seconds operator[](Cause cause) const { return parts[std::size_t(cause)]; }
    [[nodiscard]] Seconds total() const
    {
        Seconds sum;
        for (const Seconds part : parts)
            sum += part;
        return sum;
    }
    bool operator==(const Breakdown&) const = default;
};

/// The memory of one device, the fullest one. All parts sum to `visible`.
struct Footprint
{
    Bytes visible;            ///< what the driver shows
    Bytes weights;
    Bytes kvNeeded;           ///< cache of the requests that run
    Bytes kvFree;             ///< rest of the pool
    Bytes activations;
    Bytes runtime;            ///< context, communicators, workspace
    Bytes graphs;
    Bytes reserve;            ///< what the engine leaves alone
    Bytes kvPool;             ///< kvNeeded + kvFree; not a further part
    Bytes kvPerRequest;       ///< one request at its full length, on one device
    Bytes kvPerToken;         ///< on one device, of a layer that keeps all tokens, summed
    double kvCapacityTokens = 0;   ///< tokens of this load's requests one replica can hold
    double maximumConcurrency = 0; ///< requests of this length one replica can hold
    bool operator==(const Footprint&) const = default;
};

/// One operator's share of a step.
struct OpTime
{
    Op op;
    Seconds time;             ///< of all `op.count` instances
    Seconds launch, compute, memory, communication;  ///< of all instances: parts that overlap, not a sum
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
    double computeUse = 0;    ///< MFU over all tokens, of the dense peak of the main matrix products
};

/// Parts of reality that a result leaves out.
enum class NotModelled
{
    percentiles, clientNetwork, tokenizer, prefixCaching, speculativeDecoding, disaggregation, expertParallel,
    thermalThrottling, multimodalTower, multiTokenPrediction, routingSkew, energy
};

/// What `evaluate` returns: numbers and codes only.
struct Report
{
    Verdict verdict = Verdict::impossible;
    Bytes shortBy;                          ///< per device, when it does not fit
    std::optional<Footprint> footprint;     ///< absent when the plan is impossible
    std::optional<Metrics> metrics;         ///< absent when infeasible
    Breakdown tpot;                         ///< sums to metrics->tpot
    Breakdown ttft;                         ///< sums to metrics->ttft
    Breakdown decodeStep;                   ///< sums to metrics->decodeStep
    std::vector<OpTime> decodeOps;          ///< of a step without prefill, one device of the slowest stage
    std::vector<OpTime> prefillOps;         ///< of one prompt alone
    std::vector<Finding> findings;          ///< problems first
    std::vector<NotModelled> notModelled;
    Provenance provenance = Provenance::unknown;    ///< of times
    Bytes leastDecodeBytes;                 ///< weights and cache a decode step must read, per device
    std::int64_t parameters = 0;
    std::int64_t activeParameters = 0;
    Bytes kvBytesPerToken;                  ///< unsharded, in the cache format in use
    Format kvFormat = Format::bf16;
    Format activationFormat = Format::bf16;

    [[nodiscard]] bool feasible() const { return metrics.has_value(); }
};

[[nodiscard]] std::string_view keyOf(Verdict verdict);
[[nodiscard]] std::string verdictText(const Report& report);   ///< "fits", "does not fit: 3.8 GiB short"
[[nodiscard]] std::string_view keyOf(Cause cause);
[[nodiscard]] std::string_view nameOf(Cause cause);          ///< on screen, such as "Weights"
[[nodiscard]] std::string_view keyOf(Provenance provenance);
[[nodiscard]] std::string_view nameOf(Provenance provenance);///< the badge, such as "Family default"
[[nodiscard]] std::string_view nameOf(NotModelled part);

} // namespace ridgepoint
