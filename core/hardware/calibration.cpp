// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/calibration.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ridgepoint {

namespace {

/// The number behind "key=" in a shape such as "bytes=4096 threads=2"; 0 when it is not there.
double shapeNumber(std::string_view shape, std::string_view key)
{
    while (!shape.empty()) {
        const std::size_t end = shape.find(' ');
        const std::string_view word = shape.substr(0, end);
        if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
            double value = 0;
            std::from_chars(word.data() + key.size() + 1, word.data() + word.size(), value);
            return value;
        }
        shape = end == std::string_view::npos ? std::string_view() : shape.substr(end + 1);
    }
    return 0;
}

} // namespace

Result<Device> measuredDevice(const Calibration& calibration)
{
    // The largest arrays tell the memory; smaller ones tell the caches.
    double largest = 0;
    double bandwidth = 0;
    double rate = 0;
    for (const CalibrationSample& sample : calibration.samples) {
        if (sample.probe == "stream_triad") {
            const double bytes = shapeNumber(sample.shape, "bytes");
            if (bytes > largest)
                bandwidth = 0;
            if (bytes >= largest) {
                largest = bytes;
                bandwidth = std::max(bandwidth, sample.value);
            }
        } else if (sample.probe == "matmul" && sample.unit == "FLOP/s") {
            rate = std::max(rate, sample.value);
        }
    }
    if (bandwidth <= 0 || rate <= 0)
        return fail("the calibration " + calibration.id +
                    " holds no memory bandwidth or no matrix product; run the probe to its end");
    Device device;
    device.id = calibration.id;
    device.name = calibration.machine + ", measured " + calibration.date.substr(0, 10);
    device.category = "cpu";
    device.peak.fp32 = FlopRate{rate};
    device.memoryBandwidth = Bandwidth{bandwidth};
    device.memoryCapacity = device.memoryVisible = Bytes{calibration.memory};
    device.memoryKind = "Main memory";
    device.computeUnits = std::max(1, calibration.units);
    device.kernels = idealKernels();
    device.kernels.id = calibration.id;
    device.kernels.name = "Measured";
    device.kernels.fitted = true;
    device.kernels.measured = true;
    device.notes = {{"peak", "the best matrix product of the probe"},
                    {"memory_bandwidth", "the best triad of the probe on the largest arrays"},
                    {"conditions", calibration.conditions}};
    return device;
}

} // namespace ridgepoint
