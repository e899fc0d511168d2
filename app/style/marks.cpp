// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/style/marks.h"

#include "app/style/tokens.h"

#include <QPainter>
#include <cmath>
#include <numbers>

namespace ridgepoint::app {

namespace {

QPainterPath polygon(int corners, double radius, double startDegrees, double innerRadius = 0)
{
    QPolygonF points;
    const int steps = innerRadius > 0 ? 2 * corners : corners;
    for (int i = 0; i < steps; ++i) {
        const double r = innerRadius > 0 && i % 2 == 1 ? innerRadius : radius;
        const double angle = (startDegrees + 360.0 * i / steps) * std::numbers::pi / 180.0;
        points << QPointF(r * std::cos(angle), r * std::sin(angle));
    }
    QPainterPath path;
    path.addPolygon(points);
    path.closeSubpath();
    return path;
}

QPainterPath cross(double half, double arm)
{
    QPainterPath path;
    path.addPolygon(QPolygonF({{-arm, -half}, {arm, -half}, {arm, -arm}, {half, -arm}, {half, arm}, {arm, arm},
                               {arm, half}, {-arm, half}, {-arm, arm}, {-half, arm}, {-half, -arm}, {-arm, -arm}}));
    path.closeSubpath();
    return path;
}

} // namespace

QPainterPath markPath(int configuration, double diameter)
{
    const double r = diameter / 2;
    QPainterPath path;
    switch (((configuration % 8) + 8) % 8) {
    case 0: path.addEllipse(QPointF(0, 0), r, r); return path;
    case 1: path.addRect(QRectF(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r)); return path;
    case 2: return polygon(3, 1.25 * r, -90).translated(0, 0.2 * r);
    case 3: return polygon(4, 1.22 * r, -90);
    case 4: return polygon(3, 1.25 * r, 90).translated(0, -0.2 * r);
    case 5: return polygon(5, 1.32 * r, -90, 0.58 * r);
    case 6: return cross(1.1 * r, 0.38 * r);
    default: return polygon(6, 1.08 * r, 0);
    }
}

void paintMark(QPainter& painter, const QPointF& centre, int configuration, double diameter, const Tokens& tokens)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    painter.setPen(Qt::NoPen);
    painter.setBrush(seriesColour(tokens, configuration));
    painter.drawPath(markPath(configuration, diameter));
    painter.restore();
}

QPixmap markPixmap(int configuration, double diameter, double devicePixelRatio, const Tokens& tokens)
{
    const int side = int(std::ceil((diameter + 4) * devicePixelRatio));
    QPixmap pixmap(side, side);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const double middle = side / devicePixelRatio / 2;
    paintMark(painter, {middle, middle}, configuration, diameter, tokens);
    return pixmap;
}

Qt::PenStyle seriesPenStyle(int configuration)
{
    constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::SolidLine, Qt::SolidLine, Qt::SolidLine,
                                       Qt::DashLine, Qt::DashDotLine, Qt::DotLine, Qt::DashDotDotLine};
    return styles[((configuration % 8) + 8) % 8];
}

QString letterOf(int configuration) { return QString(QChar(u'A' + char16_t(((configuration % 26) + 26) % 26))); }

} // namespace ridgepoint::app
