// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/calibration_file.h"

#include "core/base/unit_text.h"
#include "core/io/text_file.h"
#include "core/io/yaml_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace ridgepoint {
namespace {

constexpr int mostRepeats = 1'000'000'000;
constexpr int mostUnits = 1'000'000;
constexpr double largestValue = 1e24;

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> sampleUnits = {
    {{"B/s", "B/s"}, {"FLOP/s", "FLOP/s"}, {"s", "s"}}};

/// Double quotes with escapes: any text reads back as it was.
std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + '"';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "2026-01-31", alone or followed by a UTC time as in "2026-01-31T12:00:00Z".
bool isDate(const std::string& text)
{
    constexpr std::string_view pattern = "dddd-dd-ddTdd:dd:ddZ";
    if (text.size() != 10 && text.size() != pattern.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (pattern[i] == 'd' ? !isDigit(text[i]) : text[i] != pattern[i])
            return false;
    }
    const auto number = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
    const int month = number(5);
    const int day = number(8);
    const bool timeOfDay = text.size() == 10 || (number(11) < 24 && number(14) < 60 && number(17) <= 60);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && timeOfDay;
}

bool isId(const std::string& text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || isDigit(c) || c == '-' || c == '.' || c == '_';
    });
}

CalibrationSample readSample(YamlFields& fields)
{
    CalibrationSample sample;
    sample.probe = fields.text("probe");
    sample.shape = fields.text("shape");
    sample.value = fields.number("value", {0, largestValue});
    sample.low = fields.number("low", {0, largestValue});
    sample.high = fields.number("high", {0, largestValue});
    sample.repeats = fields.integer("repeats", {1, mostRepeats});
    sample.unit = fields.choice<std::string_view>("unit", sampleUnits);
    if (fields.failed() || !fields.has("value") || !fields.has("low") || !fields.has("high"))
        return sample;
    if (sample.value <= 0)
        fields.refuse("value", "value is 0; a measured value is above 0");
    if (sample.low > sample.value)
        fields.refuse("low", "low is above value; it must be the first quartile, at most the median");
    if (sample.high < sample.value)
        fields.refuse("high", "high is below value; it must be the third quartile, at least the median");
    return sample;
}

} // namespace

Result<Calibration> readCalibration(const std::string& text, const std::string& file)
{
    const Result<YamlNode> root = parseYaml(text, file);
    if (!root)
        return fail(root.error());
    YamlErrors errors;
    errors.file = file;
    YamlFields fields(*root, errors);
    Calibration calibration;
    const int version = fields.integer("version", {0, mostRepeats});
    if (!fields.failed() && fields.has("version") && version != calibrationVersion) {
        fields.refuse("version",
                      fmt::format("version is {}; this program reads version {}{}", version, calibrationVersion,
                                  version > calibrationVersion ? ", a newer one may read this file" : ""));
        return finished(errors, calibration);
    }
    calibration.id = fields.text("id");
    if (fields.has("id") && !isId(calibration.id))
        fields.refuse("id",
                      "id has other characters than a-z, 0-9, '-', '.' and '_'; use those, such as my-server-2026");
    calibration.machine = fields.text("machine");
    calibration.conditions = fields.text("conditions", "");
    calibration.date = fields.text("date");
    if (fields.has("date") && !isDate(calibration.date))
        fields.refuse("date", fmt::format("date is \"{}\"; it must be such as 2026-01-31 or 2026-01-31T12:00:00Z",
                                          calibration.date));
    calibration.program = fields.text("program");
    calibration.units = fields.integer("units", {1, mostUnits});
    calibration.peakFlops = fields.quantity("peak", parseFlopRate, {0, largestValue}, FlopRate{}).value;
    calibration.memory = fields.quantity("memory", parseBytes, {0, largestValue}, Bytes{}).value;
    fields.maps("samples", [&](YamlFields& sample) { calibration.samples.push_back(readSample(sample)); });
    fields.finish();
    return finished(errors, calibration);
}

std::string writeCalibration(const Calibration& calibration)
{
    std::string out = "# Measured on one machine. Values are medians in base units; low and high are the quartiles.\n";
    out += fmt::format("version: {}\nid: {}\nmachine: {}\n", calibrationVersion, quoted(calibration.id),
                       quoted(calibration.machine));
    if (!calibration.conditions.empty())
        out += fmt::format("conditions: {}\n", quoted(calibration.conditions));
    out += fmt::format("date: {}\nprogram: {}\nunits: {}\n", quoted(calibration.date), quoted(calibration.program),
                       calibration.units);
    if (calibration.peakFlops > 0)
        out += fmt::format("peak: {} FLOP/s\n", plainNumber(calibration.peakFlops));
    if (calibration.memory > 0)
        out += fmt::format("memory: {} B\n", plainNumber(calibration.memory));
    out += "samples:\n";
    for (const CalibrationSample& sample : calibration.samples) {
        out += fmt::format("  - {{probe: {}, shape: {}, value: {}, low: {}, high: {}, repeats: {}, unit: {}}}\n",
                           quoted(sample.probe), quoted(sample.shape), plainNumber(sample.value),
                           plainNumber(sample.low), plainNumber(sample.high), sample.repeats, quoted(sample.unit));
    }
    return out;
}

Result<Calibration> loadCalibration(const std::filesystem::path& file)
{
    const Result<std::string> text = readTextFile(file);
    if (!text)
        return fail(text.error());
    return readCalibration(*text, file.string());
}

Result<void> saveCalibration(const Calibration& calibration, const std::filesystem::path& file)
{
    const std::string text = writeCalibration(calibration);
    if (const Result<Calibration> back = readCalibration(text, file.string()); !back)
        return fail(back.error());
    return writeTextFile(file, text);
}

} // namespace ridgepoint
