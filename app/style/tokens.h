// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"

#include <QColor>
#include <array>

namespace ridgepoint::app {

/// Every colour of the program, by what it is for.
struct Tokens
{
    bool dark = false;
    QColor window, bar, panel, alternate;
    QColor border, hairline, grid;
    QColor text, secondary, faint;
    QColor accent, accentText, accentTint, selection;
    QColor differs, differsBar;
    QColor good, goodTint, warning, warningTint, bad, badTint;
    QColor neutralTint;                 ///< of a badge that neither praises nor warns
    std::array<QColor, 8> series;       ///< in the order of the columns
    QColor weights, kvCache, communication, activations, host, compute;
};

[[nodiscard]] const Tokens& lightTokens();
[[nodiscard]] const Tokens& darkTokens();

/// The tokens the window is painted with; `applyTheme` in app_style.h changes them.
[[nodiscard]] const Tokens& tokens();
void setCurrentTokens(bool dark);

[[nodiscard]] QColor seriesColour(const Tokens& tokens, int configuration);

/// Fill of a part of a bar. Prefill, waiting and reserve are hatched and have no colour of their own.
[[nodiscard]] QColor toneColour(const Tokens& tokens, Tone tone);
[[nodiscard]] bool isHatched(Tone tone);

/// Contrast of two opaque colours, 1 to 21, as WCAG 2 defines it.
[[nodiscard]] double contrast(const QColor& first, const QColor& second);

/// Black or white, whichever reads better on the fill.
[[nodiscard]] QColor textOn(const QColor& fill);

} // namespace ridgepoint::app
