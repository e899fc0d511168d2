// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed_row.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ridgepoint {

namespace {

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

template <std::size_t count>
bool holdsAny(std::string_view text, const std::array<std::string_view, count>& parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return holds(text, part); });
}

/// The number that follows `before` in the text, such as 512 after "pp"; 0 when there is none.
double numberAfter(std::string_view text, std::string_view before)
{
    const std::size_t at = text.find(before);
    return at == std::string_view::npos ? 0.0 : std::max(0.0, std::strtod(std::string(text.substr(at + before.size())).c_str(), nullptr));
}

// --- engines ----------------------------------------------------------------------------------------------------------

struct EngineWord
{
    std::string_view word, id;
};

// The first that the text holds decides, so that the narrower names come first.
constexpr std::array engineWords{EngineWord{"llama.cpp", "llama.cpp"}, EngineWord{"ollama", "llama.cpp"},
    EngineWord{"llamafile", "llama.cpp"}, EngineWord{"lm studio", "llama.cpp"}, EngineWord{"ds4", "llama.cpp"},
    EngineWord{"koboldcpp", "llama.cpp"}, EngineWord{"mlx", "mlx"}, EngineWord{"exllama", "exllamav2"}, EngineWord{"mlc", "mlc-llm"},
    EngineWord{"gpt-fast", "gpt-fast"}, EngineWord{"tinychat", "tinychat"}, EngineWord{"edge-llm", "tinychat"},
    EngineWord{"tenstorrent", "tt-transformers"}, EngineWord{"habana", "optimum-habana"}, EngineWord{"neuron", "neuronx"}, EngineWord{"sglang", "sglang"},
    EngineWord{"vllm", "vllm"}, EngineWord{"llmboost", "vllm"}, EngineWord{"tensorrt", "tensorrt-llm"}, EngineWord{"trt", "tensorrt-llm"},
    EngineWord{"nim", "tensorrt-llm"}, EngineWord{"cuda", "tensorrt-llm"}, EngineWord{"transformers", "transformers"}, EngineWord{"hf ", "transformers"},
    EngineWord{"litgpt", "transformers"}, EngineWord{"accelerate", "transformers"}, EngineWord{"petals", "transformers"},
    EngineWord{"deepspeed", "transformers"}, EngineWord{"eagle", "transformers"}, EngineWord{"pytorch", "tensorrt-llm"}};

std::string engineOf(std::string_view text)
{
    for (const EngineWord& engine : engineWords)
        if (holds(text, engine.word))
            return std::string(engine.id);
    return "vllm";
}

// --- devices ----------------------------------------------------------------------------------------------------------

constexpr std::array boardWords{std::string_view("raspberry"), std::string_view("pi "), std::string_view("pi5"),
    std::string_view("cm5"), std::string_view("radxa"), std::string_view("hifive"), std::string_view("ms-r1"),
    std::string_view("dc-roma")};

struct Hardware
{
    const Device* device = nullptr;
    std::string name;          ///< what was looked for last
    bool weakHost = false;
};

/// "HOST (CARD)" is the card, when there is one of that name; "[MAKER] CARD" loses its maker.
Hardware hardwareOf(std::string_view text, const PresetNames& names)
{
    Hardware result;
    const std::string all = lower(text);
    std::string_view plain = text;
    if (plain.starts_with("CPU:"))
        plain.remove_prefix(4);
    std::vector<std::string> tries;
    const std::size_t open = plain.rfind('('), close = plain.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open)
        tries.emplace_back(plain.substr(open + 1, close - open - 1));
    tries.emplace_back(plain);
    const std::array cuts{std::string_view(" on "), std::string_view(" - "), std::string_view(" ("), std::string_view(", "), std::string_view(" cpu")};
    for (const std::string_view cut : cuts)
        if (const std::size_t at = cut == " cpu" ? all.find(cut) : plain.find(cut); at != std::string_view::npos && at > 0)
            tries.emplace_back(plain.substr(0, at));
    for (const std::string& one : tries)
        if (const Device* device = names.device(one)) {
            result.device = device;
            result.name = one;
            const bool card = device->category == "gpu";
            result.weakHost = card && holdsAny(all, boardWords);
            return result;
        }
    result.name = std::string(text);
    return result;
}

// --- precision --------------------------------------------------------------------------------------------------------

struct PrecisionWord
{
    std::string_view word;
    Format weights;
};

constexpr std::array precisionWords{PrecisionWord{"q8_0", Format::q8_0}, PrecisionWord{"q6_k", Format::q6_k},
    PrecisionWord{"q5_k", Format::q5_k_m}, PrecisionWord{"q5_", Format::q5_k_m}, PrecisionWord{"q4_k", Format::q4_k_m},
    PrecisionWord{"iq4", Format::q4_0}, PrecisionWord{"q4_0", Format::q4_0}, PrecisionWord{"q4_1", Format::q4_k_m},
    PrecisionWord{"q3_k", Format::q3_k_m}, PrecisionWord{"iq3", Format::q3_k_m}, PrecisionWord{"q2_k", Format::q2_k},
    PrecisionWord{"iq2", Format::q2_k}, PrecisionWord{"q2", Format::q2_k}, PrecisionWord{"q4", Format::q4_k_m},
    PrecisionWord{"q8", Format::q8_0}, PrecisionWord{"nvfp4", Format::nvfp4}, PrecisionWord{"fp4", Format::nvfp4},
    PrecisionWord{"nf4", Format::int4}, PrecisionWord{"int4", Format::int4}, PrecisionWord{"4bit", Format::int4},
    PrecisionWord{"4-bit", Format::int4}, PrecisionWord{"w4a16", Format::int4}, PrecisionWord{"awq", Format::int4},
    PrecisionWord{"gptq-int8", Format::int8}, PrecisionWord{"gptq", Format::int4}, PrecisionWord{"exl2", Format::int4},
    PrecisionWord{"int8", Format::int8}, PrecisionWord{"8bit", Format::int8}, PrecisionWord{"8-bit", Format::int8},
    PrecisionWord{"w8a16", Format::int8}, PrecisionWord{"bfp8", Format::int8}, PrecisionWord{"fp8", Format::fp8},
    PrecisionWord{"bf16", Format::bf16}, PrecisionWord{"fp16", Format::bf16}, PrecisionWord{"f16", Format::bf16},
    PrecisionWord{"fp32", Format::fp32}};

bool shipsQuantised(const Network& network) { return network.checkpointFormat != Format::bf16; }

void readPrecision(SpeedRow& row, std::string_view written)
{
    const std::string text = lower(written);
    const bool local = row.engineId == "llama.cpp";
    const bool mixed = holds(text, "mxfp4") || holds(text, "ollama default");
    // A checkpoint that is made in 4 bit is run as it is, whatever the file format calls it.
    if (mixed && shipsQuantised(*row.network)) {
        const bool fourBitInputs = row.device->peak.fp4 && !local;
        row.activations = fourBitInputs ? Format::nvfp4 : Format::bf16;
        return;
    }
    if (text.empty() && row.benchmark) {
        // MLPerf: the narrowest arithmetic the device has, but for the 99.9 % targets of small networks.
        row.weights = row.device->peak.fp4 ? Format::nvfp4 : row.device->peak.fp8 ? Format::fp8 : Format::int8;
        row.kv = row.device->peak.fp8 ? Format::fp8 : Format::bf16;
        return;
    }
    if (text.empty() || text == "not stated") {
        if (local)
            row.weights = Format::q4_k_m;
        return;
    }
    if (holds(text, "ollama default")) {
        row.weights = Format::q4_k_m;
        return;
    }
    for (const PrecisionWord& word : precisionWords)
        if (holds(text, word.word)) {
            row.weights = word.weights;
            break;
        }
    if (local && row.weights == Format::int4)
        row.weights = Format::q4_0;
    if (local && row.weights == Format::int8)
        row.weights = Format::q8_0;
    if (holds(text, "bpw"))
        if (const double bits = numberAfter(text, "exl2 "); bits > 1.0 && bits < 9.0)
            row.bitsPerWeight = bits;
    if (row.weights == Format::int8)
        row.activations = Format::bf16;   // weights only
    if (shipsQuantised(*row.network) && (row.weights == Format::fp8 || row.weights == Format::nvfp4)) {
        const bool same = (row.network->checkpointFormat == Format::fp8Block && row.weights == Format::fp8) ||
                          row.network->checkpointFormat == Format::mxfp4;
        if (same) {
            row.activations = row.weights == Format::nvfp4 && row.device->peak.fp4 ? std::optional(Format::nvfp4) : std::nullopt;
            if (row.network->checkpointFormat == Format::mxfp4 && !row.activations)
                row.activations = Format::bf16;
            row.weights.reset();
        }
    }
    if (row.engineId == "optimum-habana" && row.weights == Format::fp8)
        row.kv = Format::fp8;
    if (row.kind == SpeedKind::offline && (row.weights == Format::fp8 || row.weights == Format::nvfp4 || !row.weights))
        row.kv = row.device->peak.fp8 ? Format::fp8 : Format::bf16;
}

void readCachePrecision(SpeedRow& row, std::string_view written)
{
    const std::string text = lower(written);
    if (holds(text, "fp8"))
        row.kv = Format::fp8;
    else if (holds(text, "8"))
        row.kv = Format::int8;
    else if (holds(text, "16"))
        row.kv = Format::bf16;
}

// --- what a row measures ----------------------------------------------------------------------------------------------

constexpr std::array ratioWords{std::string_view("gain"), std::string_view("gemm"), std::string_view("against"),
    std::string_view("linear fit"), std::string_view("hit")};
constexpr std::array promptWords{std::string_view("prefill"), std::string_view("prompt processing")};
constexpr std::array onlineWords{std::string_view("online"), std::string_view("qps"), std::string_view("requests/s"),
    std::string_view("aiperf"), std::string_view("genai-perf"), std::string_view("concurrency"), std::string_view("sharegpt"),
    std::string_view("infinite rate"), std::string_view("aime"), std::string_view("production"), std::string_view("mixed"),
    std::string_view("pareto")};
constexpr std::array offlineWords{std::string_view("offline"), std::string_view("maximum throughput"), std::string_view("trtllm-bench"),
    std::string_view("burst"), std::string_view("default batch"), std::string_view("larger batch"), std::string_view("sustained")};

SpeedKind kindOf(std::string_view scenario, const SpeedRow& row)
{
    if (holds(scenario, "mlperf"))
        return SpeedKind::offline;
    if (holds(scenario, "offload") || holdsAny(scenario, ratioWords))
        return SpeedKind::none;
    if (holds(scenario, "prompt+"))
        return SpeedKind::request;
    if (row.engineId == "optimum-habana" || row.engineId == "neuronx" || holds(scenario, "benchmark_latency"))
        return SpeedKind::fixedBatch;
    if (holds(scenario, "llama-bench"))
        return holds(scenario, "pp") ? SpeedKind::prompt : SpeedKind::decode;
    if (holdsAny(scenario, offlineWords))
        return SpeedKind::offline;
    if (holds(scenario, "prefill") && !holds(scenario, "decode"))
        return SpeedKind::prompt;
    if (holds(scenario, "online"))   // rates over a whole run, whatever is in flight
        return SpeedKind::online;
    if (row.concurrency == 1.0 || holds(scenario, "1 sequence") || holds(scenario, "single request"))
        return SpeedKind::decode;
    if (holdsAny(scenario, onlineWords) || row.concurrency > 0.0 || row.requestRate > 0.0)
        return SpeedKind::online;
    if (holdsAny(scenario, promptWords))
        return SpeedKind::prompt;
    if (holds(scenario, "pp") && numberAfter(scenario, "pp") > 0.0 && !holds(scenario, "batch 1") && !holds(scenario, "gen"))
        return SpeedKind::prompt;
    return SpeedKind::decode;
}

/// Mean lengths of the MLPerf data sets; fieldSpeed section 6 and mlperfRules.
struct DataSet
{
    std::string_view networkId;
    double input, output;
    double serverToken, interactiveToken;   ///< limits of the time between tokens [s]; 0: no such scenario
};

constexpr std::array dataSets{DataSet{"llama-2-70b", 294, 294, 0.200, 0.040}, DataSet{"mixtral-8x7b", 330, 145, 0.200, 0.0},
    DataSet{"llama-3.1-8b", 780, 128, 0.100, 0.030}, DataSet{"llama-3.1-405b", 9430, 660, 0.175, 0.080},
    DataSet{"deepseek-r1", 800, 3800, 0.080, 0.015}, DataSet{"gpt-j-6b", 800, 276, 0.0, 0.0}};   // 69 tokens of 4 beams

/// Arguments behind the name of a text-generation baseline: "-batch-flag-..." or "-cards-batch-reuse-input-output-...".
void readBaseline(SpeedRow& row, std::string& model)
{
    std::vector<std::string> arguments;
    for (std::size_t dash = model.rfind('-'); dash != std::string::npos && dash + 1 <= model.size(); dash = model.rfind('-')) {
        const std::string last = model.substr(dash + 1);
        const bool number = !last.empty() && std::all_of(last.begin(), last.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        if (!last.empty() && !number && last != "True" && last != "False")
            break;
        if (!last.empty())
            arguments.insert(arguments.begin(), last);
        model.resize(dash);
    }
    std::vector<double> numbers;
    std::size_t flags = 0;
    for (const std::string& one : arguments)
        if (std::isdigit(static_cast<unsigned char>(one[0])) != 0)
            numbers.push_back(std::strtod(one.c_str(), nullptr));
        else
            ++flags;
    row.inputTokens = 32;        // the default prompt is a sentence
    row.outputTokens = 100;
    const bool withLengths = numbers.size() >= 4;
    const bool cardsFirst = withLengths || (numbers.size() >= 2 && (flags == 0 || holds(lower(row.precision), "fp8")));
    if (!numbers.empty() && !cardsFirst)
        row.batch = numbers[0];
    if (cardsFirst && numbers.size() >= 2) {
        row.devices = std::max(1, int(numbers[0]));
        row.batch = numbers[1];
    }
    if (withLengths) {
        row.inputTokens = numbers[2];
        row.outputTokens = numbers[3];
    }
    row.tensorParallel = row.devices;
}

/// What is wrong with a number of the workload; empty when nothing is. A blank cell is not stated.
std::string numberProblem(const CsvTable& table, std::size_t at)
{
    struct Column
    {
        std::string_view name;
        double least;
    };
    constexpr double mostCount = 999999, mostTokens = 1e9;
    for (const auto& [name, least] : {Column{"accelerator_count", 1}, Column{"tensor_parallel", 1}, Column{"pipeline_parallel", 1},
                                      Column{"data_parallel", 1}, Column{"expert_parallel", 0}, Column{"batch_size", 1},
                                      Column{"concurrency", 1}, Column{"request_rate_req_per_s", 0}, Column{"input_tokens", 0},
                                      Column{"output_tokens", 0}}) {
        const std::string_view text = table.text(at, name);
        if (text.empty() || text == "inf")
            continue;
        const std::optional<double> value = table.number(at, name);
        if (!value || *value < least || *value > (least > 0.0 ? mostCount : mostTokens))
            return std::string(name) + " is \"" + std::string(text) + "\"; it needs a number " +
                   (least > 0.0 ? "from 1 to 999999" : "from 0 to 1e9");
    }
    return {};
}

int positive(const CsvTable& table, std::size_t at, std::string_view column, int fallback)
{
    const std::optional<double> value = table.number(at, column);
    return value && *value >= 1.0 && *value < 1e6 ? int(*value) : fallback;
}

} // namespace

SpeedRow readSpeedRow(const CsvTable& table, std::size_t at, const PresetNames& names)
{
    SpeedRow row;
    row.engineName = std::string(table.text(at, "engine"));
    row.precision = std::string(table.text(at, "weight_precision"));
    row.engineId = engineOf(lower(row.engineName));
    const std::string scenario = lower(table.text(at, "scenario"));
    const std::string date(table.text(at, "source_date"));
    const bool dated = date.size() >= 4 && date.starts_with("20");
    row.old = dated && date < "2025";
    row.date = dated ? date : std::string();

    row.devices = positive(table, at, "accelerator_count", 1);
    row.tensorParallel = positive(table, at, "tensor_parallel", 0);
    row.pipelineParallel = positive(table, at, "pipeline_parallel", 1);
    row.dataParallel = positive(table, at, "data_parallel", 1);
    row.attentionData = positive(table, at, "expert_parallel", 1) > 1 && row.dataParallel > 1;
    row.batch = positive(table, at, "batch_size", 1);
    row.concurrency = table.number(at, "concurrency").value_or(0.0);
    row.requestRate = table.number(at, "request_rate_req_per_s").value_or(0.0);
    const std::optional<double> input = table.number(at, "input_tokens");
    row.inputTokens = input.value_or(0.0);
    row.emptyStart = input == 0.0;
    row.outputTokens = table.number(at, "output_tokens").value_or(0.0);
    row.kind = kindOf(scenario, row);
    if (row.kind == SpeedKind::none) {
        row.problem = "the row holds a ratio or a part of a system, not its speed";
        return row;
    }

    row.problem = numberProblem(table, at);
    if (!row.problem.empty())
        return row;

    std::string model(table.text(at, "model"));
    row.benchmark = holds(scenario, "mlperf");
    row.server = row.benchmark && holds(scenario, "server");
    row.interactive = row.benchmark && holds(scenario, "interactive");
    if (row.engineId == "optimum-habana" && model.find("-") != std::string::npos)
        readBaseline(row, model);

    const std::string hardwareText(table.text(at, "hardware"));
    const Hardware hardware = hardwareOf(hardwareText, names);
    if (hardwareText.empty() || lower(hardwareText).starts_with("not stated")) {
        row.problem = "the device is not stated";
        return row;
    }
    if (!hardware.device) {
        row.problem = "unknown device " + hardwareText;
        return row;
    }
    row.device = hardware.device;
    row.weakHost = hardware.weakHost;
    if (holds(lower(hardwareText), " dual ") && row.device->memoryCapacity.value < 0.75e9 * labelledMemory(hardwareText))
        row.devices *= 2;   // two devices on one card, counted as one
    row.network = names.network(model);
    if (!row.network) {
        row.problem = "unknown network " + std::string(table.text(at, "model"));
        return row;
    }
    if (!table.text(at, "speculative").empty()) {
        row.problem = "speculative decoding: the acceptance is not stated";
        return row;
    }
    if (row.engineId == "neuronx")
        row.tensorParallel = row.devices;   // the column counts cores
    if (row.benchmark) {
        const auto found = std::find_if(dataSets.begin(), dataSets.end(),
                                        [&](const DataSet& one) { return one.networkId == row.network->id; });
        if (found == dataSets.end()) {
            row.problem = "the lengths of the MLPerf data set of " + row.network->name + " are not known";
            return row;
        }
        row.inputTokens = found->input;
        row.outputTokens = found->output;
        row.serverLimit = found->serverToken;
        row.interactiveLimit = found->interactiveToken;
        row.requestRate = 0.0;
    }
    readPrecision(row, row.precision);
    if (!table.text(at, "kv_cache_dtype").empty())
        readCachePrecision(row, table.text(at, "kv_cache_dtype"));
    if (holds(scenario, "llama-bench")) {
        if (row.kind == SpeedKind::prompt && row.inputTokens <= 0.0)
            row.inputTokens = numberAfter(scenario, "pp");
        if (row.kind == SpeedKind::decode && row.outputTokens <= 0.0)
            row.outputTokens = numberAfter(scenario, "tg");
        row.emptyStart = row.kind == SpeedKind::decode && row.inputTokens <= 0.0;
    }
    row.setAside = whySetAside(row, scenario, hardwareText);
    return row;
}

} // namespace ridgepoint
