// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/serving_rows.h"

#include "core/scenario/serving_setup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

/// Lengths whose range was not recorded still differ: fixed ones would run in lockstep. Half width / mean.
constexpr double unrecordedSpread = 0.05;

/// Cells of one row, under a prefix such as "decode_".
class Cells
{
public:
    Cells(const CsvTable& table, std::size_t row, std::string prefix = {})
        : m_table(table), m_row(row), m_prefix(std::move(prefix))
    {}

    [[nodiscard]] std::string text(std::string_view column) const
    {
        return std::string(m_table.text(m_row, m_prefix + std::string(column)));
    }
    [[nodiscard]] std::optional<double> number(std::string_view column) const
    {
        return m_table.number(m_row, m_prefix + std::string(column));
    }
    [[nodiscard]] int count(std::string_view column, int otherwise) const
    {
        const std::optional<double> value = number(column);
        return value && *value >= 1 && *value <= 1e6 ? int(std::lround(*value)) : otherwise;
    }

private:
    const CsvTable& m_table;
    std::size_t m_row;
    std::string m_prefix;
};

bool hasExperts(const Network& network)
{
    return std::any_of(network.layers.begin(), network.layers.end(),
                       [](const LayerGroup& group) { return group.feedForward.isMixture(); });
}

bool isFp8(Format format)
{
    return format == Format::fp8 || format == Format::fp8Block;
}

/// What the usual recipe of a format leaves in 16 bit: 4-bit weight-only formats and NVFP4 of a mixture are made for the
/// feed-forward, where nearly all weights are.
Network withFeedForwardIn(Network network, Format format, bool expertsOnly)
{
    for (LayerGroup& group : network.layers) {
        const bool mixture = group.feedForward.isMixture();
        group.formats = LayerFormats{};
        if (mixture)
            group.formats.experts = format;
        if (mixture && !expertsOnly)
            group.formats.shared = format;
        if (!mixture && !expertsOnly)
            group.formats.dense = format;
    }
    network.checkpointFormat = format;
    network.checkpointActivations = format == Format::nvfp4 ? Format::nvfp4 : Format::bf16;
    return network;
}

/// Makes the scenario's weights those of the precision column: the checkpoint's own where it already says so.
Result<void> usePrecision(Scenario& s, std::string_view precision, std::string_view checkpoint)
{
    const Format stored = s.network.checkpointFormat;
    const bool mixture = hasExperts(s.network);
    if (precision.empty())
        return {};
    if (precision == "bf16" || precision == "fp16" || precision == "float16" || precision == "bfloat16") {
        if (stored != Format::bf16)
            s.precision.weights = Format::bf16;
    } else if (precision == "fp8" || precision == "fp8_block") {
        if (isFp8(stored))
            return {};
        // Makers of mixtures publish fp8 in blocks; quantisers and dense networks have one scale a tensor.
        const bool quantiser = checkpoint.starts_with("nvidia/") || checkpoint.starts_with("RedHatAI/") ||
                               checkpoint.starts_with("neuralmagic/") || checkpoint.starts_with("amd/");
        s.precision.weights =
            precision == "fp8_block" || (mixture && !quantiser) ? Format::fp8Block : Format::fp8;
    } else if (precision == "nvfp4" || precision == "fp4") {
        if (stored == Format::nvfp4)
            return {};
        if (mixture)
            s.network = withFeedForwardIn(s.network, Format::nvfp4, false);
        else
            s.precision.weights = Format::nvfp4;
    } else if (precision == "mxfp4" || precision == "int4") {
        const Format format = precision == "mxfp4" ? Format::mxfp4 : Format::int4Group32;
        if (stored == format || (precision == "int4" && stored == Format::int4))
            return {};
        if (mixture)
            s.network = withFeedForwardIn(s.network, format, true);
        else
            s.precision.weights = precision == "mxfp4" ? Format::mxfp4 : Format::int4;
    } else if (precision == "int8") {
        s.precision.weights = Format::int8;
    } else {
        return fail(fmt::format("unknown precision {}", precision));
    }
    return {};
}

std::optional<Format> kvFormat(std::string_view text)
{
    if (text.starts_with("fp8"))
        return Format::fp8;
    if (text == "int8")
        return Format::int8;
    if (text == "bf16" || text == "fp16" || text == "bfloat16" || text == "float16")
        return Format::bf16;
    return std::nullopt;
}

/// One worker's plan; `devices` is what it has where the columns do not say.
Plan planOf(const Cells& cells, int devices, bool mixture)
{
    Plan plan;
    plan.attentionData = cells.count("attn_dp", 1);
    plan.tensorParallel = cells.count("attn_tp", std::max(1, devices / plan.attentionData));
    if (mixture) {
        const int expertTensor = cells.count("moe_tp", 0);
        plan.expertParallel =
            cells.count("moe_ep", expertTensor > 0 ? std::max(1, plan.devicesPerStage() / expertTensor) : 1);
    }
    return plan;
}

const System* systemOf(const Presets& presets, const PresetNames& names, std::string_view text)
{
    if (const System* system = findSystem(presets, text))
        return system;
    const Device* device = names.device(text);
    if (device == nullptr)
        return nullptr;
    const System* largest = nullptr;
    for (const System& system : presets.systems)
        if (system.device.id == device->id && (largest == nullptr || system.devicesPerNode > largest->devicesPerNode))
            largest = &system;
    return largest;
}

std::string loadClass(double concurrency)
{
    return concurrency <= 4 ? "1 to 4" : concurrency <= 16 ? "5 to 16" : concurrency <= 64 ? "17 to 64" : "above 64";
}

std::string planName(const Plan& plan)
{
    return fmt::format("tp{}{}{}", plan.tensorParallel,
                       plan.expertParallel > 1 ? fmt::format(" ep{}", plan.expertParallel) : "",
                       plan.attentionData > 1 ? fmt::format(" dp{}", plan.attentionData) : "");
}

Result<void> readLoad(const Cells& cells, Scenario& s)
{
    const std::optional<double> input = cells.number("isl_tokens");
    const std::optional<double> output = cells.number("osl_tokens");
    const std::optional<double> concurrency = cells.number("concurrency");
    if (!input || *input < 1 || !output || *output < 1)
        return fail("no input or output length");
    if (!concurrency || *concurrency < 1)
        return fail("no concurrency");
    // Beyond these a run would take longer to simulate than anybody waits for.
    constexpr double mostRequests = 20'000, mostTokens = 10'000'000;
    if (*concurrency > mostRequests)
        return fail(fmt::format("concurrency is {}; at most {} are simulated", *concurrency, mostRequests));
    if (*input > mostTokens || *output > mostTokens)
        return fail(fmt::format("a length is above {} tokens", mostTokens));
    const double ratio = cells.number("length_range_ratio").value_or(1.0);
    if (ratio <= 0 || ratio > 1)
        return fail(fmt::format("length_range_ratio is {}; it must be above 0 and at most 1", ratio));
    const double mean = (1.0 + ratio) / 2.0;   // uniform between ratio and 1 of the nominal length
    s.load.inputTokens = int(std::lround(*input * mean));
    s.load.outputTokens = std::max(2, int(std::lround(*output * mean)));
    s.load.lengthSpread = ratio < 1.0 ? (1.0 - ratio) / (1.0 + ratio) : unrecordedSpread;
    s.load.concurrency = int(std::lround(*concurrency));
    s.load.fromStart = true;
    return {};
}

/// Settings of the scripts that published runs were launched with.
void useLaunchSettings(Scenario& s, double input, double output, bool dense)
{
    const auto below = [](int limit, double value) { return limit == 0 || value < limit; };
    const auto atMost = [](int limit, double value) { return limit == 0 || value <= limit; };
    for (const LaunchSetting& one : s.engine.launchSettings) {
        const bool family = one.families.empty() || std::find(one.families.begin(), one.families.end(),
                                                              s.system.device.kernels.id) != one.families.end();
        if (!family || (one.denseOnly && !dense) || !below(one.concurrencyBelow, s.load.concurrency) ||
            !below(one.devicesBelow, s.plan.devicesPerReplica()) || !atMost(one.longestInput, input) ||
            !atMost(one.longestOutput, output))
            continue;
        if (one.pollingSteps > 0)
            s.engine.pollingSteps = one.pollingSteps;
        if (one.batchWaitSteps > 0)
            s.engine.batchWaitSteps = one.batchWaitSteps;
        if (one.rankWaitSteps > 0)
            s.engine.rankWaitSteps = one.rankWaitSteps;
        return;
    }
}

/// A run that was measured did fit: where the engine's default share of memory is too small, its script raised it.
void makeRoom(Scenario& s)
{
    constexpr double raised = 0.95;
    const ResolvedPrecision precision = resolvedPrecision(s);
    const auto fits = [&](const Plan& plan, double tokens) {
        return footprint(s.system.device, s.network, precision, plan, s.engine, tokens, 1.0).maximumConcurrency >= 1.0;
    };
    const double tokens = double(s.load.inputTokens) + s.load.outputTokens;
    if (!fits(s.plan, tokens) || (s.prefillPool && !fits(*s.prefillPool, s.load.inputTokens)))
        s.engine.memoryFraction = std::max(s.engine.memoryFraction, raised);
}

/// A cell that holds something else than its column takes is a mistake; only an empty one means the default.
Result<void> checkCounts(const CsvTable& table, std::size_t row)
{
    for (const std::string_view column : {"gpus_total", "attn_tp", "attn_dp", "moe_tp", "moe_ep", "isl_tokens", "osl_tokens",
                                          "concurrency", "max_batched_tokens"})
        for (const std::string_view prefix : {"", "prefill_", "decode_"}) {
            const std::string name = std::string(prefix) + std::string(column);
            if (table.text(row, name).empty())
                continue;
            const std::optional<double> value = table.number(row, name);
            if (!value || *value < 1 || *value != std::floor(*value))
                return fail(fmt::format("{} is {}; it must be a whole number from 1", name, table.text(row, name)));
        }
    if (!table.text(row, "length_range_ratio").empty() && !table.number(row, "length_range_ratio"))
        return fail(fmt::format("length_range_ratio is {}; it must be a number", table.text(row, "length_range_ratio")));
    return {};
}

} // namespace

Result<ServingRow> servingRow(const CsvTable& table, std::size_t row, const Presets& presets, const PresetNames& names)
{
    if (const Result<void> checked = checkCounts(table, row); !checked)
        return fail(checked.error());
    const Cells cells(table, row);
    ServingRow result;
    Scenario& s = result.scenario;

    const std::string systemName = cells.text("system");
    const System* system = systemOf(presets, names, systemName);
    if (system == nullptr)
        return fail("unknown device " + systemName);
    s.system = *system;

    const std::string checkpoint = cells.text("checkpoint");
    const std::string model = cells.text("model");
    const Network* network = checkpoint.empty() ? nullptr : findNetwork(presets, checkpoint);
    if (network == nullptr)
        network = names.network(model);
    if (network == nullptr && !checkpoint.empty())
        network = names.network(checkpoint);
    if (network == nullptr)
        return fail("unknown network " + (model.empty() ? checkpoint : model));
    s.network = *network;

    const std::string backend = cells.text("backend");
    const EngineProfile* engine = findEngine(presets, backend);
    if (engine == nullptr)
        return fail("unknown engine " + backend);
    s.engine = *engine;

    const std::string precision = cells.text("precision");
    if (const Result<void> used = usePrecision(s, precision, checkpoint); !used)
        return fail(used.error());
    s.precision.kv = kvFormat(cells.text("kv_cache_dtype"));
    if (const Result<void> read = readLoad(cells, s); !read)
        return fail(read.error());
    s.engine.batchedTokens = cells.count("max_batched_tokens", s.engine.batchedTokens);

    const bool mixture = hasExperts(s.network);
    const int devices = cells.count("gpus_total", 1);
    const bool disaggregated = cells.text("mode") == "disagg";
    if (disaggregated) {
        const Cells prefill(table, row, "prefill_"), decode(table, row, "decode_");
        const int prefillWorkers = prefill.count("workers", 0), decodeWorkers = decode.count("workers", 0);
        if (prefillWorkers == 0 || decodeWorkers == 0)
            return fail("disaggregated, without counts of prefill and decode workers");
        s.plan = planOf(decode, 1, mixture);
        s.plan.replicas = decodeWorkers;
        s.prefillPool = planOf(prefill, 1, mixture);
        s.prefillPool->replicas = prefillWorkers;
    } else {
        s.plan = planOf(cells, devices, mixture);
    }
    constexpr long mostRanks = 4096;
    for (const Plan& plan : {s.plan, s.prefillPool.value_or(Plan{})})
        if (long(plan.tensorParallel) * plan.attentionData > mostRanks || plan.replicas > mostRanks)
            return fail(fmt::format("a plan of more than {} devices in a worker, or as many workers, is not simulated", mostRanks));
    if (cells.number("length_range_ratio") && !disaggregated)
        useLaunchSettings(s, *cells.number("isl_tokens"), *cells.number("osl_tokens"), !mixture);
    // A run that was measured had the nodes it needed.
    const int widest = std::max(s.plan.devicesPerReplica(), s.prefillPool ? s.prefillPool->devicesPerReplica() : 1);
    if (s.system.networkBandwidth.value > 0.0)
        s.system.maximumNodes = std::max(s.system.maximumNodes, (widest - 1) / s.system.devicesPerNode + 1);

    makeRoom(s);

    const std::string plan = disaggregated ? fmt::format("{}x {} + {}x {}", s.prefillPool->replicas,
                                                         planName(*s.prefillPool), s.plan.replicas, planName(s.plan))
                                           : planName(s.plan);
    result.date = cells.text("measured_date");
    result.deployment = fmt::format("{} {} {} {}", s.network.id, precision, s.system.device.id, s.engine.id);
    result.configuration =
        fmt::format("{} {} {} {} {} {} {} {} {}", result.deployment, checkpoint, plan, cells.text("isl_tokens"),
                    cells.text("osl_tokens"), cells.text("backend_version"), cells.text("max_batched_tokens"),
                    cells.text("kv_cache_dtype"), cells.text("mode"));
    result.groups = {{"device", systemName},
                     {"model", model.empty() ? s.network.id : model},
                     {"engine", s.engine.id},
                     {"precision", precision},
                     {"parallelism", disaggregated ? "pools" : planName(s.plan)},
                     {"load", loadClass(s.load.concurrency)},
                     {"kind", mixture ? "mixture of experts" : "dense"},
                     {"mode", disaggregated ? "disaggregated" : "aggregated"}};
    if (s.plan.attentionData > 1)
        result.groups.emplace_back("attention", "data parallel");
    if (const std::string tier = cells.text("tier"); !tier.empty())
        result.groups.emplace_back("tier", tier);
    return result;
}

} // namespace ridgepoint
