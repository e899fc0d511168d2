// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/presets.h"
#include "core/sweep/sizing.h"

#include <QTimer>
#include <QWidget>
#include <map>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace ridgepoint::app {

/// "50 requests/s within these limits, one replica down: what do I buy?" A sentence with blanks, the answer, its steps, and
/// every other way to do it on the systems of the board.
class SizePage : public QWidget
{
    Q_OBJECT
public:
    explicit SizePage(QWidget* parent = nullptr);

    void show(std::span<const Evaluated> configurations, std::size_t baseline);
    using QWidget::show;
    void finish();
    void applyTokens();
    void setRate(double requestsPerSecond);
    void setLimit(const QString& metric, double value);

    [[nodiscard]] QString answer() const;
    [[nodiscard]] QString steps() const;
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] std::span<const SizingOption> options() const { return m_options; }

Q_SIGNALS:
    void addRequested(const ridgepoint::Scenario& scenario);

private:
    void work();
    void showSteps();

    std::vector<Scenario> m_tried;            ///< a plan each, on the systems of the board
    std::vector<SizingOption> m_options;
    SizingQuestion m_question;
    QTimer m_wait;
    QDoubleSpinBox *m_rate, *m_headroom;
    QSpinBox* m_failures;
    std::map<QString, QDoubleSpinBox*> m_limits;
    QLabel *m_shape, *m_answer, *m_steps, *m_note;
    QTableWidget* m_table;
    QPushButton* m_add;
};

} // namespace ridgepoint::app
