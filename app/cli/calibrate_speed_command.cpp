// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/validation/accuracy.h"
#include "app/cli/speed_text.h"
#include "core/validation/speed_fit.h"

#include <cmath>
#include <fmt/format.h>
#include <vector>

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
            if (group.key == "use" || group.key == "cards" || group.key == "layers" || group.key == "device")
                line(fmt::format("  {}{}", group.key == "cards" ? "cards: " : "", group.name), group.accuracy);
    }
    app::print(errors.text());
    TextTable bands;
    bands.header = {"80 % band, measured over predicted", "rows", "devices", "low", "high"};
    for (const FittedBand& band : fit.bands)
        bands.rows.push_back({band.name, fmt::format("{}", band.rows), fmt::format("{}", band.devices),
                              fmt::format("{:.3f}", band.low), fmt::format("{:.3f}", band.high)});
    app::print("\n" + bands.text());
}

void printOrders(const CsvTable& table, const std::vector<SpeedFit>& fits)
{
    std::vector<Prediction> all;
    for (const SpeedFit& fit : fits)
        all.insert(all.end(), fit.leftOut.begin(), fit.leftOut.end());
    app::print("\nDevices left out: " + ordersText(pairOrders(table, all)));
}

/// Whether the presets hold what is fitted.
void printDifferences(const std::vector<SpeedFit>& fits)
{
    constexpr double rounding = 0.03;
    std::string differing;
    for (const SpeedFit& fit : fits)
        for (const FittedConstant& one : fit.constants)
            if (std::abs(one.shipped / one.fitted - 1.0) > rounding)
                differing += fmt::format("  {}: {} {:.4g}, fitted {:.4g}\n", fit.what, one.name, one.shipped, one.fitted);
    app::print(differing.empty() ? "\nAll constants in use are those fitted here, within 3 %.\n"
                                 : "\nConstants in use that differ from those fitted by more than 3 %:\n" + differing);
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
        printOrders(*table, *fits);
        printDifferences(*fits);
    }
    return exitValid;
}

} // namespace ridgepoint::app
