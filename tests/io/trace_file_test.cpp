// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/trace_file.h"

#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

Result<std::vector<TracedRequest>> trace(const std::string& text)
{
    const Result<CsvTable> table = parseCsv(text, "t.csv");
    EXPECT_TRUE(table);
    return traceOf(*table);
}

TEST(Trace, IsPutInOrderOfTimeFromZero)
{
    const auto requests = trace("arrival_s,input_tokens,output_tokens\n12,100,10\n10.5,200,20\n11,5,0\n");
    ASSERT_TRUE(requests) << requests.error().text();
    ASSERT_EQ(requests->size(), 2u) << "a request without output failed";
    EXPECT_EQ(requests->front(), (TracedRequest{Seconds{0}, 200, 20}));
    EXPECT_EQ(requests->back(), (TracedRequest{Seconds{1.5}, 100, 10}));
}

TEST(Trace, ReadsTheSpellingsOfPublishedTraces)
{
    const auto days = trace("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:59.5,374,44\n2023-11-17 00:00:01,1,2\n");
    ASSERT_TRUE(days) << days.error().text();
    EXPECT_NEAR(days->back().arrival.value, 1.5, 1e-5);
    const auto seconds = trace("Timestamp,Model,Request tokens,Response tokens\n5,a,472,18\n45,b,1087,230\n");
    ASSERT_TRUE(seconds) << seconds.error().text();
    EXPECT_EQ(seconds->back(), (TracedRequest{Seconds{40}, 1087, 230}));
}

TEST(Trace, SaysWhatIsWrong)
{
    const struct { const char* text; const char* part; } cases[] = {
        {"arrival_s,input_tokens\n1,2\n", "columns"},
        {"arrival_s,input_tokens,output_tokens\nsoon,2,3\n", "no time"},
        {"arrival_s,input_tokens,output_tokens\n2023-13-01 00:00:00,2,3\n", "no time"},
        {"arrival_s,input_tokens,output_tokens\n1,-2,3\n", "counts"},
        {"arrival_s,input_tokens,output_tokens\n1,2,many\n", "counts"},
        {"arrival_s,input_tokens,output_tokens\n1,2,0\n", "no request"},
    };
    for (const auto& c : cases) {
        const auto requests = trace(c.text);
        ASSERT_FALSE(requests) << c.text;
        EXPECT_NE(requests.error().message.find(c.part), std::string::npos) << requests.error().text();
    }
}

} // namespace
} // namespace ridgepoint
