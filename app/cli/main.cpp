// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "core/validation/validators.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace {

using namespace ridgepoint::app;

/// An empty value is a slip, such as a variable that is not set, and must not mean the default.
CLI::Validator notEmpty()
{
    return CLI::Validator(
        [](const std::string& text) { return text.empty() ? "needs a value that is not empty" : ""; }, "");
}

void addPresetFolders(CLI::App& command, std::vector<std::string>& folders)
{
    command.add_option("--presets", folders, "Folder with further presets; may be given several times")
        ->type_name("DIR")
        ->check(CLI::Validator(
            [](const std::string& text) {
                std::error_code error;
                return std::filesystem::is_directory(text, error)
                           ? std::string()
                           : fmt::format("needs a folder with devices, networks and the like; \"{}\" is none", text);
            },
            ""))
        ->allow_extra_args(false);
}

void addScenario(CLI::App& command, ScenarioOptions& options)
{
    command.add_option("--system", options.system, "System, same as --set hardware.system=ID")
        ->type_name("ID")
        ->check(notEmpty());
    command.add_option("--network", options.network, "Network, or a config.json or YAML file that describes one")
        ->type_name("ID|FILE")
        ->check(notEmpty());
    command.add_option("--engine", options.engine, "Serving engine, same as --set engine.preset=ID")
        ->type_name("ID")
        ->check(notEmpty());
    command.add_option("--price", options.price, "Price, same as --set price.preset=ID")
        ->type_name("ID")
        ->check(notEmpty());
    command.add_option("--set", options.sets, "Set a knob; may be given several times, `knobs` lists them")
        ->type_name("KNOB=VALUE")
        ->allow_extra_args(false);
    command.add_option("--define", options.defines,
                       "Show numbers in another definition: tpot=with-first, memory=gb, arithmetic=mac, links=both-ways")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    addPresetFolders(command, options.presetFolders);
}

/// --json and --csv; they exclude each other.
void addForms(CLI::App& command, Form& form)
{
    CLI::Option* json = command.add_flag_callback("--json", [&form] { form = Form::json; }, "Print JSON");
    command.add_flag_callback("--csv", [&form] { form = Form::csv; }, "Print CSV")->excludes(json);
}

void addComparison(CLI::App& command, CompareOptions& options)
{
    addScenario(command, options.scenario);
    CLI::Option* project = command.add_option("project", options.projectFile, "Project file; its columns are compared");
    command
        .add_option("--column", options.columns,
                    "A column: SYSTEM,KNOB=VALUE,...,name=TEXT; may be given several times")
        ->type_name("COLUMN")
        ->allow_extra_args(false)
        ->excludes(project);
    command.add_option("--baseline", options.baseline, "Column that others are compared with, from 1")
        ->type_name("N")
        ->check(CLI::Validator(
            [](const std::string& text) {
                const bool digits = !text.empty() && text.size() < 10 &&
                                    text.find_first_not_of("0123456789") == std::string::npos;
                return digits && text.find_first_not_of('0') != std::string::npos
                           ? std::string()
                           : fmt::format("needs the number of a column, from 1, and not \"{}\"", text);
            },
            ""));
}

void addLimits(CLI::App& command, std::vector<std::string>& limits)
{
    command.add_option("--limit", limits, "Bound such as ttft_ms<=500; may be given several times")
        ->type_name("LIMIT")
        ->allow_extra_args(false);
}

void addSweep(CLI::App& command, SweepOptions& options)
{
    command.add_option("project", options.projectFile, "Project file; its baseline is varied");
    addScenario(command, options.scenario);
    command.add_option("--vary", options.axes, "Knob and its values: a,b,c or a..b or a..b+step or a..b*factor or all")
        ->type_name("KNOB=VALUES")
        ->allow_extra_args(false);
    addLimits(command, options.limits);
    command.add_option("--metric", options.metrics, "Metric to show; may be given several times")
        ->type_name("METRIC")
        ->allow_extra_args(false);
    command.add_option("--out", options.out, "Write every point with every metric to this CSV file")
        ->type_name("FILE")
        ->check(notEmpty());
    addForms(command, options.form);
}

std::string withoutEnd(std::string text)
{
    while (text.ends_with('.') || text.ends_with('\n'))
        text.pop_back();
    return text;
}

int run(int argc, char** argv)
{
    CLI::App app{"Predicts latency, throughput, memory and cost of serving language models, and compares hardware.\n"
                 "Ends with 0 when the result is valid, 2 for bad input, 3 when nothing fits, 4 when something is not\n"
                 "available here, such as a folder to write to."};
    app.name("ridgepoint-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", "ridgepoint-cli " RIDGEPOINT_VERSION, "Print the version");
    int code = exitValid;

    EvaluateOptions evaluate;
    CLI::App* command = app.add_subcommand("evaluate", "Predict one configuration");
    command->add_option("project", evaluate.projectFile, "Project file; its baseline is evaluated");
    addScenario(*command, evaluate.scenario);
    addForms(*command, evaluate.form);
    command->add_flag("--explain", evaluate.explain, "Say in words what limits it and what would help");
    command->callback([&] { code = runEvaluate(evaluate); });

    EvaluateOptions launch;
    command = app.add_subcommand("launch", "Print how the engine is started for a configuration, with the flags assumed");
    command->add_option("project", launch.projectFile, "Project file; its baseline is taken");
    addScenario(*command, launch.scenario);
    command->callback([&] { code = runLaunch(launch); });

    MemoryOptions memory;
    command = app.add_subcommand("memory", "Hold the memory ledger of a configuration against an engine's start-up log");
    command->add_option("project", memory.projectFile, "Project file; its baseline is taken");
    addScenario(*command, memory.scenario);
    command->add_option("--log", memory.log, "What vLLM or SGLang printed while it started")
        ->type_name("FILE")
        ->required()
        ->check(notEmpty());
    command->add_flag_callback("--json", [&memory] { memory.form = Form::json; }, "Print JSON");
    command->callback([&] { code = runMemory(memory); });

    CompareOptions compare;
    command = app.add_subcommand("compare", "Compare configurations; without arguments a sample of four");
    addComparison(*command, compare);
    addForms(*command, compare.form);
    command->add_flag("--explain", compare.explain, "Say in words which is better, why, and what would help");
    command->callback([&] { code = runCompare(compare); });

    FiguresOptions figures;
    figures.folder = "ridgepoint-figures";
    command = app.add_subcommand("figures", "Write every figure of a comparison as CSV and JSON and name the files");
    addComparison(*command, figures.comparison);
    command->add_option("--out", figures.folder, "Folder to write to, made when missing")
        ->type_name("DIR")
        ->check(notEmpty());
    command->add_option("--figure", figures.figures, "Only this figure; may be given several times")
        ->type_name("ID")
        ->allow_extra_args(false);
    command->add_option("--metric", figures.metric, "Result that tornado, waterfall, odds and map are of, such as tpot_ms")
        ->type_name("ID");
    command->add_option("--into", figures.column, "Configuration that tornado, waterfall and map look into, from 1")
        ->check(CLI::Range(1, 8));
    command->add_option("--x", figures.xKnob, "Knob along the map")->type_name("KNOB");
    command->add_option("--y", figures.yKnob, "Knob up the map")->type_name("KNOB");
    command->callback([&] { code = runFigures(figures); });

    SweepOptions sweep;
    command = app.add_subcommand("sweep", "Evaluate every combination of the values of some knobs");
    addSweep(*command, sweep);
    command->get_option("--vary")->required();
    command->add_option("--pareto", sweep.pareto, "Show only what nothing beats in these metrics; given twice or more")
        ->type_name("METRIC")
        ->allow_extra_args(false);
    command->callback([&] { code = runSweepCommand(sweep); });

    SweepOptions optimize;
    command = app.add_subcommand("optimize", "Find the values of some knobs that are best within limits");
    addSweep(*command, optimize);
    command->add_option("--objective", optimize.objective, "Metric that is to be best")->type_name("METRIC");
    command->add_option("--top", optimize.top, "How many are shown")->type_name("N")->check(CLI::Range(1, 100000));
    command->callback([&] { code = runOptimize(optimize); });

    SizeOptions size;
    command = app.add_subcommand("size", "Find how many devices answer a load within limits");
    command->add_option("project", size.projectFile, "Project file; its columns are sized as they are");
    addScenario(*command, size.scenario);
    command->add_option("--rate", size.requestRate, "Requests a second, at the peak")
        ->type_name("RATE")
        ->required()
        ->check(CLI::Range(1e-3, 1e7));
    addLimits(*command, size.limits);
    command->add_option("--on", size.systems, "System to size with every plan that fits; may be given several times")
        ->type_name("ID")
        ->allow_extra_args(false);
    command->add_option("--headroom", size.headroom, "Share of what a replica could take that is kept free")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 0.9));
    command->add_option("--failures", size.failures, "Replicas that may be down while the limits hold")
        ->type_name("N")
        ->check(CLI::Range(0, 1000));
    addForms(*command, size.form);
    command->callback([&] { code = runSize(size); });

    DiffOptions diff;
    command = app.add_subcommand("diff", "Say what makes the difference between two configurations, knob by knob");
    addComparison(*command, diff.comparison);
    command->add_option("--metric", diff.metric, "Metric whose difference is shared out")->type_name("METRIC");
    command->add_option("--order", diff.order, "Knob that changes next; may be given several times")
        ->type_name("KNOB")
        ->allow_extra_args(false);
    command->add_option("--break-even", diff.breakEven, "Knob whose value is sought at which both are equal")
        ->type_name("KNOB");
    command->add_flag("--first-only", diff.firstOnly, "Turn that knob in the first configuration alone");
    addForms(*command, diff.comparison.form);
    command->callback([&] { code = runDiff(diff); });

    SensitivityOptions sensitivity;
    command = app.add_subcommand("sensitivity", "Say what a result hangs on: each number a little smaller and larger");
    command->add_option("project", sensitivity.projectFile, "Project file; its baseline is looked at");
    addScenario(*command, sensitivity.scenario);
    command->add_option("--metric", sensitivity.metric, "Metric that is watched")->type_name("METRIC");
    command->add_option("--share", sensitivity.share, "How far each number moves")
        ->type_name("SHARE")
        ->check(CLI::Range(0.001, 0.9));
    addForms(*command, sensitivity.form);
    command->callback([&] { code = runSensitivity(sensitivity); });

    ListOptions knobs;
    command = app.add_subcommand("knobs", "List what --set can change");
    addPresetFolders(*command, knobs.presetFolders);
    addForms(*command, knobs.form);
    command->callback([&] { code = runKnobs(knobs); });

    ListOptions presets;
    command = app.add_subcommand("presets", "List devices, systems, networks, engines, prices and calibrations");
    addPresetFolders(*command, presets.presetFolders);
    addForms(*command, presets.form);
    command->callback([&] { code = runPresets(presets); });

    ImportOptions import;
    command = app.add_subcommand("import", "Read a Hugging Face config.json");
    command->add_option("file", import.file, "config.json; a hf_quant_config.json beside it is read too")->required();
    CLI::Option* json =
        command->add_flag_callback("--json", [&] { import.form = ImportOptions::Form::json; }, "Print JSON");
    command->add_flag_callback(
               "--yaml", [&] { import.form = ImportOptions::Form::yaml; }, "Print a preset")
        ->excludes(json);
    command->add_flag("--save", import.save, "Save as a preset of your own");
    command->add_option("--id", import.id, "Id instead of the one made of the file name")
        ->type_name("ID")
        ->check(notEmpty());
    command->add_option("--name", import.name, "Name instead of that of the file")
        ->type_name("TEXT")
        ->check(notEmpty());
    command->add_option("--source", import.source, "Key of sources.yaml instead of the file name")
        ->type_name("KEY")
        ->check(notEmpty());
    command->add_option("--alias", import.aliases, "Another name of it; may be given several times")
        ->type_name("TEXT")
        ->check(notEmpty())
        ->allow_extra_args(false);
    command->callback([&] { code = runImport(import); });

    ValidateOptions validate;
    command = app.add_subcommand("validate", "Predict every row of a file of measurements and say how far off it is");
    std::vector<std::string> kinds;
    for (const ridgepoint::Validator& validator : ridgepoint::validators())
        kinds.emplace_back(validator.id);
    command->add_option("kind", validate.kind, fmt::format("What the file holds: {}", fmt::join(kinds, ", ")))
        ->required()
        ->check(CLI::IsMember(kinds));
    command->add_option("file", validate.file, "CSV file; app/cli/README.md names the columns")->required();
    command->add_option("--table", validate.table, "Which table it is, where the columns do not tell")
        ->type_name("NAME")
        ->check(notEmpty());
    command->add_option("--out", validate.out, "Write every prediction to this CSV file")
        ->type_name("FILE")
        ->check(notEmpty());
    command->add_flag_callback("--no-calibration", [&] { validate.calibration = false; },
                               "Leave out what was measured on the very device");
    CLI::Option* validateJson =
        command->add_flag_callback("--json", [&] { validate.form = Form::json; }, "Print JSON");
    command->add_flag("--markdown", validate.markdown, "Print a short table, with and without calibration")
        ->excludes(validateJson);
    addPresetFolders(*command, validate.presetFolders);
    command->callback([&] { code = runValidate(validate); });

    CalibrateOptions calibrate;
    command = app.add_subcommand("calibrate", "Fit the constants of operator models to measurements");
    std::string what;
    command->add_option("what", what, "What is calibrated: operators, serving or speed")
        ->required()
        ->check(CLI::IsMember({"operators", "serving", "speed"}));
    command->add_option("files", calibrate.files, "CSV files; app/cli/README.md names the columns")->required();
    command->add_option("--table", calibrate.table, "Which table the files are, where the columns do not tell")
        ->type_name("NAME")
        ->check(notEmpty());
    command->add_option("--device", calibrate.device, "Write the calibration of this device only")
        ->type_name("ID")
        ->check(notEmpty());
    command->add_option("--slot", calibrate.slot, "Fit only kernels whose name begins so")
        ->type_name("NAME")
        ->check(notEmpty());
    command->add_option("--out", calibrate.out, "Write calibrations/ and kernels/ into this folder")
        ->type_name("FOLDER")
        ->check(notEmpty());
    command->add_option("--source", calibrate.source, "Key of sources.yaml that the files name as their source")
        ->type_name("KEY")
        ->check(notEmpty());
    command->add_option("--date", calibrate.date, "Date of the measurements, such as 2026-01-31")
        ->type_name("DATE")
        ->check(notEmpty());
    addPresetFolders(*command, calibrate.presetFolders);
    command->callback([&] {
        code = what == "serving" ? runCalibrateServing(calibrate)
               : what == "speed" ? runCalibrateSpeed(calibrate)
                                 : runCalibrate(calibrate);
    });

    const std::vector<CLI::App*> commands = app.get_subcommands({});
    const auto isNamed = [&](const CLI::App* one) { return one->get_name() == argv[1]; };
    if (argc > 1 && argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), isNamed)) {
        std::vector<std::string> names;
        for (const CLI::App* one : commands)
            names.push_back(one->get_name());
        return complain(fmt::format("no command is called \"{}\"; there are {}", argv[1], fmt::join(names, ", ")),
                        exitBadInput);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == int(CLI::ExitCodes::Success))
            return app.exit(error), int(exitValid);
        return complain(fmt::format("{}; --help says what there is", withoutEnd(error.what())), exitBadInput);
    }
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const int code = run(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return complain("the output cannot be written; is the disk full?", exitNotAvailable);
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ridgepoint-cli: %s\n", error.what());
        return exitNotAvailable;
    }
}
