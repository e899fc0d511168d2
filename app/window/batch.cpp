// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/batch.h"

#include "app/charts/figure_export.h"
#include "core/figures/catalog.h"

#include <QCoreApplication>
#include <QDir>

namespace ridgepoint::app {

Result<QStringList> writeFigures(std::span<const Evaluated> configurations, std::size_t baseline, const QString& folder)
{
    if (!QDir().mkpath(folder))
        return fail(QCoreApplication::translate("Batch", "The folder %1 could not be made.").arg(folder).toStdString());
    QStringList files;
    for (const FigureEntry& entry : figureCatalog()) {
        const Figure figure = entry.make(configurations, baseline);
        const QString stem = QDir(folder).filePath(QString::fromUtf8(entry.id.data(), qsizetype(entry.id.size())));
        const std::tuple<QString, ExportFormat, const Tokens*> outputs[] = {
            {QStringLiteral("-light.png"), ExportFormat::png, &lightTokens()}, {QStringLiteral("-dark.png"), ExportFormat::png, &darkTokens()},
            {QStringLiteral(".svg"), ExportFormat::svg, &lightTokens()}, {QStringLiteral(".pdf"), ExportFormat::pdf, &lightTokens()},
            {QStringLiteral(".csv"), ExportFormat::csv, &lightTokens()}};
        for (const auto& [suffix, format, colours] : outputs) {
            const QString file = stem + suffix;
            if (const auto written = exportFigure(figure, file, format, *colours); !written)
                return fail(written.error());
            files << file;
        }
    }
    return files;
}

} // namespace ridgepoint::app
