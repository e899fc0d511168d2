// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_theme.h"

#include "app/style/fonts.h"
#include "core/base/unit_text.h"

#include <cmath>
#include <qcustomplot.h>

namespace ridgepoint::app {

namespace {

/// Without zeros that say nothing: 10, not 10.0.
QString tickText(double tick)
{
    if (std::abs(tick) < 1e-12)
        return QStringLiteral("0");
    QString text = chartNumber(tick);
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

class LinearTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tickText(tick);
    }
    int getSubTickCount(double) override { return 0; }
};

class LogTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange&) override { return 1; }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick); }

    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        if (!(range.lower > 0) || !(range.upper > range.lower))
            return ticks;
        const int first = int(std::floor(std::log10(range.lower))), last = int(std::ceil(std::log10(range.upper)));
        const bool dense = std::log10(range.upper / range.lower) < 2.2;
        for (int decade = first; decade <= last && decade - first < 60; ++decade)
            for (const double step : {1.0, 2.0, 5.0})
                if (step == 1.0 || dense)
                    ticks << step * std::pow(10.0, decade);
        return ticks;
    }
};

} // namespace

void applyChartTheme(QCustomPlot& plot, const Tokens& tokens)
{
    plot.setBackground(QBrush(tokens.panel));
    for (QCPAxis* axis : plot.axisRect()->axes()) {
        axis->setBasePen(QPen(tokens.border, 1));
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelFont(numberFont(8.5));
        axis->setTickLabelColor(tokens.secondary);
        axis->setLabelFont(textFont(8.5, QFont::DemiBold));
        axis->setLabelColor(tokens.secondary);
        axis->setTickLabelPadding(3);
        axis->setLabelPadding(3);
        axis->grid()->setPen(QPen(tokens.grid, 1));
        axis->grid()->setZeroLinePen(QPen(tokens.grid, 1));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setAntialiased(false);
    }
}

void setAxisScale(QCPAxis& axis, AxisScale scale)
{
    const bool log = scale == AxisScale::log;
    const auto type = log ? QCPAxis::stLogarithmic : QCPAxis::stLinear;
    if (axis.scaleType() == type && axis.property("scaleSet").isValid())
        return;
    axis.setProperty("scaleSet", true);
    axis.setScaleType(type);
    QSharedPointer<QCPAxisTicker> ticker;
    if (log)
        ticker.reset(new LogTicker);
    else
        ticker.reset(new LinearTicker);
    ticker->setTickCount(5);
    axis.setTicker(ticker);
}

QBrush toneBrush(const Tokens& tokens, Tone tone)
{
    if (!isHatched(tone))
        return QBrush(toneColour(tokens, tone));
    QBrush brush(tokens.dark ? QColor(0x70, 0x7b, 0x89) : QColor(0xa3, 0xad, 0xb9));
    brush.setStyle(tone == Tone::prefill ? Qt::BDiagPattern : tone == Tone::waiting ? Qt::DiagCrossPattern : Qt::FDiagPattern);
    return brush;
}

QString chartNumber(double value) { return QString::fromStdString(numberText(value)); }

} // namespace ridgepoint::app
