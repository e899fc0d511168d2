// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table_writer.h"

#include "core/base/unit_text.h"
#include "core/insight/comparison.h"
#include "core/insight/quality.h"
#include "core/io/csv_table.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ridgepoint {
namespace {

using Json = nlohmann::ordered_json;

// A value that is no number reaches nobody.
Json finite(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string csvOf(const LineFigure& figure)
{
    std::string text = csvLine({"series", "column", figure.x.label, figure.y.label, "share", "key", "point"});
    for (const Series& series : figure.series)
        for (const Point& point : series.points)
            text += csvLine({series.name, columnLetter(std::size_t(series.configuration)), plainNumber(point.x),
                          plainNumber(point.y), plainNumber(point.weight), point.key, point.hover});
    return text;
}

std::string csvOf(const BarFigure& figure)
{
    std::string text = csvLine({"bar", "column", "part", "key", figure.value.label, "note"});
    for (const Bar& bar : figure.bars) {
        const std::string column = columnLetter(std::size_t(bar.configuration));
        for (const BarPart& part : bar.parts)
            text += csvLine({bar.name, column, part.name, part.key, plainNumber(part.value), ""});
        if (bar.parts.empty())
            text += csvLine({bar.name, column, "", "", "", bar.note});
    }
    return text;
}

std::string csvOf(const SpanFigure& figure)
{
    std::string text = csvLine({"row", "column", "key", "part", "from, " + figure.value.label, "to, " + figure.value.label, "label", "note"});
    for (const SpanRow& row : figure.rows) {
        const std::string column = row.configuration < 0 ? "" : columnLetter(std::size_t(row.configuration));
        for (const Span& span : row.spans)
            text += csvLine({row.name, column, row.key, span.name, plainNumber(span.from), plainNumber(span.to), row.label, span.hover});
        if (row.spans.empty())
            text += csvLine({row.name, column, row.key, "", "", "", row.label, row.note});
    }
    return text;
}

std::string_view keyOf(CellState state)
{
    switch (state) {
    case CellState::allowed: return "allowed";
    case CellState::breaksLimit: return "breaks_limit";
    case CellState::doesNotFit: return "does_not_fit";
    case CellState::impossible: return "impossible";
    }
    return "";
}

std::string csvOf(const HeatFigure& figure)
{
    std::string text = csvLine({figure.x.label, figure.y.label, figure.value.label, "state", "text"});
    for (std::size_t row = 0; row < figure.yTicks.size(); ++row)
        for (std::size_t column = 0; column < figure.xTicks.size(); ++column) {
            const HeatCell& cell = figure.at(column, row);
            text += csvLine({figure.xTicks[column], figure.yTicks[row], cell.value ? plainNumber(*cell.value) : "",
                             std::string(keyOf(cell.state)), cell.hover});
        }
    return text;
}

Json axisJson(const Axis& axis)
{
    return {{"label", axis.label}, {"scale", axis.scale == AxisScale::log ? "log" : "linear"}};
}

Json jsonOf(const LineFigure& figure)
{
    Json json{{"id", figure.id},
              {"kind", "lines"},
              {"title", figure.title},
              {"subtitle", figure.subtitle},
              {"description", figure.description},
              {"x", axisJson(figure.x)},
              {"y", axisJson(figure.y)},
              {"series", Json::array()},
              {"arrows", Json::array()}};
    for (const Series& series : figure.series) {
        Json points = Json::array();
        for (const Point& point : series.points)
            points.push_back({{"x", finite(point.x)},
                              {"y", finite(point.y)},
                              {"share", finite(point.weight)},
                              {"key", point.key},
                              {"text", point.hover},
                              {"present", point.emphasised}});
        json["series"].push_back({{"name", series.name},
                                  {"column", columnLetter(std::size_t(series.configuration))},
                                  {"points", std::move(points)}});
    }
    for (const Arrow& arrow : figure.arrows)
        json["arrows"].push_back({{"from", {finite(arrow.x0), finite(arrow.y0)}},
                                  {"to", {finite(arrow.x1), finite(arrow.y1)}},
                                  {"label", arrow.label}});
    return json;
}

Json jsonOf(const BarFigure& figure)
{
    Json json{{"id", figure.id},
              {"kind", "bars"},
              {"title", figure.title},
              {"subtitle", figure.subtitle},
              {"description", figure.description},
              {"value", axisJson(figure.value)},
              {"bars", Json::array()}};
    for (const Bar& bar : figure.bars) {
        Json parts = Json::array();
        for (const BarPart& part : bar.parts)
            parts.push_back({{"name", part.name}, {"key", part.key}, {"value", finite(part.value)}});
        json["bars"].push_back({{"name", bar.name},
                                {"column", columnLetter(std::size_t(bar.configuration))},
                                {"parts", std::move(parts)},
                                {"total", bar.totalLabel},
                                {"note", bar.note}});
    }
    return json;
}

Json jsonOf(const SpanFigure& figure)
{
    Json json{{"id", figure.id}, {"kind", "spans"}, {"title", figure.title}, {"subtitle", figure.subtitle},
              {"description", figure.description}, {"value", axisJson(figure.value)},
              {"reference", figure.reference ? finite(*figure.reference) : Json(nullptr)}, {"rows", Json::array()}};
    for (const SpanRow& row : figure.rows) {
        Json spans = Json::array();
        for (const Span& span : row.spans)
            spans.push_back({{"name", span.name}, {"from", finite(span.from)}, {"to", finite(span.to)}, {"text", span.hover}});
        json["rows"].push_back({{"name", row.name}, {"key", row.key},
                                {"column", row.configuration < 0 ? Json(nullptr) : Json(columnLetter(std::size_t(row.configuration)))},
                                {"spans", std::move(spans)}, {"label", row.label}, {"note", row.note}});
    }
    return json;
}

Json jsonOf(const HeatFigure& figure)
{
    Json json{{"id", figure.id}, {"kind", "map"}, {"title", figure.title}, {"subtitle", figure.subtitle},
              {"description", figure.description}, {"x", axisJson(figure.x)}, {"y", axisJson(figure.y)},
              {"value", axisJson(figure.value)}, {"x_values", figure.xTicks}, {"y_values", figure.yTicks}, {"cells", Json::array()}};
    for (const HeatCell& cell : figure.cells)
        json["cells"].push_back({{"value", cell.value ? finite(*cell.value) : Json(nullptr)}, {"state", keyOf(cell.state)}, {"text", cell.hover}});
    return json;
}

// The value of a knob as files hold it; null when the scenario does not know it, such as a missing rent.
Json knobJson(const Knob& knob, const Scenario& scenario)
{
    const KnobValue value = knob.get(scenario);
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    const double number = std::get<double>(value);
    if (number < knob.minimum)
        return nullptr;
    return knob.integer ? Json(std::int64_t(number)) : finite(number);
}

std::string knobCell(const Knob& knob, const Scenario& scenario)
{
    const Json value = knobJson(knob, scenario);
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : plainNumber(value.get<double>());
}

Json breakdownJson(const Breakdown& breakdown)
{
    Json json;
    for (const Cause cause : allCauses)
        json[std::string(keyOf(cause))] = finite(breakdown[cause].value * 1e3);
    json["total"] = finite(breakdown.total().value * 1e3);
    return json;
}

Json breakdownsJson(const Report& report)
{
    if (!report.feasible())
        return {{"tpot_ms", nullptr}, {"ttft_ms", nullptr}, {"decode_step_ms", nullptr}};
    return {{"tpot_ms", breakdownJson(report.tpot)},
            {"ttft_ms", report.overloaded ? Json(nullptr) : breakdownJson(report.ttft)},
            {"decode_step_ms", breakdownJson(report.decodeStep)}};
}

Json footprintJson(const Report& report)
{
    if (!report.feasible() || !report.footprint)
        return nullptr;
    const Footprint& f = *report.footprint;
    return {{"visible_bytes", f.visible.value},
            {"weights_bytes", f.weights.value},
            {"kv_needed_bytes", f.kvNeeded.value},
            {"kv_free_bytes", f.kvFree.value},
            {"activations_bytes", f.activations.value},
            {"runtime_bytes", f.runtime.value},
            {"graphs_bytes", f.graphs.value},
            {"reserve_bytes", f.reserve.value},
            {"kv_pool_bytes", f.kvPool.value},
            {"kv_per_request_bytes", f.kvPerRequest.value},
            {"kv_per_token_bytes", f.kvPerToken.value},
            {"kv_capacity_tokens", finite(f.kvCapacityTokens)},
            {"maximum_concurrency", finite(f.maximumConcurrency)}};
}

Json operatorsJson(const std::vector<OpTime>& ops)
{
    Json list = Json::array();
    for (const OpTime& one : ops)
        list.push_back({{"operator", keyOf(one.op.id)},
                        {"name", nameOf(one.op.id)},
                        {"count", finite(one.op.count)},
                        {"arithmetic", idOf(one.op.math)},
                        {"time_ms", finite(one.time.value * 1e3)},
                        {"launch_ms", finite(one.launch.value * 1e3)},
                        {"compute_ms", finite(one.compute.value * 1e3)},
                        {"memory_ms", finite(one.memory.value * 1e3)},
                        {"communication_ms", finite(one.communication.value * 1e3)},
                        {"flops", finite(one.op.flops.value)},
                        {"weight_bytes", finite(one.op.weightBytes.value)},
                        {"kv_bytes", finite(one.op.kvBytes.value)},
                        {"activation_bytes", finite(one.op.activationBytes.value)},
                        {"message_bytes", finite(one.op.message.value)}});
    return list;
}

Json findingsJson(const Report& report, const Scenario& scenario)
{
    Json list = Json::array();
    for (const Finding& finding : report.findings)
        list.push_back({{"code", keyOf(finding.code)},
                        {"severity", keyOf(finding.severity)},
                        {"knob", finding.knob.empty() ? Json(nullptr) : Json(finding.knob)},
                        {"text", sentence(finding, scenario)}});
    return list;
}

/// What is published of each part with fewer than 16 bits; a part without facts has an unknown effect.
Json qualityJson(const Evaluated& configuration)
{
    Json list = Json::array();
    for (const QualityPart& part : qualityOf(configuration)) {
        Json facts = Json::array();
        for (const QualityFact& fact : part.facts)
            facts.push_back({{"checkpoint", fact.checkpoint}, {"benchmark", fact.benchmark},
                             {"baseline", fact.isShare ? Json(nullptr) : finite(fact.baseline)},
                             {"value", fact.isShare ? Json(nullptr) : finite(fact.value)}, {"kept", finite(kept(fact))},
                             {"publisher", fact.publisher}, {"source", fact.source}, {"date", fact.date}});
        list.push_back({{"formats", part.formats}, {"knob", part.knob}, {"effect", part.facts.empty() ? "unknown" : "published"},
                        {"facts", std::move(facts)}});
    }
    return list;
}

} // namespace

std::string figureCsv(const Figure& figure)
{
    return std::visit([](const auto& one) { return csvOf(one); }, figure);
}

Json figureJson(const Figure& figure)
{
    return std::visit([](const auto& one) { return jsonOf(one); }, figure);
}

std::string comparisonCsv(std::span<const Evaluated> configurations)
{
    std::vector<std::string> cells{"kind", "id", "label", "unit"};
    for (std::size_t i = 0; i < configurations.size(); ++i)
        cells.push_back(columnName(i, configurations[i].scenario));
    std::string text = csvLine(cells);
    cells = {"verdict", "verdict", "Verdict", ""};
    for (const Evaluated& column : configurations)
        cells.emplace_back(keyOf(column.report.verdict));
    text += csvLine(cells);
    for (const Metric& metric : metrics()) {
        cells = {"metric", std::string(metric.id), std::string(metric.label), std::string(metric.unit)};
        for (const Evaluated& column : configurations) {
            const std::optional<double> value = metric.get(column.report);
            cells.push_back(value && std::isfinite(*value) ? plainNumber(*value) : "");
        }
        text += csvLine(cells);
    }
    for (const Knob& knob : knobs()) {
        cells = {"knob", std::string(knob.id), std::string(knob.label), std::string(knob.unit)};
        for (const Evaluated& column : configurations)
            cells.push_back(knobCell(knob, column.scenario));
        text += csvLine(cells);
    }
    return text;
}

Json reportJson(const Evaluated& configuration)
{
    const auto& [scenario, report, load] = configuration;
    Json json{{"name", scenario.name}, {"hardware", hardwareName(scenario)}, {"scenario", Json::object()}};
    for (const Knob& knob : knobs())
        json["scenario"][std::string(knob.id)] = knobJson(knob, scenario);
    json["verdict"] = keyOf(report.verdict);
    json["short_by_bytes"] = finite(report.shortBy.value);
    for (const Metric& metric : metrics()) {
        const std::optional<double> value = metric.get(report);
        json["metrics"][std::string(metric.id)] = value ? finite(*value) : Json(nullptr);
    }
    json["breakdowns"] = breakdownsJson(report);
    json["footprint"] = footprintJson(report);
    json["operators"] = {{"decode", operatorsJson(report.decodeOps)}, {"prefill", operatorsJson(report.prefillOps)}};
    json["findings"] = findingsJson(report, scenario);
    json["not_modelled"] = Json::array();
    for (const NotModelled part : report.notModelled)
        json["not_modelled"].push_back(keyOf(part));
    json["provenance"] = keyOf(report.provenance);
    json["band"] = report.tpotSpread ? "80 %" : "unknown";
    json["bands"] = Json::object();
    for (const Metric& metric : metrics())
        if (const std::optional<Band> band = bandOf(metric, report))
            json["bands"][std::string(metric.id)] = {finite(band->low), finite(band->high)};
    json["parameters"] = report.parameters;
    json["active_parameters"] = report.activeParameters;
    json["kv_bytes_per_token"] = finite(report.kvBytesPerToken.value);
    json["kv_format"] = idOf(report.kvFormat);
    json["activation_format"] = idOf(report.activationFormat);
    json["quality"] = qualityJson(configuration);
    return json;
}

} // namespace ridgepoint
