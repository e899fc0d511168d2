// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/choice_boxes.h"

#include "core/figures/map.h"
#include "core/insight/comparison.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QSignalBlocker>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

} // namespace

void fillMetrics(QComboBox& box, const QString& first)
{
    const QSignalBlocker blocker(box);
    box.clear();
    box.addItem(first);
    for (const Metric& metric : metrics())
        if (metric.better != Better::neither) {
            box.addItem(metric.unit.empty() ? text(metric.label) : text(metric.label) + QStringLiteral(" (%1)").arg(text(metric.unit)), text(metric.id));
            box.setItemData(box.count() - 1, text(metric.help), Qt::ToolTipRole);
        }
}

void fillColumns(QComboBox& box, std::span<const Evaluated> configurations, const QString& first)
{
    const QSignalBlocker blocker(box);
    const int chosen = box.currentIndex();
    while (box.count() > int(configurations.size()) + 1)
        box.removeItem(box.count() - 1);
    if (box.count() == 0)
        box.addItem(first);
    for (int i = 0; i < int(configurations.size()); ++i) {
        const QString name = QString::fromStdString(columnName(std::size_t(i), configurations[std::size_t(i)].scenario));
        if (i + 1 >= box.count())
            box.addItem(name, i);
        else if (box.itemText(i + 1) != name)
            box.setItemText(i + 1, name);
    }
    box.setCurrentIndex(chosen >= 0 && chosen < box.count() ? chosen : 0);
}

void fillKnobs(QComboBox& box, const Scenario& scenario, const Presets& presets, const QString& chosen)
{
    const QSignalBlocker blocker(box);
    box.clear();
    for (const Knob& knob : knobs())
        if (isMappable(knob, scenario, presets))
            box.addItem(text(knob.label), text(knob.id));
    box.setCurrentIndex(std::max(0, box.findData(chosen)));
}

QDoubleSpinBox* limitBox(const char* metric)
{
    const Metric* known = findMetric(metric);
    auto* box = new QDoubleSpinBox;
    box->setRange(0, 1e7);
    box->setDecimals(2);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setSpecialValueText(QCoreApplication::translate("Limits", "no limit"));
    box->setSuffix(QStringLiteral("\u00a0") + text(known->unit));
    box->setKeyboardTracking(false);
    box->setAccessibleName(QCoreApplication::translate("Limits", "%1 at most").arg(text(known->label)));
    return box;
}

QString limitLabel(const char* metric)
{
    return QCoreApplication::translate("Limits", "%1 ≤").arg(text(findMetric(metric)->label));
}

} // namespace ridgepoint::app
