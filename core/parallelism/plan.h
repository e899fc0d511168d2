// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ridgepoint {

/// devices = replicas x pipelineParallel x tensorParallel x attentionData
struct Plan
{
    int tensorParallel = 1;    ///< devices that share the attention of a layer and its dense feed-forward
    int pipelineParallel = 1;
    int replicas = 1;
    int expertParallel = 1;    ///< parts the experts are dealt to; each part is cut by what is left of the stage
    int attentionData = 1;     ///< attention groups of a stage, each with its own requests; all share the experts

    /// Devices that hold one layer together: its experts are cut over all of them.
    [[nodiscard]] int devicesPerStage() const { return tensorParallel * attentionData; }
    [[nodiscard]] int devicesPerReplica() const { return pipelineParallel * devicesPerStage(); }
    [[nodiscard]] int devices() const { return replicas * devicesPerReplica(); }
    bool operator==(const Plan&) const = default;
};

} // namespace ridgepoint
