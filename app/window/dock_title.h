// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

class QDockWidget;

namespace ridgepoint::app {

/// Title bar of a dock: name, float, close.
class DockTitle : public QWidget
{
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    void addButton(const QString& icon, const QString& help, std::function<void()> action);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QDockWidget* m_dock;
};

} // namespace ridgepoint::app
