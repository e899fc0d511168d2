// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/precision.h"
#include "core/workload/quality_fact.h"

#include <string>
#include <vector>

namespace ridgepoint {

enum class AttentionKind
{
    grouped,  ///< multi-head, multi-query and grouped-query attention
    latent,   ///< MLA: one compressed entry for all heads; sparse when `indexTopK` > 0
    linear    ///< gated linear attention: a state of fixed size in place of a cache
};

struct Attention
{
    AttentionKind kind = AttentionKind::grouped;

    // grouped (heads also for latent)
    int heads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int window = 0;            ///< tokens a query sees back; 0: all
    bool bias = false;         ///< of the query, key and value projections
    bool outputBias = false;
    bool qkNorm = false;       ///< a norm of head_dim on queries and keys
    bool sinks = false;        ///< one learned logit a head
    bool outputGate = false;   ///< the query projection also makes a gate of the same size

    // latent
    int queryRank = 0;         ///< 0: queries are projected directly
    int kvRank = 0;
    int nopeDim = 0;
    int ropeDim = 0;
    int valueDim = 0;
    int indexHeads = 0;        ///< sparse attention: the indexer
    int indexDim = 0;
    int indexTopK = 0;         ///< cached entries attended at most; 0: all

    // linear
    int linearKeyHeads = 0;
    int linearValueHeads = 0;
    int linearKeyDim = 0;
    int linearValueDim = 0;
    int convolution = 0;       ///< kernel width of the short convolution
    double stateBytes = 4.0;   ///< bytes per element of the recurrent state

    bool operator==(const Attention&) const = default;
};

struct FeedForward
{
    int width = 0;             ///< dense layer; 0 when the layer is a mixture
    bool gated = true;
    bool bias = false;

    int experts = 0;           ///< 0: dense
    int expertsPerToken = 0;
    int expertWidth = 0;
    bool expertBias = false;
    bool routerBias = false;   ///< a bias or correction term, one an expert
    int sharedWidth = 0;       ///< all shared experts together; 0: none
    bool sharedGate = false;   ///< a scalar gate on the shared expert

    [[nodiscard]] bool isMixture() const { return experts > 0; }
    [[nodiscard]] bool isNone() const { return experts == 0 && width == 0; }
    bool operator==(const FeedForward&) const = default;
};

/// Storage of the parts of a layer that a checkpoint may treat differently.
struct LayerFormats
{
    Format attention = Format::bf16;        ///< query, key, value and latent projections
    Format attentionOutput = Format::bf16;
    Format latentUp = Format::bf16;         ///< MLA: kv_b_proj, which absorbed decoding keeps in 16 bit
    Format indexer = Format::bf16;
    Format dense = Format::bf16;
    Format experts = Format::bf16;
    Format shared = Format::bf16;
    Format router = Format::bf16;
    bool operator==(const LayerFormats&) const = default;
};

/// Layers that are equal in every respect; their order within the network is not kept. A hybrid whose attention,
/// state-space and feed-forward parts take turns is written as layers of one of the former with as many of the latter as
/// there are.
struct LayerGroup
{
    int count = 0;
    Attention attention;
    FeedForward feedForward;   ///< neither dense nor a mixture: the layer has none
    LayerFormats formats;
    int norms = 2;             ///< vectors of the hidden size in norms: 4 with one after each part too, or with biases
    bool operator==(const LayerGroup&) const = default;
};

/// A decoder-only language model ("model" is taken), text part, without multi-token-prediction layers.
struct Network
{
    std::string id;
    std::string name;
    std::string architecture;        ///< as the checkpoint names it, such as LlamaForCausalLM
    std::vector<std::string> aliases;
    int hidden = 0;
    int vocabulary = 0;
    int maximumContext = 0;          ///< positions
    int rotaryDim = 0;               ///< of one head; the rotary table has maximumContext x rotaryDim entries
    int learnedPositions = 0;        ///< rows of a table of position embeddings; 0: rotary, ALiBi or none
    bool tiedEmbedding = false;
    double towerParameters = 0;      ///< vision and audio parts with their projectors, whole; held in memory in 16 bit
    int packedPatches = 0;           ///< of the largest image, in encoders that attend over all images of a step at once
    int packedImageTokens = 0;       ///< that such an image becomes
    int packedHeads = 0;             ///< attention heads of such an encoder
    Format embeddingFormat = Format::bf16;
    Format headFormat = Format::bf16;
    Format checkpointFormat = Format::bf16;  ///< of the quantised parts; bf16 when nothing is quantised
    Format checkpointActivations = Format::bf16; ///< what the checkpoint's recipe quantises the inputs to
    Format checkpointKv = Format::bf16;
    std::vector<LayerGroup> layers;
    std::string source;              ///< key of sources.yaml or the file it was imported from
    std::vector<std::string> leftOut;    ///< parts of the checkpoint not modelled, such as "vision tower"
    std::vector<QualityFact> quality;    ///< what other formats were found to do to its answers

    [[nodiscard]] int layerCount() const
    {
        int count = 0;
        for (const LayerGroup& group : layers)
            count += group.count;
        return count;
    }
    bool operator==(const Network&) const = default;
};

} // namespace ridgepoint
