// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/framed.h"

#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QPainter>

namespace ridgepoint::app {

Framed::Framed(QWidget* content, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 1, 1);
    layout->addWidget(content);
}

void Framed::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens().panel);
    painter.setPen(tokens().border);
    painter.drawRect(rect().adjusted(0, -2, -1, -1));
}

} // namespace ridgepoint::app
