// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/serving_calibration.h"

#include "core/scenario/serving_setup.h"
#include "core/validation/serving_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace ridgepoint {

namespace {

constexpr std::size_t folds = 5;
constexpr double ttftWeight = 1.0;
constexpr std::size_t fewestRows = 30;

/// A time and how it moves with the constants. [s], [s/s]
struct Linear
{
    double value = 0, host = 0, kernel = 0;
};

struct FitRow
{
    ServingRow row;
    Linear tpot, ttft;
    double measuredTpot = 0, measuredTtft = 0;   ///< [s]; 0: not there
    std::string engine, network, device;
    bool separate = false, aggregated = true, dense = false, dataParallel = false;
};

double seconds(const std::optional<double>& milliseconds)
{
    return milliseconds && *milliseconds > 0 ? *milliseconds * 1e-3 : 0.0;
}

std::string groupOf(const ServingRow& row, std::string_view key)
{
    for (const auto& [name, value] : row.groups)
        if (name == key)
            return value;
    return {};
}

/// Predictions of a row around the presets' constants; empty when it cannot be predicted.
std::optional<FitRow> priced(ServingRow row)
{
    constexpr double hostStep = 0.3e-3, kernelStep = 10e-6;
    const auto run = [&](double host, double kernel) {
        Scenario s = row.scenario;
        s.engine.hostPerStep += Seconds{host};
        s.engine.hostPerPrefillKernel += Seconds{kernel};
        return simulateScenario(s);
    };
    const Result<Simulation> base = run(0, 0), host = run(hostStep, 0), kernel = run(0, kernelStep);
    if (!base || !host || !kernel)
        return std::nullopt;
    const auto linear = [&](double a, double b, double c) {
        return Linear{.value = a, .host = (b - a) / hostStep, .kernel = (c - a) / kernelStep};
    };
    FitRow fit;
    fit.tpot = linear(base->tpot.mean, host->tpot.mean, kernel->tpot.mean);
    fit.ttft = linear(base->ttft.mean, host->ttft.mean, kernel->ttft.mean);
    const Scenario& s = row.scenario;
    fit.engine = s.engine.id;
    fit.network = groupOf(row, "model");
    fit.device = s.system.device.id;
    fit.separate = s.engine.stepForming == StepForming::prefillAlone;
    fit.aggregated = !s.prefillPool;
    fit.dense = groupOf(row, "kind") == "dense";
    fit.dataParallel = s.plan.attentionData > 1;
    fit.row = std::move(row);
    return fit;
}

/// Changes of the constants against the presets.
using Change = ServingConstants;

double moved(const Linear& time, const FitRow& row, const Change& change)
{
    return time.value + time.host * (change.host + (row.separate ? change.separateHost : 0.0)) +
           time.kernel * change.prefillKernel;
}

double tpotOf(const FitRow& row, const Change& change)
{
    return moved(row.tpot, row, change);
}

double ttftOf(const FitRow& row, const Change& change)
{
    const auto base = change.firstToken.find(row.engine);
    return moved(row.ttft, row, change) + (base == change.firstToken.end() ? 0.0 : base->second);
}

/// As it is reported.
double relativeError(double predicted, double measured)
{
    return measured > 0.0 ? std::abs(predicted / measured - 1.0) : 0.0;
}

double lossOf(const std::vector<const FitRow*>& rows, const Change& change)
{
    double loss = 0;
    for (const FitRow* row : rows)
        loss += relativeError(tpotOf(*row, change), row->measuredTpot) +
                ttftWeight * relativeError(ttftOf(*row, change), row->measuredTtft);
    return loss;
}

/// Constants of the presets that the rows use, to which changes are added.
ServingConstants presetConstants(const std::vector<FitRow>& rows)
{
    ServingConstants c;
    double together = -1, apart = -1;
    for (const FitRow& row : rows) {
        const EngineProfile& engine = row.row.scenario.engine;
        (row.separate ? apart : together) = engine.hostPerStep.value;
        c.prefillKernel = engine.hostPerPrefillKernel.value;
        c.firstToken[row.engine] = engine.firstTokenBase.value;
    }
    c.host = std::max(0.0, together >= 0 ? together : apart);
    c.separateHost = apart >= 0 && together >= 0 ? apart - together : 0.0;
    return c;
}

/// Pattern search: each constant in turn is moved by a step that is halved when nothing helps. None falls below zero.
Change fitted(const std::vector<const FitRow*>& rows, const ServingConstants& presets)
{
    Change change;
    struct Coordinate
    {
        double* value;
        double preset, step;
    };
    std::vector<Coordinate> coordinates{{&change.host, presets.host, 0.2e-3},
                                        {&change.separateHost, presets.separateHost, 0.4e-3},
                                        {&change.prefillKernel, presets.prefillKernel, 10e-6}};
    std::set<std::string> engines;
    for (const FitRow* row : rows)
        if (row->measuredTtft > 0)
            engines.insert(row->engine);
    for (const std::string& engine : engines)
        coordinates.push_back({&change.firstToken[engine], presets.firstToken.at(engine), 20e-3});
    double best = lossOf(rows, change);
    for (int halving = 0; halving < 9;) {
        bool better = false;
        for (Coordinate& c : coordinates)
            for (const double sign : {1.0, -1.0}) {
                const double before = *c.value;
                *c.value = std::max(before + sign * c.step, -c.preset);
                const double loss = lossOf(rows, change);
                if (loss < best - 1e-9) {
                    best = loss;
                    better = true;
                    break;
                }
                *c.value = before;
            }
        if (better)
            continue;
        ++halving;
        for (Coordinate& c : coordinates)
            c.step /= 2;
    }
    return change;
}

/// Adds what two sets of predictions are off.
struct Collected
{
    std::vector<Prediction> tpot, ttft;

    void add(const FitRow& row, double tpotSeconds, double ttftSeconds)
    {
        const auto one = [](double value, double measured) {
            Prediction p;
            p.value = value;
            p.measured = measured;
            return p;
        };
        if (row.measuredTpot > 0)
            tpot.push_back(one(tpotSeconds, row.measuredTpot));
        if (row.measuredTtft > 0)
            ttft.push_back(one(ttftSeconds, row.measuredTtft));
    }

    [[nodiscard]] SplitAccuracy accuracy(std::string name) const
    {
        const auto of = [](const std::vector<Prediction>& list) {
            std::vector<const Prediction*> pointers;
            for (const Prediction& one : list)
                pointers.push_back(&one);
            return accuracyOf(pointers);
        };
        const auto spread = [](const std::vector<Prediction>& list) {
            double sum = 0, squares = 0;
            for (const Prediction& one : list) {
                const double log = std::log(*one.measured / std::max(1e-12, *one.value));
                sum += log;
                squares += log * log;
            }
            const double n = std::max<double>(1.0, double(list.size()));
            return std::sqrt(std::max(0.0, squares / n - sum * sum / n / n));
        };
        return {std::move(name), of(tpot), of(ttft), spread(tpot), spread(ttft)};
    }
};

std::size_t foldOf(const std::string& text)
{
    std::uint64_t hash = 1469598103934665603ull;   // FNV-1a
    for (const char c : text)
        hash = (hash ^ std::uint64_t(static_cast<unsigned char>(c))) * 1099511628211ull;
    return std::size_t((hash >> 20) % folds);
}

/// Fits on all rows but those of one group, for each group in turn.
std::vector<Change> leaveOut(const std::vector<const FitRow*>& rows, const ServingConstants& presets,
                             const std::function<std::string(const FitRow&)>& group,
                             std::map<std::string, Change>& changes)
{
    std::vector<Change> list;
    for (const FitRow* row : rows)
        if (!changes.contains(group(*row)))
            changes[group(*row)] = {};
    for (auto& [name, change] : changes) {
        std::vector<const FitRow*> kept;
        for (const FitRow* row : rows)
            if (group(*row) != name)
                kept.push_back(row);
        if (!kept.empty())
            change = fitted(kept, presets);
        list.push_back(change);
    }
    return list;
}

/// The columns without which no run can be fitted to are there, and their cells are what they have to be.
Result<void> checkTable(const CsvTable& table)
{
    std::string missing;
    for (const std::string_view column : {"system", "backend", "model", "isl_tokens", "osl_tokens", "concurrency", "tpot_ms"})
        if (!table.has(column) && !(column == "model" && table.has("checkpoint")))
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", column);
    if (!missing.empty())
        return fail(fmt::format("{} has no column {}; constants are fitted to runs with system, backend, model, isl_tokens, "
                                "osl_tokens, concurrency and tpot_ms, and ttft_ms where it was measured", table.file, missing));
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (const std::string_view column : {"isl_tokens", "osl_tokens", "concurrency", "tpot_ms", "ttft_ms"}) {
            const std::string_view cell = table.text(i, column);
            const std::optional<double> value = table.number(i, column);
            if (!cell.empty() && (!value || *value <= 0.0))
                return fail(fmt::format("{}:{}: column {} is \"{}\"; it must be a number above 0, or empty where nothing was "
                                        "measured", table.file, table.lines[i], column, cell));
        }
    return {};
}

/// Why most of the runs that are left out are.
std::string commonest(const std::map<std::string, std::size_t>& reasons)
{
    const auto most = std::max_element(reasons.begin(), reasons.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == reasons.end() ? std::string()
                                 : fmt::format("; of the others {} are left out because: {}", most->second, most->first);
}

std::vector<FitRow> pricedRows(const CsvTable& table, const Presets& presets, std::map<std::string, std::size_t>& reasons)
{
    const PresetNames names(presets);
    std::vector<FitRow> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const std::string_view tier = table.text(i, "tier");
        if (!tier.empty() && tier != "A" && tier != "B") {
            ++reasons["their tier is neither A nor B"];
            continue;
        }
        Result<ServingRow> row = servingRow(table, i, presets, names);
        if (!row) {
            ++reasons[row.error().text()];
            continue;
        }
        std::optional<FitRow> fit = priced(std::move(*row));
        if (!fit) {
            ++reasons["the network and one request do not fit on the devices of the plan"];
            continue;
        }
        fit->measuredTpot = seconds(table.number(i, "tpot_ms"));
        if (table.number(i, "length_range_ratio"))
            fit->measuredTtft = seconds(table.number(i, "ttft_ms"));
        rows.push_back(std::move(*fit));
    }
    return rows;
}

/// The factor that other configurations of the same deployment ask for, 1 without any.
struct Deployments
{
    struct Entry
    {
        const FitRow* row;
        double tpot, ttft;   ///< log(measured / predicted), and whether there is a TTFT
    };
    std::map<std::string, std::vector<Entry>> entries;

    [[nodiscard]] std::pair<double, double> factors(const FitRow& row) const
    {
        double tpot = 0, ttft = 0;
        int tpots = 0, ttfts = 0;
        for (const Entry& other : entries.at(row.row.deployment)) {
            if (other.row->row.configuration == row.row.configuration)
                continue;
            tpot += other.tpot;
            ++tpots;
            if (other.row->measuredTtft > 0) {
                ttft += other.ttft;
                ++ttfts;
            }
        }
        return {tpots > 0 ? std::exp(tpot / tpots) : 1.0, ttfts > 0 ? std::exp(ttft / ttfts) : 1.0};
    }
};

} // namespace

Result<ServingCalibration> calibrateServing(const CsvTable& table, const Presets& presets)
{
    if (const Result<void> checked = checkTable(table); !checked)
        return fail(checked.error());
    std::map<std::string, std::size_t> reasons;
    const std::vector<FitRow> all = pricedRows(table, presets, reasons);
    std::vector<const FitRow*> rows;
    for (const FitRow& row : all)
        if (row.aggregated)
            rows.push_back(&row);
    if (rows.size() < fewestRows)
        return fail(fmt::format("{} holds {} aggregated runs that can be predicted, of {} rows; constants are fitted to {} or "
                                "more{}", table.file, rows.size(), table.rows.size(), fewestRows, commonest(reasons)));

    ServingCalibration result;
    const ServingConstants preset = presetConstants(all);
    const Change change = fitted(rows, preset);
    result.constants = preset;
    result.constants.host += change.host;
    result.constants.separateHost += change.separateHost;
    result.constants.prefillKernel += change.prefillKernel;
    for (const auto& [engine, base] : change.firstToken)
        result.constants.firstToken[engine] += base;

    const auto isDense = [](const FitRow& row) { return row.dense; };
    const auto isMixture = [](const FitRow& row) { return !row.dense; };
    using Filter = std::function<bool(const FitRow&)>;
    const auto collect = [&](const std::string& name, const Filter& filter, const auto& changeOf) {
        Collected some;
        for (const FitRow* row : rows)
            if (!filter || filter(*row))
                some.add(*row, tpotOf(*row, changeOf(*row)), ttftOf(*row, changeOf(*row)));
        result.splits.push_back(some.accuracy(name));
        return some;
    };
    const auto three = [&](const std::string& name, const auto& changeOf) {
        collect(name, {}, changeOf);
        collect("  dense", isDense, changeOf);
        collect("  mixture of experts", isMixture, changeOf);
    };
    three("presets as shipped", [](const FitRow&) { return Change{}; });
    three("fitted on the same rows", [&](const FitRow&) { return change; });

    std::vector<Change> spread;
    const auto leave = [&](const std::string& name, const std::function<std::string(const FitRow&)>& group) {
        std::map<std::string, Change> changes;
        const std::vector<Change> list = leaveOut(rows, preset, group, changes);
        spread.insert(spread.end(), list.begin(), list.end());
        three(name, [&](const FitRow& row) { return changes.at(group(row)); });
        return changes;
    };
    const auto fold = [](const FitRow& row) { return std::to_string(foldOf(row.row.configuration)); };
    const std::map<std::string, Change> byFold = leave("configurations left out, 5 folds", fold);
    spread.clear();
    leave("one network left out", [](const FitRow& row) { return row.network; });
    leave("one device left out", [](const FitRow& row) { return row.device; });

    // Out of fold, with the factor that other configurations of the deployment ask for.
    Deployments deployments;
    for (const FitRow* row : rows) {
        const Change& own = byFold.at(fold(*row));
        const double tpot = row->measuredTpot > 0 ? std::log(row->measuredTpot / tpotOf(*row, own)) : 0.0;
        const double ttft = row->measuredTtft > 0 ? std::log(row->measuredTtft / ttftOf(*row, own)) : 0.0;
        deployments.entries[row->row.deployment].push_back({row, tpot, ttft});
    }
    Collected calibrated;
    for (const FitRow* row : rows) {
        const auto [tpot, ttft] = deployments.factors(*row);
        const Change& own = byFold.at(fold(*row));
        calibrated.add(*row, tpotOf(*row, own) * tpot, ttftOf(*row, own) * ttft);
    }
    result.splits.push_back(calibrated.accuracy("calibrated with other configurations of the deployment"));

    Collected pools, ranks;
    for (const FitRow& row : all) {
        if (!row.aggregated)
            pools.add(row, tpotOf(row, change), ttftOf(row, change));
        else if (row.dataParallel)
            ranks.add(row, tpotOf(row, change), ttftOf(row, change));
    }
    result.splits.push_back(ranks.accuracy("attention data parallel"));
    result.splits.push_back(pools.accuracy("disaggregated, never fitted"));

    std::map<std::string, Collected> engines;
    for (const FitRow* row : rows)
        engines[row->engine].add(*row, tpotOf(*row, byFold.at(fold(*row))), ttftOf(*row, byFold.at(fold(*row))));
    for (const auto& [engine, some] : engines)
        result.engines.emplace_back(engine, some.accuracy(engine));

    const auto range = [&](std::string name, double value, const auto& part, double start) {
        ConstantRange one{std::move(name), value, value, value};
        for (const Change& other : spread) {
            const double constant = start + part(other);
            one.low = std::min(one.low, constant);
            one.high = std::max(one.high, constant);
        }
        result.ranges.push_back(std::move(one));
    };
    const ServingConstants& c = result.constants;
    range("host work per step", c.host, [](const Change& x) { return x.host; }, preset.host);
    range("more of it where prompts have their own steps", c.separateHost,
          [](const Change& x) { return x.separateHost; }, preset.separateHost);
    range("per kernel in a step with prefill", c.prefillKernel, [](const Change& x) { return x.prefillKernel; },
          preset.prefillKernel);
    for (const auto& [engine, value] : c.firstToken) {
        const auto part = [&](const Change& x) {
            const auto found = x.firstToken.find(engine);
            return found == x.firstToken.end() ? value - preset.firstToken.at(engine) : found->second;
        };
        range("first token, " + engine, value, part, preset.firstToken.at(engine));
    }
    return result;
}

} // namespace ridgepoint
