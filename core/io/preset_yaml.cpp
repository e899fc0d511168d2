// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_yaml.h"
#include "core/io/kernel_rules_yaml.h"
#include "core/io/yaml_reader.h"

#include <algorithm>
#include <chrono>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

constexpr YamlFields::Range anyFlopRate{1e9, 1e18};
constexpr YamlFields::Range anyBandwidth{1e6, 1e15};
constexpr YamlFields::Range anyCapacity{1e6, 1e15};
constexpr double unlabelledShare = 0.985;   ///< of the label, when the visible memory is not known; see fieldMemory

constexpr std::array categories{std::pair{std::string_view("gpu"), 0}, std::pair{std::string_view("tpu"), 1},
                                std::pair{std::string_view("asic"), 2}, std::pair{std::string_view("cpu"), 3}};
constexpr std::array topologies{std::pair{std::string_view("none"), Topology::none},
                                std::pair{std::string_view("switched"), Topology::switched},
                                std::pair{std::string_view("full_mesh"), Topology::fullMesh},
                                std::pair{std::string_view("torus"), Topology::torus},
                                std::pair{std::string_view("pcie"), Topology::pcie}};
constexpr std::array memoryPolicies{std::pair{std::string_view("ideal"), MemoryPolicy::ideal},
                                    std::pair{std::string_view("budget"), MemoryPolicy::budget},
                                    std::pair{std::string_view("static_pool"), MemoryPolicy::staticPool},
                                    std::pair{std::string_view("free_fraction"), MemoryPolicy::freeFraction},
                                    std::pair{std::string_view("whole_context"), MemoryPolicy::wholeContext}};
constexpr std::array windowPolicies{std::pair{std::string_view("exact"), WindowPolicy::exact},
                                    std::pair{std::string_view("blocks"), WindowPolicy::blocks},
                                    std::pair{std::string_view("full"), WindowPolicy::full}};

/// What `unverified` of a device may name.
constexpr std::array<std::string_view, 15> facts{
    "peak", "fp32", "bf16", "fp8", "int8", "fp4", "fp16_accumulate", "memory_bandwidth", "memory_capacity",
    "memory_visible", "compute_units", "last_level_cache", "link_bandwidth", "host_link_bandwidth", "board_power"};

constexpr std::array stepFormings{std::pair{std::string_view("chunks_beside_decode"), StepForming::chunksBesideDecode},
                                  std::pair{std::string_view("whole_prompts"), StepForming::wholePrompts},
                                  std::pair{std::string_view("prefill_alone"), StepForming::prefillAlone}};

/// Reads one file into a value: `read` takes the fields; unknown keys, missing keys and syntax are dealt with here.
template <typename T, typename Read>
Result<T> readPreset(const std::string& text, const std::string& file, const Read& read)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    YamlFields fields(*root, errors);
    T value = read(fields);
    fields.finish();
    return finished(errors, std::move(value));
}

std::string idFromFile(const std::string& file)
{
    return std::filesystem::path(file).stem().string();
}

template <typename T>
const T* byId(std::span<const T> values, const std::string& id)
{
    const auto found = std::find_if(values.begin(), values.end(), [&](const T& value) { return value.id == id; });
    return found == values.end() ? nullptr : &*found;
}

template <typename T>
std::string suggestion(std::span<const T> values, const std::string& id)
{
    std::vector<std::string> ids;
    for (const T& value : values)
        ids.push_back(value.id);
    if (const std::string guess = nearest(id, ids); !guess.empty())
        return "did you mean \"" + guess + "\"?";
    constexpr std::size_t most = 12;
    if (ids.size() > most) {
        const std::size_t others = ids.size() - most;
        ids.resize(most);
        ids.push_back(fmt::format("one of {} others", others));
    }
    return "it can be " + oneOf(ids);
}

std::string readSource(YamlFields& fields, const PresetContext& context)
{
    std::string source = fields.text("source");
    if (context.sources && !source.empty() && !context.sources->contains(source))
        fields.refuse("source", fmt::format("the source \"{}\" is not in sources.yaml; add it there", source));
    return source;
}

std::map<std::string, std::string> readFactSources(YamlFields& fields, const PresetContext& context)
{
    std::map<std::string, std::string> sources = fields.textMap("sources");
    for (const auto& [fact, source] : sources)
        if (context.sources && !context.sources->contains(source))
            fields.refuse("sources",
                          fmt::format("the source \"{}\" of {} is not in sources.yaml; add it there", source, fact));
    return sources;
}

std::optional<FlopRate> optionalRate(YamlFields& fields, std::string_view key)
{
    const FlopRate rate = fields.quantity(key, parseFlopRate, anyFlopRate, FlopRate{});
    return rate.value > 0.0 ? std::optional(rate) : std::nullopt;
}

Peaks readPeaks(YamlFields& fields)
{
    Peaks peak;
    peak.fp32 = optionalRate(fields, "fp32");
    peak.bf16 = optionalRate(fields, "bf16");
    peak.fp8 = optionalRate(fields, "fp8");
    peak.int8 = optionalRate(fields, "int8");
    peak.fp4 = optionalRate(fields, "fp4");
    peak.fp16Accumulate = optionalRate(fields, "fp16_accumulate");
    return peak;
}

void readMemory(YamlFields& fields, Device& device)
{
    device.memoryKind = fields.text("kind", {});
    device.memoryBandwidth = fields.quantity("bandwidth", parseBandwidth, anyBandwidth);
    const bool unknown = fields.has("capacity") && fields.text("capacity", {}) == "unknown";
    if (!unknown)
        device.memoryCapacity = fields.quantity("capacity", parseBytes, anyCapacity);
    device.memoryVisible = fields.quantity("visible", parseBytes, anyCapacity, device.memoryCapacity * unlabelledShare);
    if (!unknown && device.memoryVisible.value > device.memoryCapacity.value * 1.1)
        fields.refuse("visible", fmt::format("visible is {}; it must not exceed the capacity of {}",
                                             limitText(device.memoryVisible), limitText(device.memoryCapacity)));
}

} // namespace

Result<std::map<std::string, Source>> readSources(const std::string& text, const std::string& file)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors{file, {}, {}};
    std::map<std::string, Source> sources;
    YamlFields(*root, errors).eachMap([&](const std::string& key, YamlFields& fields) {
        Source source;
        source.key = key;
        source.title = fields.text("title");
        source.url = fields.text("url", {});
        source.date = fields.text("date", {});
        source.grade = fields.text("grade");
        source.licence = fields.text("licence", {});
        if (!source.grade.empty() && source.grade != "A" && source.grade != "B" && source.grade != "C")
            fields.refuse("grade", fmt::format("grade is \"{}\"; it must be A, B or C", source.grade));
        if (!source.url.empty() && !source.url.starts_with("https://") && !source.url.starts_with("http://"))
            fields.refuse("url", fmt::format("url is \"{}\"; it must start with https://", source.url));
        sources.emplace(key, std::move(source));
    });
    return finished(errors, std::move(sources));
}

Result<Device> readDevice(const std::string& text, const std::string& file, const PresetContext& context)
{
    return readPreset<Device>(text, file, [&](YamlFields& fields) {
        Device device;
        device.id = idFromFile(file);
        device.name = fields.text("name");
        device.vendor = fields.text("vendor", {});
        fields.choice<int>("category", categories);
        device.category = fields.text("category", {});
        device.aliases = fields.texts("aliases");
        fields.map("peak", true, [&](YamlFields& inner) { device.peak = readPeaks(inner); });
        if (!fields.failed() && !device.peak.bf16 && !device.peak.fp32)
            fields.refuse("peak", "peak has neither bf16 nor fp32; give at least one, such as bf16: 989 TFLOP/s");
        fields.map("memory", true, [&](YamlFields& inner) { readMemory(inner, device); });
        device.computeUnits = fields.integer("compute_units", {1, 100'000});
        device.lastLevelCache = fields.quantity("last_level_cache", parseBytes, {0.0, 1e12}, Bytes{});
        device.linkBandwidth = fields.quantity("link_bandwidth", parseBandwidth, anyBandwidth, Bandwidth{});
        device.hostLinkBandwidth = fields.quantity("host_link_bandwidth", parseBandwidth, anyBandwidth, Bandwidth{});
        if (fields.has("board_power"))
            device.boardPower = fields.quantity("board_power", parseWatts, {0.1, 1e6});
        device.kernels.id = fields.text("kernels");
        if (const KernelFamily* family = byId(context.kernels, device.kernels.id))
            device.kernels = *family;
        else if (!device.kernels.id.empty())
            fields.refuse("kernels", fmt::format("there is no kernel family \"{}\"; {}", device.kernels.id,
                                                 suggestion(context.kernels, device.kernels.id)));
        device.sources = readFactSources(fields, context);
        device.notes = fields.textMap("notes");
        device.unverified = fields.texts("unverified");
        for (const std::string& fact : device.unverified)
            if (std::find(facts.begin(), facts.end(), fact) == facts.end())
                fields.refuse("unverified", fmt::format("there is no fact \"{}\"; it can be {}", fact,
                                                        oneOf({facts.begin(), facts.end()})));
        return device;
    });
}

Result<System> readSystem(const std::string& text, const std::string& file, const PresetContext& context)
{
    return readPreset<System>(text, file, [&](YamlFields& fields) {
        System system;
        system.id = idFromFile(file);
        system.name = fields.text("name");
        system.aliases = fields.texts("aliases");
        const std::string deviceId = fields.text("device");
        if (const Device* device = byId(context.devices, deviceId))
            system.device = *device;
        else if (!deviceId.empty())
            fields.refuse("device", fmt::format("there is no device \"{}\"; {}", deviceId,
                                                suggestion(context.devices, deviceId)));
        system.devicesPerNode = fields.integer("devices_per_node", {1, 100'000});
        system.maximumNodes = fields.integer("maximum_nodes", {1, 100'000}, 1);
        system.topology = fields.choice<Topology>("topology", topologies);
        system.networkBandwidth = fields.quantity("network_bandwidth", parseBandwidth, anyBandwidth, Bandwidth{});
        if (fields.failed())
            return system;
        if (system.topology == Topology::none && system.devicesPerNode > 1)
            fields.refuse("topology",
                          "topology is none; with several devices it must be switched, full_mesh, torus or pcie");
        if (system.maximumNodes > 1 && system.networkBandwidth.value <= 0.0)
            fields.refuse("maximum_nodes", "several nodes need a network_bandwidth, such as 50 GB/s a device");
        system.sources = readFactSources(fields, context);
        return system;
    });
}

namespace {

std::vector<LaunchSetting> readLaunchSettings(YamlFields& fields)
{
    std::vector<LaunchSetting> settings;
    if (!fields.has("launch_settings"))
        return settings;
    constexpr YamlFields::Range count{0.0, 1e9};
    fields.maps("launch_settings", [&](YamlFields& inner) {
        settings.push_back({.families = inner.texts("families"),
                            .denseOnly = inner.boolean("dense_only", false),
                            .concurrencyBelow = inner.integer("concurrency_below", count, 0),
                            .devicesBelow = inner.integer("devices_below", count, 0),
                            .longestInput = inner.integer("longest_input", count, 0),
                            .longestOutput = inner.integer("longest_output", count, 0),
                            .pollingSteps = inner.integer("polling_steps", count, 0),
                            .batchWaitSteps = inner.integer("batch_wait_steps", count, 0),
                            .rankWaitSteps = inner.integer("rank_wait_steps", count, 0)});
    });
    return settings;
}

constexpr YamlFields::Range anyReserve{0.0, 1e12};
constexpr YamlFields::Range anyCount{0, 10'000'000};

MemoryEra readMemoryEra(YamlFields& fields)
{
    MemoryEra era;
    era.version = fields.text("version");
    era.date = fields.text("date");
    era.memoryFraction = fields.number("memory_fraction", {0.01, 1.0}, era.memoryFraction);
    era.runtimeFixed = fields.quantity("runtime_fixed", parseBytes, anyReserve, Bytes{});
    era.runtimePerPeer = fields.quantity("runtime_per_peer", parseBytes, anyReserve, Bytes{});
    era.runtimePerFurtherPeer = fields.quantity("runtime_per_further_peer", parseBytes, anyReserve, Bytes{});
    era.graphs = fields.quantity("graphs", parseBytes, anyReserve, Bytes{});
    era.graphsSpread = fields.quantity("graphs_spread", parseBytes, anyReserve, Bytes{});
    era.imagesForSequences = fields.boolean("images_for_sequences", false);
    era.packedImageScores = fields.boolean("packed_image_scores", false);
    era.oldAttention = fields.number("old_attention", {0.0, 10'000.0}, 0.0);
    era.runtimeSpread = fields.quantity("runtime_spread", parseBytes, anyReserve, Bytes{});
    era.samplerBytesPerLogit = fields.number("sampler_bytes_per_logit", {0.0, 1000.0}, 0.0);
    era.samplerSpread = fields.number("sampler_spread", {0.0, 1.0}, 0.0);
    era.maximumSequences = fields.integer("maximum_sequences", {1, 1'000'000}, era.maximumSequences);
    era.batchedTokens = fields.integer("batched_tokens", anyCount, era.batchedTokens);
    era.largeSequences = fields.integer("large_sequences", anyCount, 0);
    era.largeTokens = fields.integer("large_tokens", anyCount, 0);
    era.longContext = fields.integer("long_context", anyCount, 0);
    era.longContextTokens = fields.integer("long_context_tokens", anyCount, 0);
    era.longContextSampler = fields.boolean("long_context_sampler", true);
    era.expandedLatent = fields.boolean("expanded_latent", false);
    return era;
}

/// Kernels of an engine on one kind of device.
RuntimeKernels readRuntime(YamlFields& fields)
{
    constexpr YamlFields::Range fraction{1e-3, 1.0};
    constexpr YamlFields::Range layerTime{0.0, 0.1};
    constexpr YamlFields::Range multiple{0.01, 100.0};
    RuntimeKernels r;
    r.vendor = fields.text("vendor", {});
    r.category = fields.text("category", {});
    r.family = fields.text("family", {});
    r.memory = fields.text("memory", {});
    r.name = fields.text("name", {});
    r.until = fields.text("until", {});
    r.weights = fields.number("weights", fraction);
    r.quantised = fields.number("quantised", fraction, r.quantised);
    r.unitWeights = fields.quantity("unit_weights", parseBandwidth, anyBandwidth, r.unitWeights);
    r.cache = fields.number("cache", fraction);
    r.unitCache = fields.quantity("unit_cache", parseBandwidth, anyBandwidth, r.unitCache);
    r.errorCorrection = fields.number("error_correction", fraction, r.errorCorrection);
    r.layer = fields.quantity("layer", parseSeconds, layerTime);
    r.mixtureLayer = fields.quantity("mixture_layer", parseSeconds, layerTime, r.mixtureLayer);
    r.expertLoop = fields.quantity("expert_loop", parseSeconds, layerTime, r.expertLoop);
    r.eightBitProduct = fields.quantity("eight_bit_product", parseSeconds, layerTime, r.eightBitProduct);
    r.promptLayer = fields.quantity("prompt_layer", parseSeconds, layerTime, r.promptLayer);
    r.ahead = fields.boolean("ahead", r.ahead);
    r.allReduce = fields.quantity("all_reduce", parseSeconds, layerTime, r.allReduce);
    r.inFlight = fields.number("in_flight", {0.0, 1000.0}, r.inFlight);
    r.queuedLayers = fields.number("queued_layers", {0.0, 1e6}, r.queuedLayers);
    r.queuedQuantised = fields.number("queued_quantised", {0.0, 1e6}, r.queuedQuantised);
    r.hop = fields.quantity("hop", parseSeconds, layerTime, r.hop);
    r.prompt = fields.number("prompt", fraction);
    r.promptQuantised = fields.number("prompt_quantised", fraction, r.prompt);
    r.promptPerJoule = fields.quantity("prompt_per_watt", parseFlopRate, {1e8, 1e14}, FlopRate{}).value;
    r.promptAttention = fields.number("prompt_attention", fraction, r.promptAttention);
    r.unpack = fields.number("unpack", {0.0, 1.0}, r.unpack);
    r.scoreBytes = fields.number("score_bytes", {0.0, 1000.0}, r.scoreBytes);
    r.low = fields.number("low", multiple);
    r.high = fields.number("high", multiple);
    r.promptLow = fields.number("prompt_low", multiple, r.low);
    r.promptHigh = fields.number("prompt_high", multiple, r.high);
    if (r.low > r.high || r.promptLow > r.promptHigh)
        fields.refuse("low", "low is above high; the band of measured over predicted speed goes from low to high");
    return r;
}

} // namespace

Result<EngineProfile> readEngine(const std::string& text, const std::string& file, const PresetContext& context)
{
    constexpr YamlFields::Range anyTime{0.0, 60.0};
    return readPreset<EngineProfile>(text, file, [&](YamlFields& fields) {
        EngineProfile engine;
        engine.id = idFromFile(file);
        engine.name = fields.text("name");
        engine.version = fields.text("version");
        engine.aliases = fields.texts("aliases");
        engine.idealKernels = fields.boolean("ideal_kernels", engine.idealKernels);
        engine.stepForming = fields.choice("step_forming", stepFormings, engine.stepForming);
        engine.reservedOutput = fields.number("reserved_output", {0.0, 1.0}, engine.reservedOutput);
        engine.pollingSteps = fields.integer("polling_steps", {1, 10'000}, engine.pollingSteps);
        engine.batchWaitSteps = fields.integer("batch_wait_steps", {0, 10'000}, engine.batchWaitSteps);
        engine.capturedSlots = fields.boolean("captured_slots", engine.capturedSlots);
        engine.rankWaitSteps = fields.integer("rank_wait_steps", {0, 10'000}, engine.rankWaitSteps);
        engine.hostPerStep = fields.quantity("host_per_step", parseSeconds, anyTime, engine.hostPerStep);
        engine.hostPerPrefillKernel =
            fields.quantity("host_per_prefill_kernel", parseSeconds, anyTime, engine.hostPerPrefillKernel);
        engine.firstTokenBase = fields.quantity("first_token_base", parseSeconds, anyTime, engine.firstTokenBase);
        engine.arrivalDelay = fields.quantity("arrival_delay", parseSeconds, anyTime, engine.arrivalDelay);
        engine.outputLagSteps = fields.number("output_lag_steps", {0.0, 100.0}, engine.outputLagSteps);
        engine.kernelRules = readKernelRules(fields);
        engine.launchSettings = readLaunchSettings(fields);
        engine.expertImbalance = fields.number("expert_imbalance", {1.0, 100.0}, engine.expertImbalance);
        engine.tpotSpread = fields.number("tpot_spread", {0.0, 2.0}, engine.tpotSpread);
        engine.ttftSpread = fields.number("ttft_spread", {0.0, 2.0}, engine.ttftSpread);
        engine.memoryPolicy = fields.choice<MemoryPolicy>("memory_policy", memoryPolicies);
        engine.memoryFraction = fields.number("memory_fraction", {0.01, 1.0}, engine.memoryFraction);
        engine.runtimeFixed = fields.quantity("runtime_fixed", parseBytes, anyReserve, engine.runtimeFixed);
        engine.runtimePerPeer =
            fields.quantity("runtime_per_peer", parseBytes, anyReserve, engine.runtimePerPeer);
        engine.runtimePerFurtherPeer =
            fields.quantity("runtime_per_further_peer", parseBytes, anyReserve, engine.runtimePerFurtherPeer);
        engine.graphs = fields.quantity("graphs", parseBytes, anyReserve, engine.graphs);
        engine.samplerBytesPerLogit =
            fields.number("sampler_bytes_per_logit", {0.0, 1000.0}, engine.samplerBytesPerLogit);
        engine.windowPolicy = fields.choice("window_policy", windowPolicies, engine.windowPolicy);
        engine.maximumSequences = fields.integer("maximum_sequences", {1, 1'000'000}, engine.maximumSequences);
        engine.batchedTokens = fields.integer("batched_tokens", {1, 10'000'000}, engine.batchedTokens);
        engine.blockTokens = fields.integer("block_tokens", {1, 65'536}, engine.blockTokens);
        engine.runtimeSpread = fields.quantity("runtime_spread", parseBytes, anyReserve, Bytes{});
        engine.samplerSpread = fields.number("sampler_spread", {0.0, 1.0}, 0.0);
        engine.largeMemory = fields.quantity("large_memory", parseBytes, anyReserve, Bytes{});
        engine.notLarge = fields.text("not_large", {});
        if (fields.has("memory_eras"))
            fields.maps("memory_eras", [&](YamlFields& inner) { engine.memoryEras.push_back(readMemoryEra(inner)); });
        if (fields.has("runtimes"))
            fields.maps("runtimes", [&](YamlFields& inner) { engine.runtimes.push_back(readRuntime(inner)); });
        engine.source = readSource(fields, context);
        return engine;
    });
}

namespace {

/// "2026", "2026-01" or "2026-01-31".
bool isDayOrYear(const std::string& text)
{
    constexpr std::string_view pattern = "dddd-dd-dd";
    if (text.size() != 4 && text.size() != 7 && text.size() != pattern.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (pattern[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
            return false;
    const auto number = [&](std::size_t at, unsigned otherwise) {
        return at < text.size() ? unsigned(text[at] - '0') * 10u + unsigned(text[at + 1] - '0') : otherwise;
    };
    return std::chrono::year_month_day(std::chrono::year(std::stoi(text.substr(0, 4))),
                                       std::chrono::month(number(5, 1)), std::chrono::day(number(8, 1)))
        .ok();
}

} // namespace

Result<Price> readPrice(const std::string& text, const std::string& file, const PresetContext& context)
{
    return readPreset<Price>(text, file, [&](YamlFields& fields) {
        Price price;
        price.id = idFromFile(file);
        price.name = fields.text("name");
        price.device = fields.text("device");
        if (!price.device.empty() && !byId(context.devices, price.device))
            fields.refuse("device", fmt::format("there is no device \"{}\"; {}", price.device,
                                                suggestion(context.devices, price.device)));
        price.perDevice = fields.quantity("per_device", parseDollarRate, {1e-4 / 3600.0, 1e5 / 3600.0});
        price.date = fields.text("date");
        if (!price.date.empty() && !isDayOrYear(price.date))
            fields.refuse("date", fmt::format("date is \"{}\"; it must be such as 2026-01-31, or the year alone",
                                              price.date));
        price.region = fields.text("region", {});
        price.source = readSource(fields, context);
        price.unverified = fields.boolean("unverified", false);
        return price;
    });
}

} // namespace ridgepoint
