// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/step_table.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// A prompt this short hardly sees itself.
constexpr double shortPrompt = 128.0;

/// first, then `factor` apart in whole numbers, then last.
std::vector<double> geometric(double first, double factor, double last)
{
    std::vector<double> nodes;
    for (double node = first; node < last * 0.999; node = std::max(std::ceil(node + 0.5), std::round(node * factor)))
        nodes.push_back(node);
    nodes.push_back(std::max(first, last));
    return nodes;
}

} // namespace

StepTable::StepTable(const StepTimer& timer, const Range& range) : m_range(range)
{
    const double ranks = range.ranks;
    const auto group = [&](double own, double others) { return ranks > 1.0 ? own + (ranks - 1.0) * others : 0.0; };

    m_sequences = geometric(1.0, 1.25, std::ceil(range.sequences));
    m_contexts = geometric(std::max(1.0, std::floor(range.context / 64.0)), 2.0, std::ceil(range.context));
    for (const double n : m_sequences)
        for (const double context : m_contexts)
            m_decode.push_back(timer({.decodeSequences = n, .decodeContext = context, .headTokens = n,
                                      .groupTokens = group(n, n)}).value);

    m_beside = geometric(1.0, 2.0, std::ceil(range.sequences));
    m_beside.insert(m_beside.begin(), 0.0);
    m_tokens = geometric(1.0, 1.2, std::ceil(range.prefillTokens));
    const double context = m_contexts[m_contexts.size() / 2];
    for (const double n : m_beside) {
        const double without = decode(n, context);
        for (const double tokens : m_tokens) {
            const auto added = [&](double others) {
                return std::max(0.0, timer({.decodeSequences = n, .decodeContext = n > 0.0 ? context : 0.0,
                                            .prefillTokens = tokens,
                                            .prefillSequences = std::max(1.0, tokens / shortPrompt),
                                            .prefillContext = std::min(tokens, shortPrompt), .headTokens = n + 1.0,
                                            .groupTokens = group(n + tokens, n + others)}).value - without);
            };
            m_prefillOne.push_back(added(0.0));
            if (range.ranks > 1)
                m_prefillAll.push_back(added(tokens));
        }
    }

    m_lengths = geometric(shortPrompt, 1.25, std::max(shortPrompt, std::ceil(range.context)));
    for (const double tokens : m_lengths) {
        // A prompt that is larger than a step is read in chunks, of which each sees those before it.
        const auto beyondShort = [&](double chunk, double seen) {
            const auto reading = [&](double sequences, double visible) {
                return timer({.prefillTokens = chunk, .prefillSequences = sequences, .prefillContext = visible,
                              .headTokens = 1.0, .groupTokens = group(chunk, 0.0)}).value;
            };
            return reading(1.0, seen) - reading(std::max(1.0, chunk / shortPrompt), std::min(chunk, shortPrompt));
        };
        const double step = std::max(shortPrompt, range.prefillTokens);
        const double full = std::max(0.0, std::ceil(tokens / step) - 1.0);
        double sum = beyondShort(tokens - full * step, tokens);
        // The time of a full chunk is all but linear in what it sees.
        if (full > 0.0)
            sum += full * beyondShort(step, step * (full + 1.0) / 2.0);
        m_attention.push_back(sum / tokens);
    }
}

StepTable::Place StepTable::find(const std::vector<double>& nodes, double value)
{
    if (value <= nodes.front() || nodes.size() == 1)
        return {0, 0.0};
    // Beyond the last node the last line goes on: a mean of a load may lie a little outside the range.
    const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, value);
    const std::size_t node = std::size_t(above - nodes.begin()) - 1;
    return {node, (value - nodes[node]) / (nodes[node + 1] - nodes[node])};
}

double StepTable::between(const std::vector<double>& table, const std::vector<double>& columns, Place row,
                          double column) const
{
    const Place place = find(columns, column);
    const double* at = table.data() + row.node * columns.size() + place.node;
    const double* next = row.weight > 0.0 ? at + columns.size() : at;
    const std::size_t step = place.weight > 0.0 ? 1 : 0;
    const double low = at[0] + (at[step] - at[0]) * place.weight;
    const double high = next[0] + (next[step] - next[0]) * place.weight;
    return low + (high - low) * row.weight;
}

double StepTable::decode(double n, double context) const
{
    if (n <= 0.0)
        return 0.0;
    return between(m_decode, m_contexts, find(m_sequences, n), context);
}

double StepTable::prefill(double n, double tokens, double all) const
{
    if (tokens <= 0.0)
        return 0.0;
    const Place row = find(m_beside, n);
    const double one = between(m_prefillOne, m_tokens, row, tokens);
    if (m_prefillAll.empty() || all <= tokens)
        return one;
    const double full = between(m_prefillAll, m_tokens, row, tokens);
    return one + (full - one) * (all - tokens) / (tokens * (m_range.ranks - 1.0));
}

double StepTable::attention(double tokens) const
{
    if (tokens <= 0.0)
        return 0.0;
    const Place place = find(m_lengths, tokens);
    const std::size_t next = place.weight > 0.0 ? place.node + 1 : place.node;
    return tokens * (m_attention[place.node] + (m_attention[next] - m_attention[place.node]) * place.weight);
}

StepTable::Range tableRange(const ServingLoad& load, const Replica& replica, const EngineProfile& engine)
{
    const double lanes = double(replica.ranks) * replica.stages;
    const double input = longestOf(load.input);
    double longest = input + longestOf(load.output);
    for (const TracedRequest& request : load.trace)
        longest = std::max(longest, request.inputTokens + request.outputTokens);
    double sequences = std::min(std::ceil(replica.maximumSequences / replica.stages), double(engine.batchedTokens));
    if (load.arrivals == Arrivals::closedLoop)
        sequences = std::min(sequences, std::ceil(load.concurrency / lanes) + 1.0);
    return {.sequences = std::max(1.0, sequences), .context = std::max(2.0, longest),
            .prefillTokens = double(engine.batchedTokens), .ranks = replica.ranks};
}

} // namespace ridgepoint
