// SPDX-License-Identifier: GPL-3.0-or-later
// How far operator predictions are from a sample of measurements, and that this does not get worse.
#include "core/base/random.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/domain_fit.h"
#include "core/io/preset_library.h"
#include "core/validation/operator_acceptance.h"
#include "core/validation/operators.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>

namespace ridgepoint {
namespace {

const Presets& shipped()
{
    static const Presets presets = loadPresets({RIDGEPOINT_SOURCE_DIR "/presets"}).presets;
    return presets;
}

CsvTable sample(const std::string& table)
{
    const Result<CsvTable> read =
        readCsv(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/operators/" + table + ".csv");
    EXPECT_TRUE(read.has_value());
    return read.value_or(CsvTable{});
}

std::string groupOf(const Prediction& prediction, std::string_view key)
{
    for (const auto& [name, value] : prediction.groups)
        if (name == key)
            return value;
    return {};
}

/// Unweighted mean over (device, key) of the median and mean error of those rows whose device is known. [percent]
struct Score
{
    double median = 0, mean = 0;
    std::size_t groups = 0;
};

Score scoreOf(const std::vector<Prediction>& predictions, std::string_view key, std::string_view only)
{
    std::map<std::string, std::vector<double>> errors;
    for (const Prediction& one : predictions)
        if (one.value && one.measured && (only.empty() || groupOf(one, key) == only))
            errors[groupOf(one, "device") + groupOf(one, key)].push_back(100.0 * std::abs(*one.value / *one.measured - 1.0));
    Score score;
    for (auto& [name, values] : errors) {
        if (values.size() < 6)
            continue;
        std::sort(values.begin(), values.end());
        double sum = 0;
        for (const double value : values)
            sum += value;
        score.median += values[values.size() / 2];
        score.mean += sum / double(values.size());
        ++score.groups;
    }
    score.median /= double(score.groups);
    score.mean /= double(score.groups);
    return score;
}

TEST(Operators, AreNoFurtherFromTheMeasurementsThanTheyWere)
{
    // Of the calibrations that ship, on rows that they were fitted on among others: rounded up.
    const struct { const char* table; const char* key; const char* only; double median, mean; } known[] = {
        {"gemm", "dtype", "bf16", 9.2, 13.8},       {"gemm", "dtype", "fp8", 7.5, 9.0},
        {"gemm", "dtype", "fp8_block", 6.8, 8.9},   {"gemm", "dtype", "nvfp4", 5.0, 5.7},
        {"gemm", "dtype", "fp16", 6.9, 10.5},       {"collectives", "op", "all_reduce", 4.6, 8.6},
        {"collectives", "op", "alltoall", 8.8, 9.0},  {"moe_a2a", "op", "dispatch", 4.4, 10.0},
        {"moe_a2a", "op", "combine", 6.1, 9.5},      {"memory", "table", "memory", 3.6, 4.9},
    };
    for (const auto& k : known) {
        const auto predictions = predictOperators(sample(k.table), shipped(), {.calibration = true, .table = k.table});
        ASSERT_TRUE(predictions) << k.table;
        const Score score = scoreOf(*predictions, k.key, k.only);
        ASSERT_GE(score.groups, 1u) << k.table << " " << k.only;
        std::printf("%-12s %-10s %2zu groups, off by %.1f %% median, %.1f %% mean\n", k.table, k.only, score.groups,
                    score.median, score.mean);
        EXPECT_LE(score.median, k.median + 1.0) << k.table << " " << k.only;
        EXPECT_LE(score.mean, k.mean + 1.0) << k.table << " " << k.only;
    }
}

TEST(Operators, BandsHoldMostMeasurements)
{
    for (const char* table : {"gemm", "collectives", "moe_a2a"}) {
        const auto predictions = predictOperators(sample(table), shipped(), {.calibration = true, .table = table});
        ASSERT_TRUE(predictions) << table;
        double inside = 0;
        double count = 0;
        for (const Prediction& one : *predictions)
            if (one.value && one.measured && one.provenance == "calibrated") {
                EXPECT_LT(*one.low80, *one.value);
                EXPECT_GT(*one.high80, *one.value);
                inside += *one.measured >= *one.low80 && *one.measured <= *one.high80 ? 1 : 0;
                ++count;
            }
        ASSERT_GT(count, 100) << table;
        EXPECT_GE(inside / count, 0.65) << table;
        EXPECT_LE(inside / count, 0.97) << table;   // the constants were fitted on these rows among others
    }
}

TEST(Operators, WithoutCalibrationNothingRestsOnTheDeviceItself)
{
    const auto predictions =
        predictOperators(sample("gemm"), shipped(), {.calibration = false, .table = {}});
    ASSERT_TRUE(predictions);
    for (const Prediction& one : *predictions)
        EXPECT_NE(one.provenance, "calibrated");
}

TEST(Operators, MeasuredColumnsAreNotRead)
{
    CsvTable table = sample("gemm");
    const auto before = predictOperators(table, shipped(), {.calibration = true, .table = {}});
    const std::size_t column = table.position.at("latency_us");
    for (auto& row : table.rows)
        row[column].clear();
    const auto after = predictOperators(table, shipped(), {.calibration = true, .table = {}});
    ASSERT_TRUE(before && after);
    for (std::size_t i = 0; i < before->size(); ++i) {
        EXPECT_EQ((*before)[i].value, (*after)[i].value);
        EXPECT_FALSE((*after)[i].measured);
    }
}

TEST(Operators, AnUnknownDeviceOrTypeIsUnpredicted)
{
    const Result<CsvTable> table = parseCsv("device,dtype,m,n,k\nno such device,bf16,1,64,64\nh100_sxm,bf17,1,64,64\n"
                                            "h100_sxm,bf16,0,64,64\nh100_sxm,bf16,1,64,64\n",
                                            "rows.csv");
    ASSERT_TRUE(table);
    const auto predictions = predictOperators(*table, shipped(), {.calibration = true, .table = {}});
    ASSERT_TRUE(predictions);
    const auto& rows = *predictions;
    EXPECT_EQ(rows[0].reason, "unknown device no such device");
    EXPECT_EQ(rows[1].reason, "unknown dtype \"bf17\"");
    EXPECT_EQ(rows[2].reason, "m is \"0\"; it must be a whole number from 1 to 100000000");
    EXPECT_EQ(rows[2].where, "rows.csv:4");
    for (int i : {0, 1, 2})
        EXPECT_FALSE(rows[std::size_t(i)].value);
    ASSERT_TRUE(rows[3].value);
    EXPECT_GT(*rows[3].value, 0.5);
    EXPECT_LT(*rows[3].value, 20);
}

TEST(Operators, ACellThatCannotBeIsNotReplacedByADefault)
{
    const struct { const char* header; const char* row; const char* reason; } cases[] = {
        {"device,dtype,m,n,k,batch", "h100_sxm,bf16,16,4096,4096,many", "batch is \"many\""},
        {"device,dtype,m,n,k,batch", "h100_sxm,bf16,16,4096,4096,-1", "batch is \"-1\""},
        {"device,dtype,m,n,k", "h100_sxm,bf16,1.5,4096,4096", "m is \"1.5\""},
        {"device,dtype,m,n,k", "h100_sxm,bf16,1e30,4096,4096", "m is \"1e30\""},
        {"device,dtype,m,n,k", "h100_sxm,bf16,10000000,10000000,64", "do not fit into the 80 GB"},
        {"device,op,num_gpus,message_bytes,num_nodes", "h100_sxm,all_reduce,8,1024,one", "num_nodes is \"one\""},
        {"device,op,num_gpus,message_bytes,num_nodes", "h100_sxm,all_reduce,8,1024,16", "num_nodes is 16"},
        {"device,op,num_gpus,message_bytes", "h100_sxm,all_reduce,1,1024", "num_gpus is \"1\""},
        {"device,mode,op,num_tokens,hidden,topk,sms", "b200_sxm,normal,dispatch,128,7168,8,some", "sms is \"some\""},
        {"device,mode,op,num_tokens,hidden,topk", "b200_sxm,fast,dispatch,128,7168,8", "unknown mode \"fast\""},
        {"device,op,dtype,rows,cols", "h100_sxm,rmsnorm,bf16,16,wide", "cols is \"wide\""},
        {"device,op,dtype,rows,cols", "h100_sxm,rmsnorm,bf17,16,64", "unknown dtype \"bf17\""},
    };
    for (const auto& c : cases) {
        const Result<CsvTable> table = parseCsv(std::string(c.header) + "\n" + c.row + "\n", "rows.csv");
        ASSERT_TRUE(table);
        const auto predictions = predictOperators(*table, shipped(), {.calibration = true, .table = {}});
        ASSERT_TRUE(predictions) << c.header << ": " << predictions.error().text();
        ASSERT_EQ(predictions->size(), 1u);
        const Prediction& one = predictions->front();
        EXPECT_FALSE(one.value) << c.row;
        EXPECT_NE(one.reason.find(c.reason), std::string::npos) << one.reason;
        EXPECT_EQ(one.where, "rows.csv:2");
    }
}

TEST(Operators, AFileThatIsNoTableIsRefused)
{
    const struct { const char* text; const char* table; const char* reason; } cases[] = {
        {"device,dtype,m,n,k\n", "", "no row below it"},
        {"device,dtype,m,n,k\n", "gemm", "no row below it"},
        {"device,batch,seq_kv,heads,head_dim\nh100_sxm,1,64,8,128\n", "gemm", "no column dtype, m, n, k"},
        {"device,batch,seq_q,seq_kv,heads,head_dim\nh100_sxm,1,1,64,8,128\n", "attention_decode", "which has no column seq_q"},
        {"system,backend,model\nh100_sxm,vllm,qwen\n", "", "those of no known table"},
        {"device,dtype,m,n,k\nh100_sxm,bf16,1,64,64\n", "gems", "there is no table \"gems\""},
    };
    for (const auto& c : cases) {
        const Result<CsvTable> table = parseCsv(c.text, "rows.csv");
        ASSERT_TRUE(table);
        const auto predictions = predictOperators(*table, shipped(), {.calibration = true, .table = c.table});
        ASSERT_FALSE(predictions) << c.text;
        EXPECT_NE(predictions.error().text().find(c.reason), std::string::npos) << predictions.error().text();
    }
}

TEST(Operators, FarOutsideWhatWasMeasuredBandsAreWiderAndNothingIsCalibrated)
{
    const Result<CsvTable> table = parseCsv("device,dtype,m,n,k\nh100_sxm,bf16,1024,4096,4096\n"
                                            "h100_sxm,bf16,1024,131072,131072\nh100_sxm,bf16,1024,524288,65536\n",
                                            "rows.csv");
    ASSERT_TRUE(table);
    const auto predictions = predictOperators(*table, shipped(), {.calibration = true, .table = {}});
    ASSERT_TRUE(predictions);
    const auto& rows = *predictions;
    EXPECT_EQ(rows[0].provenance, "calibrated");
    const auto width = [](const Prediction& one) { return *one.high80 / *one.low80; };
    for (const std::size_t i : {1u, 2u}) {
        EXPECT_EQ(rows[i].provenance, "extrapolated");
        EXPECT_EQ(rows[i].reason, "outside the measured range");
        EXPECT_GT(width(rows[i]), width(rows[0])) << i;
    }
    EXPECT_GT(width(rows[2]), width(rows[1]));
}

TEST(MeasuredDomain, IsCutWhereErrorsScatterDifferently)
{
    // Small shapes scatter by 40 %, large ones by 4 %.
    std::vector<LeftOutError> errors;
    for (int i = 0; i < 400; ++i) {
        const bool isSmall = i % 2 == 0;
        const double part = double(i / 2 % 100) / 99.0 - 0.5;
        errors.push_back({.point = {isSmall ? 2.0 + part : 10.0 + part, 5.0, 5.0, 0.0},
                          .log = (isSmall ? 0.8 : 0.08) * (double(i * 37 / 2 % 100) / 99.0 - 0.5),
                          .key = std::uint64_t(i)});
    }
    const MeasuredDomain domain = fitDomain(errors);
    ASSERT_GE(domain.regions.size(), 2u);
    EXPECT_NEAR(std::log(bandAt(domain, {}, {2.0, 5.0, 5.0, 0.0}).high), 0.32, 0.06);
    EXPECT_NEAR(std::log(bandAt(domain, {}, {10.0, 5.0, 5.0, 0.0}).high), 0.032, 0.012);
    EXPECT_EQ(doublingsOutside(domain, {10.0, 5.0, 5.0, 0.0}), 0.0);
    EXPECT_NEAR(doublingsOutside(domain, {13.5, 5.0, 4.0, 0.0}), 4.0, 1e-9);
    EXPECT_EQ(doublingsOutside(domain, {10.0, 5.0, 5.0, 1.0}), 2.0);
    double before = 1.0;
    for (const double beyond : {10.0, 12.0, 14.0, 20.0, 60.0}) {
        const ErrorBand band = bandAt(domain, {}, {beyond, 5.0, 5.0, 0.0});
        EXPECT_GT(band.high, before);
        EXPECT_LE(band.high, 30.0);
        EXPECT_GE(band.low, 1.0 / 30.0);
        before = std::min(band.high, 29.9);
    }
}

TEST(Domain, BandsOfFewKeysHoldFourFifthsOfNewOnes)
{
    // Rows of a key share part of their error. Keys that were not seen are held as often as a band promises.
    for (const double common : {0.0, 0.5, 0.9})
        for (const int keys : {3, 4, 8, 30}) {
            RandomStream random(std::uint64_t(1000.0 * common) + std::uint64_t(keys));
            const auto errorsOf = [&](std::uint64_t key, int rows, std::vector<LeftOutError>& out) {
                const double shared = std::sqrt(common) * random.normal();
                for (int i = 0; i < rows; ++i)
                    out.push_back({{1.0, 1.0, 1.0, 0.0}, 0.2 * (shared + std::sqrt(1.0 - common) * random.normal()), key});
            };
            double inside = 0.0;
            double all = 0.0;
            for (int repeat = 0; repeat < 300; ++repeat) {
                std::vector<LeftOutError> seen;
                std::vector<LeftOutError> fresh;
                for (int key = 0; key < keys; ++key)
                    errorsOf(std::uint64_t(key), 12, seen);
                errorsOf(std::uint64_t(keys), 12, fresh);
                const ErrorBand band = bandAt(fitDomain(seen), {}, {1.0, 1.0, 1.0, 0.0});
                for (const LeftOutError& one : fresh) {
                    inside += one.log >= std::log(band.low) && one.log <= std::log(band.high) ? 1.0 : 0.0;
                    all += 1.0;
                }
            }
            EXPECT_GT(inside / all, 0.72) << keys << " keys, common share " << common;
            EXPECT_LT(inside / all, 0.93) << keys << " keys, common share " << common;
        }
}

TEST(OperatorTargets, AreUnweightedMeansOverDeviceAndDtypeWithGddrApart)
{
    std::vector<Prediction> predictions;
    const auto add = [&](const char* device, const char* memory, double error, int rows) {
        for (int i = 0; i < rows; ++i) {
            Prediction& one = predictions.emplace_back();
            one.quantity = foldsLeftOut;
            one.value = 100.0 * (1.0 + error);
            one.low80 = 90.0;
            one.high80 = 110.0;
            one.measured = 100.0;
            one.groups = {{"table", "gemm"}, {"device", device}, {"memory", memory}, {"dtype", "bf16"}};
        }
    };
    add("a", "HBM", 0.02, 100);
    add("b", "HBM", 0.08, 40);
    add("c", "GDDR", 0.40, 40);
    add("d", "LPDDR", 0.80, 12);
    const std::vector<OperatorTarget> targets = operatorTargets(predictions);
    ASSERT_EQ(targets.size(), 5u);
    EXPECT_EQ(targets[0].part, "without GDDR");
    EXPECT_NEAR(targets[0].median, 0.05, 1e-9);
    EXPECT_EQ(targets[0].worst, "b bf16");
    EXPECT_TRUE(targets[0].holds());
    EXPECT_EQ(targets[1].part, "without GDDR, few rows too");
    EXPECT_NEAR(targets[1].median, 0.9 / 3.0, 1e-9);
    EXPECT_NEAR(targets[2].median, 1.3 / 4.0, 1e-9);
    const std::vector<BandGroup> groups = bandGroups(predictions);
    EXPECT_TRUE(std::any_of(groups.begin(), groups.end(), [](const BandGroup& g) { return g.rows == 192 && g.coverage == 1.0; }));
}

TEST(Calibrate, FindsTheConstantsThatMadeTheRows)
{
    // Rows made by a known kernel, with a few absurd ones among them.
    Presets presets = shipped();
    Device* device = nullptr;
    for (Device& one : presets.devices)
        if (one.id == "h100-sxm")
            device = &one;
    ASSERT_NE(device, nullptr);
    CsvTable table = sample("gemm");
    std::erase_if(table.rows, [&](const auto& row) {
        return row[table.position.at("device")] != "h100_sxm" || row[table.position.at("dtype")] != "bf16";
    });
    // The same shapes several times over, so that the fit has enough of them.
    std::vector<OperatorRow> rows;
    MatmulKernel truth;
    truth.launch = Seconds{2.5e-6};
    truth.compute = 0.7;
    truth.memory = 0.85;
    for (int copy = 0; copy < 8; ++copy) {
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            table.rows[i][table.position.at("m")] = std::to_string(1 << ((copy * 2 + int(i)) % 14));
        for (OperatorRow& row : gemmTable.rows(table, presets)) {
            row.measured = Seconds{row.predict(truth, *device)};
            if (rows.size() % 17 == 0)
                row.measured->value *= 5.0;
            rows.push_back(row);
        }
    }
    ASSERT_GT(rows.size(), 60u);
    const CalibrationOutcome outcome = calibrate(gemmTable, rows, KernelFamily{}, [](const std::string&) {});
    ASSERT_EQ(outcome.devices.size(), 1u);
    EXPECT_EQ(outcome.devices[0].device, "h100-sxm");
    ASSERT_FALSE(outcome.groups.empty());
    EXPECT_LT(outcome.groups[0].form.median, 0.03);
    // Nothing is random.
    EXPECT_EQ(calibrate(gemmTable, rows, KernelFamily{}, [](const std::string&) {}).devices, outcome.devices);
}

} // namespace
} // namespace ridgepoint
