// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/figure.h"

#include <QDialog>
#include <QStringList>
#include <vector>

namespace ridgepoint::app {

/// Rows of a comma-separated text; quoted fields as in RFC 4180.
[[nodiscard]] std::vector<QStringList> csvRows(const QString& text);

/// The data of a figure as a table, for reading and for screen readers.
class TableDialog : public QDialog
{
    Q_OBJECT
public:
    TableDialog(const Figure& figure, QWidget* parent);
};

} // namespace ridgepoint::app
