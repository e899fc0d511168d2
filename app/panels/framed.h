// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace ridgepoint::app {

/// A one-pixel border in the colour of the theme around another widget; open at the top where a title bar closes it.
class Framed : public QWidget
{
    Q_OBJECT
public:
    explicit Framed(QWidget* content, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ridgepoint::app
