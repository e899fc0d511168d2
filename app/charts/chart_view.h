// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/figure_export.h"
#include "core/figures/figure.h"

#include <QWidget>
#include <functional>

class QLabel;
class QMenu;
class QToolButton;

namespace ridgepoint::app {

class FigurePlot;

/// A figure with its title bar: what it is, which configurations it shows, and what can be taken from it.
class ChartView : public QWidget
{
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);

    void show(const Figure& figure);
    using QWidget::show;
    void select(const QString& key);
    void setHelp(const QString& help);
    void setStamp(std::function<QString()> assumptions);   ///< asked when the figure leaves the program
    void applyTokens();
    void copyPicture();
    void exportTo(ExportFormat format);      ///< asks for the file
    void showTable();
    void announce();                          ///< draws attention to the figure, such as after a click on a sentence

    [[nodiscard]] FigurePlot* plot() const { return m_plot; }

Q_SIGNALS:
    void keyClicked(const QString& key, int configuration);
    void message(const QString& text);
    void failed(const QString& text);
    void methodRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QMenu* makeMenu();
    [[nodiscard]] QString stamp() const { return m_stamp ? stampLine(m_stamp()) : QString(); }

    FigurePlot* m_plot;
    QWidget* m_bar;
    QLabel* m_title;
    QLabel* m_subtitle;
    QToolButton* m_more;
    std::function<QString()> m_stamp;
    bool m_announced = false;
};

} // namespace ridgepoint::app
