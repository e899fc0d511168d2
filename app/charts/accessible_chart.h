// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint::app {

/// Makes screen readers meet figures as charts with a name and a sentence, and not as empty areas. Once a program.
void installAccessibleCharts();

} // namespace ridgepoint::app
