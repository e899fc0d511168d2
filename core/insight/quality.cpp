// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/quality.h"

#include "core/base/unit_text.h"
#include "core/insight/sentence.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

bool isNarrow(Format format)
{
    return format != Format::bf16 && format != Format::fp32;
}

std::string weightsText(Format weights, Format inputs)
{
    if (weights == inputs)
        return fmt::format("{} weights and inputs", nameOf(weights));
    return isNarrow(inputs) ? fmt::format("{} weights with {} inputs", nameOf(weights), nameOf(inputs))
                            : fmt::format("{} weights with 16-bit inputs", nameOf(weights));
}

std::string partSummary(const QualityPart& part)
{
    if (part.facts.empty())
        return "unknown";
    const QualityFact& worst = *std::min_element(part.facts.begin(), part.facts.end(),
                                                 [](const auto& a, const auto& b) { return kept(a) < kept(b); });
    return part.facts.size() == 1 ? fmt::format("{} ({})", lossText(kept(worst)), worst.benchmark)
                                  : fmt::format("at worst {} ({})", lossText(kept(worst)), worst.benchmark);
}

} // namespace

std::vector<QualityPart> qualityOf(const Evaluated& configuration)
{
    const Scenario& s = configuration.scenario;
    const Report& report = configuration.report;
    const std::vector<QualityFact>& known = s.network.quality;
    const Format weights = s.precision.weights.value_or(s.network.checkpointFormat);
    const Format inputs = report.activationFormat;
    const bool isReference = std::any_of(known.begin(), known.end(), [&](const QualityFact& fact) {
        return fact.reference == weights;   // what others are held against loses nothing
    });
    const auto factsOf = [&](Format cache) {
        std::vector<QualityFact> facts;
        for (const QualityFact& fact : known)
            if (fact.weights == weights && fact.activations == inputs && fact.kv == cache)
                facts.push_back(fact);
        return facts;
    };
    std::vector<QualityPart> parts;
    if (isNarrow(weights) && !isReference)
        parts.push_back({weightsText(weights, inputs), "precision.weights", factsOf(Format::bf16)});
    else if (!isNarrow(weights) && isNarrow(inputs))
        parts.push_back({fmt::format("{} inputs", nameOf(inputs)), "precision.activations", factsOf(Format::bf16)});
    if (isNarrow(report.kvFormat))
        parts.push_back({fmt::format("{} KV cache", nameOf(report.kvFormat)), "precision.kv", factsOf(report.kvFormat)});
    return parts;
}

std::string lossText(double share)
{
    const double percent = (share - 1.0) * 100.0;
    if (std::abs(percent) < 0.005)
        return "0\u00a0%";
    return fmt::format("{}{}\u00a0%", percent > 0 ? "+" : "", numberText(percent, 2));
}

std::string factText(const QualityFact& fact)
{
    if (fact.isShare)
        return fmt::format("{} {}", fact.benchmark, lossText(kept(fact)));
    return fmt::format("{} {} → {} ({})", fact.benchmark, numberText(fact.baseline, 4), numberText(fact.value, 4),
                       lossText(kept(fact)));
}

std::string qualityText(const QualityPart& part)
{
    if (part.facts.empty())
        return fmt::format("{}: effect on quality unknown; nothing is published here for this network and format.", part.formats);
    std::vector<std::string> groups;   // one publication each
    for (std::size_t i = 0; i < part.facts.size();) {
        const QualityFact& first = part.facts[i];
        std::vector<std::string> facts;
        for (; i < part.facts.size() && part.facts[i].source == first.source && part.facts[i].checkpoint == first.checkpoint; ++i)
            facts.push_back(factText(part.facts[i]));
        groups.push_back(fmt::format("{} of {}, published by {}{}", listed(facts), first.checkpoint, first.publisher,
                                     first.date.empty() ? "" : ", " + first.date));
    }
    std::string text = part.formats + ": ";
    for (std::size_t i = 0; i < groups.size(); ++i)
        text += (i == 0 ? "" : "; ") + groups[i];
    return text + ".";
}

std::string qualitySummary(const Evaluated& configuration, bool ofCache)
{
    for (const QualityPart& part : qualityOf(configuration))
        if ((part.knob == "precision.kv") == ofCache)
            return partSummary(part);
    return "none";
}

} // namespace ridgepoint
