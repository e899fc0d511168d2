// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/badge_label.h"

#include <QPainter>
#include <cmath>

namespace ridgepoint::app {

BadgeLabel::BadgeLabel(QString text, BadgeKind kind, QWidget* parent) : QWidget(parent), m_text(std::move(text)), m_kind(kind)
{
    setFixedSize(sizeHint());
    setAccessibleName(m_text);
}

QSize BadgeLabel::sizeHint() const { return {int(std::ceil(std::max(18.0, badgeWidth(m_text) - 5))), 16}; }

void BadgeLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintBadge(painter, QRectF(rect()), m_text, m_kind);
}

} // namespace ridgepoint::app
