// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/knobs.h"
#include "core/scenario/report.h"

#include <QStyledItemDelegate>

namespace ridgepoint::app {

class BoardModel;
struct BoardCell;

/// Paints the cells of the board and opens the editors of its knobs.
class BoardDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    BoardDelegate(const BoardModel* model, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget*, QAbstractItemModel*, const QModelIndex&) const override {}   // reported as it happens
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

Q_SIGNALS:
    void knobEdited(int column, const QString& knob, const ridgepoint::KnobValue& value, int gesture) const;
    void knobCancelled(int gesture);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void paintResult(QPainter& painter, const QRect& rect, const BoardCell& cell) const;
    void paintMemory(QPainter& painter, const QRect& rect, const BoardCell& cell) const;
    void paintKnob(QPainter& painter, const QRect& rect, const BoardCell& cell, bool choice, bool hovered) const;

    const BoardModel* m_model;
};

/// Stands beside the values of a row of which none is clearly the best.
[[nodiscard]] QString noWinnerSign();

/// What fills a bar of memory, from the left; the ledger figure has the same order.
void paintMemoryBar(QPainter& painter, const QRectF& rect, const Footprint& footprint, bool tooLarge);

} // namespace ridgepoint::app
