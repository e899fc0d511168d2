// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/yaml_reader.h"
