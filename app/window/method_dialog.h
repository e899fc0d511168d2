// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/presets.h"

#include <QDialog>

class QTextBrowser;

namespace ridgepoint::app {

/// How a figure or a row of the board comes to what it shows, and what its words mean.
class MethodDialog : public QDialog
{
    Q_OBJECT
public:
    explicit MethodDialog(QWidget* parent);

    void showFigure(const QString& id, const Presets& presets);
    void showTopic(const QString& title, const QString& help);   ///< a metric or a knob
    void showGlossary();
    [[nodiscard]] QString text() const;

private:
    void setPage(const QString& title, const QString& body);

    QTextBrowser* m_page;
};

} // namespace ridgepoint::app
