// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/style/app_style.h"

#include <QStringList>

namespace ridgepoint::app {

/// What is remembered between runs beside the layout of the window.
[[nodiscard]] ThemeChoice themeSetting();
void setThemeSetting(ThemeChoice choice);

[[nodiscard]] QStringList recentFiles();     ///< newest first, those that still exist
void addRecentFile(const QString& file);

[[nodiscard]] QStringList recentEntries();   ///< of the library, such as "network/llama-3.3-70b", newest first
void addRecentEntry(const QString& entry);

[[nodiscard]] bool showEqualKnobs();         ///< rows whose value is the same in every column
void setShowEqualKnobs(bool on);

[[nodiscard]] int explanationDepth();        ///< 0 line, 1 paragraph, 2 evidence
void setExplanationDepth(int depth);

/// Where unsaved work is kept until it is saved or dropped.
[[nodiscard]] QString recoveryFile();

} // namespace ridgepoint::app
