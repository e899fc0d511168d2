// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint::app {

/// What the program ends with; app/cli/README.md says what each means.
enum ExitCode
{
    exitValid = 0,
    exitBadInput = 2,
    exitInfeasible = 3,
    exitNotAvailable = 4
};

enum class Form
{
    text,
    json,
    csv
};

/// Choices of a scenario that several commands take.
struct ScenarioOptions
{
    std::string system, network, engine, price;    ///< ids or aliases; network also a file; empty: the default
    std::vector<std::string> sets;                 ///< "knob=value"
    std::vector<std::string> presetFolders;        ///< besides the shipped and the user's own
    std::vector<std::string> defines;              ///< "definition=value"
};

struct EvaluateOptions
{
    ScenarioOptions scenario;
    std::string projectFile;       ///< its baseline is evaluated; empty: the default configuration
    Form form = Form::text;
    bool explain = false;
};

struct MemoryOptions
{
    ScenarioOptions scenario;
    std::string projectFile;            ///< its baseline is held against the log
    std::filesystem::path log;          ///< what an engine printed while it started
    Form form = Form::text;
};

struct CompareOptions
{
    ScenarioOptions scenario;
    std::vector<std::string> columns;   ///< "system,knob=value,name=text"; empty: the project or the sample
    std::string projectFile;
    std::size_t baseline = 0;           ///< from 1; 0: the project's, or the first
    Form form = Form::text;
    bool explain = false;
};

struct FiguresOptions
{
    CompareOptions comparison;
    std::filesystem::path folder;
    std::vector<std::string> figures;   ///< ids; empty: all
    std::string metric, xKnob, yKnob;   ///< ids; empty: the usual ones
    std::size_t column = 0;             ///< looked into, from 1; 0: the first of the ranking
};

struct ListOptions
{
    std::vector<std::string> presetFolders;
    Form form = Form::text;
};

struct ImportOptions
{
    std::filesystem::path file;
    std::string id, name, source;       ///< replace what the file gives, when not empty
    std::vector<std::string> aliases;
    enum class Form
    {
        text,
        json,
        yaml
    } form = Form::text;
    bool save = false;                  ///< into the user's preset folder
};

struct ValidateOptions
{
    std::string kind;                   ///< of the validator
    std::filesystem::path file;
    std::string table;                  ///< empty: told by the columns
    std::filesystem::path out;          ///< every prediction as CSV; empty: not written
    std::vector<std::string> presetFolders;
    bool calibration = true;
    bool markdown = false;              ///< a short table with and without calibration
    Form form = Form::text;
};

struct CalibrateOptions
{
    std::vector<std::filesystem::path> files;
    std::string table;                  ///< of all files; empty: told by the columns of each
    std::string device;                 ///< only this one is written, and no family
    std::string slot;                   ///< only kernels whose name begins so
    std::filesystem::path out;          ///< folder for calibrations/ and kernels/; empty: nothing is written
    std::string source = "opsData";     ///< key of sources.yaml that the files name
    std::string date;                   ///< ISO, of the measurements
    std::vector<std::string> presetFolders;
};

struct SweepOptions
{
    ScenarioOptions scenario;
    std::string projectFile;            ///< its baseline is varied
    std::vector<std::string> axes;      ///< "knob=values"
    std::vector<std::string> limits;    ///< "metric<=number"
    std::vector<std::string> metrics;   ///< shown; empty: the headline metrics
    std::vector<std::string> pareto;    ///< sweep: only what nothing beats in these; empty: every point
    std::string objective = "output_tokens_per_s_per_device";   ///< optimize: what is sought
    std::size_t top = 10;               ///< optimize: how many are shown
    std::filesystem::path out;          ///< every point and metric as CSV; empty: not written
    Form form = Form::text;
};

struct SizeOptions
{
    ScenarioOptions scenario;
    std::string projectFile;            ///< its columns are sized as they are
    std::vector<std::string> systems;   ///< further systems to size; each with every plan that fits
    std::vector<std::string> limits;
    double requestRate = 0;             ///< requests a second
    double headroom = 0.2;
    int failures = 1;
    Form form = Form::text;
};

struct DiffOptions
{
    CompareOptions comparison;
    std::string metric = "tpot_ms";
    std::vector<std::string> order;     ///< of knobs in the waterfall
    std::string breakEven;              ///< knob; empty: none is sought
    bool firstOnly = false;             ///< the break-even knob is turned in the baseline alone
};

struct SensitivityOptions
{
    ScenarioOptions scenario;
    std::string projectFile;
    std::string metric = "tpot_ms";
    double share = 0.1;
    Form form = Form::text;
};

// Each prints to standard output, its complaints to standard error, and returns an ExitCode.
[[nodiscard]] int runEvaluate(const EvaluateOptions& options);
[[nodiscard]] int runLaunch(const EvaluateOptions& options);
[[nodiscard]] int runCompare(const CompareOptions& options);
[[nodiscard]] int runFigures(const FiguresOptions& options);
[[nodiscard]] int runMemory(const MemoryOptions& options);
[[nodiscard]] int runKnobs(const ListOptions& options);
[[nodiscard]] int runPresets(const ListOptions& options);
[[nodiscard]] int runImport(const ImportOptions& options);
[[nodiscard]] int runValidate(const ValidateOptions& options);
[[nodiscard]] int runCalibrateServing(const CalibrateOptions& options);
[[nodiscard]] int runCalibrateSpeed(const CalibrateOptions& options);
[[nodiscard]] int runSweepCommand(const SweepOptions& options);
[[nodiscard]] int runOptimize(const SweepOptions& options);
[[nodiscard]] int runSize(const SizeOptions& options);
[[nodiscard]] int runDiff(const DiffOptions& options);
[[nodiscard]] int runSensitivity(const SensitivityOptions& options);
[[nodiscard]] int runCalibrate(const CalibrateOptions& options);

} // namespace ridgepoint::app
