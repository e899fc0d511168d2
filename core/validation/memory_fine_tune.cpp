// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/memory.h"

namespace ridgepoint {

std::vector<Prediction> predictFineTune(const CsvTable& table, const MemoryRow& row)
{
    Prediction one = fitsPrediction(table, row, {}, {}, "");
    one.value = one.low80 = one.high80 = std::nullopt;
    one.reason = "memory of fine-tuning is not modelled";
    return {one};
}

} // namespace ridgepoint
