// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/kernel_rules.h"
#include "core/serving/runtime_kernels.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// How an engine sets memory aside.
enum class MemoryPolicy
{
    ideal,        ///< weights and cache only; the whole visible memory is usable
    budget,       ///< vLLM: a fraction of memory holds weights, activations, runtime and cache
    staticPool,   ///< SGLang: a fraction holds weights and cache; activations and graphs live outside it
    freeFraction, ///< TensorRT-LLM: a fraction of what is free after weights and buffers becomes cache
    wholeContext  ///< llama.cpp: the cache of the context is allocated at load, the input embedding stays on the host
};

/// What an engine keeps of a sliding-window layer.
enum class WindowPolicy
{
    exact,   ///< at most the window
    blocks,  ///< whole blocks of the window and one prefill chunk (vLLM)
    full     ///< the window is ignored, all tokens are kept
};

/// What an engine takes of memory from one of its versions on, where that differs from the profile.
struct MemoryEra
{
    std::string version;              ///< the first it holds for, such as "0.8"
    std::string date;                 ///< month that version came out, "2025-03", for reports that name no version
    double memoryFraction = 0.9;
    Bytes runtimeFixed;
    Bytes runtimePerPeer;
    Bytes runtimePerFurtherPeer;      ///< from the third device on; 0: as the second
    Bytes runtimeSpread;              ///< uncertainty of the runtime on up to two devices, at 80 %
    double samplerBytesPerLogit = 0.0;
    double samplerSpread = 0.0;       ///< relative uncertainty of the sampler's peak
    Bytes graphs;                     ///< estimate of captured graphs, where the budget holds them
    Bytes graphsSpread;
    int maximumSequences = 256;
    int batchedTokens = 2048;         ///< 0: prompts are not cut, a step holds the longest context
    int largeSequences = 0;           ///< on large devices; 0: as on others
    int largeTokens = 0;
    int longContext = 0;              ///< beyond it prompts are cut by themselves; 0: never
    int longContextTokens = 0;        ///< into chunks of this many tokens
    bool longContextSampler = true;   ///< the sampler is part of the measured peak then
    bool expandedLatent = false;      ///< latent attention is cached as keys and values of all heads
    bool imagesForSequences = false;  ///< the step that is measured holds no more sequences than whole images
    bool packedImageScores = false;   ///< encoders of packed images hold the scores of all patches with all others
    double oldAttention = 0.0;        ///< on devices without bf16, for each token and hidden unit of a whole prompt [B]
    bool operator==(const MemoryEra&) const = default;
};

/// How prompts and decoding share the steps.
enum class StepForming
{
    chunksBesideDecode,  ///< decoding first, then pieces of prompts up to the token budget (vLLM)
    wholePrompts,        ///< decoding and whole prompts within the budget (TensorRT-LLM)
    prefillAlone         ///< admitted prompts have steps of their own, decoding waits (SGLang)
};

/// How published benchmark scripts launch an engine where that differs from its defaults. Limits of 0 do not count.
struct LaunchSetting
{
    std::vector<std::string> families;   ///< of devices; empty: all
    bool denseOnly = false;
    int concurrencyBelow = 0;
    int devicesBelow = 0;
    int longestInput = 0;
    int longestOutput = 0;
    int pollingSteps = 0;                ///< 0: not set
    int batchWaitSteps = 0;
    int rankWaitSteps = 0;
    bool operator==(const LaunchSetting&) const = default;
};

struct EngineProfile
{
    std::string id;
    std::string name;
    std::string version;              ///< what the constants were fitted on, with its date
    std::vector<std::string> aliases;
    bool idealKernels = false;        ///< operators run at the data sheet, without any loss
    StepForming stepForming = StepForming::chunksBesideDecode;
    double reservedOutput = 1.0;      ///< share of an answer's tokens for which a new request must find room
    int pollingSteps = 1;             ///< steps between looks for new requests
    int batchWaitSteps = 0;           ///< decode steps that a prompt waits for company
    int rankWaitSteps = 0;            ///< attention data parallelism: steps that prompts wait until each rank has one
    bool capturedSlots = false;       ///< where prompts have workers of their own, a decode worker holds what its captured steps do
    Seconds hostPerStep;              ///< exposed host time of one engine step
    Seconds hostPerPrefillKernel;     ///< a step that holds prefill does not run from a captured graph
    Seconds firstTokenBase;           ///< request handling until the first token is streamed
    Seconds arrivalDelay;             ///< client to scheduler
    double outputLagSteps = 0.0;      ///< a token leaves this many steps after it was made
    std::vector<KernelRule> kernelRules;   ///< where it runs other kernels than those that were measured
    std::vector<LaunchSetting> launchSettings;   ///< of benchmark scripts; the first that holds counts
    double expertImbalance = 1.1;     ///< with expert parallelism: load of the fullest part over the mean
    double tpotSpread = 0.0;          ///< standard deviation of log(measured / predicted) over runs that were not fitted on; 0: unknown
    double ttftSpread = 0.0;
    MemoryPolicy memoryPolicy = MemoryPolicy::ideal;
    double memoryFraction = 1.0;
    Bytes runtimeFixed;               ///< context, communicators and workspace at one device
    Bytes runtimePerPeer;             ///< more of it for each other device of the tensor-parallel group, where linked
    Bytes runtimePerFurtherPeer;      ///< from the third device on; 0: as the second
    Bytes graphs;                     ///< captured graphs
    double samplerBytesPerLogit = 0.0;
    WindowPolicy windowPolicy = WindowPolicy::exact;
    int maximumSequences = 1024;
    int batchedTokens = 8192;         ///< token budget of one step
    int blockTokens = 16;
    Bytes runtimeSpread;              ///< uncertainty of the runtime on up to two devices, at 80 %
    double samplerSpread = 0.0;       ///< relative uncertainty of the sampler's peak
    Bytes graphsSpread;
    bool expandedLatent = false;      ///< latent attention is cached as keys and values of all heads
    bool imagesForSequences = false;  ///< the step that is measured holds no more sequences than whole images
    bool packedImageScores = false;   ///< encoders of packed images hold the scores of all patches with all others
    double oldAttention = 0.0;        ///< on devices without bf16, for each token and hidden unit of a whole prompt [B]
    int wholePromptTokens = 0;        ///< of a step where the version does not cut prompts unless asked to; 0: it cuts them
    bool samplerCounted = true;       ///< the sampler is part of the peak that is set aside
    Bytes largeMemory;                ///< devices from here on count as large; 0: none does
    std::string notLarge;             ///< a name that makes a device not large whatever its memory
    std::vector<MemoryEra> memoryEras;///< oldest first; the fields above hold where no version is asked for
    std::vector<RuntimeKernels> runtimes;   ///< kernels of its own, by kind of device; empty: those of the device family
    std::string source;
    bool operator==(const EngineProfile&) const = default;
};

/// The profile as it was in a version.
///
/// version    "0.6.3", "0.8.5 V1", "0.2.x"; empty: told by the date
/// date       "2025-03-21" or "2025-03"; empty: the newest
/// device     its name ("before Ampere" behind it where so) and visible memory choose between defaults; empty: unknown
/// context    longest context a request may have, for versions that do not cut prompts [tokens]
/// returns    maximumSequences and batchedTokens are the defaults of that version; callers replace what a user set
/// source     fieldMemory §4
[[nodiscard]] EngineProfile atVersion(const EngineProfile& engine, std::string_view version, std::string_view date,
                                      std::string_view device, Bytes visible, double context);

} // namespace ridgepoint
