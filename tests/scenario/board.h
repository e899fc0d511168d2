// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/knobs.h"
#include "tests/support/samples.h"

#include <gtest/gtest.h>

namespace ridgepoint::samples {

/// The shipped presets with networks of every kind of attention beside them.
inline const Presets& boardPresets()
{
    static const Presets presets = [] {
        Presets result = shippedPresets();
        Network sample = llama70b();
        sample.id = "llama-3.3-70b";
        sample.name = "Llama 3.3 70B";
        if (findNetwork(result, sample.id) == nullptr)
            result.networks.push_back(sample);
        for (const Network& network : {llama8b(), gptOss120b(), deepSeek()})
            if (findNetwork(result, network.id) == nullptr)
                result.networks.push_back(network);
        return result;
    }();
    return presets;
}

inline std::vector<Evaluated> evaluated(const std::vector<Scenario>& scenarios)
{
    std::vector<Evaluated> columns;
    for (const Scenario& scenario : scenarios)
        columns.push_back({scenario, evaluate(scenario)});
    return columns;
}

/// The four columns of the sample comparison.
inline std::vector<Evaluated> sampleBoard()
{
    const auto columns = sampleComparison(boardPresets());
    EXPECT_TRUE(columns.has_value()) << (columns ? "" : columns.error().text());
    return columns ? evaluated(*columns) : std::vector<Evaluated>{};
}

/// The sample with a column that cannot hold the weights.
inline std::vector<Evaluated> boardWithoutRoom()
{
    std::vector<Evaluated> board = sampleBoard();
    board[1].scenario.plan.tensorParallel = 1;
    board[1].scenario.precision.weights = Format::bf16;
    board[1].report = evaluate(board[1].scenario);
    EXPECT_FALSE(board[1].report.feasible());
    return board;
}

} // namespace ridgepoint::samples
