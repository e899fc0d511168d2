// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/accuracy.h"
#include "core/validation/memory.h"
#include "tests/support/samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

CsvTable reports(const char* name)
{
    const std::filesystem::path folder = std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "tests/validation/data/memory";
    const Result<CsvTable> table = readCsv(folder / name);
    EXPECT_TRUE(table) << table.error().text();
    return table ? *table : CsvTable{};
}

std::vector<Prediction> predicted(const CsvTable& table, const char* which = "")
{
    ValidationOptions options;
    options.table = which;
    const Result<std::vector<Prediction>> found = predictMemory(table, samples::shippedPresets(), options);
    EXPECT_TRUE(found) << found.error().text();
    return found ? *found : std::vector<Prediction>{};
}

/// Errors of a quantity over rows that hold a measurement and that `counts`, sorted; unpredicted rows count as 1.
std::vector<double> errorsOf(const std::vector<Prediction>& predictions, const std::string& quantity,
                             const std::function<bool(const Prediction&)>& counts)
{
    std::vector<double> errors;
    for (const Prediction& one : predictions)
        if (one.quantity == quantity && one.measured && *one.measured > 0 && counts(one))
            errors.push_back(one.value ? std::abs(*one.value / *one.measured - 1) : 1.0);
    std::sort(errors.begin(), errors.end());
    return errors;
}

double shareWithin(const std::vector<double>& errors, double limit)
{
    return double(std::count_if(errors.begin(), errors.end(), [&](double e) { return e <= limit; })) / double(errors.size());
}

TEST(MemoryReports, CacheLayoutIsExactForAGivenPool)
{
    const CsvTable table = reports("kv_capacity.csv");
    const auto hasKnownNetwork = [&](const std::string& id) {
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            if (table.text(i, "id") == id)
                return table.text(i, "model").find("class") == std::string::npos;   // "27B class" is not one network
        return false;
    };
    std::size_t checked = 0;
    for (const Prediction& one : predicted(table, "layout")) {
        if (!one.measured || !one.value || !hasKnownNetwork(one.id))
            continue;
        ++checked;
        // One log gives the pool of a rank that is not the smallest.
        const bool otherRank = one.id.rfind("kv-a6911a", 0) == 0;
        EXPECT_NEAR(*one.value / *one.measured, 1.0, otherRank ? 0.17 : 0.015) << one.id;
    }
    EXPECT_GE(checked, 8u);
}

TEST(MemoryReports, CacheBytesOfLlamaCppAreExact)
{
    const auto errors = errorsOf(predicted(reports("kv_capacity.csv")), "kv_cache", [](const Prediction&) { return true; });
    ASSERT_GE(errors.size(), 25u);
    EXPECT_LE(errors.back(), 0.001);
}

TEST(MemoryReports, WeightsOfKnownRecipesAreExact)
{
    const auto plain = [](const Prediction& one) {
        for (const auto& [key, name] : one.groups)
            if (key == "precision" && (name == "bf16" || name == "as stored" || name == "fp8"))
                return true;
        return false;
    };
    const auto errors = errorsOf(predicted(reports("kv_capacity.csv")), "weights", plain);
    ASSERT_GE(errors.size(), 10u);
    EXPECT_LE(errors[errors.size() / 2], 0.002);
    EXPECT_GE(shareWithin(errors, 0.012), 0.9);
}

TEST(MemoryReports, CapacityFromConfigurationAlone)
{
    const CsvTable table = reports("kv_capacity.csv");
    const auto known = [&](const Prediction& one) {
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            if (table.text(i, "id") == one.id)
                return table.text(i, "all_inputs_known") == "yes" && one.groups.front().second.find("llama.cpp") == std::string::npos;
        return false;
    };
    const auto errors = errorsOf(predicted(table), "kv_capacity", known);
    ASSERT_GE(errors.size(), 14u);
    EXPECT_LE(errors[errors.size() / 2], 0.02);
    EXPECT_GE(shareWithin(errors, 0.05), 0.74);
    EXPECT_GE(shareWithin(errors, 0.15), 0.88);
    for (const Prediction& one : predicted(table)) {
        if (one.quantity == "kv_capacity" && one.measured && known(one)) {
            EXPECT_TRUE(one.value) << one.id << ": " << one.reason;
        }
    }
}

TEST(MemoryReports, VerdictsAgreeWithWhatHappened)
{
    std::vector<const Prediction*> verdicts;
    const auto predictions = predicted(reports("fit.csv"));
    for (const Prediction& one : predictions)
        if (one.quantity == "fits")
            verdicts.push_back(&one);
    const Verdicts counts = verdictsOf(verdicts);
    EXPECT_GE(double(counts.yesRight) / double(counts.yes), 0.947);
    EXPECT_GE(double(counts.noRight) / double(counts.no), 0.767);
    for (const Prediction* one : verdicts)
        EXPECT_TRUE(one->value || !one->reason.empty()) << one->id;
}

TEST(MemoryReports, AnUnknownNetworkOrDeviceIsNamedAndNotGuessed)
{
    const Result<CsvTable> table = parseCsv("id,engine,model,gpu_model,gpu_count,gpu_memory_utilization,max_model_len_tokens\n"
                                            "a,vLLM,Nessie-9X,H100-80GB,1,0.9,8192\n"
                                            "b,vLLM,Llama-3.1-8B,Nessie 900,1,0.9,8192\n"
                                            "c,Loch,Llama-3.1-8B,H100-80GB,1,0.9,8192\n"
                                            "d,vLLM,Llama-3.1-8B,H100-80GB,,,\n",
                                            "test.csv");
    ASSERT_TRUE(table);
    const auto predictions = predicted(*table, "kv_capacity");
    const auto reason = [&](const char* id) {
        for (const Prediction& one : predictions)
            if (one.id == id && one.quantity == "kv_capacity")
                return one.value ? std::string("predicted") : one.reason;
        return std::string("missing");
    };
    EXPECT_EQ(reason("a"), "unknown network Nessie-9X");
    EXPECT_EQ(reason("b"), "unknown device Nessie 900");
    EXPECT_EQ(reason("c"), "unknown engine Loch");
    EXPECT_EQ(reason("d"), "predicted");
}

TEST(MemoryReports, TheGroupOfKnownInputsIsALineOfItsOwn)
{
    const auto predictions = predicted(reports("kv_capacity.csv"));
    for (const QuantityAccuracy& quantity : accuracyByGroup(predictions)) {
        if (quantity.quantity != "kv_capacity")
            continue;
        const auto all = std::find_if(quantity.groups.begin(), quantity.groups.end(), [](const GroupAccuracy& group) {
            return group.key == "all inputs known, not merely the requested context" && group.name == "(all engines)";
        });
        ASSERT_NE(all, quantity.groups.end());
        EXPECT_GE(all->accuracy.count, 14u);
        EXPECT_EQ(all->accuracy.unpredicted, 0u);
        EXPECT_GE(all->accuracy.within5, 0.74);
        EXPECT_GE(all->accuracy.within15, 0.88);
        for (const GroupAccuracy& group : quantity.groups) {
            if (group.key == all->key) {
                EXPECT_EQ(group.name.find("llama.cpp"), std::string::npos);
            }
        }
    }
}

TEST(MemoryReports, WhatDoesNotFitStillHasAnUpperEdge)
{
    std::size_t tooSmall = 0;
    for (const Prediction& one : predicted(reports("kv_capacity.csv")))
        if (one.quantity == "kv_capacity" && one.reason.rfind("does not fit", 0) == 0) {
            ++tooSmall;
            EXPECT_EQ(one.value, 0.0) << one.id;
            EXPECT_EQ(one.low80, 0.0) << one.id;
            EXPECT_GT(one.high80, 0.0) << one.id;
        }
    EXPECT_GE(tooSmall, 1u);
}

TEST(MemoryReports, WhatACellCannotBeIsSaidWithItsLine)
{
    const Result<CsvTable> table = parseCsv("id,engine,model,gpu_model,gpu_count,gpu_memory_utilization,max_model_len_tokens\n"
                                            "a,vLLM,Llama-3.1-8B,H100-80GB,-1,0.9,8192\n"
                                            "b,vLLM,Llama-3.1-8B,H100-80GB,1,90,8192\n"
                                            "c,vLLM,Llama-3.1-8B,H100-80GB,1,0.9,1e30\n"
                                            "d,vLLM,Llama-3.1-8B,H100-80GB,one,0.9,8192\n",
                                            "test.csv");
    ASSERT_TRUE(table);
    const auto predictions = predicted(*table);
    const char* const begins[] = {"test.csv:2: gpu_count is \"-1\"; it must be a whole number from 1",
                                  "test.csv:3: gpu_memory_utilization is \"90\"; it must be a number from 0.01 to 1",
                                  "test.csv:4: max_model_len_tokens is \"1e30\"; it must be a whole number from 1",
                                  "test.csv:5: gpu_count is \"one\"; it must be a whole number from 1"};
    ASSERT_EQ(predictions.size(), std::size(begins));
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        EXPECT_FALSE(predictions[i].value);
        EXPECT_EQ(predictions[i].reason.rfind(begins[i], 0), 0u) << predictions[i].reason;
    }
}

TEST(MemoryReports, OtherTablesAndEmptyOnesAreRefused)
{
    const struct { const char* text; const char* says; } cases[] = {
        {"device,dtype,m,n,k,latency_us\nh100,bf16,1,2,3,4\n", "it has no column model; it needs model, engine"},
        {"model,batch\nLlama-3.1-8B,3\n", "it has no column engine"},
        {"engine,model\nvLLM,Llama-3.1-8B\n", "it has no column gpu_model"},
        {"engine,model,gpu_model\n", "has no rows under its header"}};
    for (const auto& c : cases) {
        const Result<CsvTable> table = parseCsv(c.text, "test.csv");
        ASSERT_TRUE(table) << table.error().text();
        const auto found = predictMemory(*table, samples::shippedPresets(), {});
        ASSERT_FALSE(found) << c.text;
        EXPECT_NE(found.error().text().find(c.says), std::string::npos) << found.error().text();
    }
}

TEST(MemoryReports, MeasuredColumnsChangeNothing)
{
    CsvTable table = reports("kv_capacity.csv");
    const auto before = predicted(table);
    constexpr std::string_view measured[] = {"weights_", "non_torch_", "activation_peak_", "cuda_graph_", "compute_buffer_",
                                             "kv_cache_GiB_", "kv_needed", "kv_block_count", "kv_capacity_tokens",
                                             "max_concurrency_x"};
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        for (const std::string_view prefix : measured)
            if (table.columns[c].rfind(prefix, 0) == 0)
                for (auto& row : table.rows)
                    row[c].clear();
    const auto after = predicted(table);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(before[i].value, after[i].value) << before[i].id << " " << before[i].quantity;
}

} // namespace
} // namespace ridgepoint
