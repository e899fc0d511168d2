// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/evaluate.h"
#include "core/scenario/presets.h"

#include <random>

namespace ridgepoint::samples {

/// A device with round numbers, so that results can be worked out by hand.
Device roundDevice();

/// Networks by their published dimensions.
Network llama8b();
Network llama70b();
Network qwen7b();
Network gptOss120b();
Network deepSeek();

EngineProfile idealEngine();
EngineProfile vllmEngine();

/// Llama-3.3-70B in FP8 on eight devices of a switched node.
Scenario servingScenario();

/// The presets of the source tree; the test fails when one does not load.
const Presets& shippedPresets();

/// A scenario of random hardware, network, precision, plan and load. Many are infeasible; equal seeds give equal ones.
Scenario randomScenario(std::mt19937_64& random, const Presets& presets);

} // namespace ridgepoint::samples
