// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/scenario/board.h"

#include "core/scenario/metrics.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>

using namespace ridgepoint;
using samples::boardPresets;

namespace {

Scenario sample()
{
    return *defaultScenario(boardPresets());
}

// Values all over the range of a knob; every choice of a choice.
std::vector<KnobValue> valuesOf(const Knob& knob, const Scenario& scenario)
{
    std::vector<KnobValue> values;
    if (knob.kind == KnobKind::choice) {
        for (const Choice& choice : knob.choices(scenario, boardPresets()))
            values.emplace_back(choice.id);
        return values;
    }
    for (const double share : {0.0, 0.13, 0.37, 0.5, 0.71, 0.9, 1.0}) {
        const double value = knob.scale == Scale::log2 ? knob.minimum * std::pow(knob.maximum / knob.minimum, share)
                                                       : knob.minimum + (knob.maximum - knob.minimum) * share;
        const double inside = std::min(knob.maximum, std::max(knob.minimum, value));
        values.emplace_back(knob.integer ? std::round(inside) : inside);
    }
    return values;
}

// All that a result says in numbers, to see whether a knob acts.
std::vector<double> numbersOf(const Report& report)
{
    std::vector<double> numbers{double(report.verdict), report.shortBy.value, report.kvBytesPerToken.value,
                                double(report.findings.size())};
    for (const Metric& metric : metrics())
        numbers.push_back(metric.get(report).value_or(-1));
    return numbers;
}

// Scenarios that between them give every knob something to act on.
std::vector<Scenario> variedScenarios()
{
    const Presets& presets = boardPresets();
    std::vector<Scenario> result{sample()};
    Scenario window = sample();
    window.network = samples::gptOss120b();
    window.precision = {};
    window.plan.tensorParallel = 2;
    window.load.inputTokens = 100000;
    result.push_back(window);
    Scenario small = sample();
    small.network = samples::llama8b();
    small.plan.tensorParallel = 1;
    small.load.concurrency = 2048;
    small.load.inputTokens = 257;
    small.load.outputTokens = 2050;
    result.push_back(small);
    Scenario pipeline = sample();
    pipeline.plan = {.tensorParallel = 2, .pipelineParallel = 2, .replicas = 2};
    result.push_back(pipeline);
    Scenario experts = window;
    experts.plan = {.tensorParallel = 2, .pipelineParallel = 1, .replicas = 1, .expertParallel = 4, .attentionData = 2};
    result.push_back(experts);
    Scenario pools = experts;
    pools.prefillPool = pools.plan;
    result.push_back(pools);
    Scenario open = sample();
    open.load.arrivals = Arrivals::openLoop;
    open.load.speculation = {.draftTokens = 3, .acceptance = 0.6, .draftShare = 0.05};
    result.push_back(open);
    Scenario ideal = sample();
    ideal.engine = *findEngine(presets, "ideal");
    result.push_back(ideal);
    Scenario fixed = sample();
    fixed.load.batching = BatchingMode::fixed;
    result.push_back(fixed);
    return result;
}

} // namespace

TEST(Knobs, EveryRowIsComplete)
{
    const std::set<std::string_view> groups{"Hardware", "Network", "Precision", "Parallelism",
                                            "Load",     "Serving", "Price"};
    std::set<std::string_view> ids;
    for (const Knob& knob : knobs()) {
        SCOPED_TRACE(knob.id);
        EXPECT_TRUE(ids.insert(knob.id).second);
        EXPECT_TRUE(groups.contains(knob.group));
        EXPECT_FALSE(knob.label.empty());
        EXPECT_TRUE(knob.help.ends_with('.'));
        ASSERT_NE(knob.get, nullptr);
        ASSERT_NE(knob.set, nullptr);
        EXPECT_EQ(knob.choices != nullptr, knob.kind == KnobKind::choice);
        EXPECT_EQ(findKnob(knob.id), &knob);
        if (knob.kind == KnobKind::number) {
            EXPECT_LT(knob.minimum, knob.maximum);
            EXPECT_TRUE(knob.scale == Scale::linear || knob.minimum > 0);
        }
    }
}

TEST(Knobs, GetUndoesSet)
{
    for (const Scenario& scenario : variedScenarios())
        for (const Knob& knob : knobs())
            for (const KnobValue& value : valuesOf(knob, scenario)) {
                SCOPED_TRACE(knob.id);
                const Result<Scenario> next = withKnob(scenario, knob.id, value, boardPresets());
                ASSERT_TRUE(next.has_value()) << next.error().text();
                // A plan of workers that do not exist has no place to be kept in.
                if (knob.id.starts_with("prefill.") && !scenario.prefillPool) {
                    EXPECT_EQ(*next, scenario);
                    continue;
                }
                if (const auto* number = std::get_if<double>(&value))
                    EXPECT_NEAR(std::get<double>(knob.get(*next)), *number, 1e-11 * *number);
                else
                    EXPECT_EQ(knob.get(*next), value);
                const Result<Scenario> again = withKnob(*next, knob.id, knob.get(*next), boardPresets());
                ASSERT_TRUE(again.has_value());
                EXPECT_EQ(*again, *next) << "what a knob shows gives the same scenario";
            }
}

TEST(Knobs, AValueGivesTheSameDeviceWhateverWasSetBefore)
{
    for (const std::string_view id : {"hardware.peak_bf16", "hardware.memory_capacity"}) {
        const Scenario direct = *withKnob(sample(), id, 137.0, boardPresets());
        const Scenario detour = *withKnob(*withKnob(sample(), id, 311.7, boardPresets()), id, 137.0, boardPresets());
        EXPECT_EQ(direct, detour) << id;
    }
}

TEST(Knobs, EveryKnobMovesSomeResultOrSaysWhyItCannot)
{
    for (const Knob& knob : knobs()) {
        bool moved = false;
        for (const Scenario& scenario : variedScenarios()) {
            if (knob.idleReason != nullptr && !knob.idleReason(scenario).empty())
                continue;
            const std::vector<double> before = numbersOf(evaluate(scenario));
            for (const KnobValue& value : valuesOf(knob, scenario))
                moved = moved || numbersOf(evaluate(*withKnob(scenario, knob.id, value, boardPresets()))) != before;
        }
        EXPECT_TRUE(moved) << knob.id << " moves nothing";
    }
}

TEST(Knobs, AnIdleKnobMovesNothing)
{
    std::set<std::string_view> idle;
    for (const Scenario& scenario : variedScenarios()) {
        const std::vector<double> before = numbersOf(evaluate(scenario));
        for (const Knob& knob : knobs()) {
            if (knob.idleReason == nullptr || knob.idleReason(scenario).empty())
                continue;
            idle.insert(knob.id);
            for (const KnobValue& value : valuesOf(knob, scenario))
                EXPECT_EQ(numbersOf(evaluate(*withKnob(scenario, knob.id, value, boardPresets()))), before)
                    << knob.id << " is said to be idle: " << knob.idleReason(scenario);
        }
    }
    for (const std::string_view id :
         {"engine.window_policy", "engine.memory_fraction", "hardware.link_bandwidth", "hardware.links"})
        EXPECT_TRUE(idle.contains(id)) << id;
}

TEST(Knobs, WrongValuesAreRefusedWithWhatWouldBeRight)
{
    struct Case
    {
        std::string_view id;
        KnobValue value;
        std::string_view right;
    };
    const std::vector<Case> cases{
        {"load.concurrency", 0.0, "whole numbers from 1 to 65536"},
        {"load.concurrency", 1.5, "whole numbers from 1 to 65536"},
        {"load.concurrency", -3.0, "whole numbers from 1"},
        {"load.concurrency", 1e300, "to 65536"},
        {"load.concurrency", std::nan(""), "whole numbers"},
        {"load.concurrency", std::string("many"), "whole numbers"},
        {"load.prefix_hits", 30.0, "numbers from 0 to 0.99, or 0 % to 99 %"},
        {"engine.memory_fraction", 1.01, "numbers from 0.1 to 1"},
        {"hardware.memory_bandwidth", 0.0, "TB/s"},
        {"precision.kv", std::string("fp7"), "checkpoint, bf16, fp8, int8"},
        {"precision.kv", 8.0, "checkpoint, bf16, fp8, int8"},
        {"hardware.system", std::string("abacus"), "hgx-h100-8"},
        {"load.batching", std::string("Continuous"), "continuous, fixed"},
        {"load.concurency", 3.0, "load.concurrency"},
        {"speed", 3.0, "`ridgepoint-cli knobs` lists them"},
        {"TP", 3.0, "did you mean \"parallel.tp\"?"},
        {"hardware.flops_per_second", 3.0, "near it are hardware.system"},
        {"hardware.peak_bf16", 1e9, "from 0.1 to 100000 TFLOP/s"},
    };
    for (const Case& one : cases) {
        const Result<Scenario> next = withKnob(sample(), one.id, one.value, boardPresets());
        ASSERT_FALSE(next.has_value()) << one.id;
        EXPECT_EQ(next.error().pointer, one.id);
        EXPECT_THAT(next.error().text(), testing::HasSubstr(std::string(one.right)));
    }
}

TEST(Knobs, TextIsReadAsPeopleWriteIt)
{
    struct Case
    {
        std::string_view id, text;
        KnobValue value;
    };
    const std::vector<Case> cases{
        {"load.input_tokens", "1e3", 1000.0},
        {"load.input_tokens", " 4096 ", 4096.0},
        {"hardware.memory_bandwidth", "3.35 TB/s", 3.35},
        {"hardware.memory_bandwidth", "3.35TB/s", 3.35},
        {"precision.kv", "FP8", std::string("fp8")},
        {"load.batching", "Fixed batch", std::string("fixed")},
        {"hardware.system", "HGX H200 8", std::string("hgx-h200-8")},
        {"precision.weights", "fp8-block", std::string("fp8_block")},
        {"load.prefix_hits", "0.3", 0.3},
        {"load.prefix_hits", "30 %", 0.3},
        {"load.prefix_hits", "29%", 0.29},
    };
    for (const Case& one : cases) {
        const auto value = parseKnobValue(*findKnob(one.id), one.text, sample(), boardPresets());
        ASSERT_TRUE(value.has_value()) << one.text << ": " << value.error().text();
        EXPECT_EQ(*value, one.value) << one.text;
    }
    for (const std::string_view text : {"", "x", "1.2.3", "nan", "inf", "4096 GB", "-1"})
        EXPECT_FALSE(parseKnobValue(*findKnob("load.input_tokens"), text, sample(), boardPresets())) << text;
}

TEST(Knobs, ASystemBringsItsDeviceCutsThePlanAndTakesTheCheapestPrice)
{
    Scenario eight = sample();
    ASSERT_EQ(eight.plan.tensorParallel, 8);
    const Scenario two = *withKnob(eight, "hardware.system", std::string("rtx-4090-2-pcie"), boardPresets());
    EXPECT_EQ(two.system.device.id, "rtx-4090");
    EXPECT_EQ(two.plan.tensorParallel, two.system.devicesPerNode);
    EXPECT_FALSE(two.price.has_value()) << "an unverified offer is not taken unasked";
    EXPECT_EQ(two.name, hardwareName(two)) << "a name made of the hardware follows it";
    eight.name = "Mine";
    const Scenario h200 = *withKnob(eight, "hardware.system", std::string("hgx-h200-8"), boardPresets());
    EXPECT_EQ(h200.name, "Mine");
    EXPECT_EQ(h200.plan, eight.plan);
    ASSERT_NE(cheapestPrice(boardPresets(), "h200-sxm"), nullptr);
    EXPECT_EQ(h200.price, *cheapestPrice(boardPresets(), "h200-sxm"));
}

TEST(Knobs, AnOwnRentReplacesTheOfferAndUnknownRemovesIt)
{
    const Scenario own = *withKnob(sample(), "price.per_device_hour", 10.0, boardPresets());
    EXPECT_EQ(own.price->id, "own");
    EXPECT_TRUE(own.price->source.empty());
    EXPECT_NEAR(own.price->perDevice.value, 10.0 / 3600.0, 1e-15);
    const Scenario none = *withKnob(own, "price.preset", std::string("unknown"), boardPresets());
    EXPECT_FALSE(none.price.has_value());
    EXPECT_EQ(knobText(*findKnob("price.per_device_hour"), none, boardPresets()), "unknown");
}

TEST(Knobs, CellsShowPlainText)
{
    Scenario s = sample();
    s.load.inputTokens = 16384;
    const auto text = [&](std::string_view id) { return knobText(*findKnob(id), s, boardPresets()); };
    EXPECT_EQ(text("load.input_tokens"), "16,384");
    EXPECT_EQ(text("load.concurrency"), "64");
    EXPECT_EQ(text("engine.memory_fraction"), fmt::format("{:.2f}", s.engine.memoryFraction));
    EXPECT_EQ(text("precision.weights"), "FP8");
    EXPECT_EQ(text("hardware.memory_bandwidth"), "3.35");
    s.load.prefixHits = 0.29;
    EXPECT_EQ(text("load.prefix_hits"), "29");
    EXPECT_EQ(shownUnit(*findKnob("load.prefix_hits")), "%");
    EXPECT_EQ(shownUnit(*findKnob("hardware.memory_bandwidth")), "TB/s");
}

TEST(Knobs, TheSampleHasFourColumnsOfOneLoad)
{
    const auto columns = sampleComparison(boardPresets());
    ASSERT_TRUE(columns.has_value());
    std::vector<std::string> names;
    for (const Scenario& column : *columns) {
        names.push_back(column.name);
        EXPECT_EQ(column.load, Load{});
        EXPECT_EQ(column.precision.weights, Format::fp8);
        EXPECT_EQ(column.precision.kv, Format::fp8);
        EXPECT_TRUE(evaluate(column).feasible());
    }
    EXPECT_THAT(names, testing::ElementsAre("8 × H100 SXM", "4 × H200 SXM", "8 × MI300X", "2 × B200 SXM"));
    EXPECT_EQ(*defaultScenario(boardPresets()), columns->front());
    EXPECT_THAT(sampleComparison({}).error().text(), testing::HasSubstr("hgx-h100-8"));
}
