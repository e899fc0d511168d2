// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/validation/accuracy.h"
#include "core/validation/speed_fit.h"

#include <fmt/format.h>

namespace ridgepoint::app {

namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

void print(const SpeedFit& fit)
{
    app::print(fmt::format("\n{}: {} rows of {} devices\n\n", fit.what, fit.leftOut.size(), fit.devices));
    TextTable constants;
    constants.header = {"Constant", "in use", "fitted", "least", "most"};
    for (const FittedConstant& one : fit.constants)
        constants.rows.push_back({one.name, fmt::format("{:.4g}", one.shipped), fmt::format("{:.4g}", one.fitted),
                                  fmt::format("{:.4g}", one.low), fmt::format("{:.4g}", one.high)});
    app::print(constants.text() + "\nThe least and most over fits that leave one device out; errors of devices left out:\n\n");
    TextTable errors;
    errors.header = {"Rows", "count", "mean", "median", "p90", "bias"};
    for (const QuantityAccuracy& quantity : accuracyByGroup(fit.leftOut)) {
        const auto line = [&](const std::string& name, const Accuracy& a) {
            errors.rows.push_back({name, fmt::format("{}", a.count), percent(a.mean), percent(a.median), percent(a.p90), percent(a.bias)});
        };
        line("all", quantity.overall);
        for (const GroupAccuracy& group : quantity.groups)
            if (group.key == "layers" || group.key == "device")
                line(fmt::format("  {}", group.name), group.accuracy);
    }
    app::print(errors.text());
    if (fit.order.pairs > 0)
        app::print(fmt::format("\nOrder of two devices on one workload that differ by more than 15 %: {} of {} right, {}\n",
                               fit.order.right, fit.order.pairs, percent(double(fit.order.right) / double(fit.order.pairs))));
}

} // namespace

int runCalibrateSpeed(const CalibrateOptions& options)
{
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    for (const Error& error : loaded.errors)
        complain(notLoadedText(error), exitBadInput);
    for (const std::filesystem::path& file : options.files) {
        const Result<CsvTable> table = readCsv(file);
        if (!table)
            return complain(table.error(), exitBadInput);
        const Result<std::vector<SpeedFit>> fits = fitSpeed(*table, loaded.presets);
        if (!fits)
            return complain(fits.error(), exitBadInput);
        for (const SpeedFit& fit : *fits)
            print(fit);
    }
    return exitValid;
}

} // namespace ridgepoint::app
