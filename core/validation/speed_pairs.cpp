// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed_fit.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>

namespace ridgepoint {

namespace {

constexpr double clearRatio = 1.15;

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

struct Measured
{
    std::vector<double> measured, predicted;
};

} // namespace

PairOrder pairOrder(const CsvTable& rows, std::span<const Prediction> predictions, std::string_view quantity)
{
    std::map<std::string, std::size_t> rowOf;
    for (std::size_t at = 0; at < rows.rows.size(); ++at)
        rowOf.emplace(rows.text(at, "id").empty() ? std::to_string(at + 1) : std::string(rows.text(at, "id")), at);
    std::map<std::string, std::map<std::string, Measured>> workloads;
    for (const Prediction& p : predictions) {
        if (p.quantity != quantity || !p.value || !p.measured || *p.measured <= 0.0 || *p.value <= 0.0)
            continue;
        const auto found = rowOf.find(p.id);
        if (found == rowOf.end())
            continue;
        const std::size_t at = found->second;
        std::string workload, device;
        for (const auto& [key, name] : p.groups) {
            if (key == "network" || key == "what" || key == "scenario")
                workload += name + '|';
            if (key == "device")
                device = name;
        }
        for (const std::string_view column : {"scenario", "weight_precision", "input_tokens", "output_tokens", "batch_size"})
            workload += std::string(rows.text(at, column)) + '|';
        // Per device of the system, so that machines of different size compare.
        const double devices = std::max(1.0, rows.number(at, "accelerator_count").value_or(1.0));
        const bool oneStream = workload.find("decode|") != std::string::npos || workload.find("prompt|") != std::string::npos;
        const double share = oneStream ? 1.0 : 1.0 / devices;
        if (oneStream)
            workload += std::string(rows.text(at, "accelerator_count"));
        Measured& one = workloads[workload][device];
        one.measured.push_back(*p.measured * share);
        one.predicted.push_back(*p.value * share);
    }
    PairOrder order;
    for (const auto& [workload, devices] : workloads)
        for (auto a = devices.begin(); a != devices.end(); ++a)
            for (auto b = std::next(a); b != devices.end(); ++b) {
                const double measured = medianOf(a->second.measured) / medianOf(b->second.measured);
                if (std::max(measured, 1.0 / measured) < clearRatio)
                    continue;
                ++order.pairs;
                order.right += (medianOf(a->second.predicted) > medianOf(b->second.predicted)) == (measured > 1.0) ? 1u : 0u;
            }
    return order;
}

std::vector<NamedOrder> pairOrders(const CsvTable& rows, std::span<const Prediction> predictions)
{
    const auto is = [](const Prediction& one, std::string_view key, std::initializer_list<std::string_view> names) {
        return std::any_of(one.groups.begin(), one.groups.end(), [&](const auto& group) {
            return group.first == key && std::find(names.begin(), names.end(), group.second) != names.end();
        });
    };
    struct Class
    {
        std::string_view name;
        std::function<bool(const Prediction&)> holds;
    };
    const std::vector<Class> classes{
        {"llama.cpp, writing", [&](const Prediction& p) { return is(p, "engine", {"llama.cpp"}) && is(p, "scenario", {"decode"}); }},
        {"llama.cpp, reading", [&](const Prediction& p) { return is(p, "engine", {"llama.cpp"}) && is(p, "scenario", {"prompt"}); }},
        {"llama.cpp, both", [&](const Prediction& p) { return is(p, "engine", {"llama.cpp"}); }},
        {"saturated servers", [&](const Prediction& p) { return is(p, "scenario", {"offline", "MLPerf offline"}); }},
        {"everything", [](const Prediction&) { return true; }}};
    std::vector<NamedOrder> orders;
    for (const Class& one : classes)
        for (const bool usableOnly : {false, true}) {
            std::vector<Prediction> chosen;
            std::copy_if(predictions.begin(), predictions.end(), std::back_inserter(chosen), [&](const Prediction& p) {
                return p.quantity == "throughput" && one.holds(p) && (!usableOnly || is(p, "use", {"usable"}));
            });
            if (const PairOrder order = pairOrder(rows, chosen, "throughput"); order.pairs > 0)
                orders.push_back({std::string(one.name) + (usableOnly ? ", usable rows" : ", all rows"), order});
        }
    return orders;
}

} // namespace ridgepoint
