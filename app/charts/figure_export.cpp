// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/figure_export.h"

#include "app/charts/figure_plot.h"
#include "core/io/table_writer.h"
#include "core/io/text_file.h"

#include <QBuffer>
#include <QSaveFile>
#include <QSvgGenerator>

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

QByteArray svgOf(const Figure& figure, const Tokens& tokens)
{
    FigurePlot plot;
    setUp(plot, figure, tokens, exportSize);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(exportSize);
    generator.setViewBox(QRect(QPoint(0, 0), exportSize));
    generator.setResolution(96);
    generator.setTitle(QString::fromStdString(titleOf(figure)));
    generator.setDescription(QString::fromStdString(descriptionOf(figure)));
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&painter, exportSize.width(), exportSize.height());
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

QImage figureImage(const Figure& figure, const Tokens& tokens, double scale, QSize size)
{
    FigurePlot plot;
    setUp(plot, figure, tokens, size);
    return plot.toPixmap(size.width(), size.height(), scale).toImage();
}

Result<void> exportFigure(const Figure& figure, const QString& file, ExportFormat format, const Tokens& tokens)
{
    if (format == ExportFormat::csv)
        return writeTextFile(file.toStdString(), figureCsv(figure));
    if (format == ExportFormat::svg)
        return write(file, svgOf(figure, tokens));
    if (format == ExportFormat::png) {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        figureImage(figure, tokens).save(&buffer, "PNG");
        return write(file, bytes);
    }
    FigurePlot plot;
    setUp(plot, figure, tokens, exportSize);
    if (!plot.savePdf(file, exportSize.width(), exportSize.height(), QCP::epAllowCosmetic, QStringLiteral("Ridgepoint"),
                      QString::fromStdString(titleOf(figure))))
        return fail(QCoreApplication::translate("Export", "%1 could not be written; another file name or folder may work.")
                        .arg(file).toStdString());
    return {};
}

} // namespace ridgepoint::app
