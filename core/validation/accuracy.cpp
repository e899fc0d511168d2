// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/accuracy.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

using Rows = std::vector<const Prediction*>;

/// Linear between the neighbours; 0 for none. Sorts what it is given.
double quantileOf(std::vector<double>& values, double share)
{
    if (values.empty())
        return 0.0;
    std::sort(values.begin(), values.end());
    const double place = share * double(values.size() - 1);
    const auto below = std::size_t(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - double(below)) * (values[above] - values[below]);
}

bool isVerdict(const Prediction& prediction)
{
    return prediction.unit == "0/1";
}

template <typename T>
T& named(std::vector<T>& list, const std::string& quantity, std::string T::* field)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const T& one) { return one.*field == quantity; });
    if (found != list.end())
        return *found;
    list.emplace_back();
    list.back().*field = quantity;
    return list.back();
}

/// Rows of one value of a group key.
struct Group
{
    std::string name;
    Rows rows;
};

struct Key
{
    std::string key;
    std::vector<Group> groups;
};

struct Quantity
{
    std::string quantity;
    std::string unit;
    Rows rows;
    std::vector<Key> keys;
};

} // namespace

Accuracy accuracyOf(std::span<const Prediction* const> predictions)
{
    Accuracy accuracy;
    std::vector<double> errors, signedErrors, widths;
    std::size_t inside = 0;
    for (const Prediction* one : predictions) {
        if (!one->measured || !(*one->measured > 0.0) || isVerdict(*one))
            continue;
        ++accuracy.count;
        if (!one->value) {
            ++accuracy.unpredicted;
            errors.push_back(1.0);
            continue;
        }
        const double ratio = *one->value / *one->measured;
        errors.push_back(std::abs(ratio - 1.0));
        signedErrors.push_back(ratio - 1.0);
        if (!one->low80 || !one->high80)
            continue;
        inside += *one->low80 <= *one->measured && *one->measured <= *one->high80 ? 1u : 0u;
        if (*one->value > 0.0)
            widths.push_back((*one->high80 - *one->low80) / *one->value);
        ++accuracy.banded;
    }
    for (const double error : errors)
        accuracy.mean += error / double(errors.size());
    accuracy.median = quantileOf(errors, 0.5);
    accuracy.p90 = quantileOf(errors, 0.9);
    accuracy.bias = quantileOf(signedErrors, 0.5);
    const auto shareWithin = [&](double limit) {
        const auto near = std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= limit; });
        return errors.empty() ? 0.0 : double(near) / double(errors.size());
    };
    accuracy.within5 = shareWithin(0.05);
    accuracy.within15 = shareWithin(0.15);
    if (accuracy.banded > 0) {
        accuracy.coverage = double(inside) / double(accuracy.banded);
        accuracy.bandWidth = quantileOf(widths, 0.5);
    }
    return accuracy;
}

Verdicts verdictsOf(std::span<const Prediction* const> predictions)
{
    Verdicts verdicts;
    for (const Prediction* one : predictions) {
        if (!one->measured || !isVerdict(*one))
            continue;
        const bool yes = *one->measured > 0.5;
        const bool right = one->value && (*one->value > 0.5) == yes;
        (yes ? verdicts.yes : verdicts.no) += 1;
        (yes ? verdicts.yesRight : verdicts.noRight) += right ? 1u : 0u;
        verdicts.unpredicted += one->value ? 0u : 1u;
    }
    return verdicts;
}

std::vector<QuantityAccuracy> accuracyByGroup(std::span<const Prediction> predictions)
{
    std::vector<Quantity> quantities;
    for (const Prediction& one : predictions) {
        Quantity& quantity = named(quantities, one.quantity, &Quantity::quantity);
        quantity.unit = one.unit;
        quantity.rows.push_back(&one);
        for (const auto& [key, name] : one.groups)
            named(named(quantity.keys, key, &Key::key).groups, name, &Group::name).rows.push_back(&one);
    }
    std::vector<QuantityAccuracy> result;
    for (Quantity& quantity : quantities) {
        QuantityAccuracy accuracy{quantity.quantity, quantity.unit, accuracyOf(quantity.rows),
                                  verdictsOf(quantity.rows), {}};
        for (Key& key : quantity.keys) {
            std::sort(key.groups.begin(), key.groups.end(),
                      [](const Group& a, const Group& b) { return a.name < b.name; });
            for (const Group& group : key.groups)
                accuracy.groups.push_back({key.key, group.name, accuracyOf(group.rows), verdictsOf(group.rows)});
        }
        result.push_back(std::move(accuracy));
    }
    return result;
}

std::vector<MissedBand> missedBands(std::span<const QuantityAccuracy> quantities)
{
    constexpr std::size_t fewest = 30;
    constexpr double least = 0.65, most = 0.95;
    std::vector<MissedBand> missed;
    for (const QuantityAccuracy& quantity : quantities) {
        const auto look = [&](const std::string& key, const std::string& name, const Accuracy& accuracy) {
            if (accuracy.banded >= fewest && accuracy.coverage && (*accuracy.coverage < least || *accuracy.coverage > most))
                missed.push_back({quantity.quantity, key, name, accuracy.banded, *accuracy.coverage});
        };
        look({}, {}, quantity.overall);
        for (const GroupAccuracy& group : quantity.groups)
            look(group.key, group.name, group.accuracy);
    }
    return missed;
}

std::vector<GroupMean> groupMeans(const QuantityAccuracy& accuracy)
{
    std::vector<GroupMean> means;
    for (const GroupAccuracy& group : accuracy.groups) {
        if (group.accuracy.count == 0)
            continue;
        GroupMean& mean = named(means, group.key, &GroupMean::key);
        ++mean.groups;
        mean.median += group.accuracy.median;
        mean.mean += group.accuracy.mean;
        if (mean.worst.empty() || group.accuracy.median > mean.worstMedian) {
            mean.worst = group.name;
            mean.worstMedian = group.accuracy.median;
        }
    }
    for (GroupMean& mean : means) {
        mean.median /= double(mean.groups);
        mean.mean /= double(mean.groups);
    }
    return means;
}

} // namespace ridgepoint
