// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/comparison_board.h"

#include "app/charts/chart_theme.h"
#include "app/panels/board_delegate.h"
#include "app/panels/board_header.h"
#include "app/panels/board_model.h"
#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

namespace ridgepoint::app {

namespace {

constexpr int barHeight = 33, legendHeight = 24, narrowestColumn = 146;

/// The cell above the row labels.
class Corner : public QWidget
{
public:
    Corner(const BoardModel* model, QWidget* parent) : QWidget(parent), m_model(model) {}

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Tokens& t = tokens();
        QPainter painter(this);
        painter.fillRect(rect(), t.alternate);
        painter.setPen(t.border);
        painter.drawLine(0, height() - 1, width(), height() - 1);
        painter.drawLine(width() - 1, 0, width() - 1, height());
        painter.setFont(textFont(9.5, QFont::DemiBold));
        painter.setPen(t.text);
        painter.drawText(QRect(9, 4, width() - 12, 23), Qt::AlignVCenter | Qt::AlignLeft, BoardModel::tr("Results"));
        if (m_model->columnCount() < 2)
            return;
        painter.setFont(textFont(8.5));
        painter.setPen(t.secondary);
        painter.drawText(QRect(9, 27, width() - 12, 19), Qt::AlignVCenter | Qt::AlignLeft,
                         BoardModel::tr("difference to baseline %1").arg(letterOf(int(m_model->baseline()))));
    }

private:
    const BoardModel* m_model;
};

/// What the colours and signs of the board mean.
class Legend : public QWidget
{
public:
    Legend()
    {
        setFixedHeight(legendHeight);
        setAccessibleName(BoardModel::tr("Legend of the board"));
    }

protected:
    void resizeEvent(QResizeEvent*) override
    {
        setFixedHeight(legendHeight + lineHeight * (layOut(nullptr) - 1));
    }

    void paintEvent(QPaintEvent*) override
    {
        const Tokens& t = tokens();
        QPainter painter(this);
        painter.fillRect(rect(), t.panel);
        painter.setPen(t.border);
        painter.drawLine(0, 0, width(), 0);
        layOut(&painter);
    }

private:
    static constexpr int lineHeight = 17;

    /// Paints the entries when there is a painter; returns how many lines they take.
    int layOut(QPainter* painter) const
    {
        const Tokens& t = tokens();
        const QFont font = textFont(8.5);
        const QFontMetricsF metrics(font);
        double x = 9, middle = legendHeight / 2.0 + 0.5;
        int lines = 1;
        const auto entry = [&](const QString& text, double iconWidth, auto paintIcon) {
            const double width = iconWidth + 5 + metrics.horizontalAdvance(text);
            if (x > 9 && x + width > this->width() - 6) {
                x = 9;
                middle += lineHeight;
                ++lines;
            }
            if (painter) {
                painter->save();
                paintIcon(QRectF(x, middle - 5, iconWidth, 10));
                painter->restore();
                painter->setFont(font);
                painter->setPen(t.secondary);
                painter->drawText(QRectF(x + iconWidth + 5, middle - lineHeight / 2.0, width, lineHeight), Qt::AlignVCenter | Qt::AlignLeft, text);
            }
            x += width + 14;
        };
        const auto fill = [&](const QColor& colour) { return [painter, colour](const QRectF& r) { painter->fillRect(r, colour); }; };
        entry(BoardModel::tr("weights"), 10, fill(t.weights));
        entry(BoardModel::tr("KV cache in use"), 10, fill(t.kvCache));
        entry(BoardModel::tr("activations"), 10, fill(t.activations));
        entry(BoardModel::tr("runtime"), 10, fill(t.host));
        entry(BoardModel::tr("engine reserve"), 10, [&](const QRectF& r) { painter->fillRect(r, toneBrush(t, Tone::reserve)); });
        entry(BoardModel::tr("differs from baseline"), 3, fill(t.differsBar));
        entry(BoardModel::tr("clearly best in row"), 10, [&](const QRectF& r) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(t.accent, 1.2));
            painter->setBrush(t.accentTint);
            painter->translate(r.center());
            painter->drawPath(markPath(5, 8.5));
        });
        entry(BoardModel::tr("no clear winner"), 10, [&](const QRectF& r) {
            painter->setFont(numberFont(10, QFont::DemiBold));
            painter->setPen(t.secondary);
            painter->drawText(r.adjusted(-3, -5, 3, 5), Qt::AlignCenter, noWinnerSign());
        });
        return lines;
    }
};

QString knobOf(const BoardModel* model, const QModelIndex& index)
{
    const Knob* knob = index.isValid() ? model->row(index.row()).knob : nullptr;
    return knob ? QString::fromUtf8(knob->id.data(), qsizetype(knob->id.size())) : QString();
}

} // namespace

ComparisonBoard::ComparisonBoard(QWidget* parent)
    : QWidget(parent), m_model(new BoardModel(this)), m_table(new QTableView), m_title(new QLabel(tr("Comparison board"))),
      m_add(new QPushButton(themeIcon(QStringLiteral("add")), tr("Add configuration"))), m_filter(new QToolButton)
{
    m_columns = new BoardColumnHeader(m_model, m_table);
    m_rows = new BoardRowHeader(m_model, m_table);
    m_table->setHorizontalHeader(m_columns);
    m_table->setVerticalHeader(m_rows);
    m_table->setModel(m_model);
    auto* delegate = new BoardDelegate(m_model, this);
    m_table->setItemDelegate(delegate);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setCornerButtonEnabled(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_table->setMouseTracking(true);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Comparison board"));
    m_table->installEventFilter(this);
    m_corner = new Corner(m_model, m_table);
    m_title->setFont(textFont(9.5, QFont::DemiBold));
    m_filter->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_filter->setAutoRaise(true);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(9, 0, 5, 0);
    bar->addWidget(m_title);
    bar->addStretch(1);
    bar->addWidget(m_add);
    bar->addWidget(m_filter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    auto* barWidget = new QWidget;
    barWidget->setLayout(bar);
    barWidget->setFixedHeight(barHeight);
    layout->addWidget(barWidget);
    layout->addWidget(m_table, 1);
    layout->addWidget(new Legend);
    setShowEqual(true);

    connect(delegate, &BoardDelegate::knobEdited, this, &ComparisonBoard::knobEdited);
    connect(delegate, &BoardDelegate::knobCancelled, this, &ComparisonBoard::knobCancelled);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ComparisonBoard::layOut);
    connect(m_model, &QAbstractItemModel::headerDataChanged, this, [this](Qt::Orientation orientation) {
        if (orientation == Qt::Vertical || m_columns->height() != m_columns->neededHeight())
            layOut();
        m_corner->update();   // it names the baseline
    });
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (m_model->flags(index) & Qt::ItemIsEditable)
            m_table->edit(index);
    });
    connect(m_add, &QPushButton::clicked, this, &ComparisonBoard::addRequested);
    connect(m_filter, &QToolButton::clicked, this, [this] { Q_EMIT showEqualChanged(!m_showEqual); });
    connect(m_columns, &QHeaderView::sectionClicked, this, [this](int column) {
        const QModelIndex current = m_table->currentIndex();
        m_table->setCurrentIndex(m_model->index(current.isValid() ? current.row() : 0, column));
    });
    m_columns->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_columns, &QWidget::customContextMenuRequested, this, &ComparisonBoard::headerMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &ComparisonBoard::cellMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentColumnChanged, this,
            [this](const QModelIndex& current) { Q_EMIT columnSelected(current.column()); });
}

void ComparisonBoard::show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets,
                           const Definitions& definitions)
{
    m_model->show(configurations, baseline, presets, definitions);
    const bool hasPresets = !presets.systems.empty() && !presets.networks.empty() && !presets.engines.empty();
    m_add->setEnabled(configurations.size() < 8 && hasPresets);
    m_add->setToolTip(!hasPresets                  ? tr("A configuration needs a system, a network and an engine, and no preset of one of them was found.")
                      : configurations.size() >= 8 ? tr("A board holds at most 8 configurations. Remove one first.")
                                                   : QString());
    if (!m_showEqual)
        m_filter->setText(m_model->hiddenKnobs() > 0 ? tr("Show: differing knobs (%1 equal)").arg(m_model->hiddenKnobs()) : tr("Show: differing knobs"));
}

void ComparisonBoard::setShowEqual(bool on)
{
    m_showEqual = on;
    m_model->setShowEqual(on);
    m_filter->setText(on ? tr("Show: all knobs")
                         : m_model->hiddenKnobs() > 0 ? tr("Show: differing knobs (%1 equal)").arg(m_model->hiddenKnobs())
                                                      : tr("Show: differing knobs"));
    m_filter->setToolTip(on ? tr("Click to hide the knobs that are equal in every column") : tr("Click to show every knob"));
}

void ComparisonBoard::applyTokens()
{
    m_columns->viewport()->update();
    m_rows->viewport()->update();
    m_table->viewport()->update();
    update();
}

void ComparisonBoard::layOut()
{
    const int labels = width() < 1000 ? 214 : 250;
    m_rows->setLabelWidth(labels);
    m_rows->setFixedWidth(labels);
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_rows->resizeSection(row, m_rows->neededHeight(row));
    const int columns = m_model->columnCount();
    if (columns > 0) {
        const int scroll = m_table->verticalScrollBar()->isVisible() ? m_table->verticalScrollBar()->width() : 0;
        const int available = m_table->width() - labels - scroll;
        const int each = std::max(narrowestColumn, available / columns);
        for (int column = 0; column < columns; ++column)
            m_columns->resizeSection(column, column == columns - 1 ? std::max(each, available - each * (columns - 1)) : each);
    }
    m_columns->setFixedHeight(m_columns->neededHeight());
    m_corner->setGeometry(0, 0, labels, m_columns->height());
    m_corner->raise();
}

void ComparisonBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

bool ComparisonBoard::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        QMetaObject::invokeMethod(this, &ComparisonBoard::layOut, Qt::QueuedConnection);
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = m_table->currentIndex();
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && current.isValid()
            && m_model->flags(current) & Qt::ItemIsEditable) {
            m_table->edit(current);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

int ComparisonBoard::currentColumn() const { return std::max(0, m_table->currentIndex().column()); }

void ComparisonBoard::goTo(int column, const QString& knob)
{
    int row = knob.isEmpty() ? std::max(0, m_table->currentIndex().row()) : m_model->rowOf(knob.toStdString());
    if (row < 0 && !m_showEqual) {
        Q_EMIT showEqualChanged(true);
        row = m_model->rowOf(knob.toStdString());
    }
    if (row < 0)
        return;
    const QModelIndex index = m_model->index(row, column < 0 ? currentColumn() : column);
    m_table->setFocus();
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
}

void ComparisonBoard::cellMenu(const QPoint& position)
{
    const QModelIndex index = m_table->indexAt(position);   // a scroll area asks in the coordinates of its viewport
    const QString knob = knobOf(m_model, index);
    if (knob.isEmpty())
        return;
    m_table->setCurrentIndex(index);
    const int column = index.column();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool active = m_model->cell(index).present;
    menu->addAction(tr("Edit"), this, [this, index] { m_table->edit(index); })->setEnabled(active);
    menu->addAction(tr("Reset to the baseline's value"), this, [this, column, knob] { Q_EMIT resetRequested(column, knob); })
        ->setEnabled(m_model->cell(index).differs);
    menu->addAction(tr("Copy to all columns"), this, [this, column, knob] { Q_EMIT copyRequested(column, knob); })
        ->setEnabled(m_model->columnCount() > 1);
    menu->addSeparator();
    menu->addAction(tr("Show source"), this, [this, column, knob] { Q_EMIT sourceRequested(column, knob); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void ComparisonBoard::headerMenu(const QPoint& position)
{
    const int column = m_columns->logicalIndexAt(position);
    if (column < 0)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Duplicate"), this, [this, column] { Q_EMIT duplicateRequested(column); })->setEnabled(m_model->columnCount() < 8);
    menu->addAction(tr("Make baseline"), this, [this, column] { Q_EMIT baselineRequested(column); })
        ->setEnabled(!m_model->column(column).baseline);
    menu->addAction(tr("Rename…"), this, [this, column] { Q_EMIT renameRequested(column); });
    menu->addSeparator();
    menu->addAction(tr("Move left"), this, [this, column] { Q_EMIT moveRequested(column, column - 1); })->setEnabled(column > 0);
    menu->addAction(tr("Move right"), this, [this, column] { Q_EMIT moveRequested(column, column + 1); })
        ->setEnabled(column + 1 < m_model->columnCount());
    menu->addSeparator();
    menu->addAction(tr("Remove"), this, [this, column] { Q_EMIT removeRequested(column); })->setEnabled(m_model->columnCount() > 1);
    menu->popup(m_columns->mapToGlobal(position));
}

void ComparisonBoard::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(QRect(0, 0, width(), barHeight + 1), t.bar);
    painter.setPen(t.border);
    painter.drawLine(0, barHeight, width(), barHeight);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace ridgepoint::app
