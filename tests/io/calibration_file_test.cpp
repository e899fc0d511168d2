// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_file.h"

#include "core/io/text_file.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace ridgepoint {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Calibration example()
{
    Calibration calibration;
    calibration.id = "my-server-2026";
    calibration.machine = "Example \"X\" 9000 \\ µ # : {rev 2}";
    calibration.conditions = "8 cores, governor performance";
    calibration.date = "2026-01-31T12:00:00Z";
    calibration.program = "ridgepoint-probe-cpu 0.1.0";
    calibration.units = 8;
    calibration.peakFlops = 1.0 / 3.0 * 1e12;
    calibration.samples = {{"stream_triad", "bytes=24576 threads=1", 1.1e11, 1.0e11, 1.2e11 + 1.0 / 7.0, 9, "B/s"},
                           {"matmul", "m=256 n=256 k=256", 5e-324, 0, std::numeric_limits<double>::min(), 1, "FLOP/s"},
                           {"launch", "none", 1e-6, 1e-6, 1e-6, 1'000'000, "s"}};
    return calibration;
}

/// A valid file with one piece of text exchanged.
std::string fileWith(const std::string& from, const std::string& to)
{
    std::string text = "version: 1\n"
                       "id: my-server\n"
                       "machine: Example\n"
                       "date: 2026-01-31\n"
                       "program: probe 1\n"
                       "units: 8\n"
                       "peak: 2 TFLOP/s\n"
                       "samples:\n"
                       "  - {probe: p, shape: s, value: 3, low: 2, high: 4, repeats: 5, unit: B/s}\n";
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(CalibrationFile, ReadsBackWhatItWrites)
{
    const Calibration calibration = example();
    const Result<Calibration> back = readCalibration(writeCalibration(calibration), "file.yaml");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, calibration);
}

TEST(CalibrationFile, PeakAndConditionsMayBeUnknown)
{
    Calibration calibration = example();
    calibration.peakFlops = 0;
    calibration.conditions.clear();
    const std::string text = writeCalibration(calibration);
    EXPECT_EQ(text.find("peak"), std::string::npos);
    const Result<Calibration> back = readCalibration(text, "file.yaml");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, calibration);
}

TEST(CalibrationFile, ReadsUnitsOfThePeak)
{
    const Result<Calibration> read = readCalibration(fileWith("my-server", "other"), "file.yaml");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->id, "other");
    EXPECT_DOUBLE_EQ(read->peakFlops, 2e12);
}

struct Mistake
{
    std::string from, to;
    std::string where;      ///< what the message starts with
    std::string says;       ///< and a part of it
};

TEST(CalibrationFile, SaysWhatIsWrongAndWhere)
{
    const std::vector<Mistake> mistakes = {
        {"version: 1", "version: 2", "f.yaml:1:10:", "version 1"},
        {"version: 1", "version: 0", "f.yaml:1:10:", "version 1"},
        {"version: 1", "version: one", "f.yaml:1:10:", "whole number"},
        {"version: 1\n", "", "f.yaml:1:1:", "version is missing"},
        {"id: my-server", "id: My Server", "f.yaml:2:5:", "a-z"},
        {"id: my-server", "id: ../escape", "f.yaml:2:5:", "a-z"},
        {"id: my-server", "id: [a]", "f.yaml:2:5:", "single value"},
        {"machine: Example", "machine: \"\"", "f.yaml:3:10:", "empty"},
        {"machine: Example", "machin: Example", "f.yaml:3:1:", "machin"},
        {"date: 2026-01-31", "date: 31.1.2026", "f.yaml:4:7:", "2026-01-31"},
        {"date: 2026-01-31", "date: 2026-13-31", "f.yaml:4:7:", "2026-01-31"},
        {"date: 2026-01-31", "date: 2026-01-31T25:00:00Z", "f.yaml:4:7:", "2026-01-31"},
        {"units: 8", "units: 0", "f.yaml:6:8:", "from 1"},
        {"units: 8", "units: -8", "f.yaml:6:8:", "from 1"},
        {"units: 8", "units: 8.5", "f.yaml:6:8:", "whole number"},
        {"units: 8", "units: 99999999999999999999", "f.yaml:6:8:", "from 1"},
        {"peak: 2 TFLOP/s", "peak: 2", "f.yaml:7:7:", "FLOP/s"},
        {"peak: 2 TFLOP/s", "peak: -2 TFLOP/s", "f.yaml:7:7:", "peak"},
        {"peak: 2 TFLOP/s", "peak: 2 TB/s", "f.yaml:7:7:", "FLOP/s"},
        {"value: 3", "value: -3", "f.yaml:9:33:", "value"},
        {"value: 3", "value: .nan", "f.yaml:9:33:", "value"},
        {"value: 3", "value: .inf", "f.yaml:9:33:", "value"},
        {"value: 3", "value: 1e999", "f.yaml:9:33:", "value"},
        {"value: 3", "value: many", "f.yaml:9:33:", "value"},
        {"value: 3, low: 2", "value: 0, low: 0", "f.yaml:9:33:", "above 0"},
        {"value: 3, ", "", "f.yaml:9:5:", "value is missing"},
        {"low: 2", "low: 3.5", "f.yaml:9:41:", "first quartile"},
        {"high: 4", "high: 2.5", "f.yaml:9:50:", "third quartile"},
        {"repeats: 5", "repeats: 0", "f.yaml:9:62:", "from 1"},
        {"unit: B/s", "unit: GB/s", "f.yaml:9:71:", "B/s, FLOP/s or s"},
        {"unit: B/s", "units: B/s", "f.yaml:9:65:", "units"},
        {"unit: B/s}", "unit: B/s", "f.yaml:9", ""},
        {"samples:\n", "samples: []\nlater:\n", "f.yaml:8:10:", "at least one"},
    };
    for (const Mistake& mistake : mistakes) {
        const Result<Calibration> read = readCalibration(fileWith(mistake.from, mistake.to), "f.yaml");
        ASSERT_FALSE(read) << mistake.to;
        EXPECT_THAT(read.error().text(), StartsWith(mistake.where)) << mistake.to;
        EXPECT_THAT(read.error().text(), HasSubstr(mistake.says)) << mistake.to;
    }
}

TEST(CalibrationFile, RefusesToSaveWhatCouldNotBeReadAndLeavesTheOldFileWhole)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("ridgepoint-calibration-" + std::to_string(getpid()) + ".yaml");
    ASSERT_TRUE(saveCalibration(example(), file));
    for (const double impossible :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0}) {
        Calibration calibration = example();
        calibration.samples.front().value = impossible;
        EXPECT_FALSE(saveCalibration(calibration, file));
    }
    Calibration empty = example();
    empty.samples.clear();
    EXPECT_FALSE(saveCalibration(empty, file));
    const Result<Calibration> back = loadCalibration(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, example());
}

TEST(CalibrationFile, AFileThatIsNotThereIsAnError)
{
    const Result<Calibration> read = loadCalibration("/nonexistent/calibration.yaml");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().text(), HasSubstr("/nonexistent/calibration.yaml"));
}

} // namespace
} // namespace ridgepoint
