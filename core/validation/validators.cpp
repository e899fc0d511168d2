// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/validators.h"

#include "core/validation/memory.h"
#include "core/validation/operators.h"
#include "core/validation/serving.h"
#include "core/validation/speed.h"

#include <fmt/format.h>

namespace ridgepoint {

std::span<const Validator> validators()
{
    static const std::vector<Validator> list{
        {"operators", "times of single operators: gemm, attention, experts, collectives, memory", predictOperators},
        {"serving", "runs of serving engines: TTFT, TPOT and throughput", predictServing},
        {"memory", "KV capacity at start-up, what fits and what does not", predictMemory},
        {"speed", "Published speeds: one stream, servers, MLPerf", predictSpeed},
    };
    return list;
}

std::string predictionsCsv(std::span<const Prediction> predictions)
{
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.6g}", *value) : std::string();
    };
    std::string text = csvLine({"id", "quantity", "unit", "predicted", "low80", "high80", "provenance", "reason"});
    for (const Prediction& one : predictions)
        text += csvLine({one.id, one.quantity, one.unit, number(one.value), number(one.low80), number(one.high80),
                         one.provenance,
                         one.where.empty() ? one.reason : fmt::format("{} ({})", one.reason, one.where)});
    return text;
}

} // namespace ridgepoint
