// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibrate.h"

#include "core/calibration/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

namespace ridgepoint {

namespace {

using Rows = std::vector<const OperatorRow*>;

constexpr int folds = 5;
constexpr std::size_t mostRows = 1500;          ///< of a group, that constants are fitted on
constexpr std::size_t rowsToChoose = 250;       ///< on which starts are compared
constexpr std::size_t mostPooledRows = 500;     ///< of a device in a family
constexpr std::size_t fewestForResidual = 150;
constexpr std::size_t fewestForFolds = 8;
constexpr std::size_t fewestKeys = 3;           ///< of folds; with fewer, single rows are left out
constexpr double residualHelps = 0.985;         ///< error with a residual over error without, below which it is kept
constexpr double residualHarms = 1.03;
constexpr double usualScatter = 0.1;            ///< of log residuals, that the weight of the prior is meant for

/// FNV-1a: the same fold for a key on every machine.
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash ^ (hash >> 29);
}

int foldOf(const OperatorRow& row)
{
    return int(hashOf(row.fold) % folds);
}

/// At most `most` rows, spread evenly over the file.
Rows thinned(const Rows& rows, std::size_t most)
{
    if (rows.size() <= most)
        return rows;
    Rows kept;
    for (std::size_t i = 0; i < most; ++i)
        kept.push_back(rows[i * rows.size() / most]);
    return kept;
}

double quantile(std::vector<double> values, double at)
{
    if (values.empty())
        return 0.0;
    std::sort(values.begin(), values.end());
    const double place = at * double(values.size() - 1);
    const auto below = std::size_t(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - double(below)) * (values[above] - values[below]);
}

/// log(measured / predicted) of rows that were left out -> errors and the band they ask for.
KernelFit fitOf(const std::vector<double>& logs, KernelOrigin origin)
{
    KernelFit fit{.origin = origin, .rows = int(logs.size())};
    std::vector<double> errors;
    std::vector<double> around;
    for (const double log : logs) {
        errors.push_back(std::abs(std::exp(-log) - 1.0));
        around.push_back(std::clamp(log, -1.0, 1.0));
    }
    if (logs.empty())
        return fit;
    fit.median = quantile(errors, 0.5);
    fit.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / double(errors.size());
    double square = 0.0;
    for (const double log : around)
        square += log * log;
    fit.spread = std::sqrt(square / double(around.size()));
    fit.low = std::clamp(std::exp(quantile(logs, 0.1)), 1e-3, 0.995);
    fit.high = std::clamp(std::exp(quantile(logs, 0.9)), 1.005, 1e3);
    return fit;
}

FitError errorOf(const std::vector<double>& logs, const KernelFit& band)
{
    const KernelFit fit = fitOf(logs, KernelOrigin::measured);
    FitError error{.rows = fit.rows, .median = fit.median, .mean = fit.mean, .coverage = 0.0};
    for (const double log : logs)
        error.coverage += std::exp(log) >= band.low && std::exp(log) <= band.high ? 1.0 / double(logs.size()) : 0.0;
    return error;
}

/// Constants and residual of some rows.
struct Fitter
{
    const OperatorTable& table;
    std::string slot;

    /// The best of the table's choices from a base, on some of the rows.
    [[nodiscard]] AnyKernel chosen(const AnyKernel& base, const Rows& rows) const
    {
        const Rows some = thinned(rows, rowsToChoose);
        AnyKernel best = base;
        double least = 1e300;
        for (const AnyKernel& start : table.starts(slot, base, rows.size())) {
            const AnyKernel tried = fitConstants(start, start, some, {.iterations = 8, .pull = 0.02});
            if (const double cost = fitCost(tried, some); cost < least) {
                least = cost;
                best = tried;
            }
        }
        return best;
    }

    [[nodiscard]] AnyKernel constants(const AnyKernel& start, const AnyKernel& prior, const Rows& rows,
                                      int iterations) const
    {
        // Few rows say little of many constants.
        const bool few = rows.size() < 60;
        const Rows some = thinned(rows, mostRows);
        const AnyKernel& wanted = few ? start : prior;
        const double pull = few ? 0.01 : 0.05;
        const AnyKernel first = fitConstants(start, wanted, some, {.iterations = iterations, .pull = pull});
        // Measurements that repeat to a percent outweigh a prior that is meant for scatter of ten percent.
        double square = 0.0;
        for (const double log : logResiduals(first, some))
            square += log * log / double(some.size());
        if (few || square >= usualScatter * usualScatter / 4.0)
            return first;
        return fitConstants(first, wanted, some,
                            {.iterations = iterations, .pull = pull * square / (usualScatter * usualScatter)});
    }

    [[nodiscard]] AnyKernel withGrid(const AnyKernel& kernel, const Rows& rows) const
    {
        return withResidual(kernel, fitResidual(table.axes(slot), rows, logResiduals(kernel, rows)));
    }
};

/// What leaving rows out says: whole fold keys, and single rows whose keys stay in the fit.
struct LeftOut
{
    std::vector<double> form, best;   ///< by fold key
    std::vector<double> near;         ///< by row, as good as `best` gets
    bool useResidual = false;
};

void append(std::vector<double>& all, const std::vector<double>& some)
{
    all.insert(all.end(), some.begin(), some.end());
}

double meanError(const std::vector<double>& logs)
{
    return fitOf(logs, KernelOrigin::measured).mean;
}

/// Log residuals of rows left out in folds, without and with a residual grid.
struct Folded
{
    std::vector<double> form, gridded;
};

template <typename FoldOf>
Folded folded(const Fitter& fitter, const AnyKernel& start, const AnyKernel& prior, const Rows& rows, const FoldOf& foldOf)
{
    Folded out;
    for (int fold = 0; fold < folds; ++fold) {
        Rows others;
        Rows those;
        for (const OperatorRow* row : rows)
            (foldOf(*row) == fold ? those : others).push_back(row);
        if (those.empty())
            continue;
        const AnyKernel form = others.empty() ? prior : fitter.constants(start, prior, others, 12);
        append(out.form, logResiduals(form, those));
        append(out.gridded,
               logResiduals(rows.size() >= fewestForResidual ? fitter.withGrid(form, others) : form, those));
    }
    return out;
}

LeftOut leaveOut(const Fitter& fitter, const AnyKernel& start, const AnyKernel& prior, const Rows& rows)
{
    LeftOut out;
    if (rows.size() < fewestForFolds) {
        // Too few to leave any out: what the pooled constants say of them is the honest error.
        out.form = out.best = out.near = logResiduals(prior, rows);
        return out;
    }
    const auto byRow = [](const OperatorRow& row) { return int(hashOf(fmt::format("{}", row.row)) % folds); };
    std::set<std::string> keys;
    for (const OperatorRow* row : rows)
        keys.insert(row->fold);
    const Folded near = folded(fitter, start, prior, rows, byRow);
    const Folded far = keys.size() < fewestKeys ? near : folded(fitter, start, prior, rows, foldOf);
    // A grid is for shapes like those that were measured; it must not harm the others.
    out.useResidual = rows.size() >= fewestForResidual &&
                      meanError(near.gridded) < residualHelps * meanError(near.form) &&
                      meanError(far.gridded) < residualHarms * meanError(far.form);
    out.form = far.form;
    out.best = out.useResidual ? far.gridded : far.form;
    out.near = out.useResidual ? near.gridded : near.form;
    return out;
}

/// Rows of devices, by device id.
using ByDevice = std::map<std::string, Rows>;

Rows pooled(const ByDevice& devices, const std::string& without = {})
{
    Rows rows;
    for (const auto& [device, own] : devices)
        if (device != without) {
            const Rows some = thinned(own, mostPooledRows);
            rows.insert(rows.end(), some.begin(), some.end());
        }
    return rows;
}

OperatorCalibration& calibrationOf(std::vector<OperatorCalibration>& all, const std::string& id)
{
    for (OperatorCalibration& one : all)
        if (one.id == id)
            return one;
    OperatorCalibration& added = all.emplace_back();
    added.id = added.device = id;
    return added;
}

/// Constants of several devices together, and what they say of each when it is left out.
struct Pool
{
    AnyKernel kernel;
    std::map<std::string, std::vector<double>> leftOut;   ///< device -> log residuals
};

Pool pool(const Fitter& fitter, const AnyKernel& base, const ByDevice& devices)
{
    Pool result;
    const Rows all = pooled(devices);
    const AnyKernel start = fitter.chosen(base, all);
    const auto fitTo = [&](const Rows& rows) {
        const AnyKernel form = fitter.constants(start, base, rows, 15);
        return rows.size() >= fewestForResidual ? fitter.withGrid(form, rows) : form;
    };
    result.kernel = fitTo(all);
    std::vector<double> logs;
    if (devices.size() > 1)
        for (const auto& [device, rows] : devices) {
            const std::vector<double> left = logResiduals(fitTo(pooled(devices, device)), rows);
            result.leftOut[device] = left;
            append(logs, logResiduals(fitTo(pooled(devices, device)), thinned(rows, mostPooledRows)));
        }
    fitOf(result.kernel) = fitOf(logs, KernelOrigin::family);
    if (logs.empty()) {
        // One device says nothing of the next one: its own error, widened by what siblings usually differ by.
        std::vector<double> own = logResiduals(result.kernel, all);
        for (double& log : own)
            log *= 2.0;
        fitOf(result.kernel) = fitOf(own, KernelOrigin::family);
    }
    fitOf(result.kernel).rows = int(all.size());
    return result;
}

/// Where only an engine without captured graphs was measured, inference takes its rates and the launch of the others.
constexpr std::string_view eagerEngine = "vllm";

void addWithoutHostTime(const OperatorTable& table, OperatorCalibration& calibration, const OperatorCalibration& general)
{
    if (table.id != gemmTable.id)
        return;
    std::vector<MeasuredKernel> more;
    for (const MeasuredKernel& measured : calibration.kernels) {
        const MeasuredKernel* usual = find(general, measured.slot, {});
        if (measured.implementation != eagerEngine || find(calibration, measured.slot, {}) || !usual)
            continue;
        MatmulKernel kernel = std::get<MatmulKernel>(measured.kernel);
        kernel.launch = std::get<MatmulKernel>(usual->kernel).launch;
        kernel.residual = {};
        more.push_back({measured.slot, {}, kernel});
    }
    calibration.kernels.insert(calibration.kernels.end(), more.begin(), more.end());
}

} // namespace

CalibrationOutcome calibrate(const OperatorTable& table, const std::vector<OperatorRow>& rows, const KernelFamily& base,
                             const std::function<void(const std::string&)>& progress)
{
    // slot and implementation -> family -> device -> rows
    std::map<std::pair<std::string, std::string>, std::map<std::string, ByDevice>> kinds;
    for (const OperatorRow& row : rows)
        if (row.problem.empty() && row.device && row.measured)
            kinds[{row.slot, row.implementation}][row.device->kernels.id][row.device->id].push_back(&row);

    CalibrationOutcome outcome;
    for (const auto& [kind, families] : kinds) {
        const Fitter fitter{table, kind.first};
        const std::optional<AnyKernel> start = kernelOf(base, kind.first);
        if (!start)
            continue;
        const auto add = [&](OperatorCalibration& to, const AnyKernel& kernel) {
            to.kernels.push_back({kind.first, kind.second, kernel});
        };

        ByDevice everything;
        for (const auto& [family, devices] : families)
            everything.insert(devices.begin(), devices.end());
        progress(fmt::format("{} {}: general constants of {} devices", kind.first, kind.second, everything.size()));
        const Pool general = pool(fitter, withResidual(*start, {}), everything);
        AnyKernel generalKernel = general.kernel;
        fitOf(generalKernel).origin = KernelOrigin::general;
        add(calibrationOf(outcome.families, "default"), generalKernel);

        for (const auto& [family, devices] : families) {
            Pool own{general.kernel, {}};
            if (family != "default") {
                progress(fmt::format("{} {}: family {}", kind.first, kind.second, family));
                own = pool(fitter, withResidual(general.kernel, {}), devices);
                add(calibrationOf(outcome.families, family), own.kernel);
            }
            for (const auto& [device, deviceRows] : devices) {
                progress(fmt::format("{} {}: {}, {} rows", kind.first, kind.second, device, deviceRows.size()));
                const AnyKernel prior = withResidual(own.kernel, {});
                const AnyKernel chosen =
                    deviceRows.size() >= fewestForFolds ? fitter.chosen(prior, deviceRows) : prior;
                AnyKernel kernel = fitter.constants(chosen, prior, deviceRows, 25);
                const LeftOut left = leaveOut(fitter, kernel, prior, deviceRows);
                if (left.useResidual)
                    kernel = fitter.withGrid(kernel, deviceRows);
                // The band has to hold for shapes near those measured and for others.
                std::vector<double> both = left.best;
                append(both, left.near);
                fitOf(kernel) = fitOf(both, KernelOrigin::measured);
                const KernelFit far = fitOf(left.best, KernelOrigin::measured);
                fitOf(kernel).rows = far.rows;
                fitOf(kernel).median = far.median;
                fitOf(kernel).mean = far.mean;

                CalibrationGroup group;
                group.table = table.id;
                group.device = device;
                group.slot = kind.first;
                group.implementation = kind.second;
                group.rows = int(deviceRows.size());
                group.form = errorOf(left.form, fitOf(kernel));
                group.best = errorOf(left.best, fitOf(kernel));
                group.near = errorOf(left.near, fitOf(kernel));
                group.hasResidual = left.useResidual;
                if (const auto sibling = own.leftOut.find(device); sibling != own.leftOut.end())
                    group.deviceLeftOut = errorOf(sibling->second, fitOf(own.kernel));
                outcome.groups.push_back(std::move(group));

                OperatorCalibration& calibration = calibrationOf(outcome.devices, device);
                const Device& preset = *deviceRows.front()->device;
                calibration.peak = preset.peak;
                calibration.memoryBandwidth = preset.memoryBandwidth;
                calibration.linkBandwidth = preset.linkBandwidth;
                add(calibration, kernel);
            }
        }
    }
    for (OperatorCalibration& device : outcome.devices)
        addWithoutHostTime(table, device, calibrationOf(outcome.families, "default"));
    for (OperatorCalibration& family : outcome.families)
        if (family.id != "default")
            addWithoutHostTime(table, family, calibrationOf(outcome.families, "default"));
    return outcome;
}

void merge(CalibrationOutcome& into, CalibrationOutcome from)
{
    const auto join = [](std::vector<OperatorCalibration>& all, std::vector<OperatorCalibration>& more) {
        for (OperatorCalibration& one : more) {
            OperatorCalibration& target = calibrationOf(all, one.id);
            std::vector<MeasuredKernel> kernels = std::move(target.kernels);
            kernels.insert(kernels.end(), one.kernels.begin(), one.kernels.end());
            target = std::move(one);
            target.kernels = std::move(kernels);
        }
    };
    join(into.devices, from.devices);
    join(into.families, from.families);
    into.groups.insert(into.groups.end(), from.groups.begin(), from.groups.end());
}

} // namespace ridgepoint
