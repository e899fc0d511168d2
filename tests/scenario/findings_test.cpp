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

TEST(Findings, WhereNothingHelpsAloneTwoChangesAreTried)
{
    Scenario s = sample();
    s.network = samples::deepSeek();
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
