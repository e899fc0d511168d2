// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/figure_export.h"

#include "app/charts/figure_plot.h"
#include "app/style/fonts.h"
#include "core/io/table_writer.h"
#include "core/io/text_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDate>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <cmath>

namespace ridgepoint::app {

namespace {

void setUp(FigurePlot& plot, const Figure& figure, const Tokens& tokens, QSize size)
{
    plot.setAttribute(Qt::WA_DontShowOnScreen);
    plot.resize(size);
    plot.setViewport(QRect(QPoint(0, 0), size));
    plot.setTokens(tokens);
    plot.show(figure);
    plot.setHeading(true);
    plot.prepare();
}

constexpr int stampSide = 14;

/// Lines of a stamp, and the height that they take below a figure of that width.
int stampHeight(const QString& stamp, int width)
{
    if (stamp.isEmpty())
        return 0;
    const QRectF bounds = QFontMetricsF(textFont(8)).boundingRect(QRectF(0, 0, width - 2 * stampSide, 1e4), Qt::TextWordWrap, stamp);
    return int(std::ceil(bounds.height())) + 14;
}

/// Figure above, stamp below.
void paint(QCPPainter& painter, FigurePlot& plot, QSize size, const QString& stamp, const Tokens& tokens)
{
    plot.toPainter(&painter, size.width(), size.height());
    const int height = stampHeight(stamp, size.width());
    if (height == 0)
        return;
    const QRectF strip(0, size.height(), size.width(), height);
    painter.fillRect(strip, tokens.panel);
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(stampSide, size.height() + 3), QPointF(size.width() - stampSide, size.height() + 3));
    painter.setPen(tokens.secondary);
    painter.setFont(textFont(8));
    painter.drawText(strip.adjusted(stampSide, 7, -stampSide, 0), int(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, stamp);
}

QSize withStamp(QSize size, const QString& stamp)
{
    return {size.width(), size.height() + stampHeight(stamp, size.width())};
}

QByteArray svgOf(const Figure& figure, const Tokens& tokens, const QString& stamp)
{
    FigurePlot plot;
    setUp(plot, figure, tokens, exportSize);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(withStamp(exportSize, stamp));
    generator.setViewBox(QRect(QPoint(0, 0), withStamp(exportSize, stamp)));
    generator.setResolution(96);
    generator.setTitle(QString::fromStdString(titleOf(figure)));
    generator.setDescription(QString::fromStdString(descriptionOf(figure)));
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter, plot, exportSize, stamp, tokens);
    painter.end();
    return buffer.data();
}

QByteArray pdfOf(const Figure& figure, const Tokens& tokens, const QString& stamp)
{
    FigurePlot plot;
    setUp(plot, figure, tokens, exportSize);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    constexpr int dotsPerInch = 96;   // so that a pixel of the figure is a dot of the page
    writer.setResolution(dotsPerInch);
    writer.setCreator(QStringLiteral("Ridgepoint"));
    writer.setTitle(QString::fromStdString(titleOf(figure)));
    const QSizeF page = QSizeF(withStamp(exportSize, stamp)) * 72.0 / dotsPerInch;
    writer.setPageLayout(QPageLayout(QPageSize(page, QPageSize::Point, {}, QPageSize::ExactMatch), QPageLayout::Portrait, QMarginsF()));
    QCPPainter painter;
    painter.begin(&writer);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter, plot, exportSize, stamp, tokens);
    painter.end();
    return buffer.data();
}

Result<void> write(const QString& file, const QByteArray& bytes)
{
    QSaveFile target(file);
    if (!target.open(QIODevice::WriteOnly) || target.write(bytes) != bytes.size() || !target.commit())
        return fail(QCoreApplication::translate("Export", "%1 could not be written: %2").arg(file, target.errorString()).toStdString());
    return {};
}

} // namespace

QString suffixOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::png: return QStringLiteral("png");
    case ExportFormat::svg: return QStringLiteral("svg");
    case ExportFormat::pdf: return QStringLiteral("pdf");
    case ExportFormat::csv: return QStringLiteral("csv");
    }
    return {};
}

QImage figureImage(const Figure& figure, const Tokens& tokens, double scale, QSize size, const QString& stamp)
{
    FigurePlot plot;
    setUp(plot, figure, tokens, size);
    const QSize all = withStamp(size, stamp);
    if (all == size)
        return plot.toPixmap(size.width(), size.height(), scale).toImage();
    QImage image(QSize(int(std::lround(all.width() * scale)), int(std::lround(all.height() * scale))), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(tokens.panel);
    QCPPainter painter;
    painter.begin(&image);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter, plot, size, stamp, tokens);
    painter.end();
    return image;
}

QString stampLine(const QString& assumptions)
{
    return QCoreApplication::translate("Export", "%1 Predictions, not measurements. Ridgepoint %2, %3.")
        .arg(assumptions, QCoreApplication::applicationVersion(), QDate::currentDate().toString(Qt::ISODate)).trimmed();
}

Result<void> exportFigure(const Figure& figure, const QString& file, ExportFormat format, const Tokens& tokens, const QString& stamp)
{
    switch (format) {
    case ExportFormat::csv: return writeTextFile(file.toStdString(), figureCsv(figure));
    case ExportFormat::svg: return write(file, svgOf(figure, tokens, stamp));
    case ExportFormat::pdf: return write(file, pdfOf(figure, tokens, stamp));
    case ExportFormat::png: break;
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    figureImage(figure, tokens, 2.0, exportSize, stamp).save(&buffer, "PNG");
    return write(file, bytes);
}

} // namespace ridgepoint::app
