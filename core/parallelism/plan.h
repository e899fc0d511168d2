// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint {

/// devices = replicas x pipelineParallel x tensorParallel
struct Plan
{
    int tensorParallel = 1;
    int pipelineParallel = 1;
    int replicas = 1;
    [[nodiscard]] int devicesPerReplica() const { return tensorParallel * pipelineParallel; }
    [[nodiscard]] int devices() const { return replicas * devicesPerReplica(); }
    bool operator==(const Plan&) const = default;
};

} // namespace ridgepoint
