// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/explore_page.h"

#include "app/charts/chart_view.h"
#include "app/charts/figure_plot.h"
#include "app/charts/heat_chart.h"
#include "app/panels/choice_boxes.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"
#include "core/base/unit_text.h"
#include "core/scenario/findings.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace ridgepoint::app {

namespace {

constexpr int trail = 80;   // ms after the last change

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

} // namespace

/// One map: what it is made of, and what came out.
struct ExplorePage::Job
{
    std::vector<Evaluated> configurations;
    std::shared_ptr<const Presets> presets;
    std::string metric, xKnob, yKnob;
    std::vector<Limit> limits;
    std::size_t baseline = 0;
    std::optional<std::size_t> column;
    std::optional<Map> map;

    [[nodiscard]] FigureInput input(std::stop_token token = {}) const
    {
        return {.configurations = configurations, .baseline = baseline, .presets = presets.get(), .metric = metric, .column = column,
                .xKnob = xKnob, .yKnob = yKnob, .limits = limits, .stop = std::move(token)};
    }
};

ExplorePage::ExplorePage(QWidget* parent)
    : QWidget(parent), m_view(new ChartView), m_column(new QComboBox), m_metric(new QComboBox), m_x(new QComboBox), m_y(new QComboBox),
      m_counts(new QLabel), m_detail(new QLabel), m_add(new QPushButton(tr("Put on the &board")))
{
    fillMetrics(*m_metric, tr("As the ranking"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 8, 12, 4);
    bar->setSpacing(8);
    const std::tuple<QString, QComboBox*, QString> boxes[] = {{tr("&Configuration"), m_column, tr("Configuration of the map")},
                                                              {tr("Co&lour"), m_metric, tr("Result that the colour shows")},
                                                              {tr("&Across"), m_x, tr("Knob along the map")},
                                                              {tr("&Up"), m_y, tr("Knob up the map")}};
    for (const auto& [label, box, name] : boxes) {
        auto* heading = new QLabel(label);
        heading->setBuddy(box);
        box->setAccessibleName(name);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(box == m_column ? 16 : 18);
        bar->addWidget(heading);
        bar->addWidget(box, 1);
        connect(box, &QComboBox::activated, this, &ExplorePage::begin);
    }
    auto* limits = new QHBoxLayout;
    limits->setContentsMargins(12, 2, 12, 6);
    limits->setSpacing(8);
    auto* heading = new QLabel(tr("Limits"));
    heading->setFont(textFont(9.5, QFont::DemiBold));
    limits->addWidget(heading);
    for (const char* id : {"ttft_ms", "tpot_ms", "cost_per_million_output_all_in"}) {
        QDoubleSpinBox* box = limitBox(id);
        auto* name = new QLabel(limitLabel(id));
        name->setBuddy(box);
        limits->addWidget(name);
        limits->addWidget(box);
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExplorePage::begin);
        m_limits.emplace(QLatin1String(id), box);
    }
    limits->addStretch(1);
    m_counts->setFont(textFont(9.5, QFont::DemiBold));
    m_counts->setContentsMargins(12, 0, 12, 4);
    m_counts->setWordWrap(true);
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detail->setMinimumHeight(36);
    m_add->setEnabled(false);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 6, 12, 8);
    foot->setSpacing(12);
    foot->addWidget(m_detail, 1);
    foot->addWidget(m_add);
    const FigureEntry& entry = *findFigure("map");
    m_view->setObjectName(QStringLiteral("map"));
    m_view->setHelp(text(entry.help));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(limits);
    layout->addWidget(m_counts);
    layout->addWidget(m_view, 1);
    layout->addLayout(foot);
    m_wait.setSingleShot(true);
    m_wait.setInterval(trail);
    connect(&m_wait, &QTimer::timeout, this, &ExplorePage::begin);
    connect(m_view, &ChartView::methodRequested, this, [this] { Q_EMIT methodRequested(m_view->objectName()); });
    connect(m_view, &ChartView::message, this, &ExplorePage::message);
    connect(m_view, &ChartView::failed, this, &ExplorePage::failed);
    connect(m_view, &ChartView::keyClicked, this, [this](const QString& key, int) {
        if (const auto cell = HeatChart::cellOf(key))
            selectCell(cell->first, cell->second);
    });
    const auto add = [this] {
        if (const auto scenario = m_cell ? scenarioOf(m_cell->first, m_cell->second) : std::nullopt)
            Q_EMIT addRequested(*scenario);
    };
    connect(m_add, &QPushButton::clicked, this, add);
    connect(m_view->plot(), &FigurePlot::keyDoubleClicked, this, [this, add](const QString& key) {
        if (const auto cell = HeatChart::cellOf(key)) {
            selectCell(cell->first, cell->second);
            add();
        }
    });
}

ExplorePage::~ExplorePage() { stop(); }

void ExplorePage::stop()
{
    if (m_worker.joinable()) {
        m_worker.request_stop();
        m_worker.join();
    }
}

void ExplorePage::show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets)
{
    m_configurations.assign(configurations.begin(), configurations.end());
    m_baseline = baseline;
    m_presets = &presets;
    fillColumns(*m_column, configurations, tr("The leader"));
    fillChoices();
    if (m_drawn)
        m_counts->setText(tr("Working out the new map…"));
    m_wait.start();
}

void ExplorePage::presetsChanged() { m_kept.reset(); }

void ExplorePage::fillChoices()
{
    const auto column = columnOf({.configurations = m_configurations, .baseline = m_baseline});
    if (!column)
        return;
    const Scenario& scenario = m_configurations[*column].scenario;
    const bool open = scenario.load.arrivals == Arrivals::openLoop;
    const QString load = open ? QStringLiteral("load.request_rate") : QStringLiteral("load.concurrency");
    const auto keep = [&](QComboBox& box, const QString& usual) {
        const Knob* chosen = findKnob(box.currentData().toString().toStdString());
        if (chosen != nullptr && isMappable(*chosen, scenario, *m_presets) && !m_refill)
            return;   // what it offers hardly changes; it is made anew once it would mislead
        const QString now = chosen != nullptr && isMappable(*chosen, scenario, *m_presets) ? box.currentData().toString() : usual;
        fillKnobs(box, scenario, *m_presets, now);
    };
    m_refill = m_open != open;
    m_open = open;
    keep(*m_x, load);
    keep(*m_y, QStringLiteral("parallel.tp"));
}

void ExplorePage::begin()
{
    m_wait.stop();
    if (m_presets == nullptr)
        return;
    stop();
    if (!m_kept)
        m_kept = std::make_shared<const Presets>(*m_presets);
    auto job = std::make_shared<Job>();
    job->configurations = m_configurations;
    job->presets = m_kept;
    job->metric = m_metric->currentData().toString().toStdString();
    job->xKnob = m_x->currentData().toString().toStdString();
    job->yKnob = m_y->currentData().toString().toStdString();
    job->baseline = m_baseline;
    if (m_column->currentData().isValid())
        job->column = std::size_t(m_column->currentData().toInt());
    for (const auto& [metric, box] : m_limits)
        if (box->value() > 0)
            job->limits.push_back({metric.toStdString(), true, box->value()});
    sortLimits(job->limits);
    m_job = job;
    m_worker = std::jthread([this, job](std::stop_token token) {
        job->map = mapOf(job->input(token));
        if (!token.stop_requested())
            QMetaObject::invokeMethod(this, [this, job] { take(job); }, Qt::QueuedConnection);
    });
}

void ExplorePage::take(const std::shared_ptr<Job>& job)
{
    if (job != m_job)
        return;
    m_drawn = job;
    m_cell.reset();
    m_add->setEnabled(false);
    m_view->select({});
    m_view->show(job->map->figure);
    m_counts->setText(text(job->map->counts));
    m_detail->setText(tr("Click a cell for what it gives, or what it lacks and what would mend it; double click puts it on the board."));
}

void ExplorePage::finish()
{
    if (m_wait.isActive())
        begin();
    if (m_worker.joinable())
        m_worker.join();
    if (m_job && m_job != m_drawn && m_job->map)
        take(m_job);
}

std::optional<Scenario> ExplorePage::scenarioOf(std::size_t column, std::size_t row) const
{
    if (!m_drawn)
        return std::nullopt;
    const auto plan = mapPlan(m_drawn->input());
    if (!plan || column >= plan->x.values.size() || row >= plan->y.values.size())
        return std::nullopt;
    auto scenario = scenarioAt(plan->sweep, plan->point(column, row), *m_drawn->presets);
    return scenario ? std::optional(std::move(*scenario)) : std::nullopt;
}

void ExplorePage::selectCell(std::size_t column, std::size_t row)
{
    m_cell = std::pair(column, row);
    m_view->select(QStringLiteral("cell.%1.%2").arg(column).arg(row));
    const auto scenario = scenarioOf(column, row);
    m_add->setEnabled(scenario.has_value());
    if (!scenario) {
        m_detail->setText(tr("These two values exclude each other."));
        return;
    }
    const Report report = evaluate(*scenario);
    const HeatCell& cell = m_drawn->map->figure.at(column, row);
    QStringList lines{tr("%1 %2, %3 %4: %5").arg(m_x->currentText(), text(m_drawn->map->figure.xTicks[column]), m_y->currentText(),
                                                 text(m_drawn->map->figure.yTicks[row]), text(cell.hover))};
    for (const Finding& finding : report.findings)
        if (finding.severity == Severity::problem)
            lines << text(sentence(finding, *scenario));
    m_detail->setText(lines.join(QStringLiteral(". ")).replace(QStringLiteral(".."), QStringLiteral(".")));
}

void ExplorePage::setLimit(const QString& metric, std::optional<double> value)
{
    if (const auto found = m_limits.find(metric); found != m_limits.end())
        found->second->setValue(value.value_or(0));
}

QString ExplorePage::counts() const { return m_counts->text(); }
QString ExplorePage::detail() const { return m_detail->text(); }

void ExplorePage::applyTokens()
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, tokens().panel);
    setPalette(colours);
    setAutoFillBackground(true);
    m_view->applyTokens();
}

} // namespace ridgepoint::app
