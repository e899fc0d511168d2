// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"

#include <QDialog>
#include <QPixmap>
#include <vector>

class QLabel;

namespace ridgepoint::app {

/// One slide: a figure and the sentence that it is shown for.
struct Slide
{
    Figure figure;
    QString message;
};

/// The whole screen for one figure at twice its size with one sentence above it; no knobs. Keys step through the slides.
class Presenter : public QDialog
{
    Q_OBJECT
public:
    Presenter(std::vector<Slide> slides, QString stamp, QWidget* parent = nullptr);

    void go(int slide);
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] int count() const { return int(m_slides.size()); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void render();

    std::vector<Slide> m_slides;
    QString m_stamp;
    int m_current = 0;
    QPixmap m_picture;
    QRect m_message, m_figure;
};

} // namespace ridgepoint::app
