// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <QProxyStyle>

namespace ridgepoint::app {

enum class ThemeChoice { system, light, dark };

/// Fusion with borders in the colour of the theme, our row paddings, and nothing else.
class AppStyle : public QProxyStyle
{
    Q_OBJECT
public:
    AppStyle();
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

/// What the choice means on this desktop.
[[nodiscard]] bool isDark(ThemeChoice choice);

/// Fonts, style, palette and style sheet of the whole program.
void setUpApplication();
void applyTheme(bool dark);

/// As a tool tip that wraps: Qt puts a paragraph of plain text on one line, however long.
[[nodiscard]] QString wrappingToolTip(const QString& plain);

} // namespace ridgepoint::app
