// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that hold for every scenario, checked on seeded random ones over all shipped presets.
#include "core/cost/op_cost.h"
#include "tests/support/samples.h"

#include <cmath>
#include <functional>
#include <algorithm>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

constexpr int scenarios = 4000;
constexpr double relative = 1e-9;

/// Calls `check` for each random scenario that is feasible, and says how many there were.
int forFeasible(std::uint64_t seed, const std::function<void(const Scenario&, const Report&)>& check)
{
    std::mt19937_64 random(seed);
    int feasible = 0;
    for (int i = 0; i < scenarios && !testing::Test::HasFailure(); ++i) {
        const Scenario scenario = samples::randomScenario(random, samples::shippedPresets());
        const Report report = evaluate(scenario);
        if (!report.feasible())
            continue;
        ++feasible;
        SCOPED_TRACE(testing::Message() << "scenario " << i << ": " << scenario.plan.replicas << "x"
                     << scenario.plan.pipelineParallel << "x" << scenario.plan.tensorParallel << " "
                     << scenario.system.id << " " << scenario.network.id << " " << scenario.engine.id << " "
                     << scenario.load.inputTokens << "/" << scenario.load.outputTokens << " x "
                     << scenario.load.concurrency);
        check(scenario, report);
    }
    return feasible;
}

void expectNeverSlower(const Report& faster, const Report& base)
{
    ASSERT_TRUE(faster.feasible());
    constexpr double moreInside = 1e-3;   // who is read sooner decodes for longer, so a step holds a little more
    EXPECT_LE(faster.metrics->decodeStep.value, base.metrics->decodeStep.value * (1 + moreInside));
    EXPECT_LE(faster.metrics->tpot.value, base.metrics->tpot.value * (1 + relative));
    EXPECT_LE(faster.metrics->ttft.value, base.metrics->ttft.value * (1 + relative));
    EXPECT_GE(faster.metrics->outputRate.value, base.metrics->outputRate.value * (1 - relative));
}

TEST(Laws, EnoughRandomScenariosAreFeasible)
{
    EXPECT_GT(forFeasible(1, [](const Scenario&, const Report&) {}), scenarios / 10);
}

TEST(Laws, MoreBandwidthIsNeverSlower)
{
    forFeasible(2, [](Scenario s, const Report& base) {
        s.system.device.memoryBandwidth *= 1.3;
        expectNeverSlower(evaluate(s), base);
    });
}

TEST(Laws, MoreComputeIsNeverSlower)
{
    forFeasible(3, [](Scenario s, const Report& base) {
        Peaks& peak = s.system.device.peak;
        for (std::optional<FlopRate>* rate : {&peak.fp32, &peak.bf16, &peak.fp8, &peak.int8, &peak.fp4})
            if (*rate)
                **rate *= 1.3;
        expectNeverSlower(evaluate(s), base);
    });
}

TEST(Laws, FasterLinksAreNeverSlower)
{
    forFeasible(4, [](Scenario s, const Report& base) {
        s.system.device.linkBandwidth *= 1.5;
        s.system.device.hostLinkBandwidth *= 1.5;
        s.system.networkBandwidth *= 1.5;
        const Report faster = evaluate(s);
        expectNeverSlower(faster, base);
        s.system.freeLinks = true;
        const Report free = evaluate(s);
        expectNeverSlower(free, faster);
        EXPECT_EQ(free.tpot[Cause::communication].value, 0.0);
    });
}

TEST(Laws, NoTokenIsFasterThanItsBytes)
{
    forFeasible(5, [](const Scenario& s, const Report& r) {
        const double floor = r.leastDecodeBytes.value / s.system.device.memoryBandwidth.value * s.plan.pipelineParallel;
        EXPECT_GE(r.metrics->decodeStep.value, floor * (1 - relative));
        EXPECT_GE(r.metrics->tpot.value, floor * (1 - relative));
        EXPECT_LE(r.metrics->memoryUse, 1 + relative);
    });
}

TEST(Laws, NothingRunsAboveItsPeak)
{
    forFeasible(6, [](const Scenario& s, const Report& r) {
        for (const auto* ops : {&r.decodeOps, &r.prefillOps})
            for (const OpTime& entry : *ops)
                if (entry.op.flops.value > 0.0) {
                    double peak = peakOf(s.system.device, entry.op.math).value;
                    if (entry.op.math == Math::bf16 && s.system.device.peak.fp16Accumulate)
                        peak = std::max(peak, s.system.device.peak.fp16Accumulate->value);   // what llama.cpp and its like use
                    EXPECT_LE((entry.op.flops * entry.op.count / entry.time).value, peak * (1 + relative))
                        << nameOf(entry.op.id);
                }
        // Where it claims to hold the closed form is right within 3 %, and sums in 16 bit pass the peak of the data sheet.
        constexpr double closedForm = 0.05;
        const auto& peaks = s.system.device.peak;
        const double faster = peaks.fp16Accumulate && peaks.bf16 ? *peaks.fp16Accumulate / *peaks.bf16 : 1.0;
        EXPECT_LE(r.metrics->computeUse, std::max(1.0, faster) * (1.0 + closedForm))
            << s.network.id << " " << s.system.device.id << " " << s.engine.id;
    });
}

TEST(Laws, PartsSumToTheirTotals)
{
    forFeasible(7, [](const Scenario& s, const Report& r) {
        EXPECT_NEAR(r.tpot.total().value, r.metrics->tpot.value, relative * r.metrics->tpot.value);
        EXPECT_NEAR(r.ttft.total().value, r.metrics->ttft.value, relative * r.metrics->ttft.value);
        EXPECT_NEAR(r.decodeStep.total().value, r.metrics->decodeStep.value, relative * r.metrics->decodeStep.value);
        const Footprint& f = *r.footprint;
        const Bytes sum = f.weights + f.kvNeeded + f.kvFree + f.activations + f.runtime + f.graphs + f.reserve;
        EXPECT_NEAR(sum.value, s.system.device.memoryVisible.value, relative * sum.value);
        for (const Bytes part : {f.weights, f.kvNeeded, f.kvFree, f.activations, f.runtime, f.graphs, f.reserve})
            EXPECT_GE(part.value, -relative * sum.value);
    });
}

TEST(Laws, RequestsInFlightAreRateTimesLatency)
{
    forFeasible(8, [](const Scenario& s, const Report& r) {
        EXPECT_NEAR((r.metrics->requestRate * r.metrics->requestLatency), s.load.concurrency, 1e-6 * s.load.concurrency);
    });
}

TEST(Laws, EveryNumberIsFiniteAndNotNegative)
{
    forFeasible(9, [](const Scenario&, const Report& r) {
        const Metrics& m = *r.metrics;
        for (const double value : {m.ttft.value, m.tpot.value, m.decodeStep.value, m.requestLatency.value,
                                   m.requestRate.value, m.outputRate.value, m.totalRate.value, m.outputPerDevice.value,
                                   m.running, m.memoryUse, m.computeUse})
            EXPECT_TRUE(std::isfinite(value) && value > 0.0) << value;
        for (const std::optional<Dollars>& cost : {m.costPerMillionInput, m.costPerMillionOutput, m.costPerMillionTokens})
            if (cost) {
                EXPECT_TRUE(std::isfinite(cost->value) && cost->value >= 0.0);
            }
        for (const Breakdown* parts : {&r.tpot, &r.ttft, &r.decodeStep})
            for (const Seconds part : parts->parts)
                EXPECT_TRUE(std::isfinite(part.value) && part.value >= 0.0);
        for (const auto* ops : {&r.decodeOps, &r.prefillOps})
            for (const OpTime& entry : *ops)
                EXPECT_TRUE(std::isfinite(entry.time.value) && entry.time.value >= 0.0) << nameOf(entry.op.id);
    });
}

TEST(Laws, InputAndOutputCostsAddUpToTheRent)
{
    forFeasible(10, [](const Scenario& s, const Report& r) {
        const Metrics& m = *r.metrics;
        if (!m.rent)
            return;
        const double perRequest = (m.costPerMillionInput->value * s.load.inputTokens +
                                   m.costPerMillionOutput->value * s.load.outputTokens) / 1e6;
        EXPECT_NEAR(perRequest * m.requestRate.value, m.rent->value, relative * m.rent->value);
    });
}

TEST(Laws, MoreRequestsInFlightNeverGiveLessOutputOnTheIdealEngine)
{
    Scenario s = samples::servingScenario();
    s.network = samples::llama8b();
    s.engine = samples::idealEngine();
    s.plan = {};
    s.system.device.memoryVisible = Bytes{1e14};   // room for all of them
    s.engine.maximumSequences = 1 << 20;
    for (const auto& [input, output] : {std::pair{1000, 128}, {8192, 32}, {100, 2000}, {4096, 1024}})
        for (const int budget : {64, 2048, 8192}) {
            double last = 0;
            for (int concurrency = 1; concurrency <= 65536; concurrency *= 2) {
                s.engine.batchedTokens = budget;
                s.load = {.inputTokens = input, .outputTokens = output, .concurrency = concurrency,
                          .batching = BatchingMode::continuous};
                const double rate = evaluate(s).metrics->outputRate.value;
                EXPECT_GE(rate, last * 0.97)   // the closed form is not smoother than that
                    << input << "/" << output << " x " << concurrency << " in " << budget;
                last = rate;
            }
        }
}

TEST(Laws, NoStepTakesMoreTokensThanItsBudget)
{
    forFeasible(13, [](const Scenario& s, const Report& r) {
        if (s.load.batching == BatchingMode::fixed)
            return;
        const double perRequest = s.load.inputTokens + s.load.outputTokens - 1.0;
        const double steps = r.metrics->running / s.plan.replicas * perRequest / s.engine.batchedTokens;
        const Seconds cycle = (r.metrics->running / s.plan.replicas) / (r.metrics->requestRate / s.plan.replicas);
        EXPECT_GE(cycle.value, steps * r.decodeStep.total().value / s.plan.pipelineParallel * (1 - 1e-6));
    });
}

TEST(Laws, InfeasibleHasNoNumbers)
{
    std::mt19937_64 random(11);
    int infeasible = 0;
    for (int i = 0; i < scenarios; ++i) {
        const Scenario scenario = samples::randomScenario(random, samples::shippedPresets());
        const Report report = evaluate(scenario);
        if (report.feasible())
            continue;
        ++infeasible;
        EXPECT_TRUE(report.verdict == Verdict::doesNotFit || report.verdict == Verdict::impossible);
        EXPECT_EQ(report.tpot.total().value, 0.0);
        EXPECT_EQ(report.ttft.total().value, 0.0);
        EXPECT_TRUE(report.decodeOps.empty() && report.prefillOps.empty());
        ASSERT_FALSE(report.findings.empty());
        EXPECT_EQ(report.findings.front().severity, Severity::problem);
        if (report.verdict == Verdict::doesNotFit) {
            EXPECT_GT(report.shortBy.value, 0.0);
        }
    }
    EXPECT_GT(infeasible, scenarios / 20);
}

TEST(Laws, EqualInputsGiveEqualBits)
{
    forFeasible(12, [](const Scenario& s, const Report& r) {
        const Report again = evaluate(s);
        EXPECT_EQ(again.tpot, r.tpot);
        EXPECT_EQ(again.ttft, r.ttft);
        EXPECT_EQ(again.footprint, r.footprint);
    });
}

TEST(Plan, OfOneDeviceEqualsTheUnshardedNetwork)
{
    Scenario s = samples::servingScenario();
    s.network = samples::llama8b();
    s.plan = {};
    const Report one = evaluate(s);
    ASSERT_TRUE(one.feasible());
    EXPECT_EQ(one.tpot[Cause::communication].value, 0.0);
    EXPECT_EQ(one.tpot[Cause::bubble].value, 0.0);
    // The products of a step hold each linear parameter once.
    double weights = 0;
    for (const OpTime& entry : one.decodeOps)
        if (entry.op.kind == OpKind::matmul)
            weights += entry.op.n * entry.op.k * entry.op.count;
    const double norms = (2.0 * 32 + 1) * 4096;
    EXPECT_DOUBLE_EQ(weights, double(one.parameters) - norms - 128256.0 * 4096);
}

TEST(Plan, SplitsTheArithmeticEvenly)
{
    Scenario s = samples::servingScenario();
    const auto flops = [](const Report& r) {
        double sum = 0;
        for (const OpTime& entry : r.decodeOps)
            sum += (entry.op.flops * entry.op.count).value;
        return sum;
    };
    s.system.device.memoryVisible = Bytes{1e12};
    const double whole = [&] { Scenario one = s; one.plan = {}; return flops(evaluate(one)); }();
    for (const int split : {2, 4, 8}) {
        s.plan.tensorParallel = split;
        EXPECT_NEAR(flops(evaluate(s)) * split / whole, 1.0, 1e-9) << split;
    }
}

TEST(Layers, TwiceAsManyTakeTwiceTheTime)
{
    for (const Network& network : {samples::llama70b(), samples::gptOss120b(), samples::deepSeek()}) {
        Scenario s = samples::servingScenario();
        s.network = network;
        s.system.device.memoryVisible = Bytes{4e12};
        const auto layerTime = [](const Report& r) {
            double sum = 0;
            for (const OpTime& entry : r.decodeOps)
                if (entry.op.id != OpId::embedding && entry.op.id != OpId::head && entry.op.id != OpId::sampling &&
                    entry.op.id != OpId::gatherLogits && entry.op.id != OpId::allReduceEmbedding)
                    sum += entry.time.value;
            return sum;
        };
        const Report once = evaluate(s);
        for (LayerGroup& group : s.network.layers)
            group.count *= 2;
        const Report twice = evaluate(s);
        ASSERT_TRUE(once.feasible() && twice.feasible()) << network.id;
        EXPECT_NEAR(layerTime(twice) / layerTime(once), 2.0, 1e-9) << network.id;
        EXPECT_NEAR((twice.metrics->decodeStep - once.metrics->decodeStep).value, layerTime(once), 1e-9) << network.id;
    }
}

TEST(Ideal, DecodeOrderIsTheOrderOfBandwidthWhenLinksAreFree)
{
    Scenario s = samples::servingScenario();
    s.engine = samples::idealEngine();
    s.system.freeLinks = true;
    double last = 0;
    for (const double bandwidth : {8e12, 5.3e12, 4.8e12, 3.35e12, 1e12}) {
        s.system.device.memoryBandwidth = Bandwidth{bandwidth};
        const double step = evaluate(s).metrics->decodeStep.value;
        EXPECT_GT(step, last);
        last = step;
    }
}

} // namespace
} // namespace ridgepoint
