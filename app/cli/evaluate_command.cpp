// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/report_text.h"
#include "core/io/launch_command.h"
#include "core/insight/explanation.h"
#include "core/io/table_writer.h"

#include <nlohmann/json.hpp>

namespace ridgepoint::app {

int runEvaluate(const EvaluateOptions& options)
{
    const Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, true);
    if (!columns)
        return complain(columns.error(), exitBadInput);
    const std::vector<Evaluated> evaluated = evaluateAll(columns->scenarios);
    switch (options.form) {
    case Form::text:
        print(reportText(evaluated.front(), columns->definitions));
        if (options.explain)
            print("\n" + explanationText(explain(evaluated, 0, columns->definitions)));
        break;
    case Form::json: {
        nlohmann::ordered_json json = reportJson(evaluated.front());
        if (options.explain)
            json["explanation"] = explanationJson(explain(evaluated, 0, columns->definitions));
        printJson(json);
        break;
    }
    case Form::csv: print(comparisonCsv(evaluated)); break;
    }
    return evaluated.front().report.feasible() ? exitValid : exitInfeasible;
}

int runLaunch(const EvaluateOptions& options)
{
    const Result<Columns> columns = readColumns(options.scenario, options.projectFile, {}, true);
    if (!columns)
        return complain(columns.error(), exitBadInput);
    const Result<LaunchCommand> command = launchCommand(columns->scenarios.front());
    if (!command)
        return complain(command.error(), exitBadInput);
    print(command->text());
    return evaluate(columns->scenarios.front()).feasible() ? exitValid : exitInfeasible;
}

} // namespace ridgepoint::app
