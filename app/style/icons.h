// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace ridgepoint::app {

/// An icon of the resources, painted in the colours of the theme at the moment it is painted.
[[nodiscard]] QIcon themeIcon(const QString& name);

} // namespace ridgepoint::app
