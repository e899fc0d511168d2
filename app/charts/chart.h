// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/style/tokens.h"
#include "core/figures/figure.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <qcustomplot.h>

namespace ridgepoint::app {

/// What lies under the pointer.
struct ChartHit
{
    QString title;
    QStringList lines;         ///< "label\tvalue" or a sentence
    QString key;               ///< empty: nothing to select
    int configuration = -1;
    QPointF position;          ///< of the thing, in pixels
};

/// Paints one figure into a plot. Everything is clipped by computation and not by the painter, because the SVG writer of
/// Qt drops clip regions.
class Chart : public QCPAbstractItem
{
    Q_OBJECT
public:
    explicit Chart(QCustomPlot* plot) : QCPAbstractItem(plot)
    {
        setClipToAxisRect(false);
        setSelectable(false);
    }

    void setTokens(const Tokens& tokens) { m_tokens = &tokens; }
    void select(const QString& key) { m_selected = key; }
    [[nodiscard]] const QString& selected() const { return m_selected; }

    /// Fits margins and, when asked, ranges to the figure and the size of the plot.
    virtual void arrange(bool fitRanges) = 0;
    [[nodiscard]] virtual std::optional<ChartHit> hit(const QPointF& position) const = 0;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    [[nodiscard]] const Tokens& theme() const { return *m_tokens; }

private:
    const Tokens* m_tokens = &lightTokens();
    QString m_selected;
};

} // namespace ridgepoint::app
