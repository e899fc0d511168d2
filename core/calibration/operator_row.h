// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/operator_calibration.h"
#include "core/io/csv_table.h"
#include "core/scenario/presets.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgepoint {

/// One measurement of an operator, read into the shape that its model asks for.
struct OperatorRow
{
    std::size_t row = 0;              ///< of the table, from 0
    std::string deviceText;           ///< as the file calls it
    const Device* device = nullptr;   ///< null: unknown
    std::string slot;                 ///< kernel_slots.h, or one that only measurements have
    std::string implementation;       ///< library and way of timing; empty: the one that inference uses
    std::string fold;                 ///< rows of one fold key are left out together
    std::string problem;              ///< why the row cannot be predicted; empty: it can
    std::array<double, 3> shape{};    ///< what the residual grid of the kernel is over
    std::optional<Seconds> measured;  ///< copied, never read to predict
    std::vector<std::pair<std::string, std::string>> groups;   ///< what accuracy is told by, besides device and slot

    /// Time of the row on a device [s]. The kernel is of the kind of the slot.
    std::function<double(const AnyKernel& kernel, const Device& device)> predict;
};

/// One kind of table: how its rows are read, and how constants are fitted to them.
struct OperatorTable
{
    std::string_view id;                                          ///< as `--table` names it
    bool (*recognises)(const CsvTable& table);                    ///< by its columns, when nothing is named
    std::vector<OperatorRow> (*rows)(const CsvTable& table, const Presets& presets);
    std::array<ResidualGrid::Axis, 3> (*axes)(std::string_view slot);   ///< of the residual; one knot each: none
    /// Choices that a fit to `rows` rows tries.
    std::vector<AnyKernel> (*starts)(std::string_view slot, const AnyKernel& base, std::size_t rows);
};

/// All tables; a table without `--table` is of the first kind that recognises it.
[[nodiscard]] std::span<const OperatorTable> operatorTables();

/// The table that is named, or recognised by its columns when `name` is empty.
[[nodiscard]] Result<const OperatorTable*> operatorTableOf(const CsvTable& table, std::string_view name);

// What the readers of tables share.

/// Device of the column `device`, where "name@mode" is a mode of a device and the mode part of the implementation.
void readDevice(const CsvTable& table, std::size_t row, const Presets& presets, OperatorRow& out);

/// A number above zero, or a problem that names the column.
double positive(const CsvTable& table, std::size_t row, std::string_view column, OperatorRow& out);
double positiveOr(const CsvTable& table, std::size_t row, std::string_view column, double fallback);

/// The column latency_us.
void readLatency(const CsvTable& table, std::size_t row, OperatorRow& out);

/// Peak of an arithmetic, or of the widest one below it that the device has. [FLOP/s]
[[nodiscard]] FlopRate peakOrFallback(const Device& device, Math math);

// The tables, a file each.
extern const OperatorTable gemmTable;
extern const OperatorTable attentionDecodeTable, attentionPrefillTable;
extern const OperatorTable latentTable;
extern const OperatorTable mixtureTable;
extern const OperatorTable collectivesTable;
extern const OperatorTable exchangeTable;
extern const OperatorTable memoryTable;

} // namespace ridgepoint
