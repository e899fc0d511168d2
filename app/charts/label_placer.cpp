// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/label_placer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgepoint::app {

std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect)
{
    double from = 0, to = 1;   // Liang and Barsky
    const double dx = line.dx(), dy = line.dy();
    const double p[] = {-dx, dx, -dy, dy};
    const double q[] = {line.x1() - rect.left(), rect.right() - line.x1(), line.y1() - rect.top(), rect.bottom() - line.y1()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0)
                return std::nullopt;
            continue;
        }
        const double t = q[i] / p[i];
        if (p[i] < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
        if (from > to)
            return std::nullopt;
    }
    return QLineF(line.pointAt(from), line.pointAt(to));
}

std::optional<double> LabelPlacer::cost(const QRectF& rect) const
{
    constexpr double perLine = 1.5;
    if (!m_bounds.contains(rect))
        return std::nullopt;
    const auto covers = [&](const QRectF& other) { return other.intersects(rect); };
    if (std::any_of(m_labels.begin(), m_labels.end(), covers))
        return std::nullopt;
    const QRectF ink = rect.adjusted(1, 2, -1, -2);   // letters do not fill the height of their line
    if (std::any_of(m_marks.begin(), m_marks.end(), [&](const QRectF& mark) { return mark.intersects(ink); }))
        return std::nullopt;
    double cost = 0;
    for (const QLineF& line : m_lines)
        if (clipped(line, ink))
            cost += perLine;
    for (const QLineF& leader : m_leaders)
        if (clipped(leader, ink))
            cost += 2 * perLine;
    return cost;
}

std::optional<QRectF> LabelPlacer::place(std::span<const QRectF> candidates)
{
    const auto placed = place(candidates, {}, -1, {});
    return placed ? std::optional(placed->rect) : std::nullopt;
}

std::optional<PlacedLabel> LabelPlacer::place(std::span<const QRectF> beside, const QPointF& target, double radius, const QSizeF& size)
{
    constexpr double perPlace = 0.05, leaderCost = 1.0, perPixel = 1.0 / 40;
    std::optional<PlacedLabel> best;
    double bestCost = std::numeric_limits<double>::max();
    double order = 0;
    for (const QRectF& candidate : beside) {
        order += perPlace;
        const auto found = cost(candidate);
        if (found && *found + order < bestCost) {
            bestCost = *found + order;
            best = PlacedLabel{candidate, {}};
        }
    }
    constexpr int directions = 16;
    for (const double distance : {14.0, 26.0, 40.0, 58.0, 80.0}) {
        if (radius < 0 || leaderCost + distance * perPixel >= bestCost)
            break;
        for (int i = 0; i < directions; ++i) {
            const double angle = 2 * M_PI * i / directions, dx = std::cos(angle), dy = std::sin(angle);
            // The nearest point of the label lies on the ray.
            const QPointF near = target + QPointF(dx, dy) * (radius + distance);
            const QRectF rect(near.x() + (dx - 1) * size.width() / 2, near.y() + (dy - 1) * size.height() / 2, size.width(), size.height());
            const auto found = cost(rect);
            if (!found)
                continue;
            const QPointF start = target + QPointF(dx, dy) * radius;
            const QPointF end(std::clamp(start.x(), rect.left(), rect.right()), std::clamp(start.y(), rect.top() + 2, rect.bottom() - 2));
            const QLineF leader(start, end);
            if (std::any_of(m_labels.begin(), m_labels.end(), [&](const QRectF& label) { return clipped(leader, label).has_value(); }))
                continue;
            const double total = *found + leaderCost + leader.length() * perPixel + perPlace * i / directions;
            if (total < bestCost) {
                bestCost = total;
                best = PlacedLabel{rect, leader};
            }
        }
    }
    if (best) {
        m_labels.push_back(best->rect);
        if (!best->leader.isNull())
            m_leaders.push_back(best->leader);
    }
    return best;
}

std::vector<QRectF> LabelPlacer::around(const QPointF& centre, double radius, const QSizeF& size)
{
    const double w = size.width(), h = size.height(), gap = radius + 3, diagonal = radius * 0.7 + 1;
    const double x = centre.x(), y = centre.y();
    return {QRectF(x + gap, y - h / 2, w, h),           QRectF(x - gap - w, y - h / 2, w, h),
            QRectF(x - w / 2, y - gap - h + 1, w, h),   QRectF(x - w / 2, y + gap - 1, w, h),
            QRectF(x + diagonal, y - diagonal - h, w, h), QRectF(x - diagonal - w, y - diagonal - h, w, h),
            QRectF(x + diagonal, y + diagonal, w, h),   QRectF(x - diagonal - w, y + diagonal, w, h)};
}

} // namespace ridgepoint::app
