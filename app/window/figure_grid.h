// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"

#include <QWidget>
#include <span>
#include <string_view>
#include <vector>

class QSplitter;

namespace ridgepoint::app {

class ChartView;

/// Every figure of the board at once: the first at the left, the last at the right, the others stacked between.
class FigureGrid : public QWidget
{
    Q_OBJECT
public:
    explicit FigureGrid(QWidget* parent = nullptr);

    void show(std::span<const Evaluated> configurations, std::size_t baseline, const Definitions& definitions = {});
    using QWidget::show;
    void select(const QString& key);
    void announce(const QString& figure);
    void applyTokens();
    [[nodiscard]] std::span<ChartView* const> views() const { return m_views; }
    [[nodiscard]] ChartView* view(std::string_view id) const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void message(const QString& text);
    void failed(const QString& text);
    void methodRequested(const QString& figure);
    void selected(const QString& key, int configuration);

private:
    std::vector<ChartView*> m_views;      ///< in the order of the catalogue
    QSplitter* m_outer;
    QSplitter* m_middle;
};

} // namespace ridgepoint::app
