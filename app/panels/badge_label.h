// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/panels/badges.h"

#include <QWidget>

namespace ridgepoint::app {

/// A rounded badge as a widget.
class BadgeLabel : public QWidget
{
    Q_OBJECT
public:
    BadgeLabel(QString text, BadgeKind kind, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    BadgeKind m_kind;
};

} // namespace ridgepoint::app
