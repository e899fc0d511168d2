// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unit_text.h"
#include "tests/scenario/board.h"

#include <gmock/gmock.h>
#include <set>

using namespace ridgepoint;
using testing::HasSubstr;

namespace {

constexpr auto lastCode = int(FindingCode::unlinkedDevices);

Scenario sample()
{
    return samples::sampleBoard()[0].scenario;
}

const Finding* findingOf(const Report& report, FindingCode code)
{
    for (const Finding& finding : report.findings)
        if (finding.code == code)
            return &finding;
    return nullptr;
}

// The sentence of a finding that the scenario has.
std::string said(const Scenario& scenario, FindingCode code)
{
    const Report report = evaluate(scenario);
    const Finding* finding = findingOf(report, code);
    EXPECT_NE(finding, nullptr) << keyOf(code);
    return finding != nullptr ? sentence(*finding, scenario) : "";
}

} // namespace

TEST(Findings, EveryCodeHasAKeyAndASentence)
{
    std::set<std::string_view> keys;
    for (int code = 0; code <= lastCode; ++code) {
        const Finding finding{FindingCode(code), Severity::warning, "", {3, 2, 1}};
        EXPECT_TRUE(keys.insert(keyOf(finding.code)).second) << code;
        EXPECT_FALSE(keyOf(finding.code).empty());
        const std::string text = sentence(finding, sample());
        EXPECT_TRUE(text.ends_with('.')) << text;
        for (const char* never : {"nvalid", "error", "N/A", "nan", "inf ", "!", "unknown unknown"})
            EXPECT_THAT(text, testing::Not(HasSubstr(never)));
    }
    EXPECT_TRUE(keyOf(FindingCode(lastCode + 1)).empty()) << "a new code needs its sentence and its place here";
}

TEST(Findings, WeightsThatDoNotFitSayHowMuchIsMissingAndWhatHelps)
{
    Scenario s = sample();
    s.plan.tensorParallel = 1;
    const Report report = evaluate(s);
    ASSERT_EQ(report.verdict, Verdict::doesNotFit);
    const std::string text = said(s, FindingCode::weightsDoNotFit);
    EXPECT_THAT(text, HasSubstr(bytesText(report.shortBy)));
    EXPECT_THAT(text, HasSubstr("TP 2"));
    s.plan.tensorParallel = 2;
    EXPECT_TRUE(evaluate(s).feasible()) << "what is said to help does help";
}

TEST(Findings, TheSumOfWhatDoesNotFitCloses)
{
    for (const auto weights : {std::optional<Format>(Format::fp8), std::optional<Format>(Format::bf16)}) {
        Scenario s = sample();
        s.plan.tensorParallel = 1;
        s.precision.weights = weights;
        const Report report = evaluate(s);
        const auto& v = findingOf(report, FindingCode::weightsDoNotFit)->values;
        const Bytes cache{v[2] - (v[0] - v[1])};
        EXPECT_GT(cache.value, 0);
        EXPECT_THAT(said(s, FindingCode::weightsDoNotFit),
                    HasSubstr("the cache of one request " + bytesText(cache) + ", and"));
    }
}

TEST(Findings, FewerSequencesAreTheFirstRemedyWhereTheyAreEnough)
{
    Scenario s = sample();
    s.plan.tensorParallel = 1;
    const std::string text = said(s, FindingCode::weightsDoNotFit);
    s.engine.maximumSequences = 256;
    ASSERT_TRUE(evaluate(s).feasible());
    EXPECT_THAT(text, HasSubstr("What helps: 256 sequences in a step"));
}

TEST(Findings, StagesOfTheSameSystemAreTried)
{
    Scenario s = sample();
    s.network = samples::deepSeek();
    s.plan.tensorParallel = 8;
    s.precision.weights = Format::fp8;
    s.system.maximumNodes = 4;
    ASSERT_FALSE(evaluate(s).feasible());
    EXPECT_THAT(said(s, FindingCode::weightsDoNotFit), HasSubstr("PP 2"));
    s.plan.pipelineParallel = 2;
    EXPECT_TRUE(evaluate(s).feasible());
}

TEST(Findings, ASmallerStepIsTriedTogetherWithGroupAndPrecision)
{
    Scenario s = sample();
    s.system.maximumNodes = 1;
    s.system.devicesPerNode = 2;
    s.system.device.memoryVisible = Bytes{24e9};
    s.plan.tensorParallel = 1;
    EXPECT_THAT(said(s, FindingCode::weightsDoNotFit),
                HasSubstr("TP 2 with INT4 weights and 64 sequences in a step and 2,048 tokens in a step"));
    s.plan.tensorParallel = 2;
    s.precision.weights = Format::int4;
    EXPECT_FALSE(evaluate(s).feasible());
    s.engine.maximumSequences = 64;
    s.engine.batchedTokens = 2048;
    EXPECT_TRUE(evaluate(s).feasible());
}

TEST(Findings, TheLongerSideOfARequestGivesWay)
{
    struct Case
    {
        int input, output;
        const char* says;
    };
    Scenario s = sample();
    s.network.maximumContext = 32768;
    for (const Case& one : {Case{30000, 300000, "at most 2,768 output tokens"}, Case{300000, 30000, "2,768 input"},
                            Case{32767, 5, "at most 32,763 input tokens"}, Case{40000, 40000, "32,768 tokens in and"},
                            Case{2, 32767, "at most 32,766 output tokens"},
                            Case{32767, 32767, "at most 1 input token."}}) {
        s.load.inputTokens = one.input;
        s.load.outputTokens = one.output;
        EXPECT_THAT(said(s, FindingCode::contextTooLong), HasSubstr(one.says));
    }
}

TEST(Findings, RemediesOfAPlanAgreeWithEachOther)
{
    Scenario s = sample();
    s.system.devicesPerNode = 1;
    s.system.maximumNodes = 256;
    s.plan = {.tensorParallel = 5, .pipelineParallel = 200, .replicas = 1};
    EXPECT_THAT(said(s, FindingCode::tensorParallelDoesNotDivide), HasSubstr("What helps: TP 1."));
    EXPECT_THAT(said(s, FindingCode::tensorParallelBeyondNode), HasSubstr("at most TP 1,"));
    EXPECT_THAT(said(s, FindingCode::planTooLarge), HasSubstr("at most TP 1 × PP 80"));
    EXPECT_THAT(said(s, FindingCode::pipelineTooDeep), HasSubstr("at most TP 1 × PP 80"));
}

TEST(Findings, OnlyStagesAreSaidToIdleAsStages)
{
    Scenario s = sample();
    s.load.concurrency = 1;
    s.plan = {.tensorParallel = 4, .pipelineParallel = 1, .replicas = 8};
    EXPECT_EQ(findingOf(evaluate(s), FindingCode::pipelineIdle), nullptr);
    s.plan.pipelineParallel = 2;
    EXPECT_THAT(said(s, FindingCode::pipelineIdle), HasSubstr("stages idle. What helps: at least 16 in flight."));
    s.load.concurrency = 64;
    s.engine.maximumSequences = 1;
    EXPECT_THAT(said(s, FindingCode::pipelineIdle), testing::Not(HasSubstr("in flight")))
        << "more in flight would only wait";
}

TEST(Findings, ASmallerLatentGroupIsNamedOnlyWhereItHoldsMore)
{
    Scenario s = sample();
    s.network = samples::deepSeek();
    s.system.device.memoryVisible = Bytes{130e9};
    s.plan.tensorParallel = 8;
    ASSERT_TRUE(evaluate(s).feasible());
    EXPECT_THAT(said(s, FindingCode::latentCacheReplicated), testing::Not(HasSubstr("TP 4")));
    s.system.device.memoryVisible = Bytes{1000e9};
    EXPECT_THAT(said(s, FindingCode::latentCacheReplicated), HasSubstr("TP 4 holds more requests per device"));
}

TEST(Findings, WhereNothingHelpsAloneTwoChangesAreTried)
{
    Scenario s = sample();
    s.network = samples::deepSeek();
    s.system.maximumNodes = 1;
    s.plan.tensorParallel = 1;
    s.precision.weights = Format::bf16;
    const std::string text = said(s, FindingCode::weightsDoNotFit);
    EXPECT_THAT(text, HasSubstr("TP 8 with INT4 weights"));
    s.plan.tensorParallel = 8;
    s.precision.weights = Format::int4;
    EXPECT_TRUE(evaluate(s).feasible());
}

TEST(Findings, ConcurrencyBeyondTheCacheSaysHowManyRun)
{
    Scenario s = sample();
    s.load.inputTokens = 100000;
    s.load.concurrency = 512;
    const std::string text = said(s, FindingCode::cacheLimitsConcurrency);
    const auto runs = int(evaluate(s).metrics->running);
    EXPECT_THAT(text, HasSubstr("at most " + std::to_string(runs) + " in flight"));
    s.load.concurrency = runs;
    EXPECT_EQ(findingOf(evaluate(s), FindingCode::cacheLimitsConcurrency), nullptr);
    s.load.concurrency = runs + 1;
    EXPECT_NE(findingOf(evaluate(s), FindingCode::cacheLimitsConcurrency), nullptr);
}

TEST(Findings, AGroupThatDoesNotDivideTheHeadsNamesTheNearestThatDo)
{
    Scenario s = sample();
    s.plan.tensorParallel = 3;
    EXPECT_THAT(said(s, FindingCode::tensorParallelDoesNotDivide), HasSubstr("TP 2 or TP 4"));
}

TEST(Findings, PlansThatCannotBeSayTheLargestThatCan)
{
    Scenario wide = sample();
    wide.plan.tensorParallel = 16;
    EXPECT_THAT(said(wide, FindingCode::tensorParallelBeyondNode), HasSubstr("at most TP 8"));
    Scenario deep = sample();
    deep.plan = {.tensorParallel = 1, .pipelineParallel = 81, .replicas = 1};
    EXPECT_THAT(said(deep, FindingCode::pipelineTooDeep), HasSubstr("at most PP 80"));
    Scenario longer = sample();
    longer.load.inputTokens = longer.network.maximumContext;
    EXPECT_THAT(said(longer, FindingCode::contextTooLong), HasSubstr("input tokens"));
}

TEST(Findings, PriceAndMemoryThatAreUnknownNameTheKnob)
{
    Scenario s = sample();
    s.price.reset();
    EXPECT_THAT(said(s, FindingCode::priceUnknown), HasSubstr("rent per device"));
    s.system.device.memoryVisible = {};
    EXPECT_THAT(said(s, FindingCode::memoryUnknown), HasSubstr("memory capacity"));
}

TEST(Findings, EveryKnobThatAFindingNamesExists)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const Scenario s = samples::randomScenario(random, samples::boardPresets());
        for (const Finding& finding : evaluate(s).findings)
            EXPECT_TRUE(finding.knob.empty() || findKnob(finding.knob) != nullptr) << finding.knob;
    }
}
