// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

std::string_view nameOf(SpeedKind kind)
{
    switch (kind) {
    case SpeedKind::decode: return "decode";
    case SpeedKind::prompt: return "prompt";
    case SpeedKind::request: return "one request";
    case SpeedKind::fixedBatch: return "fixed batch";
    case SpeedKind::offline: return "offline";
    case SpeedKind::online: return "online";
    case SpeedKind::none: return "none";
    }
    return "";
}

std::string scenarioOf(const SpeedRow& row)
{
    const std::string kind(nameOf(row.kind));
    if (row.benchmark)
        return "MLPerf " + std::string(row.server ? "server" : row.interactive ? "interactive" : "offline");
    return kind;
}

/// Writes the predictions of one row, in the order of what it asks for.
class RowWriter
{
public:
    RowWriter(const SpeedRow& row, const SpeedAnswer& answer, std::string id, std::vector<Prediction>& out)
        : m_row(row), m_answer(answer), m_id(std::move(id)), m_out(out)
    {}

    /// reading: a prompt, whose band is its own · time: in seconds, else a speed
    void add(std::string_view quantity, std::string_view unit, const std::optional<double>& value, bool reading, bool time,
             std::string_view what, std::optional<double> measured)
    {
        Prediction& p = m_out.emplace_back();
        p.id = m_id;
        p.quantity = quantity;
        p.unit = unit;
        p.provenance = m_answer.problem.empty() ? m_answer.provenance : std::string();
        p.reason = m_answer.problem.empty() ? m_answer.remark : m_answer.problem;
        p.measured = measured;
        const double low = time ? (reading ? m_answer.ttftLow : m_answer.tpotLow) : reading ? m_answer.promptLow : m_answer.low;
        const double high = time ? (reading ? m_answer.ttftHigh : m_answer.tpotHigh) : reading ? m_answer.promptHigh : m_answer.high;
        if (m_answer.problem.empty() && value && std::isfinite(*value) && *value > 0.0) {
            const double scale = time ? 1e3 : 1.0;
            p.value = *value * scale;
            p.low80 = *p.value * low;
            p.high80 = *p.value * high;
        } else if (p.reason.empty()) {
            p.reason = "the model of this scenario has no such quantity";
        }
        const auto group = [&](std::string key, std::string name) { p.groups.emplace_back(std::move(key), name.empty() ? "not stated" : std::move(name)); };
        group("scenario", scenarioOf(m_row));
        group("use", m_row.setAside.empty() ? "usable" : "set aside: " + std::string(m_row.setAside));
        group("what", std::string(what));
        group("engine", m_row.engineId);
        group("device", m_row.device ? m_row.device->id : std::string());
        group("family", m_row.device ? m_row.device->vendor + " " + m_row.device->kernels.id : std::string());
        group("network", m_row.network ? m_row.network->id : std::string());
        group("precision", m_row.precision);
        const bool experts = m_row.network && std::any_of(m_row.network->layers.begin(), m_row.network->layers.end(),
                                                          [](const LayerGroup& g) { return g.feedForward.isMixture(); });
        group("layers", !m_row.network ? std::string() : experts ? "experts" : "dense");
    }

private:
    const SpeedRow& m_row;
    const SpeedAnswer& m_answer;
    std::string m_id;
    std::vector<Prediction>& m_out;
};

/// The first column that holds a number; those of one device count for all of them.
std::optional<double> firstOf(const CsvTable& table, std::size_t at, std::string_view whole, std::string_view perDevice, int devices)
{
    if (const auto value = table.number(at, whole))
        return value;
    if (const auto value = table.number(at, perDevice))
        return *value * devices;
    return std::nullopt;
}

void predictRow(const CsvTable& table, std::size_t at, const SpeedRow& row, const SpeedAnswer& answer, std::vector<Prediction>& out)
{
    const std::string_view id = table.text(at, "id");
    RowWriter writer(row, answer, id.empty() ? std::to_string(at + 1) : std::string(id), out);
    constexpr std::string_view rate = "tokens/s";
    const auto measuredRate = [&](const std::string& what) {
        return firstOf(table, at, what + "_throughput_tok_per_s", what + "_throughput_tok_per_s_per_gpu", row.devices);
    };
    const auto measuredTime = [&](const std::string& what) { return firstOf(table, at, what + "_ms_mean", what + "_ms_p50", 1); };
    switch (row.kind) {
    case SpeedKind::none:
        writer.add("throughput", rate, {}, false, false, "none", measuredRate("output"));
        return;
    case SpeedKind::prompt:
        writer.add("throughput", rate, answer.input, true, false, "prompt", measuredRate("input"));
        writer.add("ttft", "ms", answer.ttft, true, true, "ttft", measuredTime("ttft"));
        return;
    case SpeedKind::request:
        writer.add("throughput", rate, answer.total, false, false, "read and written", measuredRate("total"));
        writer.add("output_throughput", rate, answer.output, false, false, "output", measuredRate("output"));
        break;
    default:
        writer.add("throughput", rate, answer.output, false, false, row.kind == SpeedKind::decode ? "decode" : "output",
                   measuredRate("output"));
        writer.add("total_throughput", rate, answer.total, false, false, "read and written", measuredRate("total"));
    }
    writer.add("tpot", "ms", answer.tpot, false, true, "tpot", measuredTime("tpot"));
    writer.add("requests", "1/s", answer.requests, false, false, "requests", table.number(at, "requests_per_s"));
    const bool oneUser = row.kind == SpeedKind::online || row.kind == SpeedKind::offline;
    if (oneUser)
        writer.add("user_throughput", rate, answer.perUser, false, false, "one user", table.number(at, "per_user_tok_per_s"));
    if (row.emptyStart)
        return;
    // A server that always has more requests than fit has no time to the first token.
    if (row.kind != SpeedKind::offline || row.server || row.interactive)
        writer.add("ttft", "ms", answer.ttft, true, true, "ttft", measuredTime("ttft"));
    writer.add("prompt_throughput", rate, answer.input, true, false, "prompt", measuredRate("input"));
}

} // namespace

Result<std::vector<Prediction>> predictSpeed(const CsvTable& table, const Presets& presets, const ValidationOptions&)
{
    if (!table.has("model") || !table.has("hardware"))
        return fail(table.file + ": a table of speeds has at least the columns model and hardware");
    if (table.rows.empty())
        return fail(table.file + ": holds a header and no rows; a table of speeds has one speed a row");
    const PresetNames names(presets);
    std::vector<Prediction> out;
    out.reserve(table.rows.size() * 2);
    for (std::size_t at = 0; at < table.rows.size(); ++at) {
        const SpeedRow row = readSpeedRow(table, at, names);
        predictRow(table, at, row, answerSpeed(row, presets), out);
    }
    return out;
}

} // namespace ridgepoint
