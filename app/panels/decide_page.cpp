// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/decide_page.h"

#include "app/charts/chart_view.h"
#include "app/panels/choice_boxes.h"
#include "app/style/fonts.h"
#include "app/style/tokens.h"
#include "core/figures/decisions.h"
#include "core/scenario/knobs.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QSplitter>

namespace ridgepoint::app {

namespace {

constexpr int trail = 60;   // ms after the last change: a drag stays smooth

} // namespace

DecidePage::DecidePage(QWidget* parent) : QWidget(parent), m_headline(new QLabel), m_metric(new QComboBox), m_column(new QComboBox)
{
    m_headline->setFont(textFont(13, QFont::DemiBold));
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_metric->setAccessibleName(tr("Result to decide by"));
    m_column->setAccessibleName(tr("Configuration to look into"));
    fillMetrics(*m_metric, tr("As the ranking"));
    m_headline->setContentsMargins(12, 8, 12, 0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 12, 6);
    bar->setSpacing(8);
    for (const auto& [label, box] : {std::pair{tr("&By"), m_metric}, std::pair{tr("&Look into"), m_column}}) {
        auto* name = new QLabel(label);
        name->setBuddy(box);
        bar->addWidget(name);
        bar->addWidget(box);
    }
    bar->addStretch(1);
    auto* left = new QSplitter(Qt::Vertical);
    auto* outer = new QSplitter(Qt::Horizontal);
    constexpr std::array ids{"odds", "waterfall", "tornado"};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto* view = new ChartView;
        const FigureEntry& entry = *findFigure(ids[i]);
        view->setObjectName(QLatin1String(ids[i]));
        view->setHelp(QString::fromUtf8(entry.help.data(), qsizetype(entry.help.size())));
        connect(view, &ChartView::keyClicked, this, [this](const QString& key, int column) {
            select(key);
            if (findKnob(key.toStdString()) != nullptr)
                Q_EMIT knobRequested(column, key);
        });
        connect(view, &ChartView::methodRequested, this, [this, view] { Q_EMIT methodRequested(view->objectName()); });
        connect(view, &ChartView::message, this, &DecidePage::message);
        connect(view, &ChartView::failed, this, &DecidePage::failed);
        (i < 2 ? left : outer)->addWidget(view);
        m_views[i] = view;
    }
    outer->insertWidget(0, left);
    for (QSplitter* splitter : {left, outer}) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(4);
        splitter->setSizes({1000, 1000});
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_headline);
    layout->addLayout(bar);
    layout->addWidget(outer, 1);
    m_wait.setSingleShot(true);
    m_wait.setInterval(trail);
    connect(&m_wait, &QTimer::timeout, this, &DecidePage::draw);
    connect(m_metric, &QComboBox::activated, this, &DecidePage::draw);
    connect(m_column, &QComboBox::activated, this, &DecidePage::draw);
}

void DecidePage::show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets, const Definitions& definitions)
{
    m_input = {.configurations = configurations, .baseline = baseline, .definitions = definitions, .presets = &presets};
    fillColumns(*m_column, configurations, tr("The leader"));
    m_wait.start();
}

void DecidePage::finish()
{
    if (m_wait.isActive())
        draw();
}

void DecidePage::draw()
{
    m_wait.stop();
    const std::string metric = m_metric->currentData().toString().toStdString();
    m_input.metric = metric;
    m_input.column = m_column->currentData().isValid() ? std::optional(std::size_t(m_column->currentData().toInt())) : std::nullopt;
    m_headline->setText(QString::fromStdString(decisionText(m_input)));
    for (ChartView* view : m_views)
        view->show(findFigure(view->objectName().toStdString())->make(m_input));
    m_input.metric = {};   // it pointed to a string of this call
}

void DecidePage::applyTokens()
{
    QPalette colours = palette();
    colours.setColor(QPalette::Window, tokens().panel);
    setPalette(colours);
    setAutoFillBackground(true);
    for (ChartView* view : m_views)
        view->applyTokens();
}

void DecidePage::select(const QString& key)
{
    for (ChartView* view : m_views)
        view->select(key);
}

QString DecidePage::headline() const { return m_headline->text(); }

} // namespace ridgepoint::app
