// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/kernels.h"
#include "core/hardware/precision.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

/// Dense peaks, never with sparsity; a missing one means the device has no such arithmetic. `bf16` is every 16 bit format
/// added up in 32 bit, so also the fp16 of parts that lack bf16.
struct Peaks
{
    std::optional<FlopRate> fp32, bf16, fp8, int8, fp4;
    std::optional<FlopRate> fp16Accumulate = {};  ///< 16 bit inputs added up in 16 bit, only where that is faster than bf16
    bool operator==(const Peaks&) const = default;
    [[nodiscard]] const std::optional<FlopRate>& at(Math math) const
    {
        switch (math) {
        case Math::fp32: return fp32;
        case Math::bf16: return bf16;
        case Math::fp8: return fp8;
        case Math::int8: return int8;
        case Math::fp4: return fp4;
        }
        return fp32;
    }
};

struct Device
{
    std::string id;
    std::string name;
    std::string vendor;
    std::string category;                    ///< gpu, tpu, asic, cpu
    std::vector<std::string> aliases;        ///< other names of the same thing, for joining measurements
    Peaks peak;
    Bandwidth memoryBandwidth;               ///< of the main memory, read
    Bytes memoryCapacity;                    ///< as sold
    Bytes memoryVisible;                     ///< what the driver shows; 0.985 of the label when not known
    std::string memoryKind;                  ///< HBM3, GDDR6, DDR5, ...
    int computeUnits = 1;                    ///< SM, CU, core: what a tile runs on
    Bytes lastLevelCache;
    Bandwidth linkBandwidth;                 ///< scale-up links of the device, all together, one way; 0: none
    Bandwidth hostLinkBandwidth;             ///< PCIe or the like, one way
    std::optional<Watts> boardPower;         ///< data-sheet TDP
    KernelFamily kernels;
    std::map<std::string, std::string> sources;  ///< fact -> key of sources.yaml
    std::map<std::string, std::string> notes;    ///< fact -> remark, such as how a derived value was derived
    std::vector<std::string> unverified;         ///< facts that only one table or memory knows
    bool operator==(const Device&) const = default;
};

} // namespace ridgepoint
