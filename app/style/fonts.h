// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

namespace ridgepoint::app {

/// Adds the fonts of the resources; once, after the application object exists.
void loadFonts();

/// Text of the interface.
[[nodiscard]] QFont textFont(double points = 9.5, QFont::Weight weight = QFont::Normal);

/// Numbers in columns: digits of equal width.
[[nodiscard]] QFont numberFont(double points = 9.5, QFont::Weight weight = QFont::Normal);

/// YAML, paths, command lines.
[[nodiscard]] QFont codeFont(double points = 9.0);

} // namespace ridgepoint::app
