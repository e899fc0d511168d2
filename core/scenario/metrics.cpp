// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/metrics.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridgepoint {
namespace {

using Value = std::optional<double>;

double plain(double value)
{
    return value;
}
template <int B, int F, int S, int J, int D>
double plain(Quantity<B, F, S, J, D> value)
{
    return value.value;
}

/// A field of the metrics in the shown unit, which is `unit` base units; absent when the field or the metrics are.
template <auto field, double unit = 1.0>
Value metric(const Report& report)
{
    if (!report.metrics)
        return std::nullopt;
    const auto& value = (*report.metrics).*field;
    if constexpr (requires { value.has_value(); })
        return value ? Value(plain(*value) / unit) : std::nullopt;
    else
        return plain(value) / unit;
}

/// A time that holds the wait for a place: it has no value where the queue grows without end.
template <auto field, double unit = 1.0>
Value withWait(const Report& report)
{
    return report.overloaded ? std::nullopt : metric<field, unit>(report);
}

template <auto field, double unit = 1.0>
Value memory(const Report& report)
{
    if (!report.metrics || !report.footprint)
        return std::nullopt;
    return plain((*report.footprint).*field) / unit;
}

template <double unit>
Value memoryUsed(const Report& report)
{
    if (!report.metrics || !report.footprint)
        return std::nullopt;
    const Footprint& f = *report.footprint;
    return (f.weights + f.kvNeeded + f.activations + f.runtime + f.graphs).value / unit;
}

/// Output tokens of a request: what latency and its parts were made with.
double outputTokens(const Metrics& m)
{
    return m.tpot.value > 0 ? 1.0 + (m.requestLatency - m.ttft) / m.tpot : 1.0;
}

Value tpotWithFirst(const Report& report)
{
    if (!report.metrics || report.overloaded)
        return std::nullopt;
    return tpotOf(*report.metrics, Definitions{.tpotWithFirst = true}).value * 1e3;
}

Value costAllIn(const Report& report)
{
    constexpr double million = 1e6;
    const Value perDollar = metric<&Metrics::outputTokensPerDollar>(report);
    return perDollar && *perDollar > 0 ? Value(million / *perDollar) : std::nullopt;
}

std::optional<Spread> tpotSpread(const Report& report)
{
    return report.tpotSpread;
}

std::optional<Spread> ttftSpread(const Report& report)
{
    return report.ttftSpread;
}

/// Of a sum of two times that do not err together.
std::optional<Spread> latencySpread(const Report& report)
{
    if (!report.metrics || !report.tpotSpread || !report.ttftSpread)
        return std::nullopt;
    const Metrics& m = *report.metrics;
    const double first = m.ttft / m.requestLatency;
    const auto both = [&](double Spread::*part) {
        return std::hypot(first * (*report.ttftSpread).*part, (1.0 - first) * (*report.tpotSpread).*part);
    };
    return Spread{both(&Spread::engine), both(&Spread::transfer), both(&Spread::queueing)};
}

// clang-format off
constexpr std::array table{
    Metric{.id = "ttft_ms", .label = "TTFT, mean", .unit = "ms", .better = Better::less, .headline = true,
           .get = withWait<&Metrics::ttft, 1e-3>,
           .help = "Time from sending a request until its first token arrives.", .spread = ttftSpread, .waits = true},
    Metric{.id = "tpot_ms", .label = "TPOT, mean", .unit = "ms", .better = Better::less, .headline = true,
           .get = metric<&Metrics::tpot, 1e-3>,
           .help = "Average time per further output token of a request, without the first.", .spread = tpotSpread},
    Metric{.id = "decode_step_ms", .label = "Decode step", .unit = "ms", .better = Better::less,
           .get = metric<&Metrics::decodeStep, 1e-3>,
           .help = "Time of a step that writes one token for each running request and reads no prompt.", .spread = tpotSpread},
    Metric{.id = "request_latency_s", .label = "Request latency, mean", .unit = "s", .better = Better::less,
           .get = withWait<&Metrics::requestLatency>,
           .help = "Time from sending a request until its last token arrives.", .spread = latencySpread, .waits = true},
    Metric{.id = "output_tokens_per_s", .label = "Output throughput", .unit = "tokens/s", .better = Better::more,
           .headline = true, .significantDigits = 4, .get = metric<&Metrics::outputRate>,
           .help = "Tokens written in a second by all devices.", .spread = tpotSpread},
    Metric{.id = "output_tokens_per_s_per_device", .label = "Throughput per device", .unit = "tokens/s",
           .better = Better::more, .headline = true, .significantDigits = 4, .get = metric<&Metrics::outputPerDevice>,
           .help = "Tokens written in a second, divided by the number of devices.", .spread = tpotSpread},
    Metric{.id = "total_tokens_per_s", .label = "Input and output throughput", .unit = "tokens/s",
           .better = Better::more, .significantDigits = 4, .get = metric<&Metrics::totalRate>,
           .help = "Tokens read and written in a second by all devices.", .spread = tpotSpread},
    Metric{.id = "requests_per_s", .label = "Finished requests", .unit = "requests/s", .better = Better::more,
           .get = metric<&Metrics::requestRate>, .help = "Requests finished in a second by all devices.", .spread = tpotSpread},
    Metric{.id = "cost_per_million_output_all_in", .label = "Cost of output, all in", .unit = "$/M tokens",
           .better = Better::less, .headline = true, .get = costAllIn,
           .help = "All rent per million tokens written; they pay for reading the prompts, too.", .spread = tpotSpread},
    Metric{.id = "cost_per_million_output", .label = "Cost of output alone", .unit = "$/M tokens",
           .better = Better::less, .headline = true, .get = metric<&Metrics::costPerMillionOutput>,
           .help = "Rent for the share of time spent on writing, per million tokens written.", .spread = tpotSpread},
    Metric{.id = "cost_per_million_input", .label = "Cost of input alone", .unit = "$/M tokens", .better = Better::less,
           .headline = true, .get = metric<&Metrics::costPerMillionInput>,
           .help = "Rent for the share of time spent on reading prompts, per million tokens read.", .spread = tpotSpread},
    Metric{.id = "cost_per_million_tokens", .label = "Cost of all tokens", .unit = "$/M tokens",
           .better = Better::less, .get = metric<&Metrics::costPerMillionTokens>,
           .help = "Rent per million tokens, read and written alike.", .spread = tpotSpread},
    Metric{.id = "rent_per_hour", .label = "Rent of all devices", .unit = "$/h", .better = Better::less,
           .significantDigits = 4, .get = metric<&Metrics::rent, 1.0 / 3600.0>,
           .help = "What all devices cost for an hour."},
    Metric{.id = "output_tokens_per_dollar", .label = "Output per dollar", .unit = "tokens/$", .better = Better::more,
           .significantDigits = 4, .get = metric<&Metrics::outputTokensPerDollar>,
           .help = "Tokens written for a dollar of rent.", .spread = tpotSpread},
    Metric{.id = "output_tokens_per_joule", .label = "Output per watt", .unit = "tokens/s/W", .better = Better::more,
           .headline = true, .get = metric<&Metrics::outputPerWatt>,
           .help = "Tokens written in a second per watt of data-sheet board power, hosts left out.", .spread = tpotSpread},
    Metric{.id = "running_requests", .label = "Running requests", .unit = "", .better = Better::more,
           .significantDigits = 1, .get = metric<&Metrics::running>,
           .help = "Requests in service at a time; below the requests in flight, the others wait."},
    Metric{.id = "memory_use_percent", .label = "Memory bandwidth used (MBU)", .unit = "%", .better = Better::more,
           .get = metric<&Metrics::memoryUse, 0.01>,
           .help = "Bytes a decode step has to read, as a share of what the memory could deliver in its time.", .spread = tpotSpread},
    Metric{.id = "compute_use_percent", .label = "Compute used (MFU)", .unit = "%", .better = Better::more,
           .get = metric<&Metrics::computeUse, 0.01>,
           .help = "Arithmetic the network needs, as a share of the dense peak of its main matrix products.", .spread = tpotSpread},
    Metric{.id = "kv_capacity_tokens", .label = "KV cache capacity per replica", .unit = "tokens",
           .better = Better::more, .significantDigits = 4, .get = memory<&Footprint::kvCapacityTokens>,
           .help = "Tokens of such requests that the KV pool of one replica can hold."},
    Metric{.id = "maximum_concurrency", .label = "Most requests per replica", .unit = "", .better = Better::more,
           .significantDigits = 1, .get = memory<&Footprint::maximumConcurrency>,
           .help = "Requests of this length that the KV pool of one replica can hold."},
    Metric{.id = "memory_used_gib", .label = "Memory used per device", .unit = "GiB", .better = Better::less,
           .get = memoryUsed<gibi>,
           .help = "Weights, cache of the running requests, activations, runtime and graphs of the fullest device."},
    Metric{.id = "memory_headroom_gib", .label = "Free in the KV pool per device", .unit = "GiB",
           .better = Better::more, .get = memory<&Footprint::kvFree, gibi>,
           .help = "What is left of the KV pool once the running requests are held."},
};
// clang-format on

constexpr double giga = 1e9;

/// In other definitions; what is not named stays.
constexpr Metric shown(Metric metric, const Definitions& definitions)
{
    if (metric.id == "tpot_ms" && definitions.tpotWithFirst) {
        metric.label = "TPOT with the first token, mean";
        metric.get = tpotWithFirst;
        metric.help = "Time from sending a request until its last token, divided by its output tokens.";
        metric.spread = latencySpread;
        metric.waits = true;
    } else if (metric.unit == "GiB" && definitions.gigabytes) {
        metric.unit = "GB";
        metric.get = metric.id == "memory_used_gib" ? memoryUsed<giga> : memory<&Footprint::kvFree, giga>;
    }
    return metric;
}

using Table = std::array<Metric, table.size()>;

constexpr Table shownTable(const Definitions& definitions)
{
    Table result = table;
    for (Metric& metric : result)
        metric = shown(metric, definitions);
    return result;
}

/// By whether TPOT counts the first token, then by whether memory is in GB: the only definitions that metrics follow.
constexpr std::array<Table, 4> tables{table, shownTable({.gigabytes = true}), shownTable({.tpotWithFirst = true}),
                                      shownTable({.tpotWithFirst = true, .gigabytes = true})};

} // namespace

Seconds tpotOf(const Metrics& metrics, const Definitions& definitions)
{
    return definitions.tpotWithFirst ? metrics.requestLatency / outputTokens(metrics) : metrics.tpot;
}

std::optional<Breakdown> tpotOf(const Report& report, const Definitions& definitions)
{
    if (!report.metrics || (definitions.tpotWithFirst && report.overloaded))
        return std::nullopt;
    if (!definitions.tpotWithFirst)
        return report.tpot;
    const double n = outputTokens(*report.metrics);
    return (report.ttft + report.tpot * (n - 1.0)) * (1.0 / n);
}

std::span<const Metric> metrics()
{
    return table;
}

std::span<const Metric> metrics(const Definitions& definitions)
{
    return tables[(definitions.tpotWithFirst ? 2U : 0U) + (definitions.gigabytes ? 1U : 0U)];
}

std::optional<Band> bandOf(const Metric& metric, const Report& report)
{
    const Value value = metric.get(report);
    const std::optional<Spread> spread = metric.spread ? metric.spread(report) : std::nullopt;
    if (!value || !spread)
        return std::nullopt;
    return band80(*value, spread->total());
}

const Metric* findMetric(std::string_view id)
{
    for (const Metric& metric : table)
        if (metric.id == id)
            return &metric;
    return nullptr;
}

Result<const Metric*> metricNamed(std::string_view id)
{
    if (const Metric* metric = findMetric(id))
        return metric;
    std::vector<std::string_view> known;
    for (const Metric& metric : table)
        known.push_back(metric.id);
    return fail(fmt::format("no metric is called \"{}\"; there are {}", id, fmt::join(known, ", ")));
}

} // namespace ridgepoint
