// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/insight/reconciliation.h"

#include <QTimer>
#include <QWidget>
#include <optional>
#include <span>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace ridgepoint::app {

class ChartView;

/// One device to scale, the ledger line by line beside what an engine's start-up log says, and the log itself, each line
/// marked read or not.
class MemoryPage : public QWidget
{
    Q_OBJECT
public:
    explicit MemoryPage(QWidget* parent = nullptr);

    /// The configurations stay valid until the next call.
    void show(std::span<const Evaluated> configurations, const Presets& presets, const Definitions& definitions = {});
    using QWidget::show;
    void setLog(const QString& text);
    void setColumn(int column);
    void applyTokens();

    [[nodiscard]] int column() const;
    [[nodiscard]] const Reconciliation& reconciliation() const { return m_result; }
    [[nodiscard]] ChartView* chart() const { return m_chart; }
    [[nodiscard]] QTableWidget* ledger() const { return m_ledger; }
    [[nodiscard]] QTableWidget* lines() const { return m_lines; }
    [[nodiscard]] QString verdict() const;

Q_SIGNALS:
    void applyRequested(int column);       ///< set the changes of `reconciliation` in that column
    void keepBothRequested(int column);    ///< set them in a copy of it
    void message(const QString& text);
    void failed(const QString& text);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void readLog();
    void openFile();
    void compare();
    void fillLedger();
    void fillLines();
    void fillVerdict();

    std::span<const Evaluated> m_configurations;
    const Presets* m_presets = nullptr;
    Definitions m_definitions;
    std::optional<EngineLog> m_log;
    QString m_problem;                     ///< why the log was not read
    Reconciliation m_result;
    QTimer m_wait;                         ///< typing is not read letter by letter
    QTimer m_follow;                       ///< trails a drag while a log is open
    ChartView* m_chart;
    QTableWidget *m_ledger, *m_lines;
    QPlainTextEdit* m_editor;
    QStackedWidget* m_stack;
    QComboBox* m_column;
    QLabel *m_verdict, *m_changes, *m_count;
    QPushButton *m_apply, *m_keep, *m_edit;
};

} // namespace ridgepoint::app
