// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/knobs.h"

#include "core/scenario/knob_rows.h"
#include "core/scenario/starting_points.h"

#include <algorithm>
#include <array>

namespace ridgepoint {
namespace {

using namespace knob_rows;

// --- what a knob does when it is more than a field -------------------------------------------------------------------

// Edits of a device start from its data sheet, so that a value gives the same device whatever was set before.
const Device& dataSheet(const Scenario& s, const Presets& presets)
{
    for (const Device& device : presets.devices)
        if (device.id == s.system.device.id)
            return device;
    return s.system.device;
}

// The peak that stands for all of a device's arithmetic.
std::optional<Math> mainMath(const Device& device)
{
    for (const Math math : {Math::bf16, Math::fp8, Math::int8, Math::fp32, Math::fp4})
        if (device.peak.at(math))
            return math;
    return std::nullopt;
}

KnobValue getPeak(const Scenario& s)
{
    const std::optional<Math> math = mainMath(s.system.device);
    return math ? rounded(s.system.device.peak.at(*math)->value / 1e12) : 0.0;
}

Result<Scenario> setPeak(const Scenario& s, const KnobValue& value, const Presets& presets)
{
    const Device& sheet = dataSheet(s, presets);
    const std::optional<Math> math = mainMath(sheet);
    Scenario next = s;
    if (!math)
        return next;
    const double peak = rounded(std::get<double>(value)) * 1e12;
    const double factor = peak / sheet.peak.at(*math)->value;
    Peaks& peaks = next.system.device.peak;
    peaks = sheet.peak;
    for (auto* one : {&peaks.fp32, &peaks.bf16, &peaks.fp8, &peaks.int8, &peaks.fp4})
        if (*one)
            **one *= factor;
    return next;
}

Result<Scenario> setCapacity(const Scenario& s, const KnobValue& value, const Presets& presets)
{
    constexpr double visibleShare = 0.985; // of the label, where the driver's own figure is not known
    const Device& sheet = dataSheet(s, presets);
    const bool known = sheet.memoryCapacity.value > 0 && sheet.memoryVisible.value > 0;
    Scenario next = s;
    Device& device = next.system.device;
    device.memoryCapacity = Bytes{rounded(std::get<double>(value)) * 1e9};
    device.memoryVisible = device.memoryCapacity * (known ? sheet.memoryVisible / sheet.memoryCapacity : visibleShare);
    return next;
}

constexpr std::string_view ownPrice = "own";
constexpr std::string_view unknownPrice = "unknown";

KnobValue getPricePreset(const Scenario& s)
{
    return s.price ? s.price->id : std::string(unknownPrice);
}

Result<Scenario> setPricePreset(const Scenario& s, const KnobValue& value, const Presets& presets)
{
    Scenario next = s;
    const std::string& id = std::get<std::string>(value);
    if (id == unknownPrice)
        next.price.reset();
    for (const Price& price : presets.prices)
        if (price.id == id)
            next.price = price;
    return next;
}

std::vector<Choice> priceChoices(const Scenario& s, const Presets& presets)
{
    std::vector<Choice> result;
    for (const Price& price : presets.prices)
        if (price.device == s.system.device.id)
            result.push_back({price.id,
                              fmt::format("{}, {}{}", price.name, price.date, price.unverified ? ", unverified" : ""),
                              {}});
    const auto isCurrent = [&](const Choice& one) { return s.price && one.id == s.price->id; };
    if (s.price && std::none_of(result.begin(), result.end(), isCurrent))
        result.push_back({s.price->id, s.price->name, {}});
    result.push_back({std::string(unknownPrice), "Unknown", {}});
    return result;
}

KnobValue getRent(const Scenario& s)
{
    return s.price ? rounded(s.price->perDevice.value * 3600.0) : 0.0;
}

// A rent that someone typed is no longer the provider's: it loses the name, the date and the source.
Result<Scenario> setRent(const Scenario& s, const KnobValue& value, const Presets&)
{
    Scenario next = s;
    next.price = Price{};
    next.price->id = ownPrice;
    next.price->name = "Own price";
    next.price->device = s.system.device.id;
    next.price->perDevice = DollarRate{rounded(std::get<double>(value)) / 3600.0};
    return next;
}

// --- why a knob cannot act -------------------------------------------------------------------------------------------

std::string idleLinks(const Scenario& s)
{
    if (s.plan.devicesPerReplica() == 1)
        return "TP and PP are 1: no two devices talk to each other.";
    return s.system.topology == Topology::none ? "No link joins the devices of this system." : "";
}

std::string idleLinkBandwidth(const Scenario& s)
{
    return s.system.freeLinks ? "Communication takes no time while the links are free." : idleLinks(s);
}

std::string idleUnderIdeal(const Scenario& s)
{
    return s.engine.memoryPolicy == MemoryPolicy::ideal ? "The ideal engine uses the whole memory." : "";
}

// Without window layers the policy still says whether requests are rounded up to whole blocks.
std::string idleWindow(const Scenario& s)
{
    for (const LayerGroup& group : s.network.layers)
        if (group.attention.window > 0 || group.attention.kind == AttentionKind::linear)
            return "";
    const bool whole = (s.load.inputTokens + s.load.outputTokens) % std::max(1, s.engine.blockTokens) == 0;
    return whole ? "No layer of this network has a window, and a request fills whole blocks." : "";
}

// A checkpoint that is quantised brings its own recipe, which a format chosen for another network would overrule.
void useNetwork(Scenario& s, const Network& network, const Presets&)
{
    s.network = network;
    if (network.checkpointFormat != Format::bf16) {
        s.precision.weights.reset();
        s.precision.activations.reset();
    }
}

bool hasExperts(const Network& network)
{
    return std::any_of(network.layers.begin(), network.layers.end(),
                       [](const LayerGroup& group) { return group.feedForward.isMixture(); });
}

std::string idleExperts(const Scenario& s)
{
    return hasExperts(s.network) ? "" : "The network has no experts.";
}

std::string idleImbalance(const Scenario& s)
{
    return s.plan.expertParallel == 1 ? "EP is 1: every device takes part in every expert." : idleExperts(s);
}

std::string idleConcurrency(const Scenario& s)
{
    return s.load.arrivals == Arrivals::openLoop ? "Requests come at a rate, whatever is in flight." : "";
}

std::string idleRate(const Scenario& s)
{
    return s.load.arrivals == Arrivals::openLoop ? "" : "The load is a number of requests in flight.";
}

std::string idleContinuous(const Scenario& s)
{
    return s.load.batching == BatchingMode::fixed ? "A fixed batch is read and written as one." : "";
}

std::string idleStart(const Scenario& s)
{
    return s.load.arrivals == Arrivals::openLoop ? "Requests that come at a rate do not start together."
                                                 : idleContinuous(s);
}

std::string idleDraft(const Scenario& s)
{
    return s.load.speculation.draftTokens == 0 ? "No tokens are drafted." : idleContinuous(s);
}

std::string idlePool(const Scenario& s)
{
    return s.prefillPool ? "" : "One pool of workers reads and writes.";
}

KnobValue getPools(const Scenario& s)
{
    return std::string(s.prefillPool ? "two" : "one");
}

// Prefill workers start as copies of those that decode.
Result<Scenario> setPools(const Scenario& s, const KnobValue& value, const Presets&)
{
    Scenario next = s;
    if (std::get<std::string>(value) == "one")
        next.prefillPool.reset();
    else if (!next.prefillPool)
        next.prefillPool = s.plan;
    if (next.prefillPool)
        next.prefillPool->pipelineParallel = 1;
    return next;
}

std::vector<Choice> poolChoices(const Scenario&, const Presets&)
{
    return {{"one", "One pool", {"aggregated"}}, {"two", "Prefill apart from decode", {"disaggregated"}}};
}

/// A row for one degree of the prefill workers' plan.
template <int Plan::*degree>
Knob poolKnob(Knob row)
{
    row.minimum = 1;
    row.maximum = 1024;
    row.scale = Scale::log2;
    row.integer = true;
    row.idleReason = idlePool;
    row.get = [](const Scenario& s) -> KnobValue { return raw(s.prefillPool.value_or(Plan{}).*degree); };
    row.set = [](const Scenario& s, const KnobValue& value, const Presets&) -> Result<Scenario> {
        Scenario next = s;
        if (next.prefillPool)
            assign(*next.prefillPool.*degree, std::get<double>(value));
        return next;
    };
    return row;
}

std::string idleActivations(const Scenario& s)
{
    const Format weights = s.precision.weights.value_or(s.network.checkpointFormat);
    return weights == Format::bf16 || weights == Format::fp32
        ? "The weights are in 16 bit or more, and so are the products: they take their inputs as they are."
        : "";
}

std::string idleBlocks(const Scenario& s)
{
    return s.engine.windowPolicy != WindowPolicy::blocks ? "Under this policy the cache is not handed out in blocks."
                                                         : "";
}

std::string idleKv(const Scenario& s)
{
    for (const LayerGroup& group : s.network.layers)
        if (group.attention.kind != AttentionKind::linear)
            return "";
    return "The network keeps a state of fixed size and no KV cache.";
}

std::string idlePeak(const Scenario& s)
{
    return mainMath(s.system.device) ? "" : "No peak of this device is known.";
}

// --- the table -------------------------------------------------------------------------------------------------------

constexpr std::array linkNames{Named<bool>{false, "as_built", "As built"}, Named<bool>{true, "free", "Free (what if)"}};
constexpr std::array batchingNames{Named<BatchingMode>{BatchingMode::continuous, "continuous", "Continuous"},
                                   Named<BatchingMode>{BatchingMode::fixed, "fixed", "Fixed batch"}};
constexpr std::array arrivalNames{Named<Arrivals>{Arrivals::closedLoop, "closed", "In flight"},
                                  Named<Arrivals>{Arrivals::openLoop, "open", "At a rate (Poisson)"}};
constexpr std::array startNames{Named<bool>{false, "steady", "Steady state"},
                                Named<bool>{true, "start", "Benchmark from the start"}};
constexpr std::array windowNames{Named<WindowPolicy>{WindowPolicy::exact, "exact", "Window only"},
                                 Named<WindowPolicy>{WindowPolicy::blocks, "blocks", "Whole blocks"},
                                 Named<WindowPolicy>{WindowPolicy::full, "full", "All tokens"}};

template <Format... formats>
constexpr auto formatNames(std::string_view automatic)
{
    return std::array{Named<std::optional<Format>>{std::nullopt, "checkpoint", automatic},
                      Named<std::optional<Format>>{formats, idOf(formats), nameOf(formats)}...};
}
constexpr auto weightNames = formatNames<Format::bf16, Format::fp8, Format::fp8Block, Format::int8, Format::int4,
                                         Format::int4Group32, Format::nvfp4, Format::mxfp4, Format::q8_0,
                                         Format::q6_k, Format::q5_k_m, Format::q4_k_m, Format::q4_0, Format::q3_k_m,
                                         Format::q2_k>("As the checkpoint");
constexpr auto activationNames = formatNames<Format::bf16, Format::fp8, Format::int8, Format::nvfp4>("As the weights");
constexpr auto kvNames = formatNames<Format::bf16, Format::fp8, Format::int8>("As the checkpoint");

// Scale-up links, or the host bus where the peers have nothing else.
constexpr auto links = [](auto& s) -> auto& {
    auto& device = s.system.device;
    return s.system.topology == Topology::pcie ? device.hostLinkBandwidth : device.linkBandwidth;
};

// clang-format off
std::vector<Knob> makeKnobs()
{
    std::vector<Knob> k;
    k.push_back(preset<&Presets::systems, [](auto& s) -> auto& { return s.system; },
                       [](Scenario& s, const System& system, const Presets& all) { s = onSystem(s, system, all); }>(
        {.id = "hardware.system", .group = "Hardware", .label = "System", .unit = "",
         .help = "The machine: its devices and what joins them. The plan is cut to fit and the price follows."}));
    k.push_back(number<[](auto& s) -> auto& { return s.system.device.memoryBandwidth; }, 1e12>(
        {.id = "hardware.memory_bandwidth", .group = "Hardware", .label = "Memory bandwidth", .unit = "TB/s",
         .minimum = 0.01, .maximum = 100, .scale = Scale::log2, .decimals = 2,
         .help = "What the main memory of one device delivers in a second; decoding mostly waits for it."}));
    k.push_back({.id = "hardware.peak_bf16", .group = "Hardware", .label = "Peak compute, dense BF16", .unit = "TFLOP/s",
                 .minimum = 0.1, .maximum = 100000, .scale = Scale::log2, .decimals = 0,
                 .get = getPeak, .set = setPeak, .idleReason = idlePeak,
                 .help = "Dense peak of one device; its peaks in other formats change by the same factor."});
    k.push_back({.id = "hardware.memory_capacity", .group = "Hardware", .label = "Memory capacity", .unit = "GB",
                 .minimum = 1, .maximum = 8192, .scale = Scale::log2, .decimals = 0,
                 .get = [](const Scenario& s) -> KnobValue { return rounded(s.system.device.memoryCapacity.value / 1e9); },
                 .set = setCapacity,
                 .help = "Memory of one device as sold; it holds the weights and the KV cache."});
    k.push_back(number<links, 1e9>(
        {.id = "hardware.link_bandwidth", .group = "Hardware", .label = "Link bandwidth, one way", .unit = "GB/s",
         .minimum = 1, .maximum = 20000, .scale = Scale::log2, .decimals = 0, .idleReason = idleLinkBandwidth,
         .help = "What all links of one device to its peers carry in one direction."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.system.freeLinks; }, linkNames>(
        {.id = "hardware.links", .group = "Hardware", .label = "Links", .unit = "", .idleReason = idleLinks,
         .help = "As built, or a what-if in which communication takes no time."}));

    k.push_back(preset<&Presets::networks, [](auto& s) -> auto& { return s.network; },
                       useNetwork>(
        {.id = "network.preset", .group = "Network", .label = "Network", .unit = "",
         .help = "The language model that is served."}));

    k.push_back(choice<[](auto& s) -> auto& { return s.precision.weights; }, weightNames>(
        {.id = "precision.weights", .group = "Precision", .label = "Weights", .unit = "",
         .help = "How weights are stored; fewer bits take less memory and less time to read."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.precision.activations; }, activationNames>(
        {.id = "precision.activations", .group = "Precision", .label = "Activations", .unit = "",
         .idleReason = idleActivations,
         .help = "The format matrix products take their inputs in; it picks the arithmetic together with the weights."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.precision.kv; }, kvNames>(
        {.id = "precision.kv", .group = "Precision", .label = "KV cache", .unit = "", .idleReason = idleKv,
         .help = "How cached keys and values are stored; fewer bits hold more requests and read faster."}));

    k.push_back(integer<[](auto& s) -> auto& { return s.plan.tensorParallel; }>(
        {.id = "parallel.tp", .group = "Parallelism", .label = "Tensor parallel (TP)", .unit = "",
         .minimum = 1, .maximum = 256, .scale = Scale::log2,
         .help = "Devices that share every layer: each token is faster, but they talk twice a layer."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.plan.pipelineParallel; }>(
        {.id = "parallel.pp", .group = "Parallelism", .label = "Pipeline stages (PP)", .unit = "",
         .minimum = 1, .maximum = 64, .scale = Scale::log2,
         .help = "Stages that hold some layers each and pass the work on."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.plan.expertParallel; }>(
        {.id = "parallel.ep", .group = "Parallelism", .label = "Expert parallel (EP)", .unit = "",
         .minimum = 1, .maximum = 1024, .scale = Scale::log2, .idleReason = idleExperts,
         .help = "Parts the experts are dealt to, each whole or cut by the rest of TP × attention DP."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.plan.attentionData; }>(
        {.id = "parallel.attention_dp", .group = "Parallelism", .label = "Attention data parallel", .unit = "",
         .minimum = 1, .maximum = 1024, .scale = Scale::log2,
         .help = "Groups of TP devices that attend to their own requests and share the experts; TP times this hold a layer."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.plan.replicas; }>(
        {.id = "parallel.replicas", .group = "Parallelism", .label = "Replicas", .unit = "",
         .minimum = 1, .maximum = 1024, .scale = Scale::log2,
         .help = "Complete copies of the network that share the load."}));

    k.push_back({.id = "parallel.pools", .group = "Parallelism", .label = "Worker pools", .unit = "", .kind = KnobKind::choice,
                 .get = getPools, .set = setPools, .choices = poolChoices, .idleReason = idleContinuous,
                 .help = "One pool that reads and writes, or prefill workers that hand their cache to decode workers."});
    k.push_back(poolKnob<&Plan::replicas>(
        {.id = "prefill.replicas", .group = "Parallelism", .label = "Prefill workers", .unit = "",
         .help = "Workers that only read prompts; the other plan is then that of the decode workers."}));
    k.push_back(poolKnob<&Plan::tensorParallel>(
        {.id = "prefill.tp", .group = "Parallelism", .label = "Prefill TP", .unit = "", .help = "Devices of a prefill worker that share every layer."}));
    k.push_back(poolKnob<&Plan::expertParallel>(
        {.id = "prefill.ep", .group = "Parallelism", .label = "Prefill EP", .unit = "", .help = "Parts the experts of a prefill worker are dealt to."}));
    k.push_back(poolKnob<&Plan::attentionData>(
        {.id = "prefill.attention_dp", .group = "Parallelism", .label = "Prefill attention DP", .unit = "",
         .help = "Groups of a prefill worker that attend to their own prompts and share the experts."}));

    k.push_back(integer<[](auto& s) -> auto& { return s.load.inputTokens; }>(
        {.id = "load.input_tokens", .group = "Load", .label = "Input tokens", .unit = "",
         .minimum = 1, .maximum = 1048576, .scale = Scale::log2, .help = "Tokens of the prompt of one request."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.load.outputTokens; }>(
        {.id = "load.output_tokens", .group = "Load", .label = "Output tokens", .unit = "",
         .minimum = 2, .maximum = 1048576, .scale = Scale::log2, .help = "Tokens written for one request; two at least, or there is no time between tokens."}));
    k.push_back(number<[](auto& s) -> auto& { return s.load.lengthSpread; }>(
        {.id = "load.length_spread", .group = "Load", .label = "Spread of lengths", .unit = "",
         .minimum = 0, .maximum = 0.99, .decimals = 2, .percent = true, .idleReason = idleContinuous,
         .help = "Lengths are uniform within this share of their means, up and down."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.load.arrivals; }, arrivalNames>(
        {.id = "load.arrivals", .group = "Load", .label = "Arrivals", .unit = "", .idleReason = idleContinuous,
         .help = "In flight: each finished request is replaced at once. At a rate: requests come whatever is in flight."}));
    k.push_back(number<[](auto& s) -> auto& { return s.load.requestRate; }>(
        {.id = "load.request_rate", .group = "Load", .label = "Request rate", .unit = "req/s",
         .minimum = 0.001, .maximum = 100000, .scale = Scale::log2, .decimals = 2, .idleReason = idleRate,
         .help = "Requests sent in a second to all replicas, at random times."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.load.concurrency; }>(
        {.id = "load.concurrency", .group = "Load", .label = "Requests in flight", .unit = "",
         .minimum = 1, .maximum = 65536, .scale = Scale::log2, .idleReason = idleConcurrency,
         .help = "Requests answered at the same time by all replicas; more raise throughput and TPOT."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.load.batching; }, batchingNames>(
        {.id = "load.batching", .group = "Load", .label = "Batching", .unit = "",
         .help = "Continuous: a new request takes the place of a finished one at once."}));

    k.push_back(choice<[](auto& s) -> auto& { return s.load.fromStart; }, startNames>(
        {.id = "load.start", .group = "Load", .label = "Measured", .unit = "", .idleReason = idleStart,
         .help = "A benchmark counts the burst of requests that it starts with; in the steady state there is none."}));
    k.push_back(number<[](auto& s) -> auto& { return s.load.prefixHits; }>(
        {.id = "load.prefix_hits", .group = "Load", .label = "Prefix cache hits", .unit = "",
         .minimum = 0, .maximum = 0.99, .decimals = 2, .percent = true, .idleReason = idleContinuous,
         .help = "Share of prompt tokens that need not be read since an earlier request left them in the cache."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.load.speculation.draftTokens; }>(
        {.id = "load.draft_tokens", .group = "Load", .label = "Drafted tokens", .unit = "",
         .minimum = 0, .maximum = 16, .idleReason = idleContinuous,
         .help = "Speculative decoding: tokens that a small drafter proposes for each step; 0 turns it off."}));
    k.push_back(number<[](auto& s) -> auto& { return s.load.speculation.acceptance; }>(
        {.id = "load.draft_acceptance", .group = "Load", .label = "Draft acceptance", .unit = "",
         .minimum = 0, .maximum = 1, .decimals = 2, .percent = true, .idleReason = idleDraft,
         .help = "Chance that a drafted token is kept when those before it were."}));
    k.push_back(number<[](auto& s) -> auto& { return s.load.speculation.draftShare; }>(
        {.id = "load.draft_cost", .group = "Load", .label = "Cost of a drafted token", .unit = "",
         .minimum = 0, .maximum = 1, .decimals = 2, .percent = true, .idleReason = idleDraft,
         .help = "Time of drafting one token over that of a decode step."}));

    k.push_back(preset<&Presets::engines, [](auto& s) -> auto& { return s.engine; },
                       [](Scenario& s, const EngineProfile& engine, const Presets&) { s.engine = engine; }>(
        {.id = "engine.preset", .group = "Serving", .label = "Engine", .unit = "",
         .help = "The serving software: its host time, memory reserve and scheduling."}));
    k.push_back(number<[](auto& s) -> auto& { return s.engine.memoryFraction; }>(
        {.id = "engine.memory_fraction", .group = "Serving", .label = "Memory fraction", .unit = "",
         .minimum = 0.1, .maximum = 1, .decimals = 2, .idleReason = idleUnderIdeal,
         .help = "Share of the memory that the engine sets aside, as its own option counts it."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.engine.maximumSequences; }>(
        {.id = "engine.max_sequences", .group = "Serving", .label = "Most sequences in a step", .unit = "",
         .minimum = 1, .maximum = 1048576, .scale = Scale::log2,
         .help = "Requests that one replica decodes at a time; further ones wait."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.engine.batchedTokens; }>(
        {.id = "engine.batched_tokens", .group = "Serving", .label = "Token budget of a step", .unit = "",
         .minimum = 16, .maximum = 1048576, .scale = Scale::log2,
         .help = "Tokens that one step works on; a longer prompt is read in parts."}));
    k.push_back(choice<[](auto& s) -> auto& { return s.engine.windowPolicy; }, windowNames>(
        {.id = "engine.window_policy", .group = "Serving", .label = "Cache of window layers", .unit = "",
         .idleReason = idleWindow,
         .help = "What is kept of a layer that looks back over a window only, and whether in whole blocks."}));
    k.push_back(integer<[](auto& s) -> auto& { return s.engine.blockTokens; }>(
        {.id = "engine.block_tokens", .group = "Serving", .label = "Tokens in a cache block", .unit = "",
         .minimum = 1, .maximum = 1024, .scale = Scale::log2, .idleReason = idleBlocks,
         .help = "The cache is handed out in blocks of this many tokens."}));

    k.push_back(number<[](auto& s) -> auto& { return s.engine.expertImbalance; }>(
        {.id = "engine.expert_imbalance", .group = "Serving", .label = "Load of the busiest experts", .unit = "×",
         .minimum = 1, .maximum = 10, .decimals = 2, .idleReason = idleImbalance,
         .help = "With expert parallelism: tokens of the fullest part over the mean part."}));

    k.push_back({.id = "price.preset", .group = "Price", .label = "Price", .unit = "", .kind = KnobKind::choice,
                 .get = getPricePreset, .set = setPricePreset, .choices = priceChoices,
                 .help = "A dated offer for renting the device, or unknown."});
    k.push_back({.id = "price.per_device_hour", .group = "Price", .label = "Rent per device", .unit = "$/h",
                 .minimum = 0.001, .maximum = 1000, .scale = Scale::log2, .decimals = 2,
                 .get = getRent, .set = setRent,
                 .help = "What one device costs for an hour; a value of your own replaces the offer."});
    return k;
}
// clang-format on

} // namespace

std::span<const Knob> knobs()
{
    static const std::vector<Knob> table = makeKnobs();
    return table;
}

} // namespace ridgepoint
