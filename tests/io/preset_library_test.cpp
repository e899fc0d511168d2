// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_library.h"
#include "core/io/text_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace ridgepoint {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A preset folder of its own for each test: two devices, one system, and what they need.
class PresetLibrary : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "ridgepoint-presets-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        m_root = pattern;
        put("shipped/sources.yaml", "page: {title: A page, grade: A}\n");
        put("shipped/kernels/family.yaml", "name: Family\nsource: page\nstream: {launch: 5 us}\n");
        put("shipped/devices/one.yaml", device("One", "[uno]"));
        put("shipped/devices/two.yaml", device("Two", "[due]"));
        put("shipped/systems/node.yaml", "name: Node\ndevice: one\ndevices_per_node: 8\ntopology: switched\n");
    }
    void TearDown() override { fs::remove_all(m_root); }

    static std::string device(const std::string& name, const std::string& aliases)
    {
        return "name: " + name + "\ncategory: gpu\naliases: " + aliases +
               "\npeak: {bf16: 1 TFLOP/s}\nmemory: {bandwidth: 1 TB/s, capacity: 80 GB}\ncompute_units: 10\n"
               "kernels: family\n";
    }
    void put(const std::string& file, const std::string& text)
    {
        fs::create_directories((m_root / file).parent_path());
        ASSERT_TRUE(writeTextFile(m_root / file, text));
    }
    LoadedPresets load() const { return loadPresets({m_root / "shipped", m_root / "own"}); }

    fs::path m_root;
};

TEST_F(PresetLibrary, ADeviceThatNoSystemHoldsIsASystemOfOne)
{
    const LoadedPresets loaded = load();
    ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().text();
    ASSERT_EQ(loaded.presets.systems.size(), 2u);
    const System* alone = findSystem(loaded.presets, "two");
    ASSERT_NE(alone, nullptr);
    EXPECT_EQ(alone->name, "Two");
    EXPECT_EQ(alone->devicesPerNode, 1);
    EXPECT_EQ(alone->topology, Topology::none);
    EXPECT_EQ(findSystem(loaded.presets, "one"), nullptr) << "the node holds it";
    EXPECT_DOUBLE_EQ(alone->device.kernels.stream.launch.value, 5e-6);
    EXPECT_DOUBLE_EQ(alone->device.memoryVisible.value, 0.985 * 80e9) << "not known: a share of the label";
}

TEST_F(PresetLibrary, AFaultyFileNeverTakesOthersAway)
{
    put("shipped/devices/two.yaml", "name: Two\ncategory: gpu\npeak: [");
    put("shipped/networks/broken.yaml", "hidden: many\n");
    put("shipped/engines/broken.yaml", std::string("\0\0", 2));
    const LoadedPresets loaded = load();
    EXPECT_EQ(loaded.errors.size(), 3u);
    for (const Error& error : loaded.errors)
        EXPECT_GT(error.line, 0) << error.text();
    EXPECT_NE(findDevice(loaded.presets, "one"), nullptr);
    EXPECT_NE(findSystem(loaded.presets, "node"), nullptr);
}

TEST_F(PresetLibrary, AUsersFileOverridesTheShippedOneEverywhere)
{
    put("own/devices/one.yaml", device("Mine", "[uno]"));
    put("own/kernels/family.yaml", "name: Family\nsource: page\nstream: {launch: 7 us}\n");
    const LoadedPresets loaded = load();
    ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().text();
    EXPECT_EQ(loaded.presets.devices.size(), 2u);
    EXPECT_EQ(findSystem(loaded.presets, "node")->device.name, "Mine");
    EXPECT_DOUBLE_EQ(findSystem(loaded.presets, "node")->device.kernels.stream.launch.value, 7e-6);
    EXPECT_DOUBLE_EQ(findDevice(loaded.presets, "two")->kernels.stream.launch.value, 7e-6);
}

TEST_F(PresetLibrary, SharedNamesAreReported)
{
    put("shipped/devices/two.yaml", device("Two", "[uno]"));
    const LoadedPresets loaded = load();
    ASSERT_EQ(loaded.errors.size(), 1u);
    EXPECT_THAT(loaded.errors.front().message, HasSubstr("share the name \"uno\""));
    put("shipped/devices/one.yaml", device("One", "[uno, eins, un]"));
    put("shipped/devices/two.yaml", device("Two", "[uno, eins, un]"));
    const LoadedPresets more = load();
    ASSERT_EQ(more.errors.size(), 1u) << "one line for each pair, however many names they share";
    EXPECT_THAT(more.errors.front().message, HasSubstr("\"eins\", \"un\", \"uno\""));
}

TEST_F(PresetLibrary, AFileWithAnotherEndingIsNotPassedOverInSilence)
{
    put("own/devices/mine.yml", device("Mine", "[]"));
    const LoadedPresets loaded = load();
    ASSERT_EQ(loaded.errors.size(), 1u);
    EXPECT_THAT(loaded.errors.front().text(), HasSubstr("mine.yml: is not read; rename it to end in .yaml"));
}

TEST_F(PresetLibrary, PricesNeedADateThatExists)
{
    for (const auto& [date, reads] : {std::pair{"2026", true}, {"2026-02", true}, {"2026-02-28", true},
                                      {"yesterday", false}, {"2026-13-45", false}, {"2026-02-30", false},
                                      {"26", false}}) {
        put("own/prices/mine.yaml", std::string("name: Mine\ndevice: one\nper_device: $1/h\ndate: \"") + date +
                                        "\"\nsource: page\n");
        EXPECT_EQ(load().errors.empty(), reads) << date;
    }
}

TEST_F(PresetLibrary, AMissingShippedFolderIsAnErrorAndAMissingOwnOneIsNot)
{
    const LoadedPresets loaded = loadPresets({m_root / "nowhere", m_root / "shipped"});
    ASSERT_EQ(loaded.errors.size(), 1u);
    EXPECT_THAT(loaded.errors.front().text(), HasSubstr("RIDGEPOINT_PRESETS"));
    EXPECT_EQ(loaded.presets.devices.size(), 2u);
}

TEST_F(PresetLibrary, CalibrationsAreListedAndFaultyOnesReported)
{
    put("own/calibrations/mine.yaml",
        "version: 1\nid: mine\nmachine: \"A processor\"\ndate: \"2026-11-30\"\nprogram: probe 1\nunits: 2\nsamples:\n"
        "  - {probe: stream_triad, shape: bytes=1, value: 2, low: 1, high: 3, repeats: 5, unit: B/s}\n");
    put("own/calibrations/broken.yaml", "version: 1\n");
    const LoadedPresets loaded = load();
    EXPECT_EQ(loaded.errors.size(), 1u);
    ASSERT_EQ(loaded.presets.calibrations.size(), 1u);
    EXPECT_EQ(loaded.presets.calibrations.front().id, "mine");
    EXPECT_EQ(loaded.presets.calibrations.front().samples, 1);
}

TEST_F(PresetLibrary, FoldersAreFoundInTheirOrder)
{
    fs::create_directories(m_root / "prefix" / "bin");
    EXPECT_EQ(shippedPresetFolder(m_root / "prefix" / "bin"),
              fs::weakly_canonical(m_root) / "prefix" / "share" / "ridgepoint" / "presets");
    put("prefix/presets/sources.yaml", "{}\n");
    EXPECT_EQ(shippedPresetFolder(m_root / "prefix" / "bin"), fs::weakly_canonical(m_root) / "prefix" / "presets");
    put("prefix/share/ridgepoint/presets/sources.yaml", "{}\n");
    EXPECT_EQ(shippedPresetFolder(m_root / "prefix" / "bin"),
              fs::weakly_canonical(m_root) / "prefix" / "share" / "ridgepoint" / "presets");
    ::setenv("RIDGEPOINT_PRESETS", "/chosen", 1);
    EXPECT_EQ(shippedPresetFolder(m_root / "prefix" / "bin"), fs::path("/chosen"));
    ::unsetenv("RIDGEPOINT_PRESETS");
}

} // namespace
} // namespace ridgepoint
