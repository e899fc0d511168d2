// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>
#include <optional>
#include <span>
#include <vector>

namespace ridgepoint::app {

/// Finds places for labels that touch neither each other nor, where it can be helped, marks and lines.
class LabelPlacer
{
public:
    explicit LabelPlacer(const QRectF& bounds) : m_bounds(bounds) {}

    void avoid(const QRectF& rect) { m_marks.push_back(rect); }
    void avoid(const QLineF& line) { m_lines.push_back(line); }

    /// The best of the candidates, best first; none when each would cover a label or leave the bounds.
    std::optional<QRectF> place(std::span<const QRectF> candidates);

    /// Eight places around a mark, nearest to the reader's habit first: right, left, above, below, then the corners.
    [[nodiscard]] static std::vector<QRectF> around(const QPointF& centre, double radius, const QSizeF& size);

private:
    QRectF m_bounds;
    std::vector<QRectF> m_labels, m_marks;
    std::vector<QLineF> m_lines;
};

/// The part of a line inside a rectangle.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect);

} // namespace ridgepoint::app
