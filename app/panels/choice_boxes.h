// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/presets.h"

#include <QString>
#include <span>

class QComboBox;
class QDoubleSpinBox;

namespace ridgepoint::app {

/// Every result that has a better and a worse side, with its id as data; the first entry has none.
void fillMetrics(QComboBox& box, const QString& first);

/// "A · 8 × H100 SXM" with its index as data, keeping what is chosen; the first entry has none.
void fillColumns(QComboBox& box, std::span<const Evaluated> configurations, const QString& first);

/// Every knob that can be an axis of a map for this scenario, with its id as data, keeping what is chosen.
void fillKnobs(QComboBox& box, const Scenario& scenario, const Presets& presets, const QString& chosen);

/// A field for "at most" of a metric, in its unit; 0 reads "no limit".
[[nodiscard]] QDoubleSpinBox* limitBox(const char* metric);

/// "TTFT, mean ≤"
[[nodiscard]] QString limitLabel(const char* metric);

} // namespace ridgepoint::app
