// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_file.h"
#include "core/io/preset_library.h"
#include "core/io/preset_yaml.h"

#include <cstdint>
#include <cstdlib>

using namespace ridgepoint;

namespace {

const std::string file = "fuzz.yaml";

template <typename T>
void expectPlaceOf(const Result<T>& result)
{
    if (!result && (result.error().line < 1 || result.error().column < 1 || result.error().message.empty()))
        std::abort();
}

void networkSurvivesTheRoundTrip(const Network& network)
{
    const Result<Network> again = readNetwork(writeNetwork(network), file);
    if (!again || *again != network)
        std::abort();
}

} // namespace

/// Any text gives a value or an error that has a place; what reads as a network reads the same after writing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const Result<Network> network = readNetwork(text, file);
    expectPlaceOf(network);
    if (network)
        networkSurvivesTheRoundTrip(*network);
    expectPlaceOf(readSources(text, file));
    expectPlaceOf(readKernelFamily(text, file, {}));
    expectPlaceOf(readDevice(text, file, {}));
    expectPlaceOf(readSystem(text, file, {}));
    expectPlaceOf(readEngine(text, file, {}));
    expectPlaceOf(readPrice(text, file, {}));
    expectPlaceOf(readCalibration(text, file));
    return 0;
}
