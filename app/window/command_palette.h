// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace ridgepoint::app {

struct Command
{
    QString name, hint;
    std::function<void()> run;
};

/// Everything that can be done or gone to, by typing a part of its name.
class CommandPalette : public QDialog
{
    Q_OBJECT
public:
    CommandPalette(std::vector<Command> commands, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter();
    void run();

    std::vector<Command> m_commands;
    QLineEdit* m_field;
    QListWidget* m_list;
};

} // namespace ridgepoint::app
