// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table_writer.h"
