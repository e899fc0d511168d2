// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ridgepoint {

/// A field of a config.json that changes neither tensors nor the work of a step: token ids, settings of training and
/// text generation, constants of norms and rotary embedding, and what other readers handle.
[[nodiscard]] bool isPassedOver(std::string_view key);

/// A field that some known architecture reads.
[[nodiscard]] bool isUsualField(std::string_view key);

} // namespace ridgepoint
