// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/label_placer.h"

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

std::optional<QRectF> LabelPlacer::place(std::span<const QRectF> candidates)
{
    const QRectF* best = nullptr;
    double bestCost = std::numeric_limits<double>::max();
    double order = 0;
    for (const QRectF& candidate : candidates) {
        order += 0.15;
        if (!m_bounds.contains(candidate))
            continue;
        double cost = order;
        for (const QRectF& label : m_labels)
            if (label.intersects(candidate))
                cost += 1000;
        if (cost >= bestCost || cost >= 1000)
            continue;
        for (const QRectF& mark : m_marks) {
            const QRectF common = mark & candidate;
            if (!common.isEmpty())
                cost += 2 + common.width() * common.height() / 20;
        }
        for (const QLineF& line : m_lines)
            if (clipped(line, candidate))
                cost += 1.5;
        if (cost < bestCost) {
            bestCost = cost;
            best = &candidate;
        }
    }
    if (!best)
        return std::nullopt;
    m_labels.push_back(*best);
    return *best;
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
