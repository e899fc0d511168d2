// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/matmul.h"
#include "core/io/csv_table.h"
#include "core/io/preset_library.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace ridgepoint {
namespace {

const LoadedPresets& shipped()
{
    static const LoadedPresets loaded = loadPresets({std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "presets"});
    return loaded;
}

std::size_t filesOf(const char* kind)
{
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(RIDGEPOINT_SOURCE_DIR) / "presets" / kind))
        count += entry.path().extension() == ".yaml";
    return count;
}

TEST(ShippedPresets, LoadWithoutErrors)
{
    for (const Error& error : shipped().errors)
        ADD_FAILURE() << error.text();
    const Presets& presets = shipped().presets;
    EXPECT_EQ(presets.devices.size(), filesOf("devices"));
    EXPECT_EQ(presets.kernels.size(), filesOf("kernels"));
    EXPECT_EQ(presets.engines.size(), filesOf("engines"));
    EXPECT_EQ(presets.prices.size(), filesOf("prices"));
    EXPECT_EQ(presets.networks.size(), filesOf("networks"));
    EXPECT_GE(presets.systems.size(), filesOf("systems")) << "and devices that no system holds";
}

TEST(ShippedPresets, EveryDeviceIsHeldByASystem)
{
    for (const Device& device : shipped().presets.devices) {
        const auto& systems = shipped().presets.systems;
        EXPECT_TRUE(std::any_of(systems.begin(), systems.end(), [&](const System& system) {
            return system.device.id == device.id;
        })) << device.id;
    }
}

bool isMarked(const Device& device, const char* fact)
{
    return std::find(device.unverified.begin(), device.unverified.end(), fact) != device.unverified.end();
}

TEST(ShippedPresets, EveryFactNamesASourceThatExists)
{
    const Presets& presets = shipped().presets;
    for (const Device& device : presets.devices)
        for (const char* fact : {"memory_bandwidth", "compute_units"})
            EXPECT_TRUE(device.sources.contains(fact) || device.notes.contains(fact) || isMarked(device, fact))
                << device.id << " " << fact;
    for (const Network& network : presets.networks)
        EXPECT_TRUE(presets.sources.contains(network.source)) << network.id << " cites " << network.source;
}

TEST(ShippedPresets, NetworksHaveAsManyParametersAsPublished)
{
    const Result<CsvTable> published = readCsv(RIDGEPOINT_SOURCE_DIR "/tests/validation/data/networks/parameters.csv");
    ASSERT_TRUE(published) << published.error().text();
    EXPECT_GT(published->rows.size(), 200u);
    for (std::size_t row = 0; row < published->rows.size(); ++row) {
        const std::string id(published->text(row, "network"));
        const Network* network = findNetwork(shipped().presets, id);
        ASSERT_NE(network, nullptr) << id;
        const double parameters = *published->number(row, "parameters");
        EXPECT_NEAR(double(parameterCount(*network).total), parameters, 0.005 * parameters) << id;
    }
}

TEST(ShippedPresets, UnconfirmedFactsAreMarked)
{
    // From one database alone, remembered, and read in two places.
    EXPECT_TRUE(isMarked(*findDevice(shipped().presets, "RTX A4000"), "memory_bandwidth"));
    EXPECT_TRUE(isMarked(*findDevice(shipped().presets, "Core i9-13900K"), "peak"));
    EXPECT_FALSE(isMarked(*findDevice(shipped().presets, "RTX 3070"), "memory_bandwidth"));
    EXPECT_TRUE(findDevice(shipped().presets, "h100-sxm")->unverified.empty());
}

TEST(ShippedPresets, FasterHalfAccumulationIsKeptApart)
{
    const Device* card = findDevice(shipped().presets, "RTX 4090");
    ASSERT_TRUE(card->peak.fp16Accumulate);
    EXPECT_NEAR(card->peak.fp16Accumulate->value / card->peak.bf16->value, 2.0, 0.01);
    EXPECT_FALSE(findDevice(shipped().presets, "RTX 6000 Ada")->peak.fp16Accumulate);
}

TEST(ShippedPresets, EveryDeviceNameStandsForOneDevice)
{
    std::set<std::string> names;
    for (const Device& device : shipped().presets.devices) {
        EXPECT_TRUE(names.insert(device.id).second) << device.id;
        for (const std::string& alias : device.aliases)
            EXPECT_TRUE(names.insert(alias).second) << alias << " of " << device.id;
    }
}

TEST(ShippedPresets, NamesOfTheMeasurementsFindTheirDevice)
{
    struct Case
    {
        const char* name;
        const char* id;
    };
    for (const Case& c : {Case{"h100_sxm", "h100-sxm"},
                          {"nvidia_h100_sxm5_80gb", "h100-sxm"},
                          {"H100-80GB", "h100-sxm"},
                          {"b200_sxm", "b200-sxm"},
                          {"A100-SXM4-80GB", "a100-sxm-80gb"},
                          {"mi 300x", "mi300x"},
                          {"RTX 4090", "rtx-4090"},
                          {"l40s", "l40s"},
                          {"H100 PCIe 80GB", "h100-pcie"},
                          {"NVIDIA H100-SXM-80GB", "h100-sxm"},
                          {"a100_80gb_pcie", "a100-pcie-80gb"},
                          {"A100-40GB", "a100-sxm-40gb"},
                          {"b300_sxm", "b300-sxm"},
                          {"gb300", "gb300"},
                          {"rtx_pro_6000_server", "rtx-pro-6000-server"},
                          {"b60", "arc-pro-b60"},
                          {"v100_pcie_32gb", "v100-pcie-32gb"},
                          {"Tesla T4", "t4"},
                          {"NVIDIA GeForce RTX 3090", "rtx-3090"},
                          {"NVIDIA H20 96GB", "h20-sxm"},
                          {"TPU V5E", "tpu-v5e"}}) {
        const Device* device = findDevice(shipped().presets, c.name);
        ASSERT_NE(device, nullptr) << c.name;
        EXPECT_EQ(device->id, c.id) << c.name;
    }
    EXPECT_EQ(findDevice(shipped().presets, "H100 CNX"), nullptr) << "another part must not be taken for it";
    EXPECT_EQ(findDevice(shipped().presets, ""), nullptr);
}

TEST(ShippedPresets, NoProductBeatsTheDataSheet)
{
    for (const Device& device : shipped().presets.devices) {
        if (!device.peak.bf16)
            continue;
        const double peak = device.peak.bf16->value;
        const double bandwidth = device.memoryBandwidth.value;
        for (const double m : {1.0, 64.0, 1000.0, 8192.0})
            for (const double n : {512.0, 8192.0})
                for (const double k : {512.0, 16384.0}) {
                    const KernelCost cost =
                        matmulCost({.m = m, .n = n, .k = k}, device.kernels.matmulBf16, device, FlopRate{peak});
                    const double least = std::max(2.0 * m * n * k / peak, 2.0 * (m * k + n * k + m * n) / bandwidth);
                    EXPECT_GE(cost.time.value, least * (1 - 1e-12)) << device.id << " " << m << " " << n << " " << k;
                    EXPECT_LE(cost.launch.value, cost.time.value) << device.id;
                }
    }
}

TEST(ShippedPresets, KernelsSayHowWellTheyFit)
{
    for (const KernelFamily& family : shipped().presets.kernels) {
        EXPECT_EQ(family.fitted, family.id != "default");
        EXPECT_LE(family.matmulFp8Block.launch.value, 6e-6) << "engines do not show the floor of the benchmark";
        const KernelFit& fit = family.matmulBf16.fit;
        EXPECT_LT(fit.low, 1.0) << family.id;
        EXPECT_GT(fit.high, 1.0) << family.id;
    }
}

TEST(ShippedPresets, PricesAreDatedAndCanBeOpened)
{
    const Presets& presets = shipped().presets;
    for (const Price& price : presets.prices) {
        EXPECT_GE(price.date.size(), 4u) << price.id;
        EXPECT_TRUE(presets.sources.at(price.source).url.starts_with("https://")) << price.id;
    }
    const Price* cheapest = cheapestPrice(presets, "h100-sxm");
    ASSERT_NE(cheapest, nullptr);
    EXPECT_EQ(cheapest->id, "lambda-h100");
    EXPECT_EQ(cheapestPrice(presets, "rtx-4090"), nullptr) << "its only price is unverified";
}

TEST(ShippedPresets, AreFoundFromTheProgramFolder)
{
    const std::filesystem::path source(RIDGEPOINT_SOURCE_DIR);
    EXPECT_EQ(shippedPresetFolder(source / "build" / "dev" / "app"), source / "presets");
    EXPECT_FALSE(std::filesystem::exists(shippedPresetFolder("/") / "sources.yaml"));
}

} // namespace
} // namespace ridgepoint
