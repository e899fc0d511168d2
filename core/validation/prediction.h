// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

/// One quantity that was predicted, or not, for one row of a file of measurements.
struct Prediction
{
    std::string id;                    ///< the file's, or the number of the data row from 1
    std::string quantity;              ///< such as "latency", "ttft", "tpot", "kv_capacity", "fits", "throughput"
    std::string unit;                  ///< such as "us", "ms", "tokens", "0/1", "tokens/s"
    std::optional<double> value;       ///< empty: not predicted, and `reason` says why
    std::optional<double> low80, high80;   ///< the true value is expected between them in 8 cases of 10
    std::string provenance;            ///< what the value rests on, such as "calibrated" or "family_default"
    std::string reason;                ///< why nothing was predicted, or a remark such as "saturated"
    std::string where;                 ///< file and line of what `reason` complains of; empty: the id says enough
    std::optional<double> measured;    ///< never read to predict; empty when the file does not hold it
    std::vector<std::pair<std::string, std::string>> groups;   ///< such as {"device", "h100_sxm"}
    bool operator==(const Prediction&) const = default;
};

struct ValidationOptions
{
    bool calibration = true;   ///< use what was measured on the very device
    std::string table;         ///< of operators and field reports; empty: told by the columns
};

} // namespace ridgepoint
