// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QRectF>
#include <optional>
#include <span>
#include <vector>

namespace ridgepoint::app {

/// Where a label stands, and the line that leads to what it names when that is not beside it.
struct PlacedLabel
{
    QRectF rect;
    QLineF leader;   ///< null: none needed
};

/// Finds places for labels that touch neither each other nor a mark nor, where it can be helped, a line.
class LabelPlacer
{
public:
    explicit LabelPlacer(const QRectF& bounds) : m_bounds(bounds) {}

    void avoid(const QRectF& rect) { m_marks.push_back(rect); }
    void avoid(const QLineF& line) { m_lines.push_back(line); }

    /// The best of the candidates, best first; none when each would cover a label or a mark or leave the bounds.
    std::optional<QRectF> place(std::span<const QRectF> candidates);

    /// As above, or further away with a line that leads there, where that is clearer.
    ///
    /// target, radius   the mark, or the end of the line, that the label names
    std::optional<PlacedLabel> place(std::span<const QRectF> beside, const QPointF& target, double radius, const QSizeF& size);

    /// Eight places around a mark, nearest to the reader's habit first: right, left, above, below, then the corners.
    [[nodiscard]] static std::vector<QRectF> around(const QPointF& centre, double radius, const QSizeF& size);

private:
    /// What is wrong with a place; none when it cannot be taken at all.
    [[nodiscard]] std::optional<double> cost(const QRectF& rect) const;

    QRectF m_bounds;
    std::vector<QRectF> m_labels, m_marks;
    std::vector<QLineF> m_lines, m_leaders;
};

/// The part of a line inside a rectangle.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect);

} // namespace ridgepoint::app
