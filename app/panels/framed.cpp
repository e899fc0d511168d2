// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/framed.h"

#include "app/style/tokens.h"

#include <QApplication>
#include <QBoxLayout>
#include <QPainter>

namespace ridgepoint::app {

Framed::Framed(QWidget* content, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->addWidget(content);
    connect(qApp, &QApplication::focusChanged, this, [this] { update(); });
}

void Framed::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().panel);
    painter.setPen(tokens().border);
    painter.drawRect(rect().adjusted(0, -2, -1, -1));
    if (const QWidget* focus = QApplication::focusWidget(); focus && focus->parentWidget() == this) {
        painter.setPen(QPen(tokens().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace ridgepoint::app
