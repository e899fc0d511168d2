// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/validation/serving_calibration.h"

#include <fmt/format.h>

namespace ridgepoint::app {

namespace {

std::string percents(const Accuracy& accuracy)
{
    return accuracy.count == 0 ? std::string()
                               : fmt::format("{:.1f} / {:.1f} / {:.1f}", 100.0 * accuracy.mean, 100.0 * accuracy.median,
                                             100.0 * accuracy.p90);
}

std::string milliseconds(double seconds)
{
    return seconds < 1e-3 ? fmt::format("{:.1f} us", 1e6 * seconds) : fmt::format("{:.2f} ms", 1e3 * seconds);
}

} // namespace

int runCalibrateServing(const CalibrateOptions& options)
{
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    for (const Error& error : loaded.errors)
        complain(notLoadedText(error), exitBadInput);
    const Result<CsvTable> table = readCsv(options.files.front());
    if (!table)
        return complain(table.error(), exitBadInput);
    const Result<ServingCalibration> calibration = calibrateServing(*table, loaded.presets);
    if (!calibration)
        return complain(calibration.error(), exitBadInput);

    TextTable constants{{"Constant", "Fitted", "Range when one network or device is left out"}, {true}, {}};
    for (const ConstantRange& one : calibration->ranges)
        constants.rows.push_back({one.name, milliseconds(one.value),
                                  fmt::format("{} to {}", milliseconds(one.low), milliseconds(one.high))});
    print(constants.text());
    print("\nErrors are mean / median / 90th percentile in percent; TTFT where lengths were recorded. Spread is the standard "
          "deviation of log(measured / predicted).\n\n");
    TextTable errors{{"Rows", "TPOT rows", "TPOT", "spread", "TTFT rows", "TTFT", "spread"}, {true}, {}};
    const auto line = [&](const std::string& name, const SplitAccuracy& split) {
        errors.rows.push_back({name, fmt::format("{}", split.tpot.count), percents(split.tpot),
                               fmt::format("{:.3f}", split.tpotSpread), fmt::format("{}", split.ttft.count),
                               percents(split.ttft), fmt::format("{:.3f}", split.ttftSpread)});
    };
    for (const SplitAccuracy& split : calibration->splits)
        line(split.name, split);
    for (const auto& [engine, split] : calibration->engines)
        line("out of fold: " + engine, split);
    print(errors.text());
    return exitValid;
}

} // namespace ridgepoint::app
