// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <string>

namespace ridgepoint {

/// What the kernels of an engine for one user (llama.cpp, MLX, ExLlama, ...) reach on a kind of device. Such engines bring
/// their own kernels, which are unlike those of serving engines, and little is known of them but these few numbers.
struct RuntimeKernels
{
    // The devices it holds for: what is empty holds for any. The first of an engine's list that fits is used.
    std::string vendor;
    std::string category;            ///< gpu, soc, cpu, asic
    std::string family;              ///< id of the device's kernel family
    std::string memory;              ///< how the memory kind begins, such as "GDDR"
    std::string name;                ///< how the device's name begins, for a generation whose memory says nothing
    std::string until;               ///< for builds before this day, "2025-06"; empty: for those of today

    double weights = 0.9;            ///< fraction of memory bandwidth at which weights are read, (0, 1]
    double quantised = 1.0;          ///< further fraction at which quantised weights are read
    Bandwidth unitWeights;           ///< most that one compute unit reads of them; 0: no limit
    double cache = 0.9;              ///< the same of keys and values
    Bandwidth unitCache;
    double errorCorrection = 1.0;    ///< share of the bandwidth that is left where the memory checks itself in-line
    Seconds layer;                   ///< launches and gaps of one layer while writing
    Seconds mixtureLayer;            ///< more of it in a layer with experts
    Seconds expertLoop;              ///< host time of every expert of a layer, where a loop goes through all of them
    Seconds eightBitProduct;         ///< host time of a product of 8-bit weights, where its passes are launched one by one
    Seconds promptLayer;             ///< of one layer while reading
    bool ahead = false;              ///< launches run ahead of the device: a step takes the longer of the two
    double inFlight = 0.0;           ///< micro-batches of prompts on their way over several cards, at most; 0: one a card
    double queuedLayers = 0.0;       ///< layers whose launches a card takes before it works on them; 0: no limit
    double queuedQuantised = 0.0;    ///< the same of quantised weights, whose unpacking is launched too; 0: as above
    Seconds hop;                     ///< from one card to the next, a step
    Seconds allReduce;               ///< latency of one, where cards share every layer
    double prompt = 0.6;             ///< fraction of the 16-bit peak while reading a prompt, 16-bit weights
    double promptQuantised = 0.6;    ///< the same of quantised weights
    double promptPerJoule = 0.0;     ///< FLOP a joule of board power gives; 0: no limit
    double promptAttention = 0.3;    ///< fraction of the 16-bit peak of attention while reading
    double unpack = 0.0;             ///< bandwidth fraction of a pass that unpacks quantised weights; 0: fused
    double scoreBytes = 0.0;         ///< traffic of a head's query-key pair where scores are kept in memory; 0: fused

    // Eight of ten measurements lie between these multiples of the prediction.
    double low = 0.8, high = 1.25;              ///< of speeds while writing
    double promptLow = 0.7, promptHigh = 1.3;   ///< while reading
    bool operator==(const RuntimeKernels&) const = default;
};

} // namespace ridgepoint
