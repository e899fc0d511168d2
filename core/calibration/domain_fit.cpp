// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/domain_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace ridgepoint {

namespace {

using Errors = std::vector<LeftOutError>;

constexpr std::size_t regimeAxis = 3;
constexpr double outsideShare = 0.1;        ///< on each side of a band
constexpr std::size_t fewestInRegion = 40;
constexpr std::size_t fewestKeysInRegion = 8;
constexpr double normalEdge = 1.2816;       ///< standard deviations from the middle of a normal to the edge of its 80 % band
constexpr std::size_t fewForQuantiles = 20; ///< rows below which the tenth and the nine-tenth quantile are hardly known
constexpr double usualShare = 0.5;          ///< of the variance, that the rows of a key have in common
constexpr int mostCuts = 3;
constexpr double cutHelps = 0.96;           ///< score after a cut over score before
constexpr double nearest = 0.001;           ///< to 1, that an edge of a band may come

double quantile(std::vector<double>& values, double at)
{
    std::sort(values.begin(), values.end());
    const double place = std::clamp(at, 0.0, 1.0) * double(values.size() - 1);
    const auto below = std::size_t(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - double(below)) * (values[above] - values[below]);
}

double scoreOf(const Errors& errors, const ErrorBand& band)
{
    const double low = std::log(band.low);
    const double high = std::log(band.high);
    double sum = 0.0;
    for (const LeftOutError& one : errors)
        sum += high - low + (std::max(0.0, low - one.log) + std::max(0.0, one.log - high)) / outsideShare;
    return sum;
}

std::size_t keysOf(const Errors& errors)
{
    std::set<std::uint64_t> keys;
    for (const LeftOutError& one : errors)
        keys.insert(one.key);
    return keys.size();
}

/// What leaving whole keys out says; all where that was not done.
Errors ofWholeKeys(const Errors& errors)
{
    Errors some;
    std::copy_if(errors.begin(), errors.end(), std::back_inserter(some), [](const LeftOutError& one) { return !one.alone; });
    return some.empty() ? errors : some;
}

/// How many independent errors the rows are worth: all of them where keys do not matter, as many as there are keys where
/// rows of a key err alike.
double independentOf(const Errors& errors)
{
    struct Key
    {
        double sum = 0.0, count = 0.0;
    };
    std::map<std::uint64_t, Key> keys;
    double mean = 0.0;
    for (const LeftOutError& one : errors) {
        keys[one.key].sum += one.log;
        keys[one.key].count += 1.0;
        mean += one.log / double(errors.size());
    }
    const auto n = double(errors.size());
    const auto k = double(keys.size());
    if (k < 2.0)
        return 1.0;
    if (k >= n)
        return n;
    double within = 0.0;
    double between = 0.0;
    double squares = 0.0;
    for (const LeftOutError& one : errors) {
        const Key& key = keys[one.key];
        within += std::pow(one.log - key.sum / key.count, 2.0);
    }
    for (const auto& [id, key] : keys) {
        between += key.count * std::pow(key.sum / key.count - mean, 2.0);
        squares += key.count * key.count;
    }
    // One-way analysis of variance: the share of the variance that rows of a key have in common.
    const double usual = (n - squares / n) / (k - 1.0);
    const double withinMean = within / (n - k);
    const double common = std::max(0.0, (between / (k - 1.0) - withinMean) / usual);
    const double seen = common + withinMean > 0.0 ? common / (common + withinMean) : 0.0;
    // Few keys may agree by chance: a usual share counts as much as one more key.
    const double share = (seen * (k - 1.0) + usualShare) / k;
    return std::clamp(n / (1.0 + (n / k - 1.0) * share), std::min(n, k), n);
}

/// What a band has to be widened by since few errors say little of the next one: the edge of Student's distribution over
/// that of the normal one, by its expansion in 1 / degrees of freedom.
double fewWiden(double independent)
{
    const double n = std::max(independent, 2.0);
    const double z = normalEdge;
    const double z2 = z * z;
    const double v = n - 1.0;
    const double edge = 1.0 + (z2 + 1.0) / (4.0 * v) + ((5.0 * z2 + 16.0) * z2 + 3.0) / (96.0 * v * v)
                        + (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * v * v * v);
    return edge * std::sqrt(1.0 + 1.0 / n);
}

double edgeOf(double edge, double factor, double scatter)
{
    const double log = std::log(edge) * factor;
    const double wide = std::min(std::log(1e3), std::sqrt(log * log + scatter * scatter));
    return std::exp(edge < 1.0 ? -wide : wide);
}

/// The band of some errors with its edges moved away from their median.
ErrorBand bandOf(std::span<const LeftOutError> errors, double factor)
{
    if (errors.empty())
        return {};
    std::vector<double> logs;
    double mean = 0.0;
    for (const LeftOutError& one : errors) {
        logs.push_back(one.log);
        mean += one.log / double(errors.size());
    }
    // The next one lies beyond the largest of n with a chance of 1 / (n + 1).
    const double unknown = std::min(outsideShare, 1.0 / double(logs.size()));
    double low = quantile(logs, outsideShare - unknown);
    double high = quantile(logs, 1.0 - outsideShare + unknown);
    if (logs.size() > 1 && logs.size() < fewForQuantiles) {
        double square = 0.0;
        for (const double log : logs)
            square += (log - mean) * (log - mean) / double(logs.size() - 1);
        low = std::min(low, mean - normalEdge * std::sqrt(square));
        high = std::max(high, mean + normalEdge * std::sqrt(square));
    }
    const double middle = quantile(logs, 0.5);
    low = middle - factor * (middle - low);
    high = middle + factor * (high - middle);
    return {std::clamp(std::exp(low), 1e-3, 1.0 - nearest), std::clamp(std::exp(high), 1.0 + nearest, 1e3)};
}

struct Cut
{
    std::size_t axis = 0;
    double at = 0.0;   ///< the lower side holds what is at or below
    double score = 0.0;
};

std::pair<Errors, Errors> parted(const Errors& errors, const Cut& cut)
{
    std::pair<Errors, Errors> sides;
    for (const LeftOutError& one : errors)
        (one.point[cut.axis] <= cut.at ? sides.first : sides.second).push_back(one);
    return sides;
}

std::optional<Cut> bestCut(const Errors& errors)
{
    std::optional<Cut> best;
    for (std::size_t axis = 0; axis < MeasuredDomain::Point{}.size(); ++axis) {
        std::vector<double> places;
        for (const LeftOutError& one : errors)
            places.push_back(one.point[axis]);
        std::vector<double> tried;
        for (const double share : {0.2, 0.35, 0.5, 0.65, 0.8}) {
            const double at = quantile(places, share);
            // A cut between shapes, so that new ones fall on a side that has the nearest.
            const auto next = std::upper_bound(places.begin(), places.end(), at);
            const double between = next == places.end() ? at : 0.5 * (*(next - 1) + *next);
            if (std::find(tried.begin(), tried.end(), between) == tried.end())
                tried.push_back(between);
        }
        for (const double at : tried) {
            Cut cut{.axis = axis, .at = at};
            const auto [lower, upper] = parted(errors, cut);
            if (lower.size() < fewestInRegion || upper.size() < fewestInRegion)
                continue;
            if (keysOf(lower) < fewestKeysInRegion || keysOf(upper) < fewestKeysInRegion)
                continue;
            cut.score = scoreOf(lower, bandOf(lower, 1.0)) + scoreOf(upper, bandOf(upper, 1.0));
            if (!best || cut.score < best->score)
                best = cut;
        }
    }
    return best;
}

void divide(const Errors& errors, const MeasuredDomain::Region& box, int cutsLeft, std::vector<MeasuredDomain::Region>& out)
{
    const ErrorBand band = bandOf(errors, 1.0);
    const std::optional<Cut> cut = cutsLeft > 0 && errors.size() >= 2 * fewestInRegion ? bestCut(errors) : std::nullopt;
    if (!cut || cut->score > cutHelps * scoreOf(errors, band)) {
        out.push_back(box);
        out.back().band = bandOf(errors, fewWiden(independentOf(ofWholeKeys(errors))));
        return;
    }
    const auto [lower, upper] = parted(errors, *cut);
    MeasuredDomain::Region below = box;
    MeasuredDomain::Region above = box;
    below.to[cut->axis] = above.from[cut->axis] = cut->at;
    divide(lower, below, cutsLeft - 1, out);
    divide(upper, above, cutsLeft - 1, out);
}

} // namespace

ErrorBand bandOf(std::span<const LeftOutError> errors)
{
    return bandOf(errors, 1.0);
}

MeasuredDomain fitDomain(std::span<const LeftOutError> errors)
{
    MeasuredDomain domain;
    if (errors.empty())
        return domain;
    domain.from = domain.to = errors.front().point;
    for (const LeftOutError& one : errors)
        for (std::size_t axis = 0; axis < one.point.size(); ++axis) {
            domain.from[axis] = std::min(domain.from[axis], one.point[axis]);
            domain.to[axis] = std::max(domain.to[axis], one.point[axis]);
        }
    // Regimes differ by what they are: each has a tree of its own, with the next one where it has few rows.
    std::map<double, Errors> regimes;
    for (const LeftOutError& one : errors)
        regimes[one.point[regimeAxis]].push_back(one);
    for (auto it = regimes.begin(); std::next(it) != regimes.end();) {
        const auto next = std::next(it);
        if (it->second.size() >= fewestInRegion && next->second.size() >= fewestInRegion) {
            it = next;
            continue;
        }
        next->second.insert(next->second.end(), it->second.begin(), it->second.end());
        regimes.erase(it);
        it = next;
        if (it == regimes.end())
            break;
    }
    double first = domain.from[regimeAxis];
    for (const auto& [regime, some] : regimes) {
        MeasuredDomain::Region box{domain.from, domain.to, {}};
        box.from[regimeAxis] = first;
        box.to[regimeAxis] = first = regime;
        divide(some, box, mostCuts, domain.regions);
    }
    return domain;
}

MeasuredDomain widened(MeasuredDomain domain, double factor, double scatter)
{
    for (MeasuredDomain::Region& region : domain.regions)
        region.band = {edgeOf(region.band.low, factor, scatter), edgeOf(region.band.high, factor, scatter)};
    return domain;
}

} // namespace ridgepoint
