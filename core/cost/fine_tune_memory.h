// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/weight_recipe.h"

#include <optional>

namespace ridgepoint {

/// What a network is to fine-tuning: its elements, and what a token leaves behind in a forward pass.
struct TrainedShape
{
    double parameters = 0;
    double embedding = 0;          ///< elements of embedding and head
    Bytes weights;                 ///< as they are held while they are trained or adapted
    double layers = 0;
    double hidden = 0;
    double vocabulary = 0;
    double heads = 0;
    double layerElements = 0;      ///< 16-bit elements a token leaves in one layer
};

/// Of a network whose base weights are held as `recipe` says.
[[nodiscard]] TrainedShape trainedShape(const Network& network, const WeightRecipe& recipe);

/// Of a network of which only the count is known: a dense decoder of usual proportions. [billions]
[[nodiscard]] TrainedShape trainedShape(double billions, double bytesPerParameter);

/// How weights are trained.
struct FineTune
{
    bool full = false;             ///< all weights; else adapters on frozen ones
    double trained = 0;            ///< elements of adapters
    double weightBytes = 2.0;      ///< of a trained element, in each pass
    double gradientBytes = 4.0;
    double stateBytes = 12.0;      ///< master copy and two moments
    int devices = 1;
    int splitStage = 0;            ///< 0: each device holds all · 1 states · 2 and gradients · 3 and weights are divided
    bool statesOnHost = false;
    bool weightsOnHost = false;
    bool gatheredWhole = false;    ///< divided weights are gathered whole once
    double logitBytes = 14.0;      ///< of a logit in all its copies
    double tokens = 0;             ///< of a micro-batch
    double sequence = 0;           ///< of one of its sequences
    bool checkpointing = false;    ///< layers are computed again in the backward pass
    bool fusedAttention = true;    ///< else the scores of all heads are kept
    Bytes workspace;               ///< of libraries and driver
};

struct FineTuneMemory
{
    Bytes weights, gradients, states, activations, workspace;   ///< on one device
    Bytes host;                    ///< of one node, where something lies on the host
    [[nodiscard]] Bytes total() const { return weights + gradients + states + activations + workspace; }
};

/// Peak memory of one device.
///
///     states of a trained element: weights 2, gradients 2 or 4, optimizer 12 (8 bit or 16 bit optimizers less), divided by
///     the devices where the stage says so · adapters: frozen weights as stored, states of the trained elements only
///     activations without checkpoints  tokens x layers x elements x 2 B, with them tokens x layers x h x 2 B and the larger
///     of one layer and the logits · logits tokens x V x 14 B: 16 and 32 bit copies, their gradients; less where the loss is computed in pieces
///
/// ignores  fragmentation, buckets of communication, sequence parallelism
/// source   fieldMemory; fitted to reports of peak memory of four programs, 10 % median
[[nodiscard]] FineTuneMemory fineTuneMemory(const TrainedShape& shape, const FineTune& run);

} // namespace ridgepoint
