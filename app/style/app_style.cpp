// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/style/app_style.h"

#include "app/style/fonts.h"
#include "app/style/tokens.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>

namespace ridgepoint::app {

namespace {

/// Fusion outlines with palette.window().darker(140); this is the window colour that makes it the border colour.
QColor outlineBase(const QColor& border)
{
    return QColor::fromRgbF(float(std::min(1.0, border.redF() * 1.4)), float(std::min(1.0, border.greenF() * 1.4)),
                            float(std::min(1.0, border.blueF() * 1.4)));
}

bool systemIsDark()
{
    static const bool dark = [] {
        const QPalette palette = QApplication::palette();
        return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    }();
    return dark;
}

QString styleSheet(const Tokens& t)
{
    const QString sheet = QStringLiteral(R"(
QMainWindow { background: %window; }
QMainWindow::separator { background: %window; width: 4px; height: 4px; }
QSplitter::handle { background: %window; }
QMenuBar { background: %bar; color: %text; border: none; padding: 1px 4px; }
QMenuBar::item { padding: 4px 8px; background: transparent; border-radius: 3px; }
QMenuBar::item:selected { background: %selection; }
QToolBar { background: %bar; border: none; border-bottom: 1px solid %border; spacing: 4px; padding: 4px 8px; }
QToolBar::separator { background: %border; width: 1px; margin: 5px 4px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px; color: %text; }
QToolButton:hover { background: %selection; }
QToolButton:pressed { background: %accentTint; }
QToolButton:checked { background: %accentTint; }
QToolButton:focus { border: 1px solid %accent; }
QStatusBar { background: %bar; border-top: 1px solid %border; color: %secondary; }
QStatusBar::item { border: none; }
QDockWidget { color: %text; }
QToolTip { background: %panel; color: %text; border: 1px solid %border; padding: 4px; }
QTabBar::tab { background: transparent; color: %secondary; padding: 4px 10px; border: none; }
QTabBar::tab:selected { color: %text; border-bottom: 2px solid %accent; }
)");
    QString result = sheet;
    const std::pair<const char*, QColor> names[] = {
        {"%window", t.window}, {"%bar", t.bar}, {"%panel", t.panel}, {"%border", t.border}, {"%hairline", t.hairline},
        {"%text", t.text}, {"%secondary", t.secondary}, {"%faint", t.faint}, {"%accentTint", t.accentTint},
        {"%accent", t.accent}, {"%selection", t.selection}};
    for (const auto& [name, colour] : names)
        result.replace(QLatin1String(name), colour.name());
    return result;
}

QPalette paletteOf(const Tokens& t)
{
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, t.alternate);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::PlaceholderText, t.faint);
    palette.setColor(QPalette::Button, t.dark ? t.alternate : t.panel);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.bad);
    palette.setColor(QPalette::Highlight, t.selection);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::LinkVisited, t.accent);
    palette.setColor(QPalette::ToolTipBase, t.panel);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Light, t.panel);
    palette.setColor(QPalette::Midlight, t.hairline);
    palette.setColor(QPalette::Mid, t.border);
    palette.setColor(QPalette::Dark, t.border);
    palette.setColor(QPalette::Shadow, t.border);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, t.hairline);
    return palette;
}

} // namespace

AppStyle::AppStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int AppStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_FocusFrameHMargin: return 8;
    case PM_SmallIconSize:
    case PM_ButtonIconSize: return 16;
    case PM_ToolBarIconSize: return 18;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth: return 4;
    case PM_ScrollBarExtent: return 11;
    case PM_SliderThickness: return 17;
    case PM_SliderLength: return 13;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int AppStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_UnderlineShortcut:
    case SH_DialogButtonBox_ButtonsHaveIcons: return 0;
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton;   // a click goes there, a page step helps nobody
    case SH_ToolTip_WakeUpDelay: return 450;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    if (element == PE_FrameLineEdit || element == PE_PanelButtonCommand) {
        const Tokens& t = tokens();
        const bool enabled = option->state & State_Enabled, focus = option->state & State_HasFocus;
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        const bool primary = button && button->features & QStyleOptionButton::DefaultButton;
        QColor fill = element == PE_FrameLineEdit ? QColor(Qt::transparent) : t.dark ? t.alternate : t.panel;
        if (element == PE_PanelButtonCommand && option->state & (State_Sunken | State_On))
            fill = t.accentTint;
        else if (element == PE_PanelButtonCommand && option->state & State_MouseOver && enabled)
            fill = t.selection;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen((focus || primary) && enabled ? t.accent : t.border, focus ? 1.5 : 1.0));
        painter->setBrush(fill);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.75, 0.75, -0.75, -0.75), 3.5, 3.5);
        painter->restore();
        return;
    }
    if (element == PE_FrameFocusRect) {
        painter->save();
        painter->setPen(QPen(tokens().accent, 1));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    }
    if (element == PE_IndicatorDockWidgetResizeHandle)
        return;
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void AppStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                           const QWidget* widget) const
{
    if (element == CE_Splitter)
        return;
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AppStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                  const QWidget* widget) const
{
    const Tokens& t = tokens();
    if (control == CC_Slider) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider && slider->orientation == Qt::Horizontal) {
            const QRect handle = subControlRect(CC_Slider, slider, SC_SliderHandle, widget);
            const double middle = option->rect.center().y() + 0.5, x = handle.center().x() + 0.5;
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.border);
            painter->drawRoundedRect(QRectF(option->rect.left() + 2, middle - 1.5, option->rect.width() - 4, 3), 1.5, 1.5);
            painter->setBrush(t.accent);
            painter->drawRoundedRect(QRectF(option->rect.left() + 2, middle - 1.5, x - option->rect.left() - 2, 3), 1.5, 1.5);
            painter->setBrush(t.panel);
            painter->setPen(QPen(t.accent, 2));
            painter->drawEllipse(QPointF(x, middle), 5.0, 5.0);
            painter->restore();
            return;
        }
    }
    if (control == CC_SpinBox || control == CC_ComboBox) {
        const auto draw = [&](auto copy) {
            copy.palette.setColor(QPalette::Window, outlineBase(t.border));
            QProxyStyle::drawComplexControl(control, &copy, painter, widget);
        };
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return draw(*spin);
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            return draw(*combo);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

bool isDark(ThemeChoice choice)
{
    return choice == ThemeChoice::dark || (choice == ThemeChoice::system && systemIsDark());
}

void setUpApplication()
{
    systemIsDark();   // before our own palette hides the desktop's
    loadFonts();
    QApplication::setFont(textFont());
    QApplication::setStyle(new AppStyle);
}

void applyTheme(bool dark)
{
    setCurrentTokens(dark);
    QApplication::setPalette(paletteOf(tokens()));
    qApp->setStyleSheet(styleSheet(tokens()));
}

QString wrappingToolTip(const QString& plain)
{
    return QStringLiteral("<qt>") + plain.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) + QStringLiteral("</qt>");
}

} // namespace ridgepoint::app
