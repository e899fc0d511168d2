// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/speed.h"

#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// A constant behind predicted speeds, and what rows of published speeds make of it.
struct FittedConstant
{
    std::string name;
    double shipped = 0;          ///< as the presets have it
    double fitted = 0;
    double low = 0, high = 0;    ///< over fits that leave one device out
};

/// Two devices on the same workload that differ by more than 15 %, and how many of them are put in the right order.
struct PairOrder
{
    std::size_t pairs = 0, right = 0;
};

/// Eight of ten measured speeds of usable rows lie between these multiples of what constants predict that do not know the device.
struct FittedBand
{
    std::string name;                  ///< of the rows that share it
    std::size_t rows = 0, devices = 0;
    double low = 0, high = 0;
};

/// A kind of row that is fitted by itself.
struct SpeedFit
{
    std::string what;
    std::vector<FittedConstant> constants;
    std::vector<Prediction> leftOut;   ///< each row by constants that were fitted without its device
    std::vector<FittedBand> bands;
    std::size_t devices = 0;
};

/// How far the order of devices is right: the median of each device on one network, precision, scenario and lengths.
///
/// rows        the table the predictions were made of, for what makes a workload
/// quantity    such as "throughput"
[[nodiscard]] PairOrder pairOrder(const CsvTable& rows, std::span<const Prediction> predictions, std::string_view quantity);

struct NamedOrder
{
    std::string name;
    PairOrder order;
};

/// The order of `throughput` for one-stream engines writing, reading and both, for saturated servers, and for all rows; each with
/// and without rows that are set aside. Those without any pair are left out.
[[nodiscard]] std::vector<NamedOrder> pairOrders(const CsvTable& rows, std::span<const Prediction> predictions);

/// Fits the constants of one-stream engines (decode, then prompt) and of saturated servers by the least mean of
/// |log(predicted/measured)|, each at most 1, and predicts every device by constants that do not know it.
///
/// table    with measured columns
/// fails    without any usable row
[[nodiscard]] Result<std::vector<SpeedFit>> fitSpeed(const CsvTable& table, const Presets& presets);

} // namespace ridgepoint
