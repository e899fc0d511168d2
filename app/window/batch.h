// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/presets.h"

#include <QSize>
#include <QString>
#include <QStringList>
#include <span>

namespace ridgepoint::app {

/// Every figure of the catalogue as PNG (light and dark), SVG, PDF and CSV in a folder, which is made when missing.
///
/// returns  the files written
[[nodiscard]] Result<QStringList> writeFigures(std::span<const Evaluated> configurations, std::size_t baseline,
                                               const Presets& presets, const QString& folder, const Definitions& definitions = {});

/// Reads the size of a window: "1600x1000".
///
/// fails    when it is none, smaller than the window can be, or larger than a picture may be
[[nodiscard]] Result<QSize> parseWindowSize(const QString& text);

} // namespace ridgepoint::app
