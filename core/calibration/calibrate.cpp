// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibrate.h"

#include "core/calibration/domain_fit.h"
#include "core/calibration/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
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
constexpr std::size_t fewestForChoice = 3;
constexpr std::size_t fewestKeys = 3;           ///< of folds; with fewer, single rows are left out
constexpr double residualHelps = 0.985;         ///< error with a residual over error without, below which it is kept
constexpr double residualHarms = 1.03;
constexpr double otherCampaign = 0.06;          ///< log ratio of the same measurement made again, see opsData
constexpr std::size_t fewRows = 60;             ///< that say little of many constants
constexpr double usualScatter = 0.1;            ///< of log residuals, that the weight of the prior is meant for

/// FNV-1a: the same fold for a key on every machine.
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash ^ (hash >> 29);
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

/// Rows of so few folds that single rows are left out instead.
bool hasFewKeys(const Rows& rows)
{
    std::set<std::string> keys;
    for (const OperatorRow* row : rows)
        keys.insert(row->fold);
    return keys.size() < fewestKeys;
}

/// Which fold each key belongs to: as many keys in each as can be, so that few keys are left out one at a time.
class KeyFolds
{
public:
    explicit KeyFolds(const Rows& rows)
    {
        for (const OperatorRow* row : rows)
            m_folds[hashOf(row->fold)] = 0;
        int next = 0;
        for (auto& [key, fold] : m_folds)
            fold = next++ % folds;
    }
    [[nodiscard]] int operator()(const OperatorRow& row) const { return m_folds.at(hashOf(row.fold)); }

private:
    std::map<std::uint64_t, int> m_folds;
};

/// log(measured / predicted) of rows that were left out, with the rows.
struct LeftOutRows
{
    Rows rows;
    std::vector<double> logs;
    std::size_t alone = 0;   ///< so many, from the end, were left out while others of their keys stayed

    void add(const Rows& moreRows, const std::vector<double>& moreLogs)
    {
        rows.insert(rows.end(), moreRows.begin(), moreRows.end());
        logs.insert(logs.end(), moreLogs.begin(), moreLogs.end());
    }

    [[nodiscard]] std::vector<LeftOutError> errors() const
    {
        const bool byRow = hasFewKeys(rows);
        std::vector<LeftOutError> out;
        for (std::size_t i = 0; i < rows.size(); ++i)
            out.push_back({domainPoint(rows[i]->shape, rows[i]->regime), logs[i],
                           byRow ? std::uint64_t(rows[i]->row) : hashOf(rows[i]->fold), i + alone >= rows.size()});
        return out;
    }
};

/// Errors of rows that were left out, and the band they ask for.
KernelFit fitOf(const LeftOutRows& left, KernelOrigin origin)
{
    KernelFit fit{.origin = origin, .rows = int(left.logs.size())};
    if (left.logs.empty())
        return fit;
    std::vector<double> errors;
    double square = 0.0;
    for (const double log : left.logs) {
        errors.push_back(std::abs(std::exp(-log) - 1.0));
        square += std::pow(std::clamp(log, -1.0, 1.0), 2) / double(left.logs.size());
    }
    fit.median = quantile(errors, 0.5);
    fit.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / double(errors.size());
    fit.spread = std::sqrt(square);
    const ErrorBand band = bandOf(left.errors());
    fit.low = band.low;
    fit.high = band.high;
    return fit;
}

/// Bands of rows that neither the constants nor the bands were fitted on.
using Bands = std::vector<ErrorBand>;

FitError errorOf(const LeftOutRows& left, const Bands& bands)
{
    const KernelFit fit = fitOf(left, KernelOrigin::measured);
    FitError error{.rows = fit.rows, .median = fit.median, .mean = fit.mean};
    std::vector<double> widths;
    for (std::size_t i = 0; i < left.logs.size(); ++i) {
        const double ratio = std::exp(left.logs[i]);
        error.coverage += ratio >= bands[i].low && ratio <= bands[i].high ? 1.0 / double(left.logs.size()) : 0.0;
        widths.push_back(bands[i].high - bands[i].low);
    }
    error.width = quantile(widths, 0.5);
    return error;
}

/// One prediction a row, as `validate` would have made it without the row.
void addPredictions(std::vector<Prediction>& out, const OperatorTable& table, std::string_view quantity,
                    const LeftOutRows& left, const Bands& bands)
{
    for (std::size_t i = 0; i < left.rows.size(); ++i) {
        const OperatorRow& row = *left.rows[i];
        Prediction& one = out.emplace_back();
        one.id = fmt::format("{}", row.row + 1);
        one.quantity = quantity;
        one.unit = "us";
        one.measured = row.measured->value * 1e6;
        one.value = *one.measured * std::exp(-left.logs[i]);
        one.low80 = *one.value * bands[i].low;
        one.high80 = *one.value * bands[i].high;
        one.groups = row.groups;
        one.groups.emplace(one.groups.begin(), "table", table.id);
    }
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
        const bool few = rows.size() < fewRows;
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
    LeftOutRows form, best;   ///< by fold key
    LeftOutRows near;         ///< by row, as good as `best` gets
    bool useResidual = false;
};

double meanError(const LeftOutRows& left)
{
    return fitOf(left, KernelOrigin::measured).mean;
}

/// Rows left out in folds, without and with a residual grid.
struct Folded
{
    LeftOutRows form, gridded;
};

template <typename FoldOf>
Folded folded(const Fitter& fitter, const AnyKernel& start, const AnyKernel& prior, const Rows& rows, const FoldOf& foldOf,
              int count = folds)
{
    Folded out;
    for (int fold = 0; fold < count; ++fold) {
        Rows others;
        Rows those;
        for (const OperatorRow* row : rows)
            (foldOf(*row) == fold ? those : others).push_back(row);
        if (those.empty())
            continue;
        // The start was fitted to all rows: few ones would keep what it knows of those left out.
        const AnyKernel fresh = others.size() < fewRows && !others.empty() ? fitter.chosen(prior, others) : start;
        const AnyKernel form = others.empty() ? prior : fitter.constants(fresh, prior, others, 12);
        out.form.add(those, logResiduals(form, those));
        out.gridded.add(those,
                        logResiduals(rows.size() >= fewestForResidual ? fitter.withGrid(form, others) : form, those));
    }
    return out;
}

int foldOfRow(const OperatorRow& row)
{
    return int(hashOf(fmt::format("{}", row.row)) % folds);
}

LeftOut leaveOut(const Fitter& fitter, const AnyKernel& start, const AnyKernel& prior, const Rows& rows)
{
    LeftOut out;
    if (rows.size() < fewestForFolds) {
        // One at a time; a single row is told by the pooled constants.
        const auto byPlace = [&](const OperatorRow& row) { return int(std::find(rows.begin(), rows.end(), &row) - rows.begin()); };
        out.form = folded(fitter, start, prior, rows, byPlace, int(rows.size())).form;
        out.best = out.near = out.form;
        return out;
    }
    const Folded near = folded(fitter, start, prior, rows, foldOfRow);
    const Folded far = hasFewKeys(rows) ? near : folded(fitter, start, prior, rows, KeyFolds(rows));
    // A grid is for shapes like those that were measured; it must not harm the others.
    out.useResidual = rows.size() >= fewestForResidual &&
                      meanError(near.gridded) < residualHelps * meanError(near.form) &&
                      meanError(far.gridded) < residualHarms * meanError(far.form);
    out.form = far.form;
    out.best = out.useResidual ? far.gridded : far.form;
    out.near = out.useResidual ? near.gridded : near.form;
    return out;
}

/// The band has to hold for shapes near those measured and for others.
LeftOutRows both(const LeftOut& left)
{
    LeftOutRows all = left.best;
    all.add(left.near.rows, left.near.logs);
    all.alone = left.near.rows.size();
    return all;
}

/// Bands of rows from the errors of the other folds alone.
Bands crossedBands(const LeftOut& left, const LeftOutRows& of)
{
    const LeftOutRows all = both(left);
    const bool byRow = hasFewKeys(of.rows);
    const KeyFolds foldOfKey(all.rows);
    const auto part = [&](const OperatorRow& row) { return byRow ? foldOfRow(row) : foldOfKey(row); };
    const std::vector<LeftOutError> errors = all.errors();
    const std::vector<LeftOutError> asked = of.errors();
    Bands bands(of.rows.size());
    for (int fold = 0; fold < folds; ++fold) {
        std::vector<LeftOutError> others;
        for (std::size_t i = 0; i < errors.size(); ++i)
            if (part(*all.rows[i]) != fold)
                others.push_back(errors[i]);
        const MeasuredDomain domain = fitDomain(others.empty() ? errors : others);
        for (std::size_t i = 0; i < asked.size(); ++i)
            if (part(*of.rows[i]) == fold)
                bands[i] = bandAt(domain, {}, asked[i].point);
    }
    return bands;
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
    MeasuredDomain domain;
    std::map<std::string, LeftOutRows> leftOut;   ///< by device
};

/// Bands for a device that was not measured, from what was left out of some that were.
MeasuredDomain transferDomain(const std::map<std::string, LeftOutRows>& leftOut, const std::string& without = {})
{
    LeftOutRows all;
    double devices = 0.0;
    for (const auto& [device, left] : leftOut)
        if (device != without) {
            // As many of each, so that none decides alone.
            LeftOutRows some;
            const std::size_t step = std::max<std::size_t>(1, left.rows.size() / mostPooledRows);
            for (std::size_t i = 0; i < left.rows.size(); i += step)
                some.add({left.rows[i]}, {left.logs[i]});
            all.add(some.rows, some.logs);
            devices += 1.0;
        }
    // The mean of few devices says little of the next one, and another campaign on the same device differs by some percent.
    return widened(fitDomain(all.errors()), 1.0 + 1.2 / std::max(1.0, devices), otherCampaign);
}

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
    LeftOutRows left;
    if (devices.size() > 1)
        for (const auto& [device, rows] : devices) {
            result.leftOut[device].add(rows, logResiduals(fitTo(pooled(devices, device)), rows));
            left.add(result.leftOut[device].rows, result.leftOut[device].logs);
        }
    else {
        // One device says nothing of the next one: its own error, widened by what siblings usually differ by.
        left.add(all, logResiduals(result.kernel, all));
        for (double& log : left.logs)
            log *= 2.0;
    }
    fitOf(result.kernel) = fitOf(left, KernelOrigin::family);
    fitOf(result.kernel).rows = int(all.size());
    result.domain = devices.size() > 1 ? transferDomain(result.leftOut) : fitDomain(left.errors());
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
        more.push_back({measured.slot, {}, kernel, measured.domain});
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
        const auto add = [&](OperatorCalibration& to, const AnyKernel& kernel, const MeasuredDomain& domain) {
            to.kernels.push_back({kind.first, kind.second, kernel, domain});
        };

        ByDevice everything;
        for (const auto& [family, devices] : families)
            everything.insert(devices.begin(), devices.end());
        progress(fmt::format("{} {}: general constants of {} devices", kind.first, kind.second, everything.size()));
        const Pool general = pool(fitter, withResidual(*start, {}), everything);
        AnyKernel generalKernel = general.kernel;
        fitOf(generalKernel).origin = KernelOrigin::general;
        add(calibrationOf(outcome.families, "default"), generalKernel, general.domain);

        for (const auto& [family, devices] : families) {
            Pool own{general.kernel, general.domain, {}};
            if (family != "default") {
                progress(fmt::format("{} {}: family {}", kind.first, kind.second, family));
                own = pool(fitter, withResidual(general.kernel, {}), devices);
                add(calibrationOf(outcome.families, family), own.kernel, own.domain);
            }
            for (const auto& [device, deviceRows] : devices) {
                progress(fmt::format("{} {}: {}, {} rows", kind.first, kind.second, device, deviceRows.size()));
                const AnyKernel prior = withResidual(own.kernel, {});
                const AnyKernel chosen =
                    deviceRows.size() >= fewestForChoice ? fitter.chosen(prior, deviceRows) : prior;
                AnyKernel kernel = fitter.constants(chosen, prior, deviceRows, 25);
                const LeftOut left = leaveOut(fitter, kernel, prior, deviceRows);
                if (left.useResidual)
                    kernel = fitter.withGrid(kernel, deviceRows);
                fitOf(kernel) = fitOf(both(left), KernelOrigin::measured);
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
                group.hasResidual = left.useResidual;
                const Bands bestBands = crossedBands(left, left.best);
                const Bands nearBands = crossedBands(left, left.near);
                group.form = errorOf(left.form, bestBands);
                group.best = errorOf(left.best, bestBands);
                group.near = errorOf(left.near, nearBands);
                addPredictions(outcome.predictions, table, foldsLeftOut, left.best, bestBands);
                addPredictions(outcome.predictions, table, rowsLeftOut, left.near, nearBands);
                if (const auto sibling = own.leftOut.find(device); sibling != own.leftOut.end()) {
                    const MeasuredDomain domain = transferDomain(own.leftOut, device);
                    Bands bands;
                    for (const LeftOutError& one : sibling->second.errors())
                        bands.push_back(bandAt(domain, {}, one.point));
                    group.deviceLeftOut = errorOf(sibling->second, bands);
                    addPredictions(outcome.predictions, table, deviceLeftOut, sibling->second, bands);
                }
                outcome.groups.push_back(std::move(group));

                OperatorCalibration& calibration = calibrationOf(outcome.devices, device);
                const Device& preset = *deviceRows.front()->device;
                calibration.peak = preset.peak;
                calibration.memoryBandwidth = preset.memoryBandwidth;
                calibration.linkBandwidth = preset.linkBandwidth;
                add(calibration, kernel, fitDomain(both(left).errors()));
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
    into.predictions.insert(into.predictions.end(), std::make_move_iterator(from.predictions.begin()),
                            std::make_move_iterator(from.predictions.end()));
}

} // namespace ridgepoint
