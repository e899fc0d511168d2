// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/batch.h"

#include "app/charts/figure_export.h"
#include "core/figures/catalog.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>

namespace ridgepoint::app {

Result<QStringList> writeFigures(std::span<const Evaluated> configurations, std::size_t baseline, const Presets& presets,
                                 const QString& folder, const Definitions& definitions)
{
    if (!QDir().mkpath(folder))
        return fail(QCoreApplication::translate("Batch", "The folder %1 could not be made.").arg(folder).toStdString());
    QStringList files;
    for (const FigureEntry& entry : figureCatalog()) {
        const Figure figure = entry.make({.configurations = configurations, .baseline = baseline, .definitions = definitions, .presets = &presets});
        const QString stamp = stampLine(QString::fromStdString(stampText({configurations, baseline, definitions})));
        const QString stem = QDir(folder).filePath(QString::fromUtf8(entry.id.data(), qsizetype(entry.id.size())));
        const std::tuple<QString, ExportFormat, const Tokens*> outputs[] = {
            {QStringLiteral("-light.png"), ExportFormat::png, &lightTokens()}, {QStringLiteral("-dark.png"), ExportFormat::png, &darkTokens()},
            {QStringLiteral(".svg"), ExportFormat::svg, &lightTokens()}, {QStringLiteral(".pdf"), ExportFormat::pdf, &lightTokens()},
            {QStringLiteral(".csv"), ExportFormat::csv, &lightTokens()}};
        for (const auto& [suffix, format, colours] : outputs) {
            const QString file = stem + suffix;
            if (const auto written = exportFigure(figure, file, format, *colours, stamp); !written)
                return fail(written.error());
            files << file;
        }
    }
    return files;
}

Result<QSize> parseWindowSize(const QString& text)
{
    constexpr QSize least(1024, 700), most(7680, 4320);
    const auto complaint = [&](const char* what) {
        return fail(QCoreApplication::translate("Batch", "--size is \"%1\", which is %2; it takes width and height in pixels, from %3x%4 to %5x%6, "
                                                         "such as 1600x1000.")
                        .arg(text, QCoreApplication::translate("Batch", what))
                        .arg(least.width()).arg(least.height()).arg(most.width()).arg(most.height()).toStdString());
    };
    static const QRegularExpression form(QStringLiteral("^([0-9]{1,9})[xX×]([0-9]{1,9})$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return complaint("no size");
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (size.width() < least.width() || size.height() < least.height())
        return complaint("too small");
    if (size.width() > most.width() || size.height() > most.height())
        return complaint("too large");
    return size;
}

} // namespace ridgepoint::app
