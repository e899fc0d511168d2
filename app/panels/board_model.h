// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <QAbstractTableModel>
#include <optional>
#include <span>
#include <vector>

namespace ridgepoint::app {

enum class Trend { none, baseline, better, worse, neutral };

/// A cell as it is shown; made once per change, so that painting only paints.
struct BoardCell
{
    QString text;                ///< the value, or a dash
    QString change;              ///< "▼ 60 %", "baseline"
    QString band;                ///< "80 % band: 21.5 … 28.1 ms", empty when it is not known
    QString contest;             ///< "No clear winner: …", why the best in its row is not clearly the best
    QString reason;              ///< why there is no value, or why a knob cannot act
    Trend trend = Trend::none;
    bool best = false;           ///< clearly: its band overlaps no other of the row
    bool contested = false;      ///< among those of which none is clearly the best
    bool differs = false;        ///< from the baseline
    bool present = true;         ///< false: absent result or idle knob
    std::optional<Footprint> footprint;
    bool operator==(const BoardCell&) const = default;
};

struct BoardRow
{
    enum class Kind { metric, memory, knob };
    Kind kind = Kind::knob;
    const Metric* metric = nullptr;
    const Knob* knob = nullptr;
    bool firstOfGroup = false;
    QString group = {}, label = {}, unit = {}, help = {};
    [[nodiscard]] int height() const { return kind == Kind::knob ? 23 : kind == Kind::metric ? 25 : 37; }
};

struct BoardColumn
{
    QString name;
    Verdict verdict = Verdict::impossible;
    QString verdictText;         ///< "Fits", "Does not fit: 3.8 GiB short"
    QString verdictHelp;
    bool overloaded = false;     ///< more is sent than is answered: it fits, and still cannot do the work
    QString shortBy;             ///< "3.8 GiB short", empty when it fits
    QString provenance;          ///< "Calibrated", "Default"; empty when there is no number it could speak of
    QString band;                ///< of TPOT, such as "±18 %"; empty when it is not known
    Provenance source = Provenance::unknown;
    bool baseline = false;
    bool cheapest = false;
    bool clearly = false;        ///< the bands leave no doubt that it is the cheapest
    QString contest;             ///< with whose band its own overlaps, where they do
    bool operator==(const BoardColumn&) const = default;
};

/// Results and knobs of the configurations as a table.
class BoardModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit BoardModel(QObject* parent = nullptr);

    void show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets,
              const Definitions& definitions = {});
    void setShowEqual(bool on);              ///< false hides knobs that are equal in every column

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] const BoardRow& row(int index) const { return m_rows[std::size_t(index)]; }
    [[nodiscard]] const BoardColumn& column(int index) const { return m_columns[std::size_t(index)]; }
    [[nodiscard]] const BoardCell& cell(const QModelIndex& index) const;
    [[nodiscard]] QString provenanceHelp(int column) const;    ///< why its badge is what it is, and what that does to the band
    [[nodiscard]] const Scenario& scenario(int column) const { return m_configurations[std::size_t(column)].scenario; }
    [[nodiscard]] const Presets& presets() const { return *m_presets; }
    [[nodiscard]] int rowOf(std::string_view knob) const;      ///< -1 when it is not shown
    [[nodiscard]] int hiddenKnobs() const { return m_hidden; }
    [[nodiscard]] std::size_t baseline() const { return m_baseline; }

private:
    [[nodiscard]] std::vector<BoardRow> makeRows() const;
    void announceChanges(const std::vector<BoardCell>& cells, const std::vector<BoardColumn>& columns);
    void fillColumns();
    void fillCells();
    void fillMetric(std::size_t row);
    void fillMemory(std::size_t row);
    void fillKnob(std::size_t row);
    BoardCell& at(std::size_t row, std::size_t column) { return m_cells[row * m_columns.size() + column]; }

    std::span<const Evaluated> m_configurations;   ///< of the document, valid until the next show()
    std::size_t m_baseline = 0;
    Definitions m_definitions;
    const Presets* m_presets = nullptr;
    bool m_showEqual = true;
    mutable int m_hidden = 0;   ///< knobs that are equal and therefore not shown
    std::vector<BoardRow> m_rows;
    std::vector<BoardColumn> m_columns;
    std::vector<BoardCell> m_cells;
};

} // namespace ridgepoint::app
