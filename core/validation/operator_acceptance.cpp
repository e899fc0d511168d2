// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/operator_acceptance.h"

#include "core/calibration/calibrate.h"
#include "core/validation/accuracy.h"

#include <array>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {

namespace {

std::string_view groupOf(const Prediction& prediction, std::string_view key)
{
    for (const auto& [name, value] : prediction.groups)
        if (name == key)
            return value;
    return {};
}

bool isTriton(const Prediction& row)
{
    return groupOf(row, "kernel").find("triton") != std::string_view::npos;
}

bool isDtype(const Prediction& row, std::string_view dtype)
{
    return groupOf(row, "dtype") == dtype;
}

bool isShape(const Prediction& row, std::string_view shape)
{
    return groupOf(row, "shape") == shape && !isTriton(row);
}

/// A kind of operator, and what is asked of it with its own measurements and with those of its siblings.
struct Kind
{
    std::string_view name, table;
    bool (*holds)(const Prediction& row);
    double mostMedian, mostMean;
    double mostLeftOut;   ///< median with the device left out
};

constexpr double siblings = 0.30;
constexpr std::string_view decode = "attention_decode";
constexpr std::string_view prefill = "attention_prefill";

const std::array kinds{
    Kind{"GEMM bf16", "gemm", [](const Prediction& r) { return isDtype(r, "bf16"); }, 0.08, 0.11, 0.14},
    Kind{"GEMM fp8", "gemm", [](const Prediction& r) { return isDtype(r, "fp8"); }, 0.10, 0.14, siblings},
    Kind{"GEMM fp8_block", "gemm", [](const Prediction& r) { return isDtype(r, "fp8_block"); }, 0.10, 0.14, siblings},
    Kind{"GEMM nvfp4", "gemm", [](const Prediction& r) { return isDtype(r, "nvfp4"); }, 0.10, 0.14, siblings},
    Kind{"decode attention", decode, [](const Prediction& r) { return isShape(r, "standard"); }, 0.10, 0.15, siblings},
    Kind{"prefill attention", prefill, [](const Prediction& r) { return isShape(r, "standard"); }, 0.10, 0.15, siblings},
    Kind{"MoE", "moe", [](const Prediction& r) { return !isTriton(r); }, 0.11, 0.16, siblings},
    Kind{"MLA", "mla", [](const Prediction&) { return true; }, 0.13, 0.20, siblings},
    Kind{"NCCL all-reduce", "collectives",
         [](const Prediction& r) { return groupOf(r, "op") == "all_reduce" && groupOf(r, "library") == "nccl"; }, 0.11, 0.16,
         siblings},
    Kind{"expert all-to-all", "moe_a2a", [](const Prediction&) { return true; }, 0.25, 0.35, siblings},
    Kind{"NCCL all-to-all", "collectives", [](const Prediction& r) { return groupOf(r, "op") == "alltoall"; }, 0.25, 0.35,
         siblings},
    Kind{"decode, window", decode, [](const Prediction& r) { return isShape(r, "window"); }, 0, 0, 0},
    Kind{"decode, head_dim 192", decode, [](const Prediction& r) { return isShape(r, "values narrower"); }, 0, 0, 0},
    Kind{"decode, Triton", decode, isTriton, 0, 0, 0},
    Kind{"prefill, window", prefill, [](const Prediction& r) { return isShape(r, "window"); }, 0, 0, 0},
    Kind{"prefill, head_dim 192", prefill, [](const Prediction& r) { return isShape(r, "values narrower"); }, 0, 0, 0},
    Kind{"prefill, Triton", prefill, isTriton, 0, 0, 0},
    Kind{"MoE, Triton", "moe", isTriton, 0, 0, 0},
    Kind{"memory-bound", "memory", [](const Prediction&) { return true; }, 0, 0, 0},
};

struct Part
{
    std::string_view name;
    bool (*holds)(std::string_view memory);
    std::size_t fewestRows;      ///< of a group; fewer say nothing of shapes that were left out
    bool isAsked;
};

constexpr std::array parts{
    Part{"without GDDR", [](std::string_view memory) { return memory != "GDDR"; }, fewestBandRows, true},
    Part{"without GDDR, few rows too", [](std::string_view memory) { return memory != "GDDR"; }, 0, false},
    Part{"all devices", [](std::string_view) { return true; }, 0, false},
    Part{"HBM", [](std::string_view memory) { return memory == "HBM"; }, 0, false},
    Part{"GDDR", [](std::string_view memory) { return memory == "GDDR"; }, 0, false},
};

using Pointers = std::vector<const Prediction*>;

OperatorTarget targetOf(const Kind& kind, const Part& part, std::string_view quantity,
                        const std::map<std::string, Pointers>& groups)
{
    OperatorTarget target;
    target.kind = kind.name;
    target.part = part.name;
    target.quantity = quantity;
    if (part.isAsked) {
        const bool transfer = quantity == deviceLeftOut;
        target.mostMedian = transfer ? kind.mostLeftOut : kind.mostMedian;
        target.mostMean = transfer ? 0.0 : kind.mostMean;
    }
    for (const auto& [name, rows] : groups) {
        if (!part.holds(groupOf(*rows.front(), "memory")) || rows.size() < part.fewestRows)
            continue;
        const Accuracy accuracy = accuracyOf(rows);
        ++target.groups;
        target.median += accuracy.median;
        target.mean += accuracy.mean;
        if (target.worst.empty() || accuracy.median > target.worstMedian) {
            target.worst = name;
            target.worstMedian = accuracy.median;
        }
    }
    if (target.groups > 0) {
        target.median /= double(target.groups);
        target.mean /= double(target.groups);
    }
    return target;
}

} // namespace

std::vector<OperatorTarget> operatorTargets(std::span<const Prediction> predictions)
{
    std::vector<OperatorTarget> targets;
    for (const std::string_view quantity : {rowsLeftOut, foldsLeftOut, deviceLeftOut})
        for (const Kind& kind : kinds) {
            std::map<std::string, Pointers> groups;
            for (const Prediction& one : predictions)
                if (one.quantity == quantity && groupOf(one, "table") == kind.table && kind.holds(one))
                    groups[fmt::format("{} {}", groupOf(one, "device"), groupOf(one, "dtype"))].push_back(&one);
            for (const Part& part : parts)
                if (OperatorTarget target = targetOf(kind, part, quantity, groups); target.groups > 0)
                    targets.push_back(std::move(target));
        }
    return targets;
}

std::vector<BandGroup> bandGroups(std::span<const Prediction> predictions)
{
    std::map<std::pair<std::string, std::string>, Pointers> groups;
    for (const Prediction& one : predictions) {
        const std::string_view table = groupOf(one, "table");
        const std::string_view device = groupOf(one, "device");
        for (const auto& [key, value] : one.groups) {
            if (value.empty())
                continue;
            groups[{one.quantity, fmt::format("{}, {} {}", table, key, value)}].push_back(&one);
            if (key != "device" && key != "table" && key != "memory")
                groups[{one.quantity, fmt::format("{}, {}, {} {}", table, device, key, value)}].push_back(&one);
        }
        if (const std::string_view kernel = groupOf(one, "kernel"); !kernel.empty())
            groups[{one.quantity, fmt::format("{}, {}, {}, {}", table, device, groupOf(one, "dtype"), kernel)}].push_back(&one);
    }
    std::vector<BandGroup> out;
    for (const auto& [name, rows] : groups) {
        const Accuracy accuracy = accuracyOf(rows);
        if (accuracy.banded >= fewestBandRows)
            out.push_back({name.first, name.second, accuracy.banded, accuracy.coverage.value_or(0.0),
                           accuracy.bandWidth.value_or(0.0)});
    }
    return out;
}

} // namespace ridgepoint
