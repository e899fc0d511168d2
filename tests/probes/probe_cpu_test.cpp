// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_file.h"
#include "core/io/text_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace ridgepoint {
namespace {

using testing::HasSubstr;

struct Finished
{
    int status = -1;
    std::string out, error;
};

/// The program run by a shell in a folder of its own, which is also the user's data folder.
class ProbeCpu : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = (std::filesystem::temp_directory_path() / "ridgepoint-probe-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        m_folder = name;
    }

    void TearDown() override { std::filesystem::remove_all(m_folder); }

    [[nodiscard]] Finished run(const std::string& options, const std::string& before = "") const
    {
        const std::string command =
            fmt::format("cd '{0}' && XDG_DATA_HOME='{0}/data' {1} '{2}' {3} >'{0}/out' 2>'{0}/error'",
                        m_folder.string(), before, RIDGEPOINT_PROBE_CPU, options);
        const int code = std::system(command.c_str());
        Finished finished;
        finished.status = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
        finished.out = readTextFile(m_folder / "out").value_or("");
        finished.error = readTextFile(m_folder / "error").value_or("");
        return finished;
    }

    /// Names of what lies in a folder, without the streams that `run` leaves.
    [[nodiscard]] std::vector<std::string> files(const std::filesystem::path& folder) const
    {
        std::vector<std::string> names;
        if (!std::filesystem::exists(folder))
            return names;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path() != m_folder / "out" && entry.path() != m_folder / "error")
                names.push_back(entry.path().filename().string());
        }
        return names;
    }

    std::filesystem::path m_folder;
};

double best(const Calibration& calibration, const std::string& probe, const std::string& threads)
{
    double value = 0;
    for (const CalibrationSample& sample : calibration.samples) {
        if (sample.probe == probe && (sample.shape + " ").find(" threads=" + threads + " ") != std::string::npos)
            value = std::max(value, sample.high);
    }
    return value;
}

TEST_F(ProbeCpu, QuickRunWritesPlausibleValuesThatReadBackEqual)
{
    const Finished finished = run("--quick --out here.yaml");
    ASSERT_EQ(finished.status, 0) << finished.error;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.error, HasSubstr("stream_triad"));
    const Result<Calibration> calibration = loadCalibration(m_folder / "here.yaml");
    ASSERT_TRUE(calibration) << calibration.error().text();
    EXPECT_EQ(*readCalibration(writeCalibration(*calibration), "again"), *calibration);

    for (const CalibrationSample& sample : calibration->samples) {
        EXPECT_GE(sample.repeats, 3) << sample.shape;
        EXPECT_LE(sample.low, sample.value) << sample.shape;
        EXPECT_GE(sample.high, sample.value) << sample.shape;
        // A core moves far more than 10 MB/s and computes far less than 100 TFLOP/s.
        EXPECT_GT(sample.value, 1e7) << sample.shape;
        EXPECT_LT(sample.value, 1e14 * calibration->units) << sample.shape;
    }
    EXPECT_GE(calibration->peakFlops, best(*calibration, "multiply_add", "1"));
}

TEST_F(ProbeCpu, AllCoresTogetherAreNotSlowerThanOne)
{
    const std::vector<std::string> probes = {"stream_triad", "matmul", "multiply_add"};
    // Other programs may take cores during one run, hardly during five; the best of all runs count, the margin is for what
    // they leave. On one core both are the same samples.
    constexpr int attempts = 5;
    std::map<std::string, double> one, all;
    std::string slower = "not run";
    for (int attempt = 0; attempt < attempts && !slower.empty(); ++attempt) {
        ASSERT_EQ(run("--quick --out cores.yaml").status, 0);
        const Result<Calibration> calibration = loadCalibration(m_folder / "cores.yaml");
        ASSERT_TRUE(calibration) << calibration.error().text();
        slower.clear();
        for (const std::string& probe : probes) {
            one[probe] = std::max(one[probe], best(*calibration, probe, "1"));
            all[probe] = std::max(all[probe], best(*calibration, probe, std::to_string(calibration->units)));
            EXPECT_GT(one[probe], 0.0) << probe;
            if (all[probe] < 0.7 * one[probe])
                slower += probe + " ";
        }
    }
    EXPECT_EQ(slower, "");
}

TEST_F(ProbeCpu, WithoutAFileWritesToTheUsersPresetsAndPrintsJson)
{
    const Finished finished = run("--quick --json");
    ASSERT_EQ(finished.status, 0) << finished.error;
    const auto json = nlohmann::json::parse(finished.out);
    const std::filesystem::path folder = m_folder / "data/ridgepoint/presets/calibrations";
    ASSERT_EQ(files(folder).size(), 1u);
    const Result<Calibration> calibration = loadCalibration(folder / files(folder).front());
    ASSERT_TRUE(calibration) << calibration.error().text();
    EXPECT_EQ(files(folder).front(), calibration->id + ".yaml");
    EXPECT_EQ(json.at("id"), calibration->id);
    EXPECT_EQ(json.at("peak_flops"), calibration->peakFlops);
    ASSERT_EQ(json.at("samples").size(), calibration->samples.size());
    EXPECT_EQ(json.at("samples").front().at("value"), calibration->samples.front().value);
}

TEST_F(ProbeCpu, BadOptionsExitWithTwo)
{
    for (const std::string options : {"--fast", "--out", "surplus", "--quick=maybe"}) {
        const Finished finished = run(options);
        EXPECT_EQ(finished.status, 2) << options;
        EXPECT_NE(finished.error, "") << options;
    }
    EXPECT_TRUE(files(m_folder).empty());
}

TEST_F(ProbeCpu, HelpAndVersionExitWithZero)
{
    EXPECT_THAT(run("--help").out, HasSubstr("--quick"));
    EXPECT_EQ(run("--help").status, 0);
    EXPECT_THAT(run("--version").out, HasSubstr("ridgepoint-probe-cpu"));
}

TEST_F(ProbeCpu, AnUnwritableFileExitsWithTwoBeforeMeasuringAndLeavesNothing)
{
    std::filesystem::create_directory(m_folder / "folder");
    for (const std::string file : {"missing/file.yaml", "folder", "out/file.yaml", "/proc/file.yaml"}) {
        const Finished finished = run("--quick --out " + file);
        EXPECT_EQ(finished.status, 2) << file;
        EXPECT_THAT(finished.error, HasSubstr(file.substr(0, file.rfind('/')))) << finished.error;
        EXPECT_EQ(finished.out, "");
    }
    EXPECT_EQ(files(m_folder), std::vector<std::string>{"folder"});
    EXPECT_TRUE(files(m_folder / "folder").empty());
}

TEST_F(ProbeCpu, AStopKeepsWhatIsMeasured)
{
    // Not --quick: it takes half a minute, so the signal comes early in it.
    const Finished finished = run("--out kept.yaml", "timeout --signal=INT 3");
    // timeout says 124 for its own signal, whatever the program returns.
    EXPECT_EQ(finished.status, 124) << finished.error;
    const Result<Calibration> calibration = loadCalibration(m_folder / "kept.yaml");
    ASSERT_TRUE(calibration) << calibration.error().text() << finished.error;
    EXPECT_THAT(finished.error, HasSubstr("Stopped. "));
}

} // namespace
} // namespace ridgepoint
