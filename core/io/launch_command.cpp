// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch_command.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace ridgepoint {

namespace {

/// Text as one word of a POSIX shell.
std::string quoted(std::string_view word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
        return std::string(word);
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

/// The name under which the checkpoint is published, where the network knows one.
std::string checkpointOf(const Scenario& s, LaunchCommand& command)
{
    const auto& aliases = s.network.aliases;
    const auto published = std::find_if(aliases.begin(), aliases.end(),
                                        [](const std::string& alias) { return alias.find('/') != std::string::npos; });
    if (published != aliases.end())
        return *published;
    command.notes.push_back(fmt::format("Put the path or the published name of {} in place of CHECKPOINT.", s.network.name));
    return "CHECKPOINT";
}

void option(LaunchCommand& command, std::string name, std::string value = {})
{
    command.words.push_back(std::move(name));
    if (!value.empty())
        command.words.push_back(std::move(value));
}

void option(LaunchCommand& command, std::string name, int value)
{
    option(command, std::move(name), std::to_string(value));
}

std::string fraction(double share)
{
    return fmt::format("{:.3g}", share);
}

int longestRequest(const Scenario& s)
{
    return int(double(s.load.inputTokens + s.load.outputTokens) * (1.0 + s.load.lengthSpread) + 1.0);
}

/// Weights in another format than the checkpoint's: what engines can do at load, else a checkpoint that has to be found.
void weights(const Scenario& s, LaunchCommand& command, std::string_view flag)
{
    if (!s.precision.weights || *s.precision.weights == s.network.checkpointFormat)
        return;
    if (*s.precision.weights == Format::fp8 && s.network.checkpointFormat == Format::bf16)
        option(command, std::string(flag), "fp8");
    else
        command.notes.push_back(fmt::format("The estimate is for weights in {}; choose a checkpoint in that format.",
                                            nameOf(*s.precision.weights)));
}

bool isMixture(const Network& network)
{
    return std::any_of(network.layers.begin(), network.layers.end(),
                       [](const LayerGroup& group) { return group.feedForward.isMixture(); });
}

void vllm(const Scenario& s, LaunchCommand& command)
{
    command.words = {"vllm", "serve", checkpointOf(s, command)};
    option(command, "--tensor-parallel-size", s.plan.tensorParallel);
    if (s.plan.pipelineParallel > 1)
        option(command, "--pipeline-parallel-size", s.plan.pipelineParallel);
    if (s.plan.attentionData > 1)
        option(command, "--data-parallel-size", s.plan.attentionData);
    if (s.plan.expertParallel > 1 && isMixture(s.network))
        option(command, "--enable-expert-parallel");
    option(command, "--gpu-memory-utilization", fraction(s.engine.memoryFraction));
    option(command, "--max-num-seqs", s.engine.maximumSequences);
    option(command, "--max-num-batched-tokens", s.engine.batchedTokens);
    option(command, "--max-model-len", longestRequest(s));
    option(command, "--block-size", s.engine.blockTokens);
    if (s.precision.kv && *s.precision.kv == Format::fp8)
        option(command, "--kv-cache-dtype", "fp8");
    weights(s, command, "--quantization");
    option(command, s.load.prefixHits > 0.0 ? "--enable-prefix-caching" : "--no-enable-prefix-caching");
}

void sglang(const Scenario& s, LaunchCommand& command)
{
    command.words = {"python3", "-m", "sglang.launch_server"};
    option(command, "--model-path", checkpointOf(s, command));
    option(command, "--tp-size", s.plan.devicesPerStage());   // counts the devices of all attention groups
    if (s.plan.pipelineParallel > 1)
        option(command, "--pp-size", s.plan.pipelineParallel);
    if (s.plan.attentionData > 1) {
        option(command, "--dp-size", s.plan.attentionData);
        option(command, "--enable-dp-attention");
    }
    if (s.plan.expertParallel > 1 && isMixture(s.network))
        option(command, "--ep-size", s.plan.expertParallel);
    option(command, "--mem-fraction-static", fraction(s.engine.memoryFraction));
    option(command, "--max-running-requests", s.engine.maximumSequences);
    option(command, "--chunked-prefill-size", s.engine.batchedTokens);
    option(command, "--context-length", longestRequest(s));
    if (s.precision.kv && *s.precision.kv == Format::fp8)
        option(command, "--kv-cache-dtype", "fp8_e4m3");
    weights(s, command, "--quantization");
    if (s.load.prefixHits <= 0.0)
        option(command, "--disable-radix-cache");
}

void tensorRtLlm(const Scenario& s, LaunchCommand& command)
{
    command.words = {"trtllm-serve", checkpointOf(s, command)};
    option(command, "--tp_size", s.plan.devicesPerStage());
    if (s.plan.pipelineParallel > 1)
        option(command, "--pp_size", s.plan.pipelineParallel);
    if (s.plan.expertParallel > 1 && isMixture(s.network))
        option(command, "--ep_size", s.plan.expertParallel);
    option(command, "--max_batch_size", s.engine.maximumSequences);
    option(command, "--max_num_tokens", s.engine.batchedTokens);
    option(command, "--max_seq_len", longestRequest(s));
    option(command, "--kv_cache_free_gpu_memory_fraction", fraction(s.engine.memoryFraction));
    command.settingsFile = "options.yaml";
    command.settings = fmt::format("enable_attention_dp: {}\nkv_cache_config:\n  enable_block_reuse: {}\n",
                                   s.plan.attentionData > 1, s.load.prefixHits > 0.0);
    if (s.precision.kv && *s.precision.kv == Format::fp8)
        command.settings += "  dtype: fp8\n";
    option(command, "--extra_llm_api_options", command.settingsFile);
    if (s.precision.weights && *s.precision.weights != s.network.checkpointFormat)
        command.notes.push_back(fmt::format("The estimate is for weights in {}; choose a checkpoint in that format.",
                                            nameOf(*s.precision.weights)));
}

struct Writer
{
    std::string_view engine;
    void (*write)(const Scenario&, LaunchCommand&);
};

constexpr std::array writers{Writer{"vllm", vllm}, Writer{"sglang", sglang}, Writer{"tensorrt-llm", tensorRtLlm}};

/// What no flag of a single server says.
void note(const Scenario& s, LaunchCommand& command)
{
    if (s.plan.replicas > 1)
        command.notes.push_back(fmt::format("Start it {} times, on {} devices each, behind a router that spreads requests "
                                            "evenly.",
                                            s.plan.replicas, s.plan.devicesPerReplica()));
    if (s.plan.devicesPerReplica() > s.system.devicesPerNode)
        command.notes.push_back(fmt::format("One replica spans {} nodes; add what joins them, such as the address of the first.",
                                            (s.plan.devicesPerReplica() + s.system.devicesPerNode - 1) /
                                                s.system.devicesPerNode));
    if (s.prefillPool)
        command.notes.emplace_back("The estimate has prefill workers of their own; this is the command of a decode worker "
                                   "without its link to them.");
    if (s.load.speculation.draftTokens > 0)
        command.notes.push_back(fmt::format("The estimate drafts {} tokens a step; add the drafter and its options.",
                                            s.load.speculation.draftTokens));
}

} // namespace

std::string LaunchCommand::text() const
{
    std::string text;
    for (const std::string& one : notes)
        text += fmt::format("# {}\n", one);
    if (!settings.empty())
        text += fmt::format("cat > {} <<'END'\n{}END\n", quoted(settingsFile), settings);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool startsLine = i > 0 && words[i].starts_with("--");
        text += i == 0 ? "" : startsLine ? " \\\n    " : " ";
        text += quoted(words[i]);
    }
    return text + "\n";
}

Result<LaunchCommand> launchCommand(const Scenario& scenario)
{
    for (const Writer& writer : writers)
        if (scenario.engine.id == writer.engine) {
            LaunchCommand command;
            writer.write(scenario, command);
            note(scenario, command);
            return command;
        }
    return fail(fmt::format("{} has no launch command here; there are those of vLLM, SGLang and TensorRT-LLM",
                            scenario.engine.name));
}

} // namespace ridgepoint
