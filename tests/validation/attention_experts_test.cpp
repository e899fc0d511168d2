// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/operators.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

namespace ridgepoint {
namespace {

CsvTable sample(const std::string& name)
{
    const Result<CsvTable> table =
        readCsv(std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "tests/validation/data/operators" / (name + ".csv"));
    EXPECT_TRUE(table) << (table ? "" : table.error().text());
    return table.value_or(CsvTable{});
}

std::vector<Prediction> predictions(const CsvTable& table, bool calibration = true)
{
    const Result<std::vector<Prediction>> made =
        predictOperators(table, samples::shippedPresets(), {.calibration = calibration, .table = {}});
    EXPECT_TRUE(made);
    return made.value_or(std::vector<Prediction>{});
}

double groupOf(const Prediction& prediction)
{
    return std::abs(*prediction.value / *prediction.measured - 1.0);
}

TEST(OperatorSample, EveryRowIsPredictedWithinItsGroupsError)
{
    // Mean over all rows of the sample; the whole data do better, since the sample counts odd groups as much as common ones.
    const struct { const char* table; double most; } cases[] = {
        {"attention_decode", 0.20}, {"attention_prefill", 0.22}, {"mla", 0.15}, {"moe", 0.22}};
    for (const auto& c : cases) {
        const std::vector<Prediction> all = predictions(sample(c.table));
        ASSERT_FALSE(all.empty()) << c.table;
        double sum = 0.0;
        double inside = 0.0;
        for (const Prediction& one : all) {
            ASSERT_TRUE(one.value) << c.table << " " << one.id << ": " << one.reason;
            sum += std::min(1.0, groupOf(one));
            inside += *one.measured >= *one.low80 && *one.measured <= *one.high80 ? 1.0 : 0.0;
        }
        EXPECT_LT(sum / double(all.size()), c.most) << c.table;
        EXPECT_GT(inside / double(all.size()), 0.65) << c.table;
        EXPECT_LT(inside / double(all.size()), 0.95) << c.table;
    }
}

TEST(OperatorSample, MeasurementsAreNotReadToPredict)
{
    for (const char* name : {"attention_decode", "attention_prefill", "mla", "moe"}) {
        const CsvTable full = sample(name);
        CsvTable blank = full;
        const auto at = std::size_t(std::find(full.columns.begin(), full.columns.end(), "latency_us") - full.columns.begin());
        for (auto& row : blank.rows)
            row[at].clear();
        const std::vector<Prediction> with = predictions(full);
        const std::vector<Prediction> without = predictions(blank);
        ASSERT_EQ(with.size(), without.size());
        for (std::size_t i = 0; i < with.size(); ++i) {
            EXPECT_EQ(with[i].value, without[i].value) << name << " " << i;
            EXPECT_FALSE(without[i].measured);
        }
    }
}

TEST(OperatorSample, DefaultsOfAFamilyStandInWithoutCalibration)
{
    for (const char* name : {"attention_decode", "attention_prefill", "mla", "moe"}) {
        std::vector<double> errors;
        for (const Prediction& one : predictions(sample(name), false)) {
            ASSERT_TRUE(one.value) << name << " " << one.id;
            EXPECT_NE(one.provenance, "calibrated");
            errors.push_back(groupOf(one));
        }
        std::nth_element(errors.begin(), errors.begin() + std::ptrdiff_t(errors.size() / 2), errors.end());
        EXPECT_LT(errors[errors.size() / 2], 0.30) << name;
    }
}

TEST(OperatorTables, OddRowsAreUnpredictedWithAReason)
{
    const struct { std::string header, row, reason; } cases[] = {
        {"device,kernel,dtype,kv_dtype,batch,seq_kv,heads,kv_heads,head_dim", "h100_sxm,fa3,bf16,bf16,1,1024,8,16,128",
         "kv_heads is above heads"},
        {"device,kernel,dtype,kv_dtype,batch,seq_kv,heads,kv_heads,head_dim", "h999,fa3,bf16,bf16,1,1024,8,8,128",
         "unknown device h999"},
        {"device,kernel,dtype,kv_dtype,batch,seq_kv,heads,kv_heads,head_dim", "h100_sxm,fa3,bf16,q3,1,1024,8,8,128",
         "unknown dtype \"q3\""},
        {"device,dtype,num_tokens,hidden,inter,topk,experts,distribution", "h100_sxm,bf16,4,2048,768,8,128,zipf",
         "unknown distribution \"zipf\"; it can be balanced or power_law_ALPHA"},
        {"device,dtype,num_tokens,hidden,inter,topk,experts,ep", "h100_sxm,bf16,4,2048,768,8,4,1",
         "topk and ep must not be above experts"},
        {"device,dtype,num_tokens,hidden,inter,topk,experts,tp", "h100_sxm,bf16,4,2048,768,8,128,two",
         "tp is \"two\"; it must be a whole number from 1 to 65536"},
        {"device,kernel,batch,seq_kv,heads,kv_heads,head_dim,window", "h100_sxm,fa3,1,1024,8,8,128,wide",
         "window is \"wide\"; it must be a whole number from 0 to 100000000"},
        {"device,kernel,batch,seq_q,seq_kv,heads,head_dim", "h100_sxm,fa3,1,1024,512,8,128",
         "seq_kv is 512; it must be 0 or at least the 1024 of seq_q"},
        {"device,kernel,batch,seq_q,heads,head_dim,causal", "h100_sxm,fa3,1,1024,8,128,maybe",
         "causal is \"maybe\"; it must be a whole number from 0 to 1"},
        {"device,op,dtype,batch,seq_kv,heads", "h100_sxm,turn,bf16,4,100,16",
         "unknown op \"turn\"; it can be prefill, decode, bmm_pre or bmm_post"},
    };
    for (const auto& c : cases) {
        const Result<CsvTable> table = parseCsv(c.header + "\n" + c.row + "\n", "rows.csv");
        ASSERT_TRUE(table);
        const std::vector<Prediction> made = predictions(*table);
        ASSERT_EQ(made.size(), 1u) << c.row;
        EXPECT_FALSE(made[0].value) << c.row;
        EXPECT_EQ(made[0].reason, c.reason);
    }
}

TEST(ExpertRows, PartsOfAnExpertAreRefusedAndNotDividedBy)
{
    for (const char* counts : {"22,512,8,0.5", "22,512,8,1e-300", "0.5,512,8,1", "22,0.5,8,1", "22,512,8,1.5", "1e30,1e30,1,1e30"}) {
        const auto table = parseCsv(std::string("device,dtype,num_tokens,hidden,inter,topk,experts,tp,ep,distribution\n"
                                                "h100_sxm,fp8,4096,8192,5120,") +
                                        counts + ",power_law_1.01\n",
                                    "moe.csv");
        ASSERT_TRUE(table);
        const auto predictions = predictOperators(*table, samples::shippedPresets(), {.calibration = true, .table = "moe"});
        ASSERT_TRUE(predictions) << predictions.error().text();
        ASSERT_EQ(predictions->size(), 1u);
        EXPECT_FALSE(predictions->front().value) << counts;
        EXPECT_FALSE(predictions->front().reason.empty()) << counts;
    }
}

} // namespace
} // namespace ridgepoint
