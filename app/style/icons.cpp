// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/style/icons.h"

#include "app/style/tokens.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace ridgepoint::app {

namespace {

/// Paints an SVG whose strokes are drawn in one stand-in colour, which is replaced by that of the theme.
class ThemeIconEngine : public QIconEngine
{
public:
    explicit ThemeIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, picture(rect.size(), ratio, mode, state));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return picture(size, 1.0, mode, state);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        return picture(size / scale, scale, mode, state);
    }

    QIconEngine* clone() const override { return new ThemeIconEngine(m_name); }

private:
    QPixmap picture(const QSize& size, double ratio, QIcon::Mode mode, QIcon::State state) const
    {
        const Tokens& colours = tokens();
        QColor colour = colours.secondary;
        if (mode == QIcon::Disabled)
            colour = colours.border;
        else if (state == QIcon::On || mode == QIcon::Selected)
            colour = colours.accent;
        const QString key = QStringLiteral("ridgepoint/%1/%2/%3x%4/%5").arg(m_name, colour.name()).arg(size.width())
                                .arg(size.height()).arg(ratio);
        QPixmap result;
        if (QPixmapCache::find(key, &result))
            return result;
        result = QPixmap(size * ratio);
        result.setDevicePixelRatio(ratio);
        result.fill(Qt::transparent);
        QFile file(QStringLiteral(":/icons/") + m_name + QStringLiteral(".svg"));
        if (file.open(QIODevice::ReadOnly)) {
            QByteArray svg = file.readAll();
            svg.replace("#526071", colour.name().toLatin1());
            QSvgRenderer renderer(svg);
            QPainter painter(&result);
            renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
        }
        QPixmapCache::insert(key, result);
        return result;
    }

    QString m_name;
};

} // namespace

QIcon themeIcon(const QString& name) { return QIcon(new ThemeIconEngine(name)); }

} // namespace ridgepoint::app
