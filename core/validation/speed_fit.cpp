// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed_fit.h"

#include "core/base/simplex.h"
#include "core/serving/local_runtime.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace ridgepoint {

namespace {

/// What a fit may change.
struct Model
{
    Presets presets;              ///< only the engines change
    OfflineConstants offline;
};

/// A constant by name, with the places that hold it. All hold one value.
struct Parameter
{
    std::string name;
    std::function<std::vector<double*>(Model&)> places;
    double most = 1e30;           ///< as much as it can be, such as the whole bandwidth
    bool severalCards = false;    ///< acts on several cards only: fitted on those, after the others on single ones
};

struct FitRow
{
    std::size_t at = 0;
    SpeedRow row;
    double measured = 0;          ///< speed
    bool reading = false;
};

EngineProfile* engineOf(Model& model, std::string_view id)
{
    for (EngineProfile& engine : model.presets.engines)
        if (engine.id == id)
            return &engine;
    return nullptr;
}

using Wanted = std::function<bool(const RuntimeKernels&)>;

/// One constant of those runtimes of llama.cpp that `wanted` picks.
Parameter ofRuntimes(std::string name, double& (*field)(RuntimeKernels&), Wanted wanted, double most = 1e30, bool severalCards = false)
{
    return {std::move(name), [field, wanted = std::move(wanted)](Model& model) {
                std::vector<double*> places;
                if (EngineProfile* engine = engineOf(model, "llama.cpp"))
                    for (RuntimeKernels& runtime : engine->runtimes)
                        if (wanted(runtime))
                            places.push_back(&field(runtime));
                return places;
            },
            most, severalCards};
}

Parameter ofOffline(std::string name, double& (*field)(OfflineConstants&), double most = 1e30)
{
    return {std::move(name), [field](Model& model) { return std::vector<double*>{&field(model.offline)}; }, most};
}

bool early(const RuntimeKernels& r) { return !r.until.empty(); }
bool nvidia(const RuntimeKernels& r) { return r.vendor == "NVIDIA"; }
bool graphics(const RuntimeKernels& r) { return r.memory == "GDDR"; }
bool apple(const RuntimeKernels& r) { return r.vendor == "Apple"; }
bool firstApple(const RuntimeKernels& r) { return apple(r) && r.name == "Apple M1"; }
bool shared(const RuntimeKernels& r) { return apple(r) || r.memory == "LPDDR"; }

std::vector<Parameter> decodeParameters()
{
    const auto weights = [](RuntimeKernels& r) -> double& { return r.weights; };
    const auto cache = [](RuntimeKernels& r) -> double& { return r.cache; };
    const auto unitWeights = [](RuntimeKernels& r) -> double& { return r.unitWeights.value; };
    const auto unitCache = [](RuntimeKernels& r) -> double& { return r.unitCache.value; };
    const auto layer = [](RuntimeKernels& r) -> double& { return r.layer.value; };
    const auto hop = [](RuntimeKernels& r) -> double& { return r.hop.value; };
    const auto errorCorrection = [](RuntimeKernels& r) -> double& { return r.errorCorrection; };
    return {ofRuntimes("weights, GDDR", weights, [](const RuntimeKernels& r) { return graphics(r); }, 1.0),
            ofRuntimes("weights, shared memory", weights, [](const RuntimeKernels& r) { return shared(r); }, 1.0),
            ofRuntimes("cache, shared memory", cache, [](const RuntimeKernels& r) { return shared(r); }, 1.0),
            ofRuntimes("weights of a unit, HBM [B/s]", unitWeights, [](const RuntimeKernels& r) { return nvidia(r) && r.memory == "HBM"; }),
            ofRuntimes("cache of a unit, NVIDIA, early [B/s]", unitCache, [](const RuntimeKernels& r) { return early(r) && nvidia(r); }),
            ofRuntimes("cache of a unit, Apple, early [B/s]", unitCache, [](const RuntimeKernels& r) { return early(r) && apple(r); }),
            ofRuntimes("error correction", errorCorrection, [](const RuntimeKernels& r) { return nvidia(r) && graphics(r); }, 1.0),
            ofRuntimes("layer, NVIDIA, early [s]", layer, [](const RuntimeKernels& r) { return early(r) && nvidia(r); }),
            ofRuntimes("layer, NVIDIA [s]", layer, [](const RuntimeKernels& r) { return !early(r) && nvidia(r); }),
            ofRuntimes("layer, Apple M1 [s]", layer, [](const RuntimeKernels& r) { return firstApple(r); }),
            ofRuntimes("layer, Apple, early [s]", layer, [](const RuntimeKernels& r) { return early(r) && apple(r) && !firstApple(r); }),
            ofRuntimes("layer, Apple [s]", layer, [](const RuntimeKernels& r) { return !early(r) && apple(r) && !firstApple(r); }),
            ofRuntimes("layer, AMD [s]", layer, [](const RuntimeKernels& r) { return r.vendor == "AMD"; }),
            ofRuntimes("hop [s]", hop, [](const RuntimeKernels& r) { return nvidia(r); })};
}

std::vector<Parameter> promptParameters()
{
    const auto prompt = [](RuntimeKernels& r) -> double& { return r.prompt; };
    const auto quantised = [](RuntimeKernels& r) -> double& { return r.promptQuantised; };
    const auto perJoule = [](RuntimeKernels& r) -> double& { return r.promptPerJoule; };
    const auto attention = [](RuntimeKernels& r) -> double& { return r.promptAttention; };
    const auto unpack = [](RuntimeKernels& r) -> double& { return r.unpack; };
    const auto scores = [](RuntimeKernels& r) -> double& { return r.scoreBytes; };
    const auto layer = [](RuntimeKernels& r) -> double& { return r.promptLayer.value; };
    const auto queued = [](RuntimeKernels& r) -> double& { return r.queuedLayers; };
    const auto queuedQuantised = [](RuntimeKernels& r) -> double& { return r.queuedQuantised; };
    const auto old = [](const RuntimeKernels& r) { return early(r) && nvidia(r); };
    return {ofRuntimes("prompt per joule, 8 nm GDDR [FLOP/J]", perJoule,
                       [](const RuntimeKernels& r) { return nvidia(r) && graphics(r) && r.family == "ampere"; }),
            ofRuntimes("prompt per joule, later GDDR [FLOP/J]", perJoule,
                       [](const RuntimeKernels& r) { return nvidia(r) && graphics(r) && r.family.empty(); }),
            ofRuntimes("prompt per joule, HBM [FLOP/J]", perJoule,
                       [](const RuntimeKernels& r) { return nvidia(r) && r.memory == "HBM"; }),
            ofRuntimes("score traffic [B]", scores, old),
            ofRuntimes("unpacking, GDDR", unpack, [](const RuntimeKernels& r) { return early(r) && nvidia(r) && graphics(r); }, 1.0),
            ofRuntimes("layer while reading, early [s]", layer, old),
            ofRuntimes("layers a card's queue takes", queued, nvidia, 1e30, true),
            ofRuntimes("the same with unpacking", queuedQuantised, old, 1e30, true),
            ofRuntimes("prompt, Apple", prompt, [](const RuntimeKernels& r) { return apple(r); }),
            ofRuntimes("prompt quantised, Apple", quantised, [](const RuntimeKernels& r) { return apple(r); }),
            ofRuntimes("prompt attention, Apple", attention, [](const RuntimeKernels& r) { return apple(r); })};
}

std::vector<Parameter> offlineParameters()
{
    return {ofOffline("compute", [](OfflineConstants& c) -> double& { return c.compute; }),
            ofOffline("experts", [](OfflineConstants& c) -> double& { return c.experts; }),
            ofOffline("expert memory", [](OfflineConstants& c) -> double& { return c.expertMemory; }),
            ofOffline("unfused experts", [](OfflineConstants& c) -> double& { return c.unfusedExperts; }),
            ofOffline("attention", [](OfflineConstants& c) -> double& { return c.attention; }),
            ofOffline("links", [](OfflineConstants& c) -> double& { return c.links; }),
            ofOffline("layer [s]", [](OfflineConstants& c) -> double& { return c.layer.value; }),
            ofOffline("expert layer [s]", [](OfflineConstants& c) -> double& { return c.expertLayer.value; }),
            ofOffline("step [s]", [](OfflineConstants& c) -> double& { return c.step.value; }),
            ofOffline("sequence [s]", [](OfflineConstants& c) -> double& { return c.sequence.value; }),
            ofOffline("early", [](OfflineConstants& c) -> double& { return c.early; }),
            ofOffline("amd", [](OfflineConstants& c) -> double& { return c.amd; }),
            ofOffline("generic", [](OfflineConstants& c) -> double& { return c.generic; })};
}

std::optional<double> predicted(const FitRow& one, const Model& model)
{
    const SpeedAnswer answer = answerSpeed(one.row, model.presets, model.offline,
                                           one.reading ? SpeedPart::reading : one.row.kind == SpeedKind::decode ? SpeedPart::writing : SpeedPart::all);
    return !answer.problem.empty() ? std::nullopt : one.reading ? answer.input : answer.output;
}

double loss(const std::vector<const FitRow*>& rows, const Model& model)
{
    double sum = 0.0;
    for (const FitRow* one : rows)
        if (const std::optional<double> value = predicted(*one, model); value && *value > 0.0)
            sum += std::min(1.0, std::abs(std::log(*value / one->measured)));
    return sum;
}

void fitPart(const std::vector<const Parameter*>& parameters, const std::vector<const FitRow*>& rows, Model& model, int steps)
{
    std::vector<std::vector<double*>> places;
    std::vector<double> start;
    std::vector<double> most;
    for (const Parameter* parameter : parameters) {
        most.push_back(parameter->most);
        places.push_back(parameter->places(model));
        start.push_back(places.back().empty() ? 0.0 : std::log(std::max(1e-12, *places.back().front())));
    }
    const auto put = [&](const std::vector<double>& values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            for (double* place : places[i])
                *place = std::min(most[i], std::exp(values[i]));
    };
    put(minimumBySimplex([&](const std::vector<double>& values) { put(values); return loss(rows, model); }, start, 0.1, steps));
}

/// Fits the parameters from where the model stands. Where some act on several cards only, what single cards do comes first, so
/// that a host that feeds several of them badly does not change what one card is said to do.
void fit(const std::vector<Parameter>& parameters, const std::vector<const FitRow*>& rows, Model& model, int steps)
{
    const bool apart = std::any_of(parameters.begin(), parameters.end(), [](const Parameter& one) { return one.severalCards; });
    for (const bool several : {false, true}) {
        std::vector<const Parameter*> chosen;
        for (const Parameter& parameter : parameters)
            if (parameter.severalCards == several)
                chosen.push_back(&parameter);
        std::vector<const FitRow*> part;
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(part),
                     [&](const FitRow* one) { return !apart || (one->row.devices > 1) == several; });
        if (!chosen.empty() && !part.empty())
            fitPart(chosen, part, model, steps);
    }
}

/// The value below which a share of them lies.
double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    const double at = share * double(values.size() - 1);
    const std::size_t below = std::size_t(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - double(below)) * (values[above] - values[below]);
}

/// Rows that share a band: those on one entry of the engine's kernels; of servers those with or without experts.
std::string bandClass(const FitRow& one, const Presets& presets, bool experts)
{
    const EngineProfile* engine = findEngine(presets, one.row.engineId);
    const RuntimeKernels* runtime = engine ? runtimeFor(*engine, *one.row.device, one.row.date) : nullptr;
    if (!runtime)
        return experts ? "experts" : "dense";
    std::string name;
    for (const std::string& part : {runtime->vendor, runtime->category, runtime->memory, runtime->name})
        if (!part.empty())
            name += (name.empty() ? "" : " ") + part;
    return name + (runtime->until.empty() ? "" : ", before " + runtime->until);
}

SpeedFit fitOne(std::string what, const std::vector<Parameter>& parameters, const std::vector<FitRow>& rows,
                const Presets& presets, const CsvTable& table, const Model& before)
{
    SpeedFit result;
    result.what = std::move(what);
    std::vector<const FitRow*> all;
    std::set<std::string> devices;
    for (const FitRow& one : rows) {
        devices.insert(one.row.device->id);
        if (one.row.setAside.empty())
            all.push_back(&one);
    }
    result.devices = devices.size();
    Model model = before;
    for (int round = 0; round < 3; ++round)
        fit(parameters, all, model, 250);
    Model shipped;
    shipped.presets.engines = presets.engines;
    for (const Parameter& parameter : parameters) {
        FittedConstant constant{.name = parameter.name};
        const auto was = parameter.places(shipped), is = parameter.places(model);
        if (is.empty() || was.empty())
            continue;
        constant.shipped = *was.front();
        constant.fitted = constant.low = constant.high = *is.front();
        result.constants.push_back(std::move(constant));
    }
    std::map<std::string, std::vector<double>> ratios;
    std::map<std::string, std::set<std::string>> behind;
    for (const std::string& device : devices) {
        Model without = model;
        std::vector<const FitRow*> others;
        for (const FitRow& one : rows)
            if (one.row.device->id != device && one.row.setAside.empty())
                others.push_back(&one);
        fit(parameters, others, without, 120);
        std::size_t i = 0;
        for (const Parameter& parameter : parameters)
            if (const auto is = parameter.places(without); !is.empty()) {
                result.constants[i].low = std::min(result.constants[i].low, *is.front());
                result.constants[i].high = std::max(result.constants[i].high, *is.front());
                ++i;
            }
        for (const FitRow& one : rows) {
            if (one.row.device->id != device)
                continue;
            Prediction p;
            p.id = std::string(table.text(one.at, "id"));
            p.quantity = "throughput";
            p.unit = "tokens/s";
            p.value = predicted(one, without);
            p.measured = one.measured;
            const bool experts = std::any_of(one.row.network->layers.begin(), one.row.network->layers.end(),
                                             [](const LayerGroup& g) { return g.feedForward.isMixture(); });
            p.groups = {{"scenario", one.row.kind == SpeedKind::decode ? "decode" : one.reading ? "prompt" : "offline"},
                        {"engine", one.row.engineId},
                        {"use", one.row.setAside.empty() ? "usable" : "set aside: " + std::string(one.row.setAside)},
                        {"cards", one.row.devices == 1 ? "one" : "several"}, {"device", device}, {"network", one.row.network->id}, {"layers", experts ? "experts" : "dense"}};
            if (p.value && *p.value > 0.0 && one.row.setAside.empty()) {
                const std::string kernels = bandClass(one, presets, experts);
                ratios[kernels].push_back(one.measured / *p.value);
                behind[kernels].insert(device);
            }
            result.leftOut.push_back(std::move(p));
        }
    }
    for (auto& [name, values] : ratios)
        result.bands.push_back({.name = name, .rows = values.size(), .devices = behind[name].size(),
                                .low = quantile(values, 0.1), .high = quantile(values, 0.9)});
    return result;
}

} // namespace

Result<std::vector<SpeedFit>> fitSpeed(const CsvTable& table, const Presets& presets)
{
    const PresetNames names(presets);
    std::vector<FitRow> decode, prompt, offline;
    for (std::size_t at = 0; at < table.rows.size(); ++at) {
        FitRow one{.at = at, .row = readSpeedRow(table, at, names)};
        const SpeedRow& row = one.row;
        if (!row.problem.empty())
            continue;
        const std::optional<double> written = table.number(at, "output_throughput_tok_per_s");
        const std::optional<double> read = table.number(at, "input_throughput_tok_per_s");
        const bool local = row.engineId == "llama.cpp" && row.device->category == "gpu" && row.batch == 1.0;
        if (local && row.kind == SpeedKind::decode && written && *written > 0.0) {
            one.measured = *written;
            decode.push_back(one);
        } else if (local && row.kind == SpeedKind::prompt && read && *read > 0.0) {
            one.measured = *read;
            one.reading = true;
            prompt.push_back(one);
        } else if (row.kind == SpeedKind::offline && !row.server && !row.interactive && written && *written > 0.0) {
            one.measured = *written;
            offline.push_back(one);
        }
    }
    if (decode.empty() && prompt.empty() && offline.empty())
        return fail(table.file + ": no row holds a measured speed that a constant can be fitted to");
    Model model;
    model.presets.engines = presets.engines;
    std::vector<SpeedFit> fits;
    if (!decode.empty())
        fits.push_back(fitOne("llama.cpp, writing", decodeParameters(), decode, presets, table, model));
    if (!prompt.empty())
        fits.push_back(fitOne("llama.cpp, reading", promptParameters(), prompt, presets, table, model));
    if (!offline.empty())
        fits.push_back(fitOne("saturated servers", offlineParameters(), offline, presets, table, model));
    return fits;
}

} // namespace ridgepoint
