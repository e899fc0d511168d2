// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/offline.h"

#include "core/workload/kv_cache.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridgepoint {

namespace {

/// Work of a step of a whole replica. Seconds are those of one device, so that n devices take an n-th.
struct Work
{
    double compute = 0;       ///< [s]
    double weights = 0;       ///< dense, [B]
    double experts = 0;       ///< read, [B]
    double cache = 0;         ///< [B]
};

class OfflineModel
{
public:
    OfflineModel(const Network& network, const ResolvedPrecision& precision, const Device& device, const OfflineLoad& load,
                 const OfflineConstants& constants)
        : m_network(network), m_precision(precision), m_device(device), m_load(load), m_c(constants)
    {
        m_speed = (load.early ? m_c.early : 1.0) * (load.generic ? m_c.generic : 1.0) * (device.vendor == "AMD" ? m_c.amd : 1.0);
        m_ranks = load.attentionData ? std::max(1, load.devices / load.stages) : 1;
        for (const LayerGroup& group : network.layers)
            m_expertLayers += group.feedForward.isMixture() ? group.count : 0;
        m_prompt = price({.prefillTokens = load.inputTokens, .prefillSequences = 1, .prefillContext = load.inputTokens,
                          .headTokens = 1});
    }

    /// Bytes the weights take on all devices together.
    [[nodiscard]] double storedWeightBytes() const
    {
        std::vector<LayerFormats> formats;
        for (const LayerGroup& group : m_network.layers)
            formats.push_back(formatsInUse(m_network, group, m_precision.weights));
        const double all = storedWeights(m_network, formats, 1).total().value;
        return all + (m_ranks - 1) * m_prompt.weights;   // what is not an expert lies on every rank
    }

    /// Cache of a request of the mean length it has in flight. [B]
    [[nodiscard]] double cacheOfOne() const
    {
        double bytes = 0.0;
        for (const LayerGroup& group : m_network.layers) {
            const Attention& a = group.attention;
            if (a.kind == AttentionKind::linear) {
                bytes += group.count * linearStateBytes(a, 1);
                continue;
            }
            const double kept = a.window > 0 ? std::min(context(), double(a.window)) : context();
            bytes += group.count * kept * cacheBytesPerToken(a, m_precision.kv, 1);
        }
        return bytes;
    }

    [[nodiscard]] double slots() const { return m_c.slots * m_ranks; }

    [[nodiscard]] double step(double sequences) const
    {
        const double n = m_load.devices;
        const Work work = price({.decodeSequences = sequences, .decodeContext = context(), .headTokens = sequences});
        const double bytes = work.weights * m_ranks + work.experts / m_c.expertMemory + work.cache;
        const double memory = bytes / (m_device.memoryBandwidth.value * m_c.memory);
        return std::hypot(work.compute, memory) / n + m_network.layerCount() * m_c.layer.value +
               m_expertLayers * m_c.expertLayer.value * std::sqrt(sequences / n) + m_c.step.value +
               m_c.sequence.value * sequences / m_ranks + sequences * exchange();
    }

    [[nodiscard]] double prompt() const
    {
        return m_prompt.compute / m_load.devices + m_load.inputTokens * exchange();
    }

private:
    [[nodiscard]] double context() const { return m_load.inputTokens + m_load.outputTokens / 2.0; }

    /// Time a token spends on links. [s]
    [[nodiscard]] double exchange() const
    {
        const double group = double(m_load.devices) / m_load.stages;
        if (group <= 1.0)
            return 0.0;
        const Bandwidth links = m_device.linkBandwidth.value > 0.0 ? m_device.linkBandwidth : m_device.hostLinkBandwidth;
        if (links.value <= 0.0)
            return 0.0;
        double bytes = 0.0;
        if (m_load.attentionData) {
            // Dispatch in 8 bit and return in 16, to the devices of the chosen experts.
            for (const LayerGroup& layers : m_network.layers)
                if (layers.feedForward.isMixture())
                    bytes += layers.count * 3.0 * m_network.hidden * std::min(double(layers.feedForward.expertsPerToken), group);
            bytes *= (group - 1.0) / group / group;
        } else {
            // Two all-reduces a layer in 16 bit.
            bytes = 8.0 * m_network.layerCount() * m_network.hidden * (group - 1.0) / group / m_load.stages;
        }
        return bytes / (links.value * m_c.links);
    }

    /// Time of an operator's FLOPs on one device at the speed of its arithmetic. [s]
    [[nodiscard]] double seconds(const Op& op, double flops) const
    {
        const Peaks& peak = m_device.peak;
        const double wide = peak.bf16 ? peak.bf16->value : peak.fp32.value_or(FlopRate{1e12}).value;
        const double eight = peak.fp8 ? peak.fp8->value : peak.int8 ? peak.int8->value : wide;
        double rate = wide;
        if (op.math == Math::fp4 && peak.fp4)
            rate = m_c.fourBit * std::min(peak.fp4->value, 2.0 * eight);
        else if (op.math == Math::fp8 || op.math == Math::int8 || op.math == Math::fp4)
            rate = eight;
        else if (op.math == Math::fp32)
            rate = peak.fp32.value_or(FlopRate{wide}).value;
        switch (op.kind) {
        case OpKind::decodeAttention:
        case OpKind::prefillAttention:
        case OpKind::latentPrefill: return flops / (wide * m_c.attention * m_speed);
        case OpKind::latentDecode:
            return flops / (wide * (op.id == OpId::absorbed ? m_c.compute : m_c.attention) * m_speed);
        case OpKind::mixture: {
            const bool unpacked = bytesPerElement(op.weight) < 1.0 && op.math == Math::bf16;
            return flops / (rate * m_c.compute * m_c.experts * (unpacked ? m_c.unfusedExperts : 1.0) * m_speed);
        }
        default: return flops / (rate * m_c.compute * m_speed);
        }
    }

    [[nodiscard]] Work price(const StepShape& shape) const
    {
        std::vector<Op> ops;
        ops.reserve(64);
        lowerStep(m_network, m_precision, {}, shape, ops);
        Work work;
        for (const Op& op : ops) {
            work.compute += seconds(op, op.flops.value) * op.count;
            (op.kind == OpKind::mixture ? work.experts : work.weights) += op.weightBytes.value * op.count;
            work.cache += op.kvBytes.value * op.count;
        }
        return work;
    }

    const Network& m_network;
    const ResolvedPrecision& m_precision;
    const Device& m_device;
    const OfflineLoad& m_load;
    const OfflineConstants& m_c;
    double m_speed = 1;
    double m_ranks = 1;
    double m_expertLayers = 0;
    Work m_prompt;
};

} // namespace

OfflineThroughput offlineThroughput(const Network& network, const ResolvedPrecision& precision, const Device& device,
                                    const OfflineLoad& load, const OfflineConstants& constants)
{
    const OfflineModel model(network, precision, device, load, constants);
    const double room = constants.pool * load.devices * device.memoryCapacity.value - model.storedWeightBytes();
    const double one = model.cacheOfOne();
    OfflineThroughput result;
    result.fits = room >= one;
    double sequences = std::clamp(one > 0.0 ? room / one : model.slots(), 1.0, model.slots());
    const double output = std::max(1.0, load.outputTokens);
    const double prompt = model.prompt();
    const auto rate = [&](double b) { return output / (prompt + output * model.step(b) / b); };
    if (load.tokenLimit && sequences / rate(sequences) > load.tokenLimit->value) {
        double low = 1.0, high = sequences;
        for (int i = 0; i < 40 && high - low > 1e-3 * high; ++i) {
            const double middle = (low + high) / 2.0;
            (middle / rate(middle) > load.tokenLimit->value ? high : low) = middle;
        }
        sequences = low;
    }
    result.sequences = sequences;
    result.step = Seconds{model.step(sequences)};
    result.prompt = Seconds{prompt};
    result.output = Frequency{rate(sequences) * (load.arrivals ? constants.served : 1.0)};
    return result;
}

} // namespace ridgepoint
