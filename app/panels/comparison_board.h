// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"

#include <QWidget>
#include <span>

class QLabel;
class QPushButton;
class QTableView;
class QToolButton;

namespace ridgepoint::app {

class BoardModel;
class BoardColumnHeader;
class BoardRowHeader;

/// The comparison board: configurations as columns, results and knobs as rows, edited in place.
class ComparisonBoard : public QWidget
{
    Q_OBJECT
public:
    explicit ComparisonBoard(QWidget* parent = nullptr);

    void show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets,
              const Definitions& definitions = {});
    using QWidget::show;
    void setShowEqual(bool on);
    void applyTokens();

    /// Moves to a knob and column and says so; column -1 keeps the column.
    void goTo(int column, const QString& knob);
    [[nodiscard]] int currentColumn() const;
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] const BoardModel* model() const { return m_model; }

Q_SIGNALS:
    void knobEdited(int column, const QString& knob, const ridgepoint::KnobValue& value, int gesture);
    void knobCancelled(int gesture);
    void resetRequested(int column, const QString& knob);
    void copyRequested(int column, const QString& knob);
    void sourceRequested(int column, const QString& knob);
    void addRequested();
    void duplicateRequested(int column);
    void baselineRequested(int column);
    void renameRequested(int column);
    void moveRequested(int column, int to);
    void removeRequested(int column);
    void showEqualChanged(bool on);
    void columnSelected(int column);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void cellMenu(const QPoint& position);
    void headerMenu(const QPoint& position);

    BoardModel* m_model;
    QTableView* m_table;
    BoardColumnHeader* m_columns;
    BoardRowHeader* m_rows;
    QWidget* m_corner;
    QLabel* m_title;
    QPushButton* m_add;
    QToolButton* m_filter;
    bool m_showEqual = true;
};

} // namespace ridgepoint::app
