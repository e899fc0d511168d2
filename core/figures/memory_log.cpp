// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/memory_log.h"

#include "core/base/unit_text.h"

#include <array>
#include <fmt/format.h>

namespace ridgepoint {
namespace {

struct Part
{
    std::string_view name, key;
    Tone tone;
    Bytes Footprint::* predicted;
    std::optional<Bytes> EngineLog::* logged;
};
constexpr std::array parts{
    Part{"Weights", "weights", Tone::weights, &Footprint::weights, &EngineLog::weights},
    Part{"Runtime", "runtime", Tone::host, &Footprint::runtime, &EngineLog::runtime},
    Part{"Activations", "activations", Tone::activations, &Footprint::activations, &EngineLog::activations},
    Part{"KV pool", "kv_cache", Tone::kvCache, &Footprint::kvPool, &EngineLog::pool},
    Part{"Graphs", "graphs", Tone::host, &Footprint::graphs, &EngineLog::graphs},
};

void add(Bar& bar, std::string_view name, std::string_view key, Tone tone, Bytes bytes, double unit)
{
    if (bytes.value > 0)
        bar.parts.push_back({std::string(name), std::string(key), tone, bytes.value / unit});
}

} // namespace

Figure memoryLogFigure(const Evaluated& configuration, std::size_t column, const EngineLog* log, const Definitions& definitions)
{
    const std::optional<Footprint>& f = configuration.report.footprint;
    BarFigure figure;
    figure.id = "memory_log";
    figure.title = "Memory of one device";
    figure.subtitle = "the fullest one";
    const double unit = memoryUnit(definitions);
    figure.value.label = fmt::format("Memory per device ({})", memoryUnitName(definitions));
    figure.value.minimum = 0.0;
    Bar predicted{.name = "Predicted", .configuration = int(column), .parts = {}, .totalLabel = {}, .note = {}};
    if (!f) {
        predicted.note = verdictText(configuration.report, definitions);
        figure.bars.push_back(std::move(predicted));
        figure.description = "This plan has no ledger.";
        return figure;
    }
    figure.value.maximum = f->visible.value / unit;
    for (const Part& part : parts)
        add(predicted, part.name, part.key, part.tone, (*f).*part.predicted, unit);
    add(predicted, "Engine reserve", "reserve", Tone::reserve, f->reserve, unit);
    predicted.totalLabel = numberText(f->visible.value / unit) + " predicted";
    figure.description = fmt::format("Predicted: {} of weights and {} of KV pool in {}.", memoryText(f->weights, definitions),
                                     memoryText(f->kvPool, definitions), memoryText(f->visible, definitions));
    figure.bars.push_back(std::move(predicted));
    if (log == nullptr)
        return figure;
    Bar logged{.name = "Engine log", .configuration = int(column), .parts = {}, .totalLabel = {}, .note = {}};
    Bytes named;
    for (const Part& part : parts)
        if (const std::optional<Bytes>& bytes = (*log).*part.logged) {
            add(logged, part.name, part.key, part.tone, *bytes, unit);
            named += *bytes;
        }
    // SGLang's own figure is what was free before the weights, so the device is as predicted.
    const Bytes whole = log->engine == LogEngine::vllm && log->visible ? *log->visible : f->visible;
    add(logged, "Not named in the log", "unnamed", Tone::reserve, whole - named, unit);
    logged.totalLabel = numberText(std::max(whole, named).value / unit) + " in the log";
    figure.value.maximum = std::max(*figure.value.maximum, std::max(whole, named).value / unit);
    figure.description += fmt::format(" The log names {} of {}.", memoryText(named, definitions), memoryText(whole, definitions));
    figure.bars.push_back(std::move(logged));
    return figure;
}

} // namespace ridgepoint
