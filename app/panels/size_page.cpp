// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/size_page.h"

#include "app/panels/choice_boxes.h"
#include "app/style/fonts.h"
#include "app/style/tokens.h"
#include "core/base/unit_text.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <algorithm>

namespace ridgepoint::app {

namespace {

constexpr int trail = 120;   // ms after the last change

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

enum Column { hardwareColumn, planColumn, devicesColumn, factorsColumn, rateColumn, ttftColumn, tpotColumn, costColumn, boundColumn, columns };

} // namespace

SizePage::SizePage(QWidget* parent)
    : QWidget(parent), m_rate(new QDoubleSpinBox), m_headroom(new QDoubleSpinBox), m_failures(new QSpinBox), m_shape(new QLabel),
      m_answer(new QLabel), m_steps(new QLabel), m_note(new QLabel), m_table(new QTableWidget(0, columns)),
      m_add(new QPushButton(tr("Put a replica on the &board")))
{
    const auto label = [](const QString& words) {
        auto* result = new QLabel(words);
        result->setFont(textFont(10.5));
        return result;
    };
    m_rate->setRange(0.01, 1e7);
    m_rate->setDecimals(2);
    m_rate->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_rate->setValue(50);
    m_rate->setAccessibleName(tr("Requests a second at the peak"));
    m_headroom->setRange(0, 90);
    m_headroom->setDecimals(0);
    m_headroom->setSuffix(QStringLiteral("\u00a0%"));
    m_headroom->setValue(20);
    m_headroom->setAccessibleName(tr("Share kept free"));
    m_failures->setRange(0, 1000);
    m_failures->setValue(1);
    m_failures->setAccessibleName(tr("Replicas that may be down"));
    m_shape->setFont(textFont(10.5));
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    first->addWidget(m_rate);
    first->addWidget(m_shape);
    first->addStretch(1);
    auto* second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(label(tr("within")));
    for (const char* id : {"ttft_ms", "tpot_ms"}) {
        QDoubleSpinBox* box = limitBox(id);
        second->addWidget(label(limitLabel(id)));
        second->addWidget(box);
        connect(box, &QDoubleSpinBox::valueChanged, this, &SizePage::work);
        m_limits.emplace(QLatin1String(id), box);
    }
    m_limits.at(QStringLiteral("ttft_ms"))->setValue(2000);
    second->addWidget(label(tr("with")));
    second->addWidget(m_failures);
    second->addWidget(label(tr("replicas down and")));
    second->addWidget(m_headroom);
    second->addWidget(label(tr("kept free")));
    second->addStretch(1);
    m_answer->setFont(textFont(15, QFont::DemiBold));
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_steps->setWordWrap(true);
    m_steps->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setWordWrap(true);
    m_note->setFont(textFont(9));
    m_note->setText(tr("Requests arrive at random times and are spread evenly over the replicas; rates are means of the prediction, whose band the "
                       "board shows. Every plan that fits is tried on each system of the board."));
    m_table->setHorizontalHeaderLabels({tr("Hardware"), tr("Plan"), tr("Devices"), tr("= replicas × each"), tr("Per replica (req/s)"),
                                        tr("TTFT (ms)"), tr("TPOT (ms)"), tr("Rent ($/month)"), tr("Bound by")});
    for (int column = 0; column < columns; ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (column >= devicesColumn && column <= costColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Ways to do it, the cheapest first"));
    m_add->setEnabled(false);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_note, 1);
    foot->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(8);
    layout->addLayout(first);
    layout->addLayout(second);
    layout->addSpacing(6);
    layout->addWidget(m_answer);
    layout->addWidget(m_steps);
    layout->addWidget(m_table, 1);
    layout->addLayout(foot);
    m_wait.setSingleShot(true);
    m_wait.setInterval(trail);
    connect(&m_wait, &QTimer::timeout, this, &SizePage::work);
    for (QDoubleSpinBox* box : {m_rate, m_headroom}) {
        box->setKeyboardTracking(false);
        connect(box, &QDoubleSpinBox::valueChanged, this, &SizePage::work);
    }
    connect(m_failures, &QSpinBox::valueChanged, this, &SizePage::work);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &SizePage::showSteps);
    connect(m_add, &QPushButton::clicked, this, [this] {
        if (const int row = m_table->currentRow(); row >= 0 && row < int(m_options.size()))
            Q_EMIT addRequested(m_options[std::size_t(row)].replica);
    });
}

void SizePage::show(std::span<const Evaluated> configurations, std::size_t baseline)
{
    m_tried.clear();
    m_shape->setText({});
    if (baseline < configurations.size()) {
        // One work for all: that of the baseline. The systems are those of the board.
        const Scenario& asked = configurations[baseline].scenario;
        m_shape->setText(tr("requests a second of %1, %2 tokens in and %3 out,")
                             .arg(text(asked.network.name), text(countText(asked.load.inputTokens)), text(countText(asked.load.outputTokens))));
        std::vector<std::string> done;
        for (const Evaluated& one : configurations) {
            if (std::find(done.begin(), done.end(), one.scenario.system.id) != done.end())
                continue;
            done.push_back(one.scenario.system.id);
            Scenario base = one.scenario;
            base.network = asked.network;
            base.load = asked.load;
            for (Scenario& plan : plansToSize(base))
                m_tried.push_back(std::move(plan));
        }
    }
    m_wait.start();
}

void SizePage::finish()
{
    if (m_wait.isActive())
        work();
}

void SizePage::work()
{
    m_wait.stop();
    m_question.requestRate = Frequency{m_rate->value()};
    m_question.headroom = m_headroom->value() / 100.0;
    m_question.failures = m_failures->value();
    m_question.limits.clear();
    for (const auto& [metric, box] : m_limits)
        if (box->value() > 0)
            m_question.limits.push_back({metric.toStdString(), true, box->value()});
    sortLimits(m_question.limits);
    m_options = sizedAll(m_tried, m_question);
    m_answer->setText(text(sizingAnswer(m_options, m_question)));
    m_table->setRowCount(int(m_options.size()));
    for (int row = 0; row < int(m_options.size()); ++row) {
        const SizingOption& option = m_options[std::size_t(row)];
        const bool works = option.bound != RateBound::infeasible;
        const auto put = [&](Column column, const QString& content, bool isNumber) {
            auto* item = new QTableWidgetItem(content);
            item->setFont(isNumber ? numberFont(9.5) : textFont(9.5));
            item->setForeground(works ? tokens().text : tokens().faint);
            item->setTextAlignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            item->setToolTip(content);
            m_table->setItem(row, column, item);
        };
        const QString none = QStringLiteral("–");
        const auto metric = [&](const char* id) {
            const std::optional<double> value = findMetric(id)->get(option.report);
            return works && value ? text(numberText(*value)) : none;
        };
        put(hardwareColumn, text(option.replica.system.device.name), false);
        put(planColumn, text(planText(option.replica)), false);
        put(devicesColumn, works ? text(countText(option.devices())) : none, true);
        put(factorsColumn, works ? tr("%1 × %2").arg(option.replicas()).arg(option.devicesPerReplica) : none, true);
        put(rateColumn, works ? text(numberText(option.mostPerReplica.value)) : none, true);
        put(ttftColumn, metric("ttft_ms"), true);
        put(tpotColumn, metric("tpot_ms"), true);
        put(costColumn, !works ? none : option.perMonth ? text(countText(option.perMonth->value)) : tr("unknown"), true);
        put(boundColumn, text(boundText(option, m_question)), false);
    }
    m_table->resizeColumnsToContents();
    if (!m_options.empty())
        m_table->selectRow(0);
    showSteps();
}

void SizePage::showSteps()
{
    const int row = m_table->currentRow();
    const bool chosen = row >= 0 && row < int(m_options.size());
    m_add->setEnabled(chosen);
    QStringList lines;
    if (chosen)
        for (const std::string& step : sizingSteps(m_options[std::size_t(row)], m_question))
            lines << text(step);
    m_steps->setText(lines.join(QStringLiteral("\n")));
}

void SizePage::setRate(double requestsPerSecond) { m_rate->setValue(requestsPerSecond); }
void SizePage::setLimit(const QString& metric, double value) { m_limits.at(metric)->setValue(value); }
QString SizePage::answer() const { return m_answer->text(); }
QString SizePage::steps() const { return m_steps->text(); }

void SizePage::applyTokens()
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, tokens().panel);
    setPalette(colours);
    setAutoFillBackground(true);
    colours.setColor(QPalette::WindowText, tokens().secondary);
    m_note->setPalette(colours);
    if (!m_options.empty())
        work();   // rows carry colours
}

} // namespace ridgepoint::app
