// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/workload/network.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridgepoint {

/// Exact parameter counts of the text part without multi-token-prediction layers.
struct ParameterCount
{
    std::int64_t total = 0;
    std::int64_t active = 0;      ///< used for one token: routed experts count topK times, the embedding in full
    std::int64_t embedding = 0;   ///< input embedding, inside total; equal to the head when tied
    bool operator==(const ParameterCount&) const = default;
};

/// Elements of every weight tensor of the network, summed.
///
/// Counted: embedding, learned positions, head (once with the embedding when tied), norms, projections with their biases, query and key
/// norms, sinks, indexers, routers with their bias or correction term, experts, shared experts and their gate,
/// convolution, decay and step of linear attention.
///
/// returns  exact up to 2^53 elements, where larger networks stay
/// ignores  the bias of the last norm, vision and audio towers, multi-token-prediction layers, scales of quantised weights
[[nodiscard]] ParameterCount parameterCount(const Network& network);

/// Tensors of a layer that recipes of quantisation treat alike.
enum class WeightPart { attention, attentionOutput, latentUp, indexer, dense, experts, shared, router, plain };

inline constexpr std::array allWeightParts{
    WeightPart::attention, WeightPart::attentionOutput, WeightPart::latentUp, WeightPart::indexer, WeightPart::dense,
    WeightPart::experts,   WeightPart::shared,          WeightPart::router,   WeightPart::plain};

/// Bytes of an element of a part; what no recipe quantises takes 16 bit.
[[nodiscard]] double bytesOf(WeightPart part, const LayerFormats& formats);

/// Elements of one layer on one device of a tensor-parallel group, by part. Replicated ones count in full.
struct LayerElements
{
    std::array<double, allWeightParts.size()> counts{};
    [[nodiscard]] double at(WeightPart part) const { return counts[std::size_t(part)]; }
};

[[nodiscard]] LayerElements layerElements(const Network& network, const LayerGroup& group, int tensorParallel);

/// Bytes of the weights of one layer on one device of a tensor-parallel group.
///
///     B = sum over tensors of elements b / t, or elements b where every device holds the tensor
///
/// Every device holds: norms, output and down biases, router and shared-expert gates, the MLA down projections and the
/// indexers. KV projections hold max(g, t)/t heads a device. Norms, biases, sinks, convolution and the small projections of decay
/// and step take 16 bit whatever the formats say.
///
/// formats  storage of the layer, such as group.formats or what the precision knobs make of it
/// returns  [B]
/// ignores  padding of expert widths to kernel tiles, scales of channels (see bytesPerElement)
/// source   fieldMemory section 2
[[nodiscard]] Bytes layerWeightBytes(const Network& network, const LayerGroup& group, const LayerFormats& formats,
                                     int tensorParallel);

/// What one device of a tensor-parallel group stores of a whole network when it holds all layers. [B]
struct StoredWeights
{
    Bytes sharded; ///< the device's share of the tensors that are split
    Bytes replicated; ///< tensors every device holds, the final norm among them
    Bytes embedding; ///< the device's share, with learned positions in full; on the first stage of a pipeline
    Bytes head; ///< the device's share; on the last stage; 0 when tied: the embedding serves
    Bytes tower; ///< vision and audio parts, in 16 bit
    Bytes rotaryTable; ///< positions x rotary dimension x 2 B, on every device
    [[nodiscard]] Bytes total() const { return sharded + replicated + embedding + head + tower + rotaryTable; }
    bool operator==(const StoredWeights&) const = default;
};

/// formats  one for each group of network.layers, in their order; empty: as the checkpoint stores them
/// source   fieldMemory section 2
[[nodiscard]] StoredWeights storedWeights(const Network& network, std::span<const LayerFormats> formats,
                                          int tensorParallel);

} // namespace ridgepoint
