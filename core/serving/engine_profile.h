// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// How an engine sets memory aside.
enum class MemoryPolicy
{
    ideal,        ///< weights and cache only; the whole visible memory is usable
    budget,       ///< vLLM: a fraction of memory holds weights, activations, runtime and cache
    staticPool,   ///< SGLang: a fraction holds weights and cache; activations and graphs live outside it
    freeFraction  ///< TensorRT-LLM: a fraction of what is free after weights and buffers becomes cache
};

/// What an engine keeps of a sliding-window layer.
enum class WindowPolicy
{
    exact,   ///< at most the window
    blocks,  ///< whole blocks of the window and one prefill chunk (vLLM)
    full     ///< the window is ignored, all tokens are kept
};

/// How prompts and decoding share the steps.
enum class StepForming
{
    chunksBesideDecode,  ///< decoding first, then pieces of prompts up to the token budget (vLLM)
    wholePrompts,        ///< decoding and whole prompts within the budget (TensorRT-LLM)
    prefillAlone         ///< admitted prompts have steps of their own, decoding waits (SGLang)
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
    Seconds hostPerStep;              ///< exposed host time of one engine step
    Seconds hostPerPrefillKernel;     ///< a step that holds prefill does not run from a captured graph
    Seconds firstTokenBase;           ///< request handling until the first token is streamed
    Seconds arrivalDelay;             ///< client to scheduler
    double outputLagSteps = 0.0;      ///< a token leaves this many steps after it was made
    double tpotSpread = 0.0;          ///< standard deviation of log(measured / predicted) over runs that were not fitted on; 0: unknown
    double ttftSpread = 0.0;
    MemoryPolicy memoryPolicy = MemoryPolicy::ideal;
    double memoryFraction = 1.0;
    Bytes runtimeFixed;               ///< context, communicators and workspace at one device
    Bytes runtimePerDoubling;         ///< more of it for each doubling of the tensor-parallel group
    Bytes graphs;                     ///< captured graphs
    double samplerBytesPerLogit = 0.0;
    WindowPolicy windowPolicy = WindowPolicy::exact;
    int maximumSequences = 1024;
    int batchedTokens = 8192;         ///< token budget of one step
    int blockTokens = 16;
    std::string source;
    bool operator==(const EngineProfile&) const = default;
};

} // namespace ridgepoint
