// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/text_table.h"
#include "core/calibration/calibrate.h"
#include "core/io/operator_calibration_file.h"
#include "core/io/text_file.h"
#include "core/validation/operator_acceptance.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <system_error>

namespace ridgepoint::app {

namespace {

std::string shares(const FitError& error)
{
    return error.rows > 0 ? fmt::format("{:.1f} / {:.1f}", 100.0 * error.median, 100.0 * error.mean) : std::string();
}

void printGroups(const CalibrationOutcome& outcome)
{
    print("\nErrors are median / mean in percent. Constants alone and best: rows left out in five folds. Device left out: the "
          "constants of the other devices of its family.\n\n");
    TextTable each{{"Device", "Kernel", "Rows", "Constants alone", "Best", "80 % band holds", "Rows left out", "holds", "Device left out",
                    "holds"},
                   {true, true},
                   {}};
    for (const CalibrationGroup& group : outcome.groups)
        each.rows.push_back({group.device,
                         group.slot + (group.implementation.empty() ? "" : "@" + group.implementation),
                         fmt::format("{}", group.rows), shares(group.form),
                         shares(group.best) + (group.hasResidual ? " r" : ""),
                         fmt::format("{:.0f} %", 100.0 * group.best.coverage), shares(group.near),
                         fmt::format("{:.0f} %", 100.0 * group.near.coverage), shares(group.deviceLeftOut),
                         group.deviceLeftOut.rows > 0 ? fmt::format("{:.0f} %", 100.0 * group.deviceLeftOut.coverage)
                                                      : std::string()});
    print(each.text());

    struct Sum
    {
        double groups = 0, formMedian = 0, formMean = 0, median = 0, mean = 0, siblings = 0, leftMedian = 0, leftMean = 0;
    };
    std::map<std::string, Sum> sums;
    for (const CalibrationGroup& group : outcome.groups) {
        Sum& sum = sums[group.slot + (group.implementation.empty() ? "" : "@" + group.implementation)];
        sum.groups += 1;
        sum.formMedian += group.form.median;
        sum.formMean += group.form.mean;
        sum.median += group.best.median;
        sum.mean += group.best.mean;
        if (group.deviceLeftOut.rows > 0) {
            sum.siblings += 1;
            sum.leftMedian += group.deviceLeftOut.median;
            sum.leftMean += group.deviceLeftOut.mean;
        }
    }
    print("\nUnweighted means over the devices\n\n");
    TextTable all{{"Kernel", "Devices", "Constants alone", "Best", "With a sibling", "Device left out"}, {true}, {}};
    const auto two = [](double median, double mean, double count) {
        return count > 0 ? fmt::format("{:.1f} / {:.1f}", 100.0 * median / count, 100.0 * mean / count) : std::string();
    };
    for (const auto& [name, sum] : sums)
        all.rows.push_back({name, fmt::format("{:.0f}", sum.groups), two(sum.formMedian, sum.formMean, sum.groups),
                         two(sum.median, sum.mean, sum.groups), fmt::format("{:.0f}", sum.siblings),
                         two(sum.leftMedian, sum.leftMean, sum.siblings)});
    print(all.text());
}

std::string percent(double share)
{
    return fmt::format("{:.1f}", 100.0 * share);
}

void printTargets(const CalibrationOutcome& outcome)
{
    print("\nUnweighted means over (device, dtype) of the median / mean error in percent. Folds: whole shapes left out, as GEMM by "
          "(n, k).\n\n");
    TextTable table{{"Left out", "Operator", "Devices", "Groups", "Median", "at most", "Mean", "at most", "", "Worst", "Median"},
                    {true, true, true, false, false, false, false, false, true, true, false},
                    {}};
    std::string quantity;
    for (const OperatorTarget& target : operatorTargets(outcome.predictions)) {
        if (!quantity.empty() && quantity != target.quantity)
            table.rows.emplace_back();
        quantity = target.quantity;
        const bool asked = target.mostMedian > 0.0 || target.mostMean > 0.0;
        const auto most = [](double share) { return share > 0.0 ? fmt::format("{:.0f}", 100.0 * share) : std::string(); };
        table.rows.push_back({target.quantity, target.kind, target.part, fmt::format("{}", target.groups),
                              percent(target.median), most(target.mostMedian), percent(target.mean), most(target.mostMean),
                              !asked ? "" : target.holds() ? "holds" : "MISSED", withoutControls(target.worst),
                              percent(target.worstMedian)});
    }
    print(table.text());

    constexpr double leastCoverage = 0.65;
    constexpr double mostCoverage = 0.95;
    TextTable missed{{"Left out", "Group", "Rows", "in 80 % band", "width"}, {true, true}, {}};
    std::map<std::string, std::pair<int, int>> counts;   // quantity -> groups, outside
    std::map<std::string, std::vector<double>> widths;
    for (const BandGroup& group : bandGroups(outcome.predictions)) {
        auto& [all, outside] = counts[group.quantity];
        ++all;
        widths[group.quantity].push_back(group.width);
        if (group.coverage >= leastCoverage && group.coverage <= mostCoverage)
            continue;
        ++outside;
        missed.rows.push_back({group.quantity, withoutControls(group.group), fmt::format("{}", group.rows),
                               percent(group.coverage), percent(group.width)});
    }
    print(fmt::format("\nBands of 80 %, from rows that were left out of them too, in groups of {} rows and more:\n",
                      fewestBandRows));
    for (auto& [name, count] : counts) {
        std::vector<double>& all = widths[name];
        std::nth_element(all.begin(), all.begin() + std::ptrdiff_t(all.size() / 2), all.end());
        print(fmt::format("  {}: {} of {} groups hold 65 to 95 % of their rows; median width {} %\n", name,
                          count.first - count.second, count.first, percent(all[all.size() / 2])));
    }
    if (!missed.rows.empty())
        print("\n" + missed.text());
}

int write(const std::filesystem::path& file, const std::string& text)
{
    std::error_code code;
    std::filesystem::create_directories(file.parent_path(), code);
    if (const Result<void> done = writeTextFile(file, text); !done)
        return complain(done.error(), exitBadInput);
    return exitValid;
}

/// Kernels that a fit of some tables did not make stay as they were.
void keepOthers(OperatorCalibration& fresh, const std::vector<OperatorCalibration>& shipped)
{
    for (const OperatorCalibration& old : shipped)
        if (old.device == fresh.device)
            for (const MeasuredKernel& kernel : old.kernels)
                if (!find(fresh, kernel.slot, kernel.implementation))
                    fresh.kernels.push_back(kernel);
    std::sort(fresh.kernels.begin(), fresh.kernels.end(), [](const MeasuredKernel& a, const MeasuredKernel& b) {
        return std::tie(a.implementation, a.slot) < std::tie(b.implementation, b.slot);
    });
}

int writeAll(CalibrationOutcome& outcome, const Presets& presets, const CalibrateOptions& options)
{
    for (OperatorCalibration& one : outcome.devices) {
        if (!options.device.empty() && one.device != options.device)
            continue;
        keepOthers(one, presets.deviceKernels);
        one.date = options.date;
        one.source = options.source;
        const auto file = options.out / "calibrations" / (one.device + ".yaml");
        if (const int code = write(file, writeOperatorCalibration(one)); code != exitValid)
            return code;
    }
    if (!options.device.empty())
        return exitValid;
    for (OperatorCalibration& one : outcome.families) {
        std::string name = one.id;
        bool fitted = one.id != "default";
        for (const KernelFamily& family : presets.kernels)
            if (family.id == one.id) {
                name = family.name;
                one.source = family.source;
            }
        keepOthers(one, presets.familyKernels);
        std::string comment =
            fitted ? "# Constants of all measured devices of the family together, relative to the data sheet of each.\n"
                   : "# Constants of all measured devices together, for what no family measured.\n";
        comment += "# Errors and bands are those of a device that is left out.\n";
        if (one.source.empty())
            one.source = options.source;
        if (const int code = write(options.out / "kernels" / (one.id + ".yaml"),
                                   writeKernelFamily(name, fitted, comment, one));
            code != exitValid)
            return code;
    }
    return exitValid;
}

} // namespace

int runCalibrate(const CalibrateOptions& options)
{
    const LoadedPresets loaded = loadAllPresets(options.presetFolders);
    for (const Error& error : loaded.errors)
        fmt::print(stderr, "ridgepoint-cli: {}\n", notLoadedText(error));
    KernelFamily base;
    for (const KernelFamily& family : loaded.presets.kernels)
        if (family.id == "default")
            base = family;

    CalibrationOutcome outcome;
    for (const std::filesystem::path& file : options.files) {
        const Result<CsvTable> table = readCsv(file);
        if (!table)
            return complain(table.error(), exitBadInput);
        const Result<const OperatorTable*> kind = operatorTableOf(*table, options.table);
        if (!kind)
            return complain(kind.error(), exitBadInput);
        std::vector<OperatorRow> rows = (*kind)->rows(*table, loaded.presets);
        std::map<std::string, int> problems;
        for (const OperatorRow& row : rows)
            if (!row.problem.empty() || !row.measured)
                ++problems[row.problem.empty() ? "no latency_us" : row.problem];
        for (const auto& [problem, count] : problems)
            fmt::print(stderr, "ridgepoint-cli: {}: {} rows left aside: {}\n", file.string(), count, problem);
        if (!options.slot.empty())
            std::erase_if(rows, [&](const OperatorRow& row) { return !row.slot.starts_with(options.slot); });
        merge(outcome, calibrate(**kind, rows, base,
                                 [](const std::string& what) { fmt::print(stderr, "{}\n", what); }));
    }
    printGroups(outcome);
    printTargets(outcome);
    return options.out.empty() ? int(exitValid) : writeAll(outcome, loaded.presets, options);
}

} // namespace ridgepoint::app
