// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/evaluate.h"

#include "core/scenario/serving_setup.h"
#include "core/serving/disaggregation.h"
#include "core/serving/local_runtime.h"
#include "core/workload/kv_cache.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ridgepoint {

namespace {

/// Log standard deviation of TTFT with prefill workers: transfer, routing and batching of prompts differ between
/// deployments and were not recorded where it was measured (e2eData, serving analysis §5.4).
constexpr double poolWaitSpread = 0.35;

/// Log standard deviation of TTFT between the closed form and the simulation where the former claims nothing.
constexpr double solverSpread = 0.1;

/// Headroom below this share of the device is called tight: the parts are not known better.
constexpr double tightShare = 0.03;

/// The format the products of most weights really read their inputs in, after what the weights and the device allow.
Format inputsInUse(const Scenario& s, const ResolvedPrecision& precision)
{
    Math math = Math::bf16;
    for (const LayerGroup& group : s.network.layers) {
        const LayerFormats formats = formatsInUse(s.network, group, precision.weights);
        math = mathOf(group.feedForward.isMixture() ? formats.experts : formats.dense, precision);
    }
    switch (math) {
    case Math::fp8:
    case Math::int8:
    case Math::fp4: return precision.activations;
    case Math::fp32: return Format::fp32;
    case Math::bf16: break;
    }
    return Format::bf16;
}

/// Collects findings, problems first.
class Findings
{
public:
    explicit Findings(std::vector<Finding>& findings) : m_findings(findings) {}

    void add(FindingCode code, Severity severity, std::string_view knob = {}, double a = 0, double b = 0, double c = 0)
    {
        const Finding finding{code, severity, knob, {a, b, c}};
        const auto place = std::find_if(m_findings.begin(), m_findings.end(),
                                        [&](const Finding& other) { return other.severity < severity; });
        m_findings.insert(place, finding);
    }
    void problem(FindingCode code, std::string_view knob = {}, double a = 0, double b = 0, double c = 0)
    {
        add(code, Severity::problem, knob, a, b, c);
    }
    [[nodiscard]] bool hasProblem() const
    {
        return !m_findings.empty() && m_findings.front().severity == Severity::problem;
    }

private:
    std::vector<Finding>& m_findings;
};

/// What makes a plan impossible whatever the memory.
void checkPlan(const Scenario& s, Findings& findings)
{
    const Plan& plan = s.plan;
    const int t = plan.tensorParallel;
    for (const LayerGroup& group : s.network.layers) {
        const Attention& a = group.attention;
        const int heads = a.kind == AttentionKind::linear ? a.linearValueHeads : a.heads;
        const bool kvSplits = a.kind != AttentionKind::grouped || a.kvHeads % t == 0 || t % a.kvHeads == 0;
        if (heads % t != 0 || !kvSplits) {
            findings.problem(FindingCode::tensorParallelDoesNotDivide, "parallel.tp", t,
                             heads % t != 0 ? heads : a.kvHeads);
            break;
        }
    }
    for (const LayerGroup& group : s.network.layers)
        if (const FeedForward& f = group.feedForward; f.isMixture() && plan.expertParallel > 1 &&
            (f.experts % plan.expertParallel != 0 || plan.devicesPerStage() % plan.expertParallel != 0)) {
            findings.problem(FindingCode::expertParallelDoesNotDivide, "parallel.ep", plan.expertParallel, f.experts,
                             plan.devicesPerStage());
            break;
        }
    if (t > s.system.devicesPerNode)
        findings.add(FindingCode::tensorParallelBeyondNode, Severity::warning, "parallel.tp", t, s.system.devicesPerNode);
    if (t > 1 && !s.system.freeLinks && groupBandwidth(s.system, t).value <= 0.0)
        findings.problem(FindingCode::unlinkedDevices, "parallel.tp", t);
    const int limit = s.system.devicesPerNode * s.system.maximumNodes;
    if (plan.devicesPerReplica() > limit)
        findings.problem(FindingCode::planTooLarge, "parallel.pp", plan.devicesPerReplica(), limit);
    if (plan.pipelineParallel > s.network.layerCount())
        findings.problem(FindingCode::pipelineTooDeep, "parallel.pp", plan.pipelineParallel, s.network.layerCount());
    if (s.load.inputTokens + s.load.outputTokens > s.network.maximumContext)
        findings.problem(FindingCode::contextTooLong, "load.input_tokens", s.load.inputTokens + s.load.outputTokens,
                         s.network.maximumContext);
    if (s.system.device.memoryVisible.value <= 0.0)
        findings.problem(FindingCode::memoryUnknown, "hardware.memory_capacity");
    if (!s.system.device.peak.bf16 && !s.system.device.peak.fp32)
        findings.problem(FindingCode::precisionMissing, "precision.activations");
}

/// Facts that do not stop a plan but a user should know.
void notePlan(const Scenario& s, const ResolvedPrecision& precision, const Report& report, Findings& findings)
{
    const int t = s.plan.tensorParallel;
    bool windows = false;
    bool fellBack = false;
    for (const LayerGroup& group : s.network.layers) {
        const Attention& a = group.attention;
        windows = windows || (a.kind == AttentionKind::grouped && a.window > 0);
        const LayerFormats formats = formatsInUse(s.network, group, precision.weights);
        const Format weights = group.feedForward.isMixture() ? formats.experts : formats.dense;
        const Math wanted = weights == Format::nvfp4 ? Math::fp4 : weights == Format::int8 ? Math::int8 : Math::fp8;
        const bool inputAsks = precision.activations != Format::bf16 && precision.activations != Format::fp32;
        if (!fellBack && weights != Format::bf16 && weights != Format::fp32 && inputAsks &&
            mathOf(weights, precision) != wanted && !s.system.device.peak.at(wanted)) {
            findings.add(FindingCode::precisionFallback, Severity::warning, "precision.weights", double(weights),
                         double(mathOf(weights, precision)));
            fellBack = true;
        }
    }
    const Attention& first = s.network.layers.front().attention;
    for (const LayerGroup& group : s.network.layers)
        if (group.attention.kind == AttentionKind::grouped && t > group.attention.kvHeads) {
            findings.add(FindingCode::kvHeadsReplicated, Severity::information, "parallel.tp", t,
                         group.attention.kvHeads, double(t) / group.attention.kvHeads);
            break;
        }
    if (first.kind == AttentionKind::latent && t > 1)
        findings.add(FindingCode::latentCacheReplicated, Severity::information, "parallel.tp", t,
                     report.footprint->kvPerToken.value);
    if (windows && s.engine.windowPolicy == WindowPolicy::full) {
        EngineProfile exact = s.engine;
        exact.windowPolicy = WindowPolicy::exact;
        const double tokens = s.load.inputTokens + s.load.outputTokens;
        const Bytes kept = report.footprint->kvPerRequest;
        const Bytes needed = cacheOfRequest(s.network, precision.kv, exact, t, s.plan.pipelineParallel, tokens);
        if (kept > needed)
            findings.add(FindingCode::windowIgnored, Severity::warning, "engine.window_policy", kept.value, needed.value);
    }
    const double logits = s.engine.samplerBytesPerLogit * s.network.vocabulary *
                          std::min(s.engine.maximumSequences, s.engine.batchedTokens);
    if (logits > 0.05 * report.footprint->visible.value)
        findings.add(FindingCode::samplerMemory, Severity::information, "engine.max_sequences", logits,
                     s.engine.maximumSequences);
    if (!s.engine.idealKernels && !s.system.device.kernels.fitted && !runtimeFor(s.engine, s.system.device))
        findings.add(FindingCode::defaultKernels, Severity::warning);
    if (!s.price)
        findings.add(FindingCode::priceUnknown, Severity::information, "price.preset");
}

void addNotModelled(const Scenario& s, Report& report)
{
    using enum NotModelled;
    report.notModelled = {percentiles, clientNetwork, tokenizer, energy, thermalThrottling};
    for (const LayerGroup& group : s.network.layers)
        if (group.feedForward.isMixture()) {
            report.notModelled.push_back(routingSkew);
            break;
        }
    for (const std::string& part : s.network.leftOut) {
        const NotModelled code = part.find("prediction") != std::string::npos ? multiTokenPrediction : multimodalTower;
        if (std::find(report.notModelled.begin(), report.notModelled.end(), code) == report.notModelled.end())
            report.notModelled.push_back(code);
    }
}

void fillMetrics(const Scenario& s, const ServingTimes& times, double running, Report& report)
{
    const double replicas = s.prefillPool ? 1.0 : s.plan.replicas;   // pools are priced as one
    const double devices = devicesOf(s);
    const double input = s.load.inputTokens;
    const double output = std::max(2, s.load.outputTokens);
    Metrics m;
    m.ttft = report.ttft.total();
    m.tpot = report.tpot.total();
    m.decodeStep = report.decodeStep.total();
    m.requestLatency = m.ttft + m.tpot * (output - 1.0);
    m.requestRate = times.requestRate * replicas;
    m.outputRate = m.requestRate * output;
    m.totalRate = m.requestRate * (input + output);
    m.outputPerDevice = m.outputRate / devices;
    m.running = running;
    if (s.price) {
        const DollarRate rent = s.price->perDevice * devices;
        constexpr double million = 1e6;
        m.rent = rent;
        m.costPerMillionOutput = million * (1.0 - times.prefillShare) * (rent / m.outputRate);
        m.costPerMillionInput = million * times.prefillShare * (rent / (m.requestRate * input));
        m.costPerMillionTokens = million * (rent / m.totalRate);
        if (rent.value > 0.0)
            m.outputTokensPerDollar = m.outputRate / rent * Dollars{1.0};
    }
    if (s.system.device.boardPower)
        m.outputPerWatt = m.outputRate.value / (s.system.device.boardPower->value * devices);

    // Each stage reads its own bytes once a micro-batch while the others read theirs.
    const double stages = s.plan.pipelineParallel;
    const Seconds stageStep = m.decodeStep / stages;
    m.memoryUse = report.leastDecodeBytes.value / (s.system.device.memoryBandwidth * stageStep).value;
    Math main = Math::bf16;
    Flops largest;
    for (const OpTime& entry : report.decodeOps)
        if ((entry.op.kind == OpKind::matmul || entry.op.kind == OpKind::mixture) && entry.op.id != OpId::head &&
            entry.op.flops * entry.op.count > largest) {
            largest = entry.op.flops * entry.op.count;
            main = entry.op.math;
        }
    // The embedding is looked up, the head works on written tokens only, and the last token of an answer is not read back.
    const double table = double(s.network.vocabulary) * s.network.hidden;
    const double layers = double(report.activeParameters) - table * (s.network.tiedEmbedding ? 1.0 : 2.0);
    const double flops = 2.0 * (layers * (m.totalRate - m.requestRate).value + table * m.outputRate.value);
    m.computeUse = flops / (peakOf(s.system.device, main).value * devices);
    report.metrics = m;
}

Provenance provenanceOf(const Scenario& s)
{
    if (s.engine.idealKernels)
        return Provenance::dataSheet;
    if (runtimeFor(s.engine, s.system.device))
        return Provenance::familyDefault;
    if (s.system.device.kernels.measured)
        return Provenance::calibrated;
    return s.system.device.kernels.fitted ? Provenance::familyDefault : Provenance::generalDefault;
}

/// What makes a run less certain than plain runs of its engine on one device, found on the same residuals (e2eData): host
/// work is known within this time a step; with more devices come collectives, whose part grows with their number; attention
/// ranks wait for the fullest one, which chance decides; experts of one device may be asked for more than those of others.
constexpr double hostDoubt = 0.4e-3;   // [s] a step
constexpr double devicesSpread = 0.08, devicesPromptSpread = 0.13;   // at eight devices
constexpr double ranksSpread = 0.22, expertsPromptSpread = 0.1;
/// Kernels that were not measured on a device whose others were: a rule puts others in their place.
constexpr double rulesSpread = 0.12;

/// The engine's own spread with what this plan adds.
double engineSpreadOf(const Scenario& s, Seconds step, double engineSpread, bool prompts)
{
    if (engineSpread <= 0.0 || step.value <= 0.0)
        return engineSpread;
    const Plan& p = s.prefillPool && prompts ? *s.prefillPool : s.plan;
    const double others = std::min(1.0, (p.tensorParallel - 1.0) / 7.0);
    double square = engineSpread * engineSpread;
    const auto add = [&](double spread) { square += spread * spread; };
    if (prompts) {
        add(s.prefillPool ? 0.0 : devicesPromptSpread * others);   // the spread of pools holds it
        add(p.expertParallel > 1 ? expertsPromptSpread : 0.0);
    } else {
        add(std::min(0.5, hostDoubt / step.value));
        add(devicesSpread * others);
        add(p.attentionData > 1 ? ranksSpread : 0.0);
    }
    return std::sqrt(square);
}

/// Doubt about a step, from the engine's residuals and from the operators whose constants are not those of the device.
/// Operators of a kind err alike, different kinds independently.
std::optional<Spread> spreadOf(const Scenario& s, const std::vector<OpTime>& ops, Seconds step, double engineSpread)
{
    if (s.engine.idealKernels || engineSpread <= 0.0 || step.value <= 0.0)
        return std::nullopt;
    Spread spread;
    spread.engine = engineSpread;
    constexpr std::size_t kinds = std::size_t(OpKind::send) + 1;
    std::array<double, kinds> byKind{};
    Seconds measured;
    for (const OpTime& entry : ops)
        if (entry.origin == KernelOrigin::measured)
            measured += entry.time;
    constexpr double mostlyMeasured = 0.2;   // of the time: the device's own, but for what a rule replaced
    const double most = measured / step > mostlyMeasured ? rulesSpread : std::numeric_limits<double>::infinity();
    for (const OpTime& entry : ops)
        if (entry.origin != KernelOrigin::measured)
            byKind[std::size_t(entry.op.kind)] += entry.time / step * std::min(entry.spread, most);
    for (const double part : byKind)
        spread.transfer = std::hypot(spread.transfer, part);
    return spread;
}

/// Standard deviation of a logarithm of which eight of ten values lie between two multiples.
double spreadOfBand(double low, double high)
{
    constexpr double tenthToTenth = 2.0 * 1.2816;
    return std::log(high / low) / tenthToTenth;
}

/// One request on cards that hold some layers each, through which engines for one user send a prompt in micro-batches, or on an
/// engine whose host goes through the experts: neither is in the price of a step.
void layersInTurn(const Scenario& s, const ResolvedPrecision& precision, const KernelFamily& kernels, const RuntimeKernels& runtime,
                  ServingTimes& times)
{
    const double input = s.load.inputTokens;
    const double output = std::max(2, s.load.outputTokens);
    const LocalTimes local = localTimes(s.network, precision, s.system, kernels, runtime, s.engine, s.engine.hostPerStep,
                                        s.plan.tensorParallel, s.plan.pipelineParallel, 1.0, input + output / 2.0, input);
    times.decodeStep = times.tpot = local.token;
    times.ttft = local.prompt;
    times.ttftLow = times.ttftHigh = times.ttft.total();
    times.requestRate = Frequency{1.0 / (times.ttft.total() + times.tpot.total() * (output - 1.0)).value};
}

Seconds totalOf(const std::vector<OpTime>& ops)
{
    Seconds sum;
    for (const OpTime& entry : ops)
        sum += entry.time;
    return sum;
}

} // namespace

Report evaluate(const Scenario& s)
{
    if (s.prefillPool && s.load.batching == BatchingMode::fixed) {
        Scenario onePool = s;   // a fixed batch is read and written by the same workers
        onePool.prefillPool.reset();
        return evaluate(onePool);
    }
    Report report;
    const ResolvedPrecision precision = resolvedPrecision(s);
    const ParameterCount parameters = parameterCount(s.network);
    report.parameters = parameters.total;
    report.activeParameters = parameters.active;
    report.kvFormat = precision.kv;
    report.activationFormat = inputsInUse(s, precision);
    report.kvBytesPerToken = kvBytesPerToken(s.network, precision.kv);
    report.provenance = provenanceOf(s);
    addNotModelled(s, report);

    Findings findings(report.findings);
    checkPlan(s, findings);
    if (s.prefillPool) {
        Scenario prefill = s;
        prefill.plan = *s.prefillPool;
        checkPlan(prefill, findings);
    }
    if (findings.hasProblem())
        return report;

    const Plan& plan = s.plan;
    const double tokens = s.load.inputTokens + s.load.outputTokens;
    const double asked = double(s.load.concurrency) / plan.replicas;
    const Footprint memory =
        footprint(s.system.device, s.network, precision, plan, s.engine, tokens, asked);
    report.footprint = memory;
    notePlan(s, precision, report, findings);

    std::optional<Footprint> prefillMemory;   // its workers hold prompts only
    if (s.prefillPool)
        prefillMemory = footprint(s.system.device, s.network, precision, *s.prefillPool, s.engine, s.load.inputTokens,
                                  double(s.load.concurrency) / s.prefillPool->replicas);

    const Bytes headroom = prefillMemory ? std::min(memory.kvPool - memory.kvPerRequest,
                                                    prefillMemory->kvPool - prefillMemory->kvPerRequest)
                                         : memory.kvPool - memory.kvPerRequest;
    if (headroom.value < 0.0) {
        report.verdict = Verdict::doesNotFit;
        report.shortBy = Bytes{} - headroom;
        if (memory.kvPool.value <= 0.0)
            findings.problem(FindingCode::weightsDoNotFit, "parallel.tp", (memory.visible - memory.reserve - memory.kvPool).value,
                             (memory.visible - memory.reserve).value, report.shortBy.value);
        else
            findings.problem(FindingCode::cacheDoesNotFit, "load.input_tokens", memory.kvPerRequest.value,
                             memory.kvPool.value, report.shortBy.value);
        // What does not fit has no pool: the ledger then shows what is asked for, up to the sum that is too large.
        report.footprint->kvPool = std::max(Bytes{}, memory.kvPool);
        report.footprint->kvNeeded = {};
        report.footprint->kvFree = report.footprint->kvPool;
        report.footprint->maximumConcurrency = 0;
        report.footprint->kvCapacityTokens = 0;
        return report;
    }
    report.verdict = Verdict::fits;
    if (headroom < std::max(memory.visible * tightShare, memory.uncertainty)) {
        report.verdict = Verdict::tight;
        findings.add(FindingCode::tightMemory, Severity::warning, "engine.memory_fraction", headroom.value,
                     headroom.value / memory.visible.value);
    }

    const bool open = s.load.arrivals == Arrivals::openLoop;
    const double running = std::min({asked, memory.maximumConcurrency, double(s.engine.maximumSequences)});
    const bool waits = !open && running < asked;   // in an open loop who waits is a matter of the rate
    if (waits && memory.maximumConcurrency < std::min(asked, double(s.engine.maximumSequences)))
        findings.add(FindingCode::cacheLimitsConcurrency, Severity::warning, "load.concurrency",
                     memory.maximumConcurrency * plan.replicas, s.load.concurrency);
    else if (waits)
        findings.add(FindingCode::sequencesLimitConcurrency, Severity::warning, "engine.max_sequences",
                     running * plan.replicas, s.load.concurrency);
    if (!open && plan.pipelineParallel > 1 && running < plan.pipelineParallel)
        findings.add(FindingCode::pipelineIdle, Severity::warning, "parallel.pp", running / plan.pipelineParallel);

    KernelFamily room;
    const KernelFamily& kernels = kernelsInUse(s, room);
    const Split split = splitOf(s, plan);
    const StepPricer pricer = stepPricer(s.network, precision, split, s.system, kernels, s.engine);
    const Replica replica = replicaOf(s, plan, memory);
    const ServingLoad load = loadOfReplica(s.load, s.prefillPool ? 1 : plan.replicas);
    const RuntimeKernels* own = runtimeFor(s.engine, s.system.device);
    ServingTimes times;
    if (s.load.batching == BatchingMode::fixed) {
        times = fixedBatch(load, replica, pricer, s.engine);
    } else if (!s.prefillPool) {
        times = continuousBatching(load, replica, pricer, s.engine);
    } else {
        const Split prefillSplit = splitOf(s, *s.prefillPool);
        const StepPricer prefillPricer = stepPricer(s.network, precision, prefillSplit, s.system, kernels, s.engine);
        const Pools pools{.prefill = replicaOf(s, *s.prefillPool, *prefillMemory), .decode = replica,
                          .prefillWorkers = s.prefillPool->replicas, .decodeWorkers = plan.replicas,
                          .transfer = cacheTransfer(s, precision)};
        times = disaggregated(load, pools, prefillPricer, pricer, s.engine);
    }
    const bool inTurn = own && (plan.pipelineParallel > 1 || own->expertLoop.value > 0.0);
    if (inTurn && asked == 1.0 && !open && !s.prefillPool && s.load.prefixHits <= 0.0 && s.load.speculation == Speculation{})
        layersInTurn(s, precision, kernels, *own, times);
    if (open) {
        // Who is in service follows from the rate, not from a number in flight.
        Footprint& f = *report.footprint;
        const double inside = std::min(times.running, f.maximumConcurrency) / plan.attentionData;
        f.kvNeeded = std::min(f.kvPool, f.kvPerRequest * inside);
        f.kvFree = f.kvPool - f.kvNeeded;
    }
    report.tpot = times.tpot;
    report.ttft = times.ttft;
    report.decodeStep = times.decodeStep;
    report.leastDecodeBytes = times.decode.weightBytes + times.decode.kvBytes;
    report.decodeOps = times.decode.ops;
    report.prefillOps = times.prompt.ops;
    if (s.load.batching == BatchingMode::continuous && times.prefillSteps >= 1.0)
        findings.add(FindingCode::prefillSaturates, Severity::warning, "load.concurrency", times.prefillSteps);
    report.overloaded = open && times.saturated;
    if (report.overloaded)
        findings.problem(FindingCode::rateExceedsCapacity, "load.request_rate", s.load.requestRate.value,
                         times.requestRate.value * (s.prefillPool ? 1.0 : plan.replicas));
    report.tpotSpread = spreadOf(s, report.decodeOps, report.decodeStep.total(),
                                 own ? spreadOfBand(own->low, own->high)
                                     : engineSpreadOf(s, times.tpot.total(), s.engine.tpotSpread, false));
    report.ttftSpread = spreadOf(s, report.prefillOps, totalOf(report.prefillOps),
                                 own ? spreadOfBand(own->promptLow, own->promptHigh)
                                     : engineSpreadOf(s, report.ttft.total(), s.engine.ttftSpread, true));
    if (report.ttftSpread && times.ttftLow.value > 0.0 && times.ttftHigh > times.ttftLow)
        report.ttftSpread->queueing = std::log(times.ttftHigh / times.ttftLow) / 2.0;
    // Where the closed form does not answer for a mean, the simulation may say something else.
    const bool steady = s.load.batching == BatchingMode::continuous && !s.load.fromStart;
    if (report.ttftSpread && steady && times.limits.any())
        report.ttftSpread->queueing = std::hypot(report.ttftSpread->queueing, solverSpread);
    if (report.overloaded)
        report.ttftSpread.reset();
    if (report.ttftSpread && s.prefillPool)
        report.ttftSpread->queueing = std::hypot(report.ttftSpread->queueing, poolWaitSpread);
    fillMetrics(s, times, s.prefillPool ? times.running : times.running * plan.replicas, report);
    return report;
}

} // namespace ridgepoint
