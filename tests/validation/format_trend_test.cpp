// SPDX-License-Identifier: GPL-3.0-or-later
// Fewer bits are faster only where bytes or multiplications rule: what was measured of the same work in two formats.
#include "core/validation/operators.h"
#include "core/validation/serving.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace ridgepoint {
namespace {

/// The same product in 16 bit and in a narrower format on one device.
struct Pair
{
    std::string device, dtype;
    double m = 0.0, measured = 0.0, predicted = 0.0;   ///< the last two: time of the narrow format over that of 16 bit
};

/// formats.csv holds the two rows of a pair one below the other, 16 bit first: products of at most 64 rows whose narrow
/// format was measured no faster, and large ones where it was faster by a quarter and more.
std::vector<Pair> measuredPairs()
{
    const Result<CsvTable> table = readCsv(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/operators/formats.csv");
    EXPECT_TRUE(table) << (table ? "" : table.error().text());
    if (!table)
        return {};
    const auto predictions = predictOperators(*table, samples::shippedPresets(), {.calibration = true, .table = "gemm"});
    EXPECT_TRUE(predictions);
    std::vector<Pair> pairs;
    for (std::size_t wide = 0; predictions && wide + 1 < predictions->size(); wide += 2) {
        const Prediction& a = (*predictions)[wide];
        const Prediction& b = (*predictions)[wide + 1];
        EXPECT_EQ(table->text(wide, "dtype"), "bf16");
        for (const char* column : {"device", "m", "n", "k"})
            EXPECT_EQ(table->text(wide, column), table->text(wide + 1, column));
        EXPECT_TRUE(a.value && b.value);
        if (a.value && b.value)
            pairs.push_back({std::string(table->text(wide, "device")), std::string(table->text(wide + 1, "dtype")),
                             table->number(wide, "m").value_or(0.0), *b.measured / *a.measured, *b.value / *a.value});
    }
    return pairs;
}

constexpr double noFaster = 0.97;

TEST(FormatTrends, SmallProductsAreNoFasterInFewerBitsWhereMeasuredSo)
{
    std::map<std::string, std::pair<int, int>> counts;   // device and format -> pairs, no faster as predicted
    for (const Pair& pair : measuredPairs())
        if (pair.m <= 64.0) {
            ASSERT_GE(pair.measured, 1.0);
            auto& [all, right] = counts[pair.device + " " + pair.dtype];
            ++all;
            right += pair.predicted >= noFaster ? 1 : 0;
            EXPECT_GT(pair.predicted, 0.8) << pair.device << " " << pair.dtype << " m " << pair.m;
        }
    ASSERT_GE(counts.size(), 15u);
    int all = 0;
    int right = 0;
    for (const auto& [name, count] : counts) {
        EXPECT_GE(count.second, count.first - 2) << name;
        all += count.first;
        right += count.second;
    }
    EXPECT_GE(right, 9 * all / 10) << right << " of " << all;
}

TEST(FormatTrends, LargeProductsAreMarkedlyFasterInFewerBitsWhereMeasuredSo)
{
    int all = 0;
    int right = 0;
    for (const Pair& pair : measuredPairs())
        if (pair.m >= 2048.0) {
            ASSERT_LT(pair.measured, 0.75);
            ++all;
            right += pair.predicted < 0.85 ? 1 : 0;
            EXPECT_LT(pair.predicted, 1.1) << pair.device << " " << pair.dtype << " m " << pair.m;
        }
    ASSERT_GE(all, 60);
    EXPECT_GE(right, 9 * all / 10) << right << " of " << all;
}

TEST(FormatTrends, AServedNetworkIsAboutAsFastInEightBitsAtSmallBatchAsMeasured)
{
    // Qwen3.5 397B A17B on eight B200 with SGLang, SemiAnalysis InferenceX: TPOT of the 8 bit checkpoint over that of the 16 bit
    // one was 1.01, 1.01, 0.96 and 1.02.
    const struct { const char* load; double ratio; } runs[] = {
        {"1024,8192,4", 7.8203 / 7.7438}, {"1024,1024,16", 12.1748 / 12.0099},
        {"1024,8192,16", 10.5632 / 10.9811}, {"8192,1024,16", 13.3423 / 13.0810}};
    double sum = 0.0;
    for (const auto& run : runs) {
        std::string text = "system,gpus_total,backend,model,checkpoint,precision,kv_cache_dtype,length_range_ratio,isl_tokens,"
                           "osl_tokens,concurrency,attn_tp,attn_dp,moe_tp,moe_ep\n";
        for (const auto& [checkpoint, precision] : {std::pair{"Qwen/Qwen3.5-397B-A17B", "bf16"},
                                                    std::pair{"Qwen/Qwen3.5-397B-A17B-FP8", "fp8"}})
            text += std::string("b200_sxm,8,sglang,Qwen/Qwen3.5-397B-A17B,") + checkpoint + "," + precision + "," + precision +
                    ",0.8," + run.load + ",8,1,8,1\n";
        const Result<CsvTable> table = parseCsv(text, "rows.csv");
        ASSERT_TRUE(table) << table.error().text();
        const auto predictions = predictServing(*table, samples::shippedPresets(), {});
        ASSERT_TRUE(predictions) << predictions.error().text();
        std::map<std::string, double> tpot;
        for (const Prediction& one : *predictions)
            if (one.quantity == "tpot") {
                ASSERT_TRUE(one.value) << one.reason;
                tpot[one.id] = *one.value;
            }
        ASSERT_EQ(tpot.size(), 2u);
        const double ratio = tpot.rbegin()->second / tpot.begin()->second;
        EXPECT_NEAR(ratio, run.ratio, 0.12) << run.load;
        sum += ratio / 4.0;
    }
    // Half the bytes would be half the time of what streams weights.
    EXPECT_GE(sum, 0.93);
}

} // namespace
} // namespace ridgepoint
