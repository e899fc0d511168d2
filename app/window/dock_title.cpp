// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dock_title.h"

#include "app/style/fonts.h"
#include "app/style/icons.h"
#include "app/style/tokens.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QPainter>
#include <QToolButton>

namespace ridgepoint::app {

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), m_dock(dock)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 1, 3, 1);
    layout->setSpacing(0);
    layout->addStretch(1);
    setFixedHeight(28);
    addButton(QStringLiteral("float"), tr("Float or dock"), [dock] { dock->setFloating(!dock->isFloating()); });
    addButton(QStringLiteral("close"), tr("Close"), [dock] { dock->close(); });
}

void DockTitle::addButton(const QString& icon, const QString& help, std::function<void()> action)
{
    auto* button = new QToolButton;
    button->setIcon(themeIcon(icon));
    button->setIconSize({14, 14});
    button->setFixedSize(24, 24);
    button->setToolTip(help);
    button->setAccessibleName(QStringLiteral("%1: %2").arg(m_dock->windowTitle(), help));
    connect(button, &QToolButton::clicked, this, std::move(action));
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->count() > 1 && icon != QLatin1String("close") ? 1 : -1, button);
}

void DockTitle::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.bar);
    painter.setPen(t.border);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    painter.drawLine(0, 0, width(), 0);
    painter.drawLine(0, 0, 0, height());
    painter.drawLine(width() - 1, 0, width() - 1, height());
    painter.setFont(textFont(9.5, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(rect().adjusted(10, 0, -60, 0), Qt::AlignVCenter | Qt::AlignLeft, m_dock->windowTitle());
}

} // namespace ridgepoint::app
