// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/elided_label.h"

#include "app/style/app_style.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace ridgepoint::app {

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && fontMetrics().horizontalAdvance(text()) > contentsRect().width()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), wrappingToolTip(text()), this);
        return true;
    }
    return QLabel::event(event);
}

} // namespace ridgepoint::app
