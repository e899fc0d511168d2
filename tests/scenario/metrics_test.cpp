// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/metrics.h"
#include "tests/scenario/board.h"

#include <cmath>
#include <set>

using namespace ridgepoint;

TEST(Metrics, EveryRowIsComplete)
{
    std::set<std::string_view> ids;
    for (const Metric& metric : metrics()) {
        SCOPED_TRACE(metric.id);
        EXPECT_TRUE(ids.insert(metric.id).second);
        EXPECT_FALSE(metric.label.empty());
        EXPECT_TRUE(metric.help.ends_with('.'));
        ASSERT_NE(metric.get, nullptr);
        EXPECT_EQ(findMetric(metric.id), &metric);
    }
}

TEST(Metrics, FeasibleColumnsHaveFinitePositiveNumbers)
{
    for (const Evaluated& column : samples::sampleBoard())
        for (const Metric& metric : metrics()) {
            const std::optional<double> value = metric.get(column.report);
            ASSERT_TRUE(value.has_value()) << metric.id;
            EXPECT_TRUE(std::isfinite(*value) && *value >= 0) << metric.id << " " << *value;
        }
}

TEST(Metrics, InfeasibleColumnsHaveNone)
{
    const Evaluated column = samples::boardWithoutRoom()[1];
    for (const Metric& metric : metrics())
        EXPECT_FALSE(metric.get(column.report).has_value()) << metric.id;
}

TEST(Metrics, AWaitWithoutEndIsNoNumber)
{
    for (Evaluated column : samples::sampleBoard()) {
        column.scenario.load.arrivals = Arrivals::openLoop;
        column.scenario.load.requestRate = Frequency{1e4};
        column.report = evaluate(column.scenario);
        ASSERT_TRUE(column.report.feasible());
        ASSERT_TRUE(column.report.overloaded);
        for (const Metric& metric : metrics()) {
            EXPECT_EQ(metric.get(column.report).has_value(), !metric.waits) << metric.id;
            EXPECT_EQ(isEndless(metric, column.report), metric.waits) << metric.id;
        }
        EXPECT_FALSE(bandOf(*findMetric("ttft_ms"), column.report));
        // The engine lets a request in when its prompt and a share of its answer have room.
        const Load& load = column.scenario.load;
        const double held = load.inputTokens + column.scenario.engine.reservedOutput * load.outputTokens;
        EXPECT_LE(column.report.metrics->running * held,
                  1.001 * column.report.footprint->kvCapacityTokens * column.scenario.plan.replicas);
        column.scenario.load.requestRate = Frequency{0.01};
        column.report = evaluate(column.scenario);
        EXPECT_FALSE(column.report.overloaded);
        EXPECT_TRUE(findMetric("ttft_ms")->get(column.report));
    }
}

TEST(Metrics, ValuesAreInTheUnitThatTheySay)
{
    Report report;
    Metrics m;
    m.ttft = Seconds{0.5};
    m.tpot = Seconds{0.02};
    m.rent = DollarRate{36.0 / 3600.0};
    m.costPerMillionOutput = Dollars{2.71};
    m.memoryUse = 0.42;
    report.metrics = m;
    Footprint f;
    f.weights = Bytes{8 * gibi};
    f.kvNeeded = Bytes{4 * gibi};
    f.runtime = Bytes{1 * gibi};
    f.kvFree = Bytes{3 * gibi};
    report.footprint = f;
    struct Case
    {
        std::string_view id;
        double value;
    };
    for (const auto& [id, value] :
         {Case{"ttft_ms", 500}, Case{"tpot_ms", 20}, Case{"rent_per_hour", 36}, Case{"cost_per_million_output", 2.71},
          Case{"memory_use_percent", 42}, Case{"memory_used_gib", 13}, Case{"memory_headroom_gib", 3}})
        EXPECT_NEAR(findMetric(id)->get(report).value_or(-1), value, 1e-9) << id;
    EXPECT_FALSE(findMetric("cost_per_million_input")->get(report).has_value()) << "unknown is never 0";
}

TEST(Metrics, TokensPerDollarAndRentMultiplyOut)
{
    for (const Evaluated& column : samples::sampleBoard()) {
        const auto value = [&](std::string_view id) { return findMetric(id)->get(column.report).value(); };
        EXPECT_NEAR(value("output_tokens_per_dollar") * value("rent_per_hour"), value("output_tokens_per_s") * 3600,
                    1e-6 * value("output_tokens_per_s") * 3600);
        EXPECT_NEAR(value("output_tokens_per_s_per_device") * column.scenario.plan.devices(),
                    value("output_tokens_per_s"), 1e-9 * value("output_tokens_per_s"));
    }
}
