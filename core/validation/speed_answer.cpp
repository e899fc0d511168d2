// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed.h"

#include "core/scenario/evaluate.h"
#include "core/serving/local_runtime.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// What a chat of a few sentences holds, where a report does not say.
constexpr double usualInput = 128.0, usualOutput = 256.0;
/// A card waits longer for a host that is a single-board computer; 20 rows of 7 NVIDIA cards, 25 to 43.
constexpr Seconds weakHostPerLayer{29e-6};

/// What eight of ten published measurements lie between, as multiples of predictions by constants that were not fitted to
/// them (fieldSpeed, rows in use): tenth and nine-tenth quantiles, widened to hold the prediction itself.
struct Bands
{
    double low, high;            ///< of speeds
    double tpotLow, tpotHigh, ttftLow, ttftHigh;
};

constexpr Bands bandsOfServers{0.71, 1.40, 0.30, 1.0, 0.80, 4.2};          ///< MLPerf server and interactive, 93 rows
constexpr Bands bandsOfEngines{0.46, 1.60, 0.62, 2.0, 0.45, 8.0};          ///< on devices with fitted kernels, 40 rows
constexpr Bands bandsOfUntunedEngines{0.24, 1.0, 0.80, 3.6, 0.8, 32.0};    ///< on others, 26 rows: no engine is tuned there
constexpr Bands bandsOfOneRequest{0.83, 1.38, 0.70, 1.65, 0.60, 5.0};      ///< one at a time as a whole, 131 rows
constexpr Bands bandsOfOneStream{0.36, 1.20, 0.80, 2.80, 0.60, 5.0};       ///< one stream writing, 16 rows of software of 2023

void put(const Bands& bands, SpeedAnswer& answer)
{
    answer.low = answer.promptLow = bands.low;
    answer.high = answer.promptHigh = bands.high;
    answer.tpotLow = bands.tpotLow;
    answer.tpotHigh = bands.tpotHigh;
    answer.ttftLow = bands.ttftLow;
    answer.ttftHigh = bands.ttftHigh;
}

/// Times have the inverse bands of speeds where nothing else is known of them.
void bandsOfTimes(SpeedAnswer& answer)
{
    answer.tpotLow = 1.0 / answer.high;
    answer.tpotHigh = 1.0 / answer.low;
    answer.ttftLow = 1.0 / answer.promptHigh;
    answer.ttftHigh = 1.0 / answer.promptLow;
}

bool hasExperts(const Network& network)
{
    return std::any_of(network.layers.begin(), network.layers.end(),
                       [](const LayerGroup& group) { return group.feedForward.isMixture(); });
}

Precision precisionOf(const SpeedRow& row)
{
    return {.weights = row.weights, .activations = row.activations, .kv = row.kv};
}

System systemOf(const SpeedRow& row, const Presets& presets)
{
    for (const System& system : presets.systems)
        if (row.devices > 1 && system.device.id == row.device->id && system.devicesPerNode * system.maximumNodes >= row.devices && system.devicesPerNode > 1)
            return system;
    System system;
    system.id = system.name = row.device->id;
    system.device = *row.device;
    system.devicesPerNode = std::max(1, row.devices);
    system.topology = row.devices <= 1                              ? Topology::none
                      : row.device->linkBandwidth.value > 0.0       ? Topology::switched
                                                                    : Topology::pcie;
    if (system.device.hostLinkBandwidth.value <= 0.0)
        system.device.hostLinkBandwidth = Bandwidth{16e9};
    return system;
}

/// The formats a row runs in, by the rules of a scenario.
ResolvedPrecision resolved(const SpeedRow& row, const Peaks& peak)
{
    ResolvedPrecision p;
    p.weights = row.weights;
    p.activations = row.activations.value_or(row.network->checkpointActivations);
    if (row.weights && !row.activations)
        switch (*row.weights) {
        case Format::fp8:
        case Format::fp8Block:
        case Format::int8:
        case Format::nvfp4: p.activations = *row.weights; break;
        default: p.activations = Format::bf16;
        }
    p.kv = row.kv.value_or(row.network->checkpointKv);
    p.hasBf16 = peak.bf16.has_value();
    p.hasFp8 = peak.fp8.has_value();
    p.hasInt8 = peak.int8.has_value();
    p.hasFp4 = peak.fp4.has_value();
    return p;
}

// --- one stream -------------------------------------------------------------------------------------------------------

SpeedAnswer answerLocal(const SpeedRow& row, const EngineProfile& engine, const RuntimeKernels& known, const Presets& presets,
                        SpeedPart part)
{
    SpeedAnswer answer;
    const Seconds host =
        engine.hostPerStep + (row.weakHost ? weakHostPerLayer * double(row.network->layerCount()) : Seconds{});
    const System system = systemOf(row, presets);
    KernelFamily kernels = runtimeKernelFamily(known, system.device);
    if (row.bitsPerWeight && row.weights) {
        double& memory = kernels.matmulWeightOnly.memory;
        memory = std::min(1.0, memory * 8.0 * bytesPerElement(*row.weights) / *row.bitsPerWeight);
    }
    const bool layerSplit = row.tensorParallel <= 1 && (engine.id == "llama.cpp" || engine.id == "exllamav2" || engine.id == "transformers");
    const int group = layerSplit ? 1 : std::max(1, row.tensorParallel > 1 ? row.tensorParallel : row.devices);
    const int cards = layerSplit ? row.devices : 1;

    const double sequences = row.kind == SpeedKind::online && row.concurrency >= 1.0 ? row.concurrency : row.batch;
    const double output = row.outputTokens > 0.0 ? row.outputTokens : usualOutput;
    const double read = row.inputTokens > 0.0 ? row.inputTokens : usualInput;
    const double before = row.emptyStart ? 0.0 : read;
    const bool writes = row.kind != SpeedKind::prompt && part != SpeedPart::reading;
    const bool reads = !writes || (!row.emptyStart && part != SpeedPart::writing);
    const LocalTimes times = localTimes(*row.network, resolved(row, system.device.peak), system, kernels, known, engine, host, group,
                                        cards, sequences, writes ? std::max(1.0, before + output / 2.0) : 0.0,
                                        reads ? read : 0.0);
    const double token = times.token.total().value;
    const double prompt = times.prompt.total().value;
    if (writes) {
        answer.tpot = token;
        answer.perUser = 1.0 / token;
        answer.output = sequences / token;
        answer.total = answer.output;
    }
    if (reads) {
        answer.ttft = prompt;
        answer.input = sequences * read / prompt;
    }
    if (writes && reads) {
        const double request = prompt + std::max(1.0, output - 1.0) * token;
        answer.requests = sequences / request;
        if (row.kind == SpeedKind::request || row.kind == SpeedKind::fixedBatch || row.kind == SpeedKind::online) {
            answer.output = sequences * output / request;
            answer.total = sequences * (read + output) / request;
        }
        if (row.kind == SpeedKind::online)
            answer.input = sequences * read / request;
    }
    answer.low = known.low;
    answer.high = known.high;
    answer.promptLow = known.promptLow;
    answer.promptHigh = known.promptHigh;
    bandsOfTimes(answer);
    if (row.weakHost && row.device->vendor != "NVIDIA") {
        answer.low = std::min(answer.low, 0.15);
        bandsOfTimes(answer);
        answer.remark = "cards other than NVIDIA's are up to ten times slower on single-board computers";
    }
    return answer;
}

// --- as much as a system can do ---------------------------------------------------------------------------------------

int smallestGroup(const SpeedRow& row)
{
    std::vector<LayerFormats> formats;
    for (const LayerGroup& group : row.network->layers)
        formats.push_back(formatsInUse(*row.network, group, row.weights));
    const double weights = storedWeights(*row.network, formats, 1).total().value;
    int group = 1;
    while (group < row.devices && 1.2 * weights > 0.9 * group * row.device->memoryCapacity.value)
        group *= 2;
    return std::min(group, row.devices);
}

SpeedAnswer answerOffline(const SpeedRow& row, const OfflineConstants& constants)
{
    SpeedAnswer answer;
    const bool experts = hasExperts(*row.network);
    OfflineLoad load;
    load.inputTokens = row.inputTokens > 0.0 ? row.inputTokens : 1000.0;
    load.outputTokens = row.outputTokens > 0.0 ? row.outputTokens : 1000.0;
    load.devices = row.benchmark ? smallestGroup(row) : row.devices;
    load.stages = std::clamp(row.pipelineParallel, 1, load.devices);
    load.attentionData = row.attentionData;
    load.early = row.old;
    load.generic = row.engineId == "vllm" || row.engineId == "sglang";
    load.arrivals = row.server || row.interactive;
    if (const double limit = row.interactive ? row.interactiveLimit : row.server ? row.serverLimit : 0.0; limit > 0.0)
        load.tokenLimit = Seconds{limit};
    const OfflineThroughput one = offlineThroughput(*row.network, resolved(row, row.device->peak), *row.device, load, constants);
    if (!one.fits) {
        answer.problem = "the weights do not fit the devices";
        return answer;
    }
    const double replicas = double(row.devices) / load.devices;
    answer.output = one.output.value * replicas;
    answer.total = *answer.output * (1.0 + load.inputTokens / load.outputTokens);
    answer.input = *answer.output * load.inputTokens / load.outputTokens;
    answer.requests = *answer.output / load.outputTokens;
    answer.perUser = one.output.value / one.sequences;
    answer.tpot = 1.0 / *answer.perUser;
    if (load.arrivals)
        answer.ttft = one.prompt.value + 1.5 * one.step.value;   // half a step until it is seen, then one with its prompt
    answer.low = answer.promptLow = experts ? constants.lowExperts : constants.low;
    answer.high = answer.promptHigh = experts ? constants.highExperts : constants.high;
    bandsOfTimes(answer);
    if (load.arrivals)
        put(bandsOfServers, answer);
    answer.provenance = "general_default";
    return answer;
}

// --- everything else --------------------------------------------------------------------------------------------------

SpeedAnswer answerServing(const SpeedRow& row, const EngineProfile& engine, const Presets& presets)
{
    SpeedAnswer answer;
    Scenario s;
    s.system = systemOf(row, presets);
    s.network = *row.network;
    s.precision = precisionOf(row);
    s.engine = engine;
    const int stages = std::max(1, row.pipelineParallel);
    int group = row.tensorParallel > 0 ? row.tensorParallel : std::max(1, row.devices / stages / std::max(1, row.dataParallel));
    if (row.tensorParallel == 0 && row.dataParallel <= 1 && row.kind != SpeedKind::online)
        group = smallestGroup(row);
    s.plan = {.tensorParallel = group, .pipelineParallel = stages, .replicas = std::max(1, row.devices / std::max(1, group * stages))};
    s.load.inputTokens = int(row.inputTokens > 0.0 ? row.inputTokens : usualInput);
    s.load.outputTokens = int(row.outputTokens > 0.0 ? row.outputTokens : usualOutput);
    const bool one = row.kind == SpeedKind::decode || row.kind == SpeedKind::prompt || row.kind == SpeedKind::request;
    if (row.kind == SpeedKind::fixedBatch || row.batch > 1.0)
        s.load.batching = BatchingMode::fixed;
    s.load.concurrency = int(row.concurrency >= 1.0 ? row.concurrency : one || row.batch > 1.0 ? row.batch : 1024.0);
    s.network.maximumContext = std::max(s.network.maximumContext, s.load.inputTokens + s.load.outputTokens);

    Report report = evaluate(s);
    if (row.requestRate > 0.0 && row.concurrency < 1.0 && report.metrics && report.metrics->requestRate.value > row.requestRate) {
        // Requests in flight that lead to the rate of arrivals.
        int low = 1, high = s.load.concurrency;
        while (low < high) {
            s.load.concurrency = (low + high) / 2;
            report = evaluate(s);
            if (report.metrics && report.metrics->requestRate.value < row.requestRate)
                low = s.load.concurrency + 1;
            else
                high = s.load.concurrency;
        }
        s.load.concurrency = low;
        report = evaluate(s);
    }
    if (!report.metrics) {
        answer.problem = "the configuration " + verdictText(report);
        return answer;
    }
    const Metrics& m = *report.metrics;
    answer.tpot = m.tpot.value;
    answer.ttft = m.ttft.value;
    answer.output = one && row.kind != SpeedKind::request ? row.batch / m.tpot.value : m.outputRate.value;
    answer.perUser = 1.0 / m.tpot.value;
    answer.total = m.totalRate.value;
    answer.input = one ? row.batch * s.load.inputTokens / m.ttft.value : m.totalRate.value - m.outputRate.value;
    answer.requests = m.requestRate.value;
    answer.provenance = std::string(keyOf(report.provenance));
    const bool known = s.system.device.kernels.fitted || s.system.device.kernels.measured;
    const Bands& fitted = row.kind == SpeedKind::request ? bandsOfOneRequest : one ? bandsOfOneStream : bandsOfEngines;
    put(known ? fitted : bandsOfUntunedEngines, answer);
    return answer;
}

} // namespace

SpeedAnswer answerSpeed(const SpeedRow& row, const Presets& presets, const OfflineConstants& constants, SpeedPart part)
{
    SpeedAnswer answer;
    answer.problem = row.problem;
    if (!answer.problem.empty())
        return answer;
    const EngineProfile* engine = findEngine(presets, row.engineId);
    if (!engine) {
        answer.problem = "unknown engine " + row.engineName;
        return answer;
    }
    if (const RuntimeKernels* runtime = runtimeFor(*engine, *row.device, row.date))
        return answerLocal(row, *engine, *runtime, presets, part);
    if (!engine->runtimes.empty()) {
        answer.problem = engine->name + " has no kernels that are known for " + row.device->name;
        return answer;
    }
    return row.kind == SpeedKind::offline ? answerOffline(row, constants) : answerServing(row, *engine, presets);
}

} // namespace ridgepoint
