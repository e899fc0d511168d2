// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/board_model.h"

#include "app/style/app_style.h"
#include "app/style/marks.h"
#include "core/base/unit_text.h"
#include "core/insight/basis.h"
#include "core/insight/comparison.h"
#include "core/insight/glossary.h"
#include "core/insight/quality.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }
QString text(const std::string& value) { return QString::fromStdString(value); }

QString memoryNumber(Bytes value, const Definitions& definitions) { return text(numberText(value.value / memoryUnit(definitions))); }

/// Why there are no results: the first problem found.
QString whyAbsent(const Evaluated& configuration, const Definitions& definitions)
{
    for (const Finding& finding : configuration.report.findings)
        if (finding.severity == Severity::problem)
            return text(sentence(finding, configuration.scenario, definitions));
    return BoardModel::tr("This configuration gives no value for this result.");
}

/// "No clear winner: the 80 % bands of D (…) and B (…) overlap by …"
QString contestText(const Metric& metric, std::span<const Evaluated> configurations, std::size_t first, std::size_t second)
{
    return BoardModel::tr("No clear winner: %1").arg(text(overlapText(metric, configurations, first, second)));
}

/// The operators that a result hangs on most.
const std::vector<OpTime>& opsBehind(const Metric& metric, const Report& report)
{
    return metric.id == "ttft_ms" ? report.prefillOps : report.decodeOps;
}

QString changeText(double ratio)
{
    const double percent = 100 * (ratio - 1);
    if (std::abs(percent) < 0.5)
        return BoardModel::tr("same");
    return (percent > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) + text(numberText(std::abs(percent), std::abs(percent) < 10 ? 1 : 2))
           + QStringLiteral("\u00a0%");
}

} // namespace

BoardModel::BoardModel(QObject* parent) : QAbstractTableModel(parent) {}

void BoardModel::show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets,
                      const Definitions& definitions)
{
    const bool sameColumns = configurations.size() == m_columns.size();
    m_configurations = configurations;
    m_baseline = baseline;
    m_definitions = definitions;
    m_presets = &presets;
    std::vector<BoardRow> rows = makeRows();
    const auto sameRow = [](const BoardRow& a, const BoardRow& b) {   // in whatever definition
        return a.kind == b.kind && a.knob == b.knob && (a.metric == nullptr || (b.metric != nullptr && a.metric->id == b.metric->id));
    };
    if (sameColumns && std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameRow)) {
        const auto sameLabel = [](const BoardRow& a, const BoardRow& b) { return a.label == b.label && a.unit == b.unit; };
        const bool renamed = !std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(), sameLabel);
        m_rows = std::move(rows);
        if (renamed)
            Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
        const std::vector<BoardColumn> columns = std::move(m_columns);
        const std::vector<BoardCell> cells = std::move(m_cells);
        fillColumns();
        fillCells();
        announceChanges(cells, columns);
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    fillColumns();
    fillCells();
    endResetModel();
}

/// Only what looks different is painted again: a view repaints one cell for one index, but all of them for a range.
void BoardModel::announceChanges(const std::vector<BoardCell>& cells, const std::vector<BoardColumn>& columns)
{
    const std::size_t width = m_columns.size();
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        for (std::size_t column = 0; column < width; ++column)
            if (!(cells[row * width + column] == m_cells[row * width + column])) {
                const QModelIndex changed = index(int(row), int(column));
                Q_EMIT dataChanged(changed, changed);
            }
    for (std::size_t column = 0; column < width; ++column)
        if (!(columns[column] == m_columns[column]))
            Q_EMIT headerDataChanged(Qt::Horizontal, int(column), int(column));
}

void BoardModel::setShowEqual(bool on)
{
    if (on == m_showEqual)
        return;
    m_showEqual = on;
    if (m_presets)
        show(m_configurations, m_baseline, *m_presets, Definitions(m_definitions));
}

std::vector<BoardRow> BoardModel::makeRows() const
{
    std::vector<BoardRow> rows;
    for (const Metric& metric : metrics(m_definitions))
        if (metric.headline)
            rows.push_back({.kind = BoardRow::Kind::metric, .metric = &metric, .label = text(metric.label),
                            .unit = text(metric.unit), .help = text(metric.help)});
    rows.push_back({.kind = BoardRow::Kind::memory, .label = tr("Memory per device"), .unit = text(memoryUnitName(m_definitions)),
                    .help = tr("What fills the memory of the fullest device: weights, the KV cache of the requests that run, "
                               "activations and runtime, and what the engine leaves alone.")});
    int hidden = 0;
    QString group;
    for (const Knob& knob : knobs()) {
        if (!m_showEqual) {
            const bool equal = std::all_of(m_configurations.begin(), m_configurations.end(), [&](const Evaluated& one) {
                return knob.get(one.scenario) == knob.get(m_configurations.front().scenario);
            });
            if (equal) {
                ++hidden;
                continue;
            }
        }
        BoardRow row{.kind = BoardRow::Kind::knob, .knob = &knob, .group = text(knob.group), .label = text(knob.label),
                     .unit = text(shownUnit(knob)), .help = text(knob.help)};
        row.firstOfGroup = row.group != group;
        group = row.group;
        rows.push_back(std::move(row));
    }
    m_hidden = hidden;
    return rows;
}

void BoardModel::fillColumns()
{
    m_columns.assign(m_configurations.size(), {});
    // The explanation and the badge name the same column.
    const Ranking rank = ranking(m_configurations);
    const bool cheapest = rank.byCost && rank.order.size() > 1;
    const Metric& cost = *findMetric("cost_per_million_output_all_in");
    const std::optional<Standing> standing = cheapest ? standingOf(cost, m_configurations) : std::nullopt;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        BoardColumn& column = m_columns[i];
        const Scenario& scenario = m_configurations[i].scenario;
        const Report& report = m_configurations[i].report;
        column.name = text(scenario.name.empty() ? hardwareName(scenario) : scenario.name);
        column.verdict = report.verdict;
        switch (report.verdict) {
        case Verdict::fits: column.verdictText = tr("Fits"); break;
        case Verdict::tight: column.verdictText = tr("Tight"); break;
        case Verdict::doesNotFit:
            column.verdictText = report.shortBy.value > 0
                                     ? tr("Does not fit: %1 short").arg(text(memoryText(report.shortBy, m_definitions)))
                                     : tr("Does not fit");
            break;
        case Verdict::impossible:
            column.verdictText = std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
                                     return finding.severity == Severity::problem && finding.code != FindingCode::memoryUnknown;
                                 })
                                     ? tr("Not possible")
                                     : tr("Memory unknown");
            break;
        }
        column.overloaded = report.feasible() && report.overloaded;
        if (column.overloaded)
            column.verdictText = tr("Overloaded");
        if (report.verdict == Verdict::doesNotFit && report.shortBy.value > 0)
            column.shortBy = tr("%1 short").arg(text(memoryText(report.shortBy, m_definitions)));
        column.verdictHelp = report.feasible() ? QString() : whyAbsent(m_configurations[i], m_definitions);
        for (const Finding& finding : report.findings)
            if (column.overloaded && finding.code == FindingCode::rateExceedsCapacity)
                column.verdictHelp = text(sentence(finding, scenario, m_definitions));
        for (const Finding& finding : report.findings)
            if (column.verdictHelp.isEmpty() && report.verdict == Verdict::tight && finding.code == FindingCode::tightMemory)
                column.verdictHelp = text(sentence(finding, scenario, m_definitions));
        column.source = report.provenance;
        if (report.feasible())
            column.provenance = text(basisBadge(report));
        if (report.feasible() && report.tpotSpread)
            column.band = text(spreadText(report.tpotSpread->total()));
        column.baseline = i == m_baseline;
        column.cheapest = standing && standing->best == i;
        column.clearly = column.cheapest && standing->isClear();
        if (column.cheapest && !column.clearly)
            column.contest = contestText(cost, m_configurations, i, standing->contenders.front());
    }
}

void BoardModel::fillCells()
{
    m_cells.assign(m_rows.size() * m_columns.size(), {});
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (m_rows[row].kind == BoardRow::Kind::metric)
            fillMetric(row);
        else if (m_rows[row].kind == BoardRow::Kind::memory)
            fillMemory(row);
        else
            fillKnob(row);
    }
}

void BoardModel::fillMetric(std::size_t row)
{
    const Metric& metric = *m_rows[row].metric;
    std::vector<std::optional<double>> values;
    for (const Evaluated& one : m_configurations)
        values.push_back(metric.get(one.report));
    const std::optional<Standing> standing = standingOf(metric, m_configurations);
    const double base = m_baseline < values.size() ? values[m_baseline].value_or(0) : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        BoardCell& cell = at(row, i);
        if (!values[i]) {
            cell.present = false;
            cell.text = QStringLiteral("–");
            cell.reason = !m_configurations[i].report.feasible() ? whyAbsent(m_configurations[i], m_definitions)
                          : isEndless(metric, m_configurations[i].report)
                              ? tr("More requests are sent than are answered: the wait grows without end.")
                              : tr("Unknown: what this result needs, such as a price, is not set.");
            continue;
        }
        cell.text = text(numberText(*values[i], metric.significantDigits));
        if (const std::optional<Band> band = bandOf(metric, m_configurations[i].report))
            cell.band = tr("80 % band: %1 … %2 %3")
                            .arg(text(numberText(band->low)), text(numberText(band->high)), text(metric.unit));
        if (standing && standing->isClear()) {
            cell.best = i == standing->best;
        } else if (standing && i == standing->best) {
            cell.contested = true;
            cell.contest = contestText(metric, m_configurations, i, standing->contenders.front());
        } else if (standing && std::find(standing->contenders.begin(), standing->contenders.end(), i) != standing->contenders.end()) {
            cell.contested = true;
            cell.contest = contestText(metric, m_configurations, standing->best, i);
        }
        if (i == m_baseline) {
            cell.trend = Trend::baseline;
            cell.change = m_columns.size() > 1 ? tr("baseline") : QString();
        } else if (base != 0) {
            const double ratio = *values[i] / base;
            cell.change = changeText(ratio);
            const bool same = std::abs(ratio - 1) < 0.005;
            const bool better = metric.better == Better::less ? ratio < 1 : ratio > 1;
            cell.trend = same || metric.better == Better::neither ? Trend::neutral : better ? Trend::better : Trend::worse;
        }
    }
}

void BoardModel::fillMemory(std::size_t row)
{
    for (std::size_t i = 0; i < m_configurations.size(); ++i) {
        BoardCell& cell = at(row, i);
        const Report& report = m_configurations[i].report;
        cell.footprint = report.footprint;
        if (!report.footprint) {
            cell.present = false;
            cell.text = QStringLiteral("–");
            cell.reason = whyAbsent(m_configurations[i], m_definitions);
            continue;
        }
        const Footprint& f = *report.footprint;
        const Bytes used = f.weights + f.kvNeeded + f.activations + f.runtime + f.graphs;
        cell.text = tr("%1 of %2").arg(memoryNumber(used, m_definitions), memoryNumber(f.visible, m_definitions));
        if (report.verdict == Verdict::doesNotFit)
            cell.change = report.shortBy.value > 0 ? tr("%1 short").arg(memoryNumber(report.shortBy, m_definitions)) : QString();
        else
            cell.change = tr("%1 free").arg(memoryNumber(f.kvFree, m_definitions));
        cell.trend = report.verdict == Verdict::doesNotFit ? Trend::worse : Trend::neutral;
    }
}

void BoardModel::fillKnob(std::size_t row)
{
    const Knob& knob = *m_rows[row].knob;
    if (m_configurations.empty())
        return;
    const KnobValue base = knob.get(m_configurations[m_baseline].scenario);
    for (std::size_t i = 0; i < m_configurations.size(); ++i) {
        BoardCell& cell = at(row, i);
        const Scenario& scenario = m_configurations[i].scenario;
        cell.text = text(knobText(knob, scenario, *m_presets));
        cell.differs = i != m_baseline && knob.get(scenario) != base;
        if (knob.idleReason)
            cell.reason = text(knob.idleReason(scenario));
        if (knob.id == "precision.weights" || knob.id == "precision.kv")
            if (const std::string effect = qualitySummary(m_configurations[i], knob.id == "precision.kv"); effect != "none")
                cell.change = effect == "unknown" ? tr("quality unknown") : tr("quality %1").arg(text(effect).section(QStringLiteral(" ("), 0, 0));
        cell.present = cell.reason.isEmpty();
    }
}

int BoardModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int BoardModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_columns.size()); }

const BoardCell& BoardModel::cell(const QModelIndex& index) const
{
    return m_cells[std::size_t(index.row()) * m_columns.size() + std::size_t(index.column())];
}

QString BoardModel::provenanceHelp(int column) const
{
    const Evaluated& one = m_configurations[std::size_t(column)];
    return one.report.feasible() ? text(basisText(one)) : QString();
}

QVariant BoardModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const BoardCell& value = cell(index);
    const BoardRow& line = row(index.row());
    switch (role) {
    case Qt::DisplayRole: return value.text;
    case Qt::EditRole:
        if (line.knob) {
            const KnobValue knob = line.knob->get(scenario(index.column()));
            return std::holds_alternative<double>(knob) ? QVariant(std::get<double>(knob))
                                                        : QVariant(text(std::get<std::string>(knob)));
        }
        return value.text;
    case Qt::ToolTipRole: {
        QStringList lines;
        if (line.knob)
            lines << value.text;   // a narrow column cuts it
        for (const QString& known : {value.reason, value.band, value.contest})
            if (!known.isEmpty())
                lines << known;
        const Evaluated& configuration = m_configurations[std::size_t(index.column())];
        if (line.metric && line.metric->spread && value.present)
            lines << text(basisText(configuration, opsBehind(*line.metric, configuration.report)));
        if (line.knob && line.knob->id.starts_with("precision."))
            for (const QualityPart& part : qualityOf(configuration))
                if (part.knob == line.knob->id)
                    lines << text(qualityText(part));
        lines.removeAll(QString());
        if (!lines.isEmpty())
            lines << QString();
        return wrappingToolTip((lines << line.help).join(QLatin1Char('\n')));
    }
    case Qt::AccessibleTextRole: {
        QStringList parts{line.label, value.present || line.knob ? value.text + QLatin1Char(' ') + line.unit : tr("no value")};
        if (!value.band.isEmpty())
            parts << value.band;
        if (value.best)
            parts << tr("best");
        if (!value.contest.isEmpty())
            parts << value.contest;
        if (!value.change.isEmpty())
            parts << value.change;
        if (value.differs)
            parts << tr("differs from the baseline");
        return parts.join(QStringLiteral(", "));
    }
    case Qt::AccessibleDescriptionRole: return value.reason.isEmpty() ? line.help : value.reason;
    default: return {};
    }
}

QVariant BoardModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0)
        return {};
    if (orientation == Qt::Horizontal && section < columnCount()) {
        const BoardColumn& one = column(section);
        if (role == Qt::DisplayRole)
            return QString(letterOf(section) + QStringLiteral(" · ") + one.name);
        if (role == Qt::AccessibleTextRole)
            return QString(letterOf(section) + QStringLiteral(", ") + one.name + QStringLiteral(", ") + one.verdictText);
    } else if (orientation == Qt::Vertical && section < rowCount()) {
        const BoardRow& one = row(section);
        if (role == Qt::DisplayRole)
            return one.label;
        if (role == Qt::ToolTipRole) {
            const std::string terms = explainedTerms(one.label.toStdString());
            return terms.empty() ? one.help : wrappingToolTip(one.help + QStringLiteral("\n\n") + text(terms));
        }
        if (role == Qt::AccessibleTextRole)
            return QString(one.unit.isEmpty() ? one.label : one.label + QStringLiteral(", ") + one.unit);
    }
    return {};
}

Qt::ItemFlags BoardModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags result = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (row(index.row()).knob && cell(index).present)
        result |= Qt::ItemIsEditable;
    return result;
}

int BoardModel::rowOf(std::string_view knob) const
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].knob && m_rows[i].knob->id == knob)
            return int(i);
    return -1;
}

} // namespace ridgepoint::app
