// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figure_grid.h"

#include "app/charts/chart_view.h"
#include "app/style/app_style.h"
#include "core/figures/catalog.h"
#include "core/insight/glossary.h"

#include <QBoxLayout>
#include <QDataStream>
#include <QIODevice>
#include <QSplitter>

namespace ridgepoint::app {

namespace {

/// What a figure shows, and what its words mean.
QString helpOf(const FigureEntry& entry)
{
    const std::string help(entry.help), terms = explainedTerms(std::string(entry.title) + ". " + help);
    return wrappingToolTip(QString::fromStdString(terms.empty() ? help : help + "\n\n" + terms));
}

} // namespace

FigureGrid::FigureGrid(QWidget* parent)
    : QWidget(parent), m_outer(new QSplitter(Qt::Horizontal)), m_middle(new QSplitter(Qt::Vertical))
{
    const auto catalog = boardFigures();
    for (std::size_t i = 0; i < catalog.size(); ++i) {
        auto* view = new ChartView;
        view->setObjectName(QString::fromUtf8(catalog[i].id.data(), qsizetype(catalog[i].id.size())));
        view->setHelp(helpOf(catalog[i]));
        connect(view, &ChartView::keyClicked, this, [this](const QString& key, int configuration) {
            select(key);
            Q_EMIT selected(key, configuration);
        });
        connect(view, &ChartView::message, this, &FigureGrid::message);
        connect(view, &ChartView::failed, this, &FigureGrid::failed);
        connect(view, &ChartView::methodRequested, this, [this, view] { Q_EMIT methodRequested(view->objectName()); });
        m_views.push_back(view);
        const bool outside = i == 0 || i + 1 == catalog.size();
        if (i == 1 && !outside)
            m_outer->addWidget(m_middle);
        (outside ? m_outer : m_middle)->addWidget(view);
    }
    for (QSplitter* splitter : {m_outer, m_middle}) {
        splitter->setChildrenCollapsible(false);
        splitter->setHandleWidth(4);
    }
    m_outer->setSizes({360, 320, 330});
    m_middle->setSizes({200, 200});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_outer);
}

void FigureGrid::show(std::span<const Evaluated> configurations, std::size_t baseline, const Definitions& definitions)
{
    const auto catalog = boardFigures();
    for (std::size_t i = 0; i < m_views.size(); ++i)
        m_views[i]->show(catalog[i].make({configurations, baseline, definitions}));
}

void FigureGrid::select(const QString& key)
{
    for (ChartView* view : m_views)
        view->select(key);
}

void FigureGrid::announce(const QString& figure)
{
    if (ChartView* one = view(figure.toStdString()))
        one->announce();
}

void FigureGrid::applyTokens()
{
    for (ChartView* view : m_views)
        view->applyTokens();
}

ChartView* FigureGrid::view(std::string_view id) const
{
    const auto catalog = boardFigures();
    for (std::size_t i = 0; i < m_views.size(); ++i)
        if (catalog[i].id == id)
            return m_views[i];
    return nullptr;
}

QByteArray FigureGrid::saveState() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << m_outer->saveState() << m_middle->saveState();
    return bytes;
}

void FigureGrid::restoreState(const QByteArray& state)
{
    QByteArray outer, middle;
    QDataStream stream(state);
    stream >> outer >> middle;
    m_outer->restoreState(outer);
    m_middle->restoreState(middle);
}

} // namespace ridgepoint::app
