// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/report_text.h"
#include "app/cli/text_table.h"
#include "core/io/csv_table.h"
#include "core/io/text_file.h"
#include "core/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

volatile std::sig_atomic_t interrupted = 0;

/// Runs a sweep with its progress on a terminal; Ctrl+C ends it and keeps what is done.
SweepResult runVisibly(const Sweep& sweep, const Presets& presets)
{
    using namespace std::chrono_literals;
    std::stop_source stop;
    std::atomic<std::size_t> progress = 0;
    std::atomic<bool> finished = false;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    interrupted = 0;
    const auto before = std::signal(SIGINT, [](int) { interrupted = 1; });
    std::jthread watch([&] {
        const auto begun = std::chrono::steady_clock::now();
        bool shown = false;
        while (!finished) {
            std::this_thread::sleep_for(20ms);
            if (interrupted != 0)
                stop.request_stop();
            if (terminal && std::chrono::steady_clock::now() - begun > 500ms) {
                fmt::print(stderr, "\r{} of {}", progress.load(), sweep.size());
                shown = true;
            }
        }
        if (shown)
            fmt::print(stderr, "\r{:40}\r", "");
    });
    SweepResult result = runSweep(sweep, presets, stop.get_token(), &progress);
    finished = true;
    watch.join();
    std::signal(SIGINT, before);
    return result;
}

Result<std::vector<std::size_t>> metricsNamed(const std::vector<std::string>& ids)
{
    std::vector<std::size_t> indices;
    for (const std::string& id : ids) {
        const Result<const Metric*> metric = metricNamed(id);
        if (!metric)
            return fail(metric.error());
        indices.push_back(metricIndex(id));
    }
    return indices;
}

struct Swept
{
    Sweep sweep;
    Presets presets;
    SweepResult result;
};

Result<Swept> swept(const SweepOptions& options, const std::vector<std::string>& axes)
{
    Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, true);
    if (!columns)
        return fail(columns.error());
    const Scenario& base = columns->scenarios.front();
    std::vector<KnobAxis> parsed;
    for (const std::string& text : axes) {
        Result<KnobAxis> axis = parseKnobAxis(text, base, columns->presets);
        if (!axis)
            return fail(axis.error());
        parsed.push_back(std::move(*axis));
    }
    std::vector<Limit> limits;
    for (const std::string& text : options.limits) {
        Result<Limit> limit = parseLimit(text);
        if (!limit)
            return fail(limit.error());
        limits.push_back(std::move(*limit));
    }
    Result<Sweep> sweep = sweepOf(base, std::move(parsed), std::move(limits));
    if (!sweep)
        return fail(sweep.error());
    SweepResult result = runVisibly(*sweep, columns->presets);
    return Swept{std::move(*sweep), std::move(columns->presets), std::move(result)};
}

std::string_view keyOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::pending: return "pending";
    case Outcome::allowed: return "allowed";
    case Outcome::breaksLimit: return "breaks_limit";
    case Outcome::doesNotFit: return "does_not_fit";
    case Outcome::impossible: return "impossible";
    case Outcome::excluded: return "excluded";
    }
    return "";
}

std::string valueKey(const KnobValue& value)
{
    if (const double* number = std::get_if<double>(&value))
        return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

std::string pointsCsv(const Swept& s, std::span<const std::size_t> points, std::span<const std::size_t> shown)
{
    std::vector<std::string> line;
    for (const KnobAxis& axis : s.sweep.axes)
        line.push_back(axis.knob);
    line.insert(line.end(), {"outcome", "broken_limit", "short_by_gib"});
    for (const std::size_t metric : shown)
        line.emplace_back(metrics()[metric].id);
    std::string text = csvLine(line);
    for (const std::size_t point : points) {
        line.clear();
        const std::vector<std::size_t> values = s.sweep.valuesAt(point);
        for (std::size_t axis = 0; axis < values.size(); ++axis)
            line.push_back(valueKey(s.sweep.axes[axis].values[values[axis]]));
        const int broken = s.result.brokenLimits[point];
        line.emplace_back(keyOf(s.result.outcomes[point]));
        line.push_back(broken < 0 ? "" : s.sweep.limits[std::size_t(broken)].metric);
        line.push_back(s.result.shortByGib[point] > 0 ? fmt::format("{:.4g}", s.result.shortByGib[point]) : "");
        for (const std::size_t metric : shown) {
            const std::optional<double> value = s.result.value(point, metric);
            line.push_back(value ? fmt::format("{:.9g}", *value) : "");
        }
        text += csvLine(line);
    }
    return text;
}

Json pointsJson(const Swept& s, std::span<const std::size_t> points, std::span<const std::size_t> shown)
{
    Json list = Json::array();
    for (const std::size_t point : points) {
        const std::vector<std::size_t> values = s.sweep.valuesAt(point);
        Json knobs = Json::object(), numbers = Json::object();
        for (std::size_t axis = 0; axis < values.size(); ++axis)
            std::visit([&](const auto& value) { knobs[s.sweep.axes[axis].knob] = value; },
                       s.sweep.axes[axis].values[values[axis]]);
        for (const std::size_t metric : shown) {
            const std::optional<double> value = s.result.value(point, metric);
            numbers[std::string(metrics()[metric].id)] = value ? Json(*value) : Json(nullptr);
        }
        const int broken = s.result.brokenLimits[point];
        list.push_back({{"knobs", knobs},
                        {"outcome", keyOf(s.result.outcomes[point])},
                        {"broken_limit", broken < 0 ? Json(nullptr) : Json(s.sweep.limits[std::size_t(broken)].metric)},
                        {"short_by_gib", s.result.shortByGib[point]},
                        {"metrics", numbers}});
    }
    return list;
}

std::string pointsText(const Swept& s, std::span<const std::size_t> points, std::span<const std::size_t> shown)
{
    TextTable table;
    for (const KnobAxis& axis : s.sweep.axes) {
        const Knob& knob = *findKnob(axis.knob);
        table.header.push_back(knob.unit.empty() ? std::string(knob.label) : fmt::format("{} [{}]", knob.label, knob.unit));
        table.left.push_back(knob.kind == KnobKind::choice);
    }
    table.header.emplace_back("Result");
    table.left.push_back(true);
    for (const std::size_t metric : shown) {
        const Metric& m = metrics()[metric];
        table.header.push_back(m.unit.empty() ? std::string(m.label) : fmt::format("{} [{}]", m.label, m.unit));
        table.left.push_back(false);
    }
    for (const std::size_t point : points) {
        std::vector<std::string> row;
        const std::vector<std::size_t> values = s.sweep.valuesAt(point);
        for (std::size_t axis = 0; axis < values.size(); ++axis)
            row.push_back(valueText(*findKnob(s.sweep.axes[axis].knob), s.sweep.axes[axis].values[values[axis]],
                                    s.sweep.base, s.presets));
        const int broken = s.result.brokenLimits[point];
        switch (s.result.outcomes[point]) {
        case Outcome::allowed: row.emplace_back("runs"); break;
        case Outcome::breaksLimit: row.push_back("breaks " + limitText(s.sweep.limits[std::size_t(broken)])); break;
        case Outcome::doesNotFit: row.push_back(fmt::format("{:.1f} GiB short", s.result.shortByGib[point])); break;
        case Outcome::impossible: row.emplace_back("plan cannot be"); break;
        case Outcome::excluded: row.emplace_back("values exclude each other"); break;
        case Outcome::pending: row.emplace_back("not tried"); break;
        }
        for (const std::size_t metric : shown) {
            const std::optional<double> value = s.result.value(point, metric);
            row.push_back(value ? fmt::format("{:.4g}", *value) : "–");
        }
        table.rows.push_back(std::move(row));
    }
    return table.text();
}

Json countsJson(const Swept& s, const SweepCounts& counts)
{
    Json broken = Json::object();
    for (std::size_t i = 0; i < counts.broken.size(); ++i)
        broken[s.sweep.limits[i].metric] = counts.broken[i];
    return Json{{"points", s.sweep.size()},       {"allowed", counts.allowed},
                {"breaks_limit", broken},         {"does_not_fit", counts.doesNotFit},
                {"impossible", counts.impossible}, {"excluded", counts.excluded},
                {"pending", counts.pending}};
}

int show(const Swept& s, std::span<const std::size_t> points, std::span<const std::size_t> shown,
         const SweepOptions& options, const std::string& heading)
{
    const SweepCounts counts = countsOf(s.sweep, s.result);
    if (!options.out.empty()) {
        std::vector<std::size_t> all(s.sweep.size());
        std::vector<std::size_t> every(metrics().size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        for (std::size_t i = 0; i < every.size(); ++i)
            every[i] = i;
        if (Result<void> written = writeTextFile(options.out, pointsCsv(s, all, every)); !written)
            return complain(written.error(), exitNotAvailable);
    }
    switch (options.form) {
    case Form::json:
        printJson(Json{{"counts", countsJson(s, counts)}, {"points", pointsJson(s, points, shown)}});
        break;
    case Form::csv: print(pointsCsv(s, points, shown)); break;
    case Form::text:
        print(heading + pointsText(s, points, shown));
        print("\n" + countsText(s.sweep, counts) + "\n");
        break;
    }
    return counts.allowed > 0 ? exitValid : exitInfeasible;
}

std::vector<std::string> headlineMetrics()
{
    std::vector<std::string> ids;
    for (const Metric& metric : metrics())
        if (metric.headline)
            ids.emplace_back(metric.id);
    return ids;
}

} // namespace

int runSweepCommand(const SweepOptions& options)
{
    const auto shown = metricsNamed(options.metrics.empty() ? headlineMetrics() : options.metrics);
    if (!shown)
        return complain(shown.error(), exitBadInput);
    const auto frontier = metricsNamed(options.pareto);
    if (!frontier)
        return complain(frontier.error(), exitBadInput);
    const Result<Swept> s = swept(options, options.axes);
    if (!s)
        return complain(s.error(), exitBadInput);
    std::vector<std::size_t> points;
    if (!frontier->empty())
        points = paretoSet(s->result, *frontier);
    else
        for (std::size_t point = 0; point < s->sweep.size(); ++point)
            points.push_back(point);
    return show(*s, points, *shown, options, "");
}

int runOptimize(const SweepOptions& options)
{
    const auto objective = metricsNamed({options.objective});
    if (!objective)
        return complain(objective.error(), exitBadInput);
    if (metrics()[objective->front()].better == Better::neither)
        return complain(fmt::format("{} has no better end; take a metric that has, such as tpot_ms", options.objective),
                        exitBadInput);
    auto shown = metricsNamed(options.metrics.empty() ? headlineMetrics() : options.metrics);
    if (!shown)
        return complain(shown.error(), exitBadInput);
    std::erase(*shown, objective->front());
    shown->insert(shown->begin(), objective->front());
    std::vector<std::string> axes = options.axes;
    if (axes.empty())
        axes = {"parallel.tp=1,2,4,8", "precision.kv=all", "load.concurrency=1..1024"};
    const Result<Swept> s = swept(options, axes);
    if (!s)
        return complain(s.error(), exitBadInput);
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < s->sweep.size(); ++point)
        if (s->result.outcomes[point] == Outcome::allowed && s->result.value(point, objective->front()))
            points.push_back(point);
    const bool less = metrics()[objective->front()].better == Better::less;
    std::stable_sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
        const double x = *s->result.value(a, objective->front()), y = *s->result.value(b, objective->front());
        return less ? x < y : x > y;
    });
    points.resize(std::min(points.size(), options.top));
    return show(*s, points, *shown, options,
                fmt::format("Best first by {}\n\n", metrics()[objective->front()].label));
}

} // namespace ridgepoint::app
