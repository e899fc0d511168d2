// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/precision.h"

#include <string>

namespace ridgepoint {

/// One published comparison of a network's answers: the same benchmark with the formats of the reference and with others.
struct QualityFact
{
    Format weights = Format::bf16;
    Format activations = Format::bf16;
    Format kv = Format::bf16;
    Format reference = Format::bf16;   ///< weights that `baseline` was measured with
    std::string checkpoint;            ///< what was measured, such as "Llama 3.1 70B Instruct"
    std::string benchmark;             ///< such as "MMLU"
    double baseline = 0;               ///< score of the reference; 100 where only a share of it was published
    double value = 0;                  ///< score with these formats, on the scale of `baseline`
    bool isShare = false;              ///< the publisher gives the share of the reference that is kept, no scores
    std::string publisher;
    std::string source;                ///< key of sources.yaml
    std::string date;
    bool operator==(const QualityFact&) const = default;
};

} // namespace ridgepoint
