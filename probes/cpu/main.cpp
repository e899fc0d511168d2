// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unit_text.h"
#include "core/io/calibration_file.h"
#include "core/io/preset_library.h"
#include "probes/common/runner.h"
#include "probes/cpu/kernels.h"
#include "probes/cpu/probes.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace ridgepoint::probe {
namespace {

enum ExitCode
{
    valid = 0,
    badInput = 2,
    notAvailable = 4
};

std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void requestStop(int)
{
    stopRequested = true;
}

struct Options
{
    bool quick = false;
    bool json = false;
    std::string out;
};

std::string valueText(double value, std::string_view unit)
{
    if (unit == "B/s")
        return bandwidthText({value});
    return unit == "FLOP/s" ? flopRateText({value}) : secondsText({value});
}

void showProgress(int index, int count, std::string_view probe, const Case& single, const CalibrationSample* sample)
{
    // On a terminal the finished line takes the place of the running one.
    static const bool terminal = isatty(STDERR_FILENO) == 1;
    const std::string start = fmt::format("[{:2}/{}] {} {}", index, count, probe, single.shape);
    if (sample == nullptr) {
        if (terminal)
            fmt::print(stderr, "{} …", start);
        return;
    }
    fmt::print(stderr, "{}{}  {} ({} … {}, {} runs)\n", terminal ? "\r\033[K" : "", start,
               valueText(sample->value, sample->unit), valueText(sample->low, sample->unit),
               valueText(sample->high, sample->unit), sample->repeats);
}

/// Why the file cannot be written, empty when it can: asked before a measurement is spent on it.
std::string cannotWrite(const std::filesystem::path& file)
{
    std::error_code error;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, error))
        return fmt::format("There is no folder {}. Create it or choose another file.", folder.string());
    if (std::filesystem::is_directory(file, error))
        return fmt::format("{} is a folder. Name a file in it.", file.string());
    // Only trying tells: permissions do not bind root, and some file systems take no files at all.
    std::string trial = (folder / ".ridgepoint-XXXXXX").string();
    const int descriptor = mkstemp(trial.data());
    if (descriptor < 0)
        return fmt::format("The folder {} cannot be written to. Choose another one.", folder.string());
    close(descriptor);
    unlink(trial.c_str());
    return {};
}

/// The file that was asked for, or one in the user's own presets, where the other programs find it.
Result<std::filesystem::path> targetFile(const Options& options, const std::string& id)
{
    std::filesystem::path file = options.out;
    if (options.out.empty()) {
        const std::filesystem::path folder = userPresetFolder() / "calibrations";
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        file = folder / (id + ".yaml");
    }
    if (std::string reason = cannotWrite(file); !reason.empty())
        return fail(std::move(reason));
    return file;
}

/// The best multiply-add rate, its third quartile: other programs only ever slow it down. 0 when a stop came first.
double measuredPeak(const Calibration& calibration)
{
    double peak = 0;
    for (const CalibrationSample& sample : calibration.samples) {
        if (sample.probe == multiplyAddPeak().name)
            peak = std::max(peak, sample.high);
    }
    return peak;
}

nlohmann::ordered_json asJson(const Calibration& calibration)
{
    nlohmann::ordered_json samples = nlohmann::ordered_json::array();
    for (const CalibrationSample& sample : calibration.samples) {
        samples.push_back({{"probe", sample.probe},
                           {"shape", sample.shape},
                           {"value", sample.value},
                           {"low", sample.low},
                           {"high", sample.high},
                           {"repeats", sample.repeats},
                           {"unit", sample.unit}});
    }
    return {{"version", calibrationVersion},  {"id", calibration.id},
            {"machine", calibration.machine}, {"conditions", calibration.conditions},
            {"date", calibration.date},       {"program", calibration.program},
            {"units", calibration.units},     {"peak_flops", calibration.peakFlops},
            {"samples", std::move(samples)}};
}

int run(const Options& options)
{
    const Conditions conditions{.machine = describeMachine(), .quick = options.quick};
    const Machine& machine = conditions.machine;
    Calibration calibration;
    calibration.machine = machine.processor;
    calibration.date = currentDate();
    calibration.id = calibrationId(machine, calibration.date);
    calibration.program = "ridgepoint-probe-cpu " RIDGEPOINT_VERSION;
    calibration.units = int(machine.cores.size());
    calibration.memory = double(machine.memory);
    calibration.conditions = fmt::format("{}, {} kernels{}", machineText(machine), kernels().instructions,
                                         options.quick ? ", quick run" : "");

    const Result<std::filesystem::path> file = targetFile(options, calibration.id);
    if (!file) {
        fmt::print(stderr, "{}\n", file.error().text());
        return badInput;
    }
    fmt::print(stderr, "{}\n{}\nMeasures for about {}; Ctrl+C stops and keeps what is measured.\n", machine.processor,
               calibration.conditions, options.quick ? "5 seconds" : "half a minute");

    const std::array probes = {multiplyAddPeak(), matmul(), streamTriad()};
    calibration.samples = runProbes(probes, conditions, stoppingRule(options.quick), stopRequested, showProgress);
    calibration.peakFlops = measuredPeak(calibration);
    if (calibration.samples.empty()) {
        fmt::print(stderr, "Nothing was measured, and no file is written.\n");
        return notAvailable;
    }
    if (const Result<void> saved = saveCalibration(calibration, *file); !saved) {
        fmt::print(stderr, "{}\n", saved.error().text());
        return badInput;
    }
    if (options.json)
        fmt::print("{}\n", asJson(calibration).dump(2));
    fmt::print(stderr, "{}{} measurements written to {}\n", stopRequested ? "Stopped. " : "",
               calibration.samples.size(), file->string());
    return valid;
}

} // namespace
} // namespace ridgepoint::probe

int main(int argc, char** argv)
{
    using namespace ridgepoint::probe;
    try {
        Options options;
        CLI::App app("Measures memory bandwidth and matrix products of this machine and writes a calibration file.",
                     "ridgepoint-probe-cpu");
        app.set_version_flag("--version", "ridgepoint-probe-cpu " RIDGEPOINT_VERSION);
        app.add_flag("--quick", options.quick, "Fewer sizes and runs: a few seconds, less steady");
        app.add_option("--out", options.out, "The file to write; without it one in your calibrations")
            ->type_name("FILE");
        app.add_flag("--json", options.json, "Also print the result to standard output as JSON");
        app.footer("Exit codes: 0 measured, 2 bad options or an unwritable file, 4 nothing could be measured.");
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app.exit(error) == 0 ? valid : badInput;
        }

        struct sigaction action = {};
        action.sa_handler = requestStop;
        sigaction(SIGINT, &action, nullptr);
        sigaction(SIGTERM, &action, nullptr);
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "The measurement failed: %s\n", error.what());
        return notAvailable;
    }
}
