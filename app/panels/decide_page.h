// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/catalog.h"

#include <QTimer>
#include <QWidget>
#include <array>

class QComboBox;
class QLabel;

namespace ridgepoint::app {

class ChartView;

/// Is the answer safe? The odds of each place, what leads from the baseline to a configuration, and what moves it most.
class DecidePage : public QWidget
{
    Q_OBJECT
public:
    explicit DecidePage(QWidget* parent = nullptr);

    /// The configurations and presets stay valid until the next call. Figures follow a moment after the last change.
    void show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets, const Definitions& definitions = {});
    using QWidget::show;
    void finish();                          ///< draws at once what would follow
    void applyTokens();
    void select(const QString& key);

    [[nodiscard]] QString headline() const;
    [[nodiscard]] std::span<ChartView* const> views() const { return m_views; }
    [[nodiscard]] QComboBox* metricBox() const { return m_metric; }
    [[nodiscard]] QComboBox* columnBox() const { return m_column; }

Q_SIGNALS:
    void knobRequested(int column, const QString& knob);
    void methodRequested(const QString& figure);
    void message(const QString& text);
    void failed(const QString& text);

private:
    void draw();

    FigureInput m_input;
    QTimer m_wait;
    QLabel* m_headline;
    QComboBox *m_metric, *m_column;
    std::array<ChartView*, 3> m_views{};
};

} // namespace ridgepoint::app
