// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/style/tokens.h"
#include "core/base/result.h"
#include "core/figures/figure.h"

#include <QImage>
#include <QSize>
#include <QString>

namespace ridgepoint::app {

enum class ExportFormat { png, svg, pdf, csv };

inline constexpr QSize exportSize{800, 500};

[[nodiscard]] QString suffixOf(ExportFormat format);

/// The figure with its heading as a picture, and a stamp below it where there is one.
[[nodiscard]] QImage figureImage(const Figure& figure, const Tokens& tokens, double scale = 2.0, QSize size = exportSize,
                                 const QString& stamp = {});

/// "… Ridgepoint 0.3, 2026-12-01": version and day close every stamp.
[[nodiscard]] QString stampLine(const QString& assumptions);

/// Writes the figure; PNG at twice the resolution. A CSV holds what is drawn and no stamp.
///
/// fails    when the file can't be written
[[nodiscard]] Result<void> exportFigure(const Figure& figure, const QString& file, ExportFormat format,
                                        const Tokens& tokens, const QString& stamp = {});

} // namespace ridgepoint::app
