// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/map.h"

#include <QTimer>
#include <QWidget>
#include <map>
#include <memory>
#include <thread>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace ridgepoint::app {

class ChartView;

/// Where it works and where it breaks: a map of any two knobs of a configuration, its limits, and what mends a cell.
/// The map is worked out beside the window and may trail a change; it says so while it does.
class ExplorePage : public QWidget
{
    Q_OBJECT
public:
    explicit ExplorePage(QWidget* parent = nullptr);
    ~ExplorePage() override;

    void show(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets);
    using QWidget::show;
    void presetsChanged();                  ///< the next map takes them anew
    void finish();                          ///< waits for the map
    void applyTokens();
    void setLimit(const QString& metric, std::optional<double> value);

    [[nodiscard]] ChartView* view() const { return m_view; }
    [[nodiscard]] QString counts() const;
    [[nodiscard]] QString detail() const;
    [[nodiscard]] QComboBox* xBox() const { return m_x; }
    [[nodiscard]] QComboBox* yBox() const { return m_y; }
    [[nodiscard]] QComboBox* metricBox() const { return m_metric; }

    /// The scenario of a cell; absent where the values exclude each other.
    [[nodiscard]] std::optional<Scenario> scenarioOf(std::size_t column, std::size_t row) const;
    void selectCell(std::size_t column, std::size_t row);

Q_SIGNALS:
    void addRequested(const ridgepoint::Scenario& scenario);
    void methodRequested(const QString& figure);
    void message(const QString& text);
    void failed(const QString& text);

private:
    struct Job;
    void fillChoices();
    void begin();
    void take(const std::shared_ptr<Job>& job);
    void stop();

    std::vector<Evaluated> m_configurations;     ///< copies: the map is worked out while the board moves on
    std::size_t m_baseline = 0;
    const Presets* m_presets = nullptr;
    std::shared_ptr<const Presets> m_kept;       ///< what the worker reads
    std::shared_ptr<Job> m_job;                  ///< the newest
    std::shared_ptr<Job> m_drawn;                ///< the one on the screen
    std::jthread m_worker;
    QTimer m_wait;
    ChartView* m_view;
    QComboBox *m_column, *m_metric, *m_x, *m_y;
    std::map<QString, QDoubleSpinBox*> m_limits; ///< by metric
    QLabel *m_counts, *m_detail;
    QPushButton* m_add;
    std::optional<bool> m_open;                  ///< load of the last choices
    bool m_refill = false;
    std::optional<std::pair<std::size_t, std::size_t>> m_cell;
};

} // namespace ridgepoint::app
