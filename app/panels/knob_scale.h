// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/knobs.h"

namespace ridgepoint::app {

/// Positions of a slider for a number knob, and what one step of a key is.
class KnobScale
{
public:
    explicit KnobScale(const Knob& knob);

    [[nodiscard]] int positions() const { return m_positions; }
    [[nodiscard]] double valueAt(int position) const;
    [[nodiscard]] int positionOf(double value) const;

    /// The value `steps` steps away, within the range. On a log2 scale a step is the next power of two.
    [[nodiscard]] double stepped(double value, int steps) const;

private:
    [[nodiscard]] double rounded(double value) const;

    double m_minimum, m_maximum, m_step;
    bool m_log, m_integer;
    int m_decimals;
    int m_positions = 1000;
};

} // namespace ridgepoint::app
