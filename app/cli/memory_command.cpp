// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/base/unit_text.h"
#include "core/insight/reconciliation.h"
#include "core/io/engine_log_reader.h"
#include "core/io/text_file.h"
#include "core/scenario/findings.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridgepoint::app {

namespace {

using Json = nlohmann::ordered_json;

std::string amountText(const LedgerCheck& line, double value)
{
    return line.isBytes ? bytesText(Bytes{value}) : countText(value);
}

std::string ledgerText(const Reconciliation& result)
{
    TextTable table;
    table.header = {"", "ledger", "log", "", "how the ledger comes to it"};
    table.left = {true, false, false, true, true};
    for (const LedgerCheck& line : result.lines)
        table.rows.push_back({std::string(line.name), amountText(line, line.predicted), line.logged ? amountText(line, *line.logged) : "–",
                              std::string(nameOf(line.agreement)), std::string(line.formula)});
    std::string text = result.verdict + "\n\n" + table.text();
    for (const LedgerCheck& line : result.lines)
        if (!line.cause.empty())
            text += fmt::format("\n{}: {}.", line.name, line.cause);
    if (!result.changes.empty())
        text += "\n\nWhat would make the configuration the log's\n";
    for (const EngineChange& change : result.changes)
        text += fmt::format("  {} ({}) [{}]\n", change.text, change.stated ? "the log says so" : "explains the numbers best", change.knob);
    return text;
}

std::string linesText(const EngineLog& log)
{
    std::string text = "\nLines read\n";
    for (std::size_t i = 0; i < log.lines.size(); ++i)
        if (!log.lines[i].read.empty())
            text += fmt::format("  {:>5}  {}\n", i + 1, log.lines[i].read);
    return text + fmt::format("  {} other lines were not read.\n", int(log.lines.size()) - log.linesRead());
}

Json memoryJson(const Reconciliation& result, const EngineLog& log)
{
    Json json{{"engine", log.engine == LogEngine::vllm ? "vllm" : "sglang"}, {"ranks", log.ranks}, {"refused", log.refused},
              {"verdict", result.verdict}, {"ledger", Json::array()}, {"changes", Json::array()}, {"lines", Json::array()}};
    for (const LedgerCheck& line : result.lines)
        json["ledger"].push_back({{"line", line.key}, {"unit", line.isBytes ? "B" : "tokens"},
                                  {"ledger", std::isfinite(line.predicted) ? Json(line.predicted) : Json(nullptr)},
                                  {"log", line.logged ? Json(*line.logged) : Json(nullptr)}, {"agreement", keyOf(line.agreement)},
                                  {"cause", line.cause.empty() ? Json(nullptr) : Json(line.cause)}});
    for (const EngineChange& change : result.changes) {
        const Json value = std::holds_alternative<double>(change.value) ? Json(std::get<double>(change.value))
                                                                        : Json(std::get<std::string>(change.value));
        json["changes"].push_back({{"knob", change.knob}, {"value", value}, {"stated", change.stated}, {"text", change.text}});
    }
    for (std::size_t i = 0; i < log.lines.size(); ++i)
        if (!log.lines[i].read.empty())
            json["lines"].push_back({{"line", i + 1}, {"read", log.lines[i].read}});
    return json;
}

} // namespace

int runMemory(const MemoryOptions& options)
{
    const Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, true);
    if (!columns)
        return complain(columns.error(), exitBadInput);
    const Result<std::string> text = readTextFile(options.log);
    if (!text)
        return complain(text.error(), exitBadInput);
    const Result<EngineLog> log = readEngineLog(*text);
    if (!log) {
        Error error = log.error();
        error.file = options.log.string();
        return complain(error, exitBadInput);
    }
    const Reconciliation result = reconcile(columns->scenarios.front(), *log, columns->presets);
    if (options.form == Form::json)
        printJson(memoryJson(result, *log));
    else
        print(ledgerText(result) + linesText(*log));
    return result.lines.empty() ? exitInfeasible : exitValid;
}

} // namespace ridgepoint::app
