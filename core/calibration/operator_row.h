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
    int regime = 0;                   ///< kinds of rows that scatter differently, such as those with a window
    std::optional<Seconds> measured;  ///< copied, never read to predict
    std::vector<std::pair<std::string, std::string>> groups;   ///< what accuracy is told by, besides device and slot

    /// Time of the row on a device [s]. The kernel is of the kind of the slot.
    std::function<double(const AnyKernel& kernel, const Device& device)> predict;
};

/// One kind of table: how its rows are read, and how constants are fitted to them.
struct OperatorTable
{
    std::string_view id;                                          ///< as `--table` names it
    std::array<std::string_view, 6> columns;                      ///< that it needs, and is recognised by
    std::string_view foreign;                                     ///< a column that it never has
    std::vector<OperatorRow> (*rows)(const CsvTable& table, const Presets& presets);
    std::array<ResidualGrid::Axis, 3> (*axes)(std::string_view slot);   ///< of the residual; one knot each: none
    /// Choices that a fit to `rows` rows tries.
    std::vector<AnyKernel> (*starts)(std::string_view slot, const AnyKernel& base, std::size_t rows);
};

/// All tables; a table without `--table` is of the first kind that recognises it.
[[nodiscard]] std::span<const OperatorTable> operatorTables();

/// The table that is named, or recognised by its columns when `name` is empty.
///
/// fails   for an unknown name, without a row, and where columns that it needs are missing
[[nodiscard]] Result<const OperatorTable*> operatorTableOf(const CsvTable& table, std::string_view name);

// What the readers of tables share.

/// Device of the column `device`, where "name@mode" is a mode of a device and the mode part of the implementation.
void readDevice(const CsvTable& table, std::size_t row, const Presets& presets, OperatorRow& out);

/// The column latency_us.
void readLatency(const CsvTable& table, std::size_t row, OperatorRow& out);

/// What a count may be. Beyond the largest one lies a slip of the pen, not an operator.
struct CountRange
{
    double least = 1.0;
    double most = 1e9;
};

/// A whole number of a range; else a problem that says so, and 1.
double count(const CsvTable& table, std::size_t row, std::string_view column, OperatorRow& out, CountRange range = {});
/// The same, where a blank cell or a missing column means `fallback`.
double countOr(const CsvTable& table, std::size_t row, std::string_view column, double fallback, OperatorRow& out,
               CountRange range = {});

/// Tokens that the queries of a prompt see: the column seq_kv, or the prompt itself where it is blank or 0.
double contextOf(const CsvTable& table, std::size_t row, double queries, OperatorRow& out);

/// Keeps the first problem of a row.
void refuse(OperatorRow& out, std::string problem);
/// A problem when so many bytes are more than twice the memory of the device.
void refuseBeyondMemory(OperatorRow& out, double bytes);

/// Reads device and latency of every row, then what the table itself has: `read(i, row)`.
template <typename Read>
std::vector<OperatorRow> readRows(const CsvTable& table, const Presets& presets, const Read& read)
{
    std::vector<OperatorRow> rows(table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        readDevice(table, i, presets, rows[i]);
        readLatency(table, i, rows[i]);
        read(i, rows[i]);
    }
    return rows;
}

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
