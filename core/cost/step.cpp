// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/step.h"
