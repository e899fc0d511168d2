// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/layer_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ridgepoint {

namespace {

/// Where decoder layers live in the checkpoints of the known architectures.
constexpr std::array<std::string_view, 3> layerPrefixes{"model.", "model.language_model.", "language_model.model."};

/// The names one stored matrix goes by, in checkpoints and in engines that fuse it with its neighbours.
using Names = std::vector<std::string_view>;

struct Part
{
    Format LayerFormats::* format;
    bool experts = false;
    std::vector<Names> modules;
};

void addAttention(const Attention& attention, std::vector<Part>& parts)
{
    switch (attention.kind) {
    case AttentionKind::grouped:
        parts.push_back({&LayerFormats::attention,
                         false,
                         {{"self_attn.q_proj", "self_attn.qkv_proj"},
                          {"self_attn.k_proj", "self_attn.qkv_proj"},
                          {"self_attn.v_proj", "self_attn.qkv_proj"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"self_attn.o_proj"}}});
        break;
    case AttentionKind::latent:
        if (attention.queryRank > 0)
            parts.push_back({&LayerFormats::attention,
                             false,
                             {{"self_attn.q_a_proj", "self_attn.fused_qkv_a_proj"},
                              {"self_attn.q_b_proj"},
                              {"self_attn.kv_a_proj_with_mqa", "self_attn.fused_qkv_a_proj"}}});
        else
            parts.push_back(
                {&LayerFormats::attention, false, {{"self_attn.q_proj"}, {"self_attn.kv_a_proj_with_mqa"}}});
        parts.push_back({&LayerFormats::latentUp, false, {{"self_attn.kv_b_proj"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"self_attn.o_proj"}}});
        if (attention.indexHeads > 0)
            parts.push_back({&LayerFormats::indexer, false, {{"self_attn.indexer.wq_b"}, {"self_attn.indexer.wk"}}});
        break;
    case AttentionKind::linear:
        parts.push_back({&LayerFormats::attention,
                         false,
                         {{"linear_attn.in_proj_qkv", "linear_attn.in_proj_qkvz"},
                          {"linear_attn.in_proj_z", "linear_attn.in_proj_qkvz"}}});
        parts.push_back({&LayerFormats::attentionOutput, false, {{"linear_attn.out_proj"}}});
        break;
    }
}

std::vector<Part> partsOf(const LayerGroup& layer)
{
    std::vector<Part> parts;
    addAttention(layer.attention, parts);
    if (!layer.feedForward.isMixture()) {
        parts.push_back(
            {&LayerFormats::dense,
             false,
             {{"mlp.gate_proj", "mlp.gate_up_proj"}, {"mlp.up_proj", "mlp.gate_up_proj"}, {"mlp.down_proj"}}});
        return parts;
    }
    parts.push_back({&LayerFormats::experts,
                     true,
                     {{"mlp.experts.0.gate_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w1"},
                      {"mlp.experts.0.up_proj", "mlp.experts.gate_up_proj", "block_sparse_moe.experts.0.w3"},
                      {"mlp.experts.0.down_proj", "mlp.experts.down_proj", "block_sparse_moe.experts.0.w2"}}});
    if (layer.feedForward.sharedWidth > 0)
        parts.push_back({&LayerFormats::shared,
                         false,
                         {{"mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj"},
                          {"mlp.shared_experts.up_proj", "mlp.shared_expert.up_proj"},
                          {"mlp.shared_experts.down_proj", "mlp.shared_expert.down_proj"}}});
    return parts;
}

/// The names of one module of layer `index`, in full.
std::vector<std::string> fullNames(const Names& names, int index)
{
    std::vector<std::string> full;
    for (const std::string_view prefix : layerPrefixes)
        for (const std::string_view name : names)
            full.push_back(fmt::format("{}layers.{}.{}", prefix, index, name));
    return full;
}

/// The rules of a recipe with the patterns that can reach one layer.
struct LayerRecipe
{
    LayerRecipe(const QuantizationRecipe& recipe, int index)
    {
        const auto select = [&](const std::vector<NamePattern>& all) {
            std::vector<const NamePattern*> some;
            for (const NamePattern& pattern : all)
                if (pattern.layer() < 0 || pattern.layer() == index)
                    some.push_back(&pattern);
            return some;
        };
        ignored = select(recipe.ignored);
        for (const QuantizationRecipe::Rule& rule : recipe.rules)
            rules.emplace_back(&rule, select(rule.targets));
    }

    [[nodiscard]] Format formatOf(const std::vector<std::string>& names, Format base) const
    {
        const auto hit = [&](const NamePattern* pattern) {
            return std::any_of(names.begin(), names.end(),
                               [&](const std::string& name) { return pattern->matches(name); });
        };
        if (std::any_of(ignored.begin(), ignored.end(), hit))
            return base;
        for (const auto& [rule, targets] : rules)
            if (rule->everything || std::any_of(targets.begin(), targets.end(), hit))
                return rule->weights;
        return base;
    }

    std::vector<const NamePattern*> ignored;
    std::vector<std::pair<const QuantizationRecipe::Rule*, std::vector<const NamePattern*>>> rules;
};

} // namespace

Result<LayerFormats> formatsOf(const QuantizationRecipe& recipe, const LayerGroup& layer, int index, Format base)
{
    LayerFormats formats{base, base, base, base, base, base, base, base};
    const LayerRecipe here(recipe, index);
    for (const Part& part : partsOf(layer)) {
        if (recipe.expertsOnly && !part.experts)
            continue;
        std::optional<Format> first;
        for (const Names& names : part.modules) {
            const Format format = here.formatOf(fullNames(names, index), base);
            if (first && format != *first)
                return fail(
                    Error{.message = fmt::format("stores {} of layer {} as {} and {} as {}; modules of one kind "
                                                 "need one format",
                                                 part.modules.front().front(), index, idOf(*first), names.front(),
                                                 idOf(format)),
                          .file = recipe.file,
                          .line = 0,
                          .column = 0,
                          .pointer = recipe.pointer});
            first = format;
        }
        formats.*part.format = first.value_or(base);
    }
    return formats;
}

Result<void> checkPatterns(const QuantizationRecipe& recipe, int layers)
{
    constexpr double mostWork = 1e8;   // comparisons, about a second; the largest known recipe takes a seventh
    constexpr double namesPerLayer = 60;
    constexpr double modulesPerLayer = 12;
    double work = 0;
    const auto check = [&](const NamePattern& pattern) -> Result<void> {
        if (pattern.layer() >= 0)   // all other layers are told apart by their number
            work += pattern.work() * namesPerLayer + modulesPerLayer * layers;
        else
            work += pattern.work() * namesPerLayer * layers;
        const bool known =
            pattern.layer() < 0 || pattern.prefix().empty() || pattern.prefix().starts_with("mtp.") ||
            std::find(layerPrefixes.begin(), layerPrefixes.end(), pattern.prefix()) != layerPrefixes.end() ||
            pattern.prefix().find("vision") != std::string::npos ||
            pattern.prefix().find("visual") != std::string::npos || pattern.prefix().find("audio") != std::string::npos;
        if (!known)
            return fail(
                Error{.message = fmt::format("names {}; layers are known under {}",
                                             shown(nlohmann::json(pattern.text())), fmt::join(layerPrefixes, ", ")),
                      .file = recipe.file,
                      .line = 0,
                      .column = 0,
                      .pointer = recipe.pointer});
        if (work > mostWork)
            return fail(Error{.message = "names too many modules; list whole layers with * instead",
                              .file = recipe.file,
                              .line = 0,
                              .column = 0,
                              .pointer = recipe.pointer});
        return {};
    };
    for (const NamePattern& pattern : recipe.ignored)
        if (Result<void> result = check(pattern); !result)
            return result;
    for (const QuantizationRecipe::Rule& rule : recipe.rules)
        for (const NamePattern& pattern : rule.targets)
            if (Result<void> result = check(pattern); !result)
                return result;
    return {};
}

} // namespace ridgepoint
