// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/project_file.h"

#include "tests/scenario/board.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

using namespace ridgepoint;
using samples::boardPresets;
using testing::HasSubstr;

namespace {

Project sampleProject()
{
    return {*sampleComparison(boardPresets()), 2};
}

Project reread(const Project& project)
{
    const std::string text = writeProject(project, boardPresets());
    const Result<Project> read = readProject(text, "board.yaml", boardPresets());
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().text()) << "\n" << text;
    return read.value_or(Project{});
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

} // namespace

TEST(ProjectFile, WhatIsWrittenReadsBackEqual)
{
    EXPECT_EQ(reread(sampleProject()), sampleProject());
}

TEST(ProjectFile, EveryKnobIsKept)
{
    for (const Knob& knob : knobs()) {
        Project project = sampleProject();
        Scenario& scenario = project.configurations[1];
        const KnobValue value = knob.kind == KnobKind::choice
                                    ? KnobValue(knob.choices(scenario, boardPresets()).back().id)
                                : knob.integer ? KnobValue(knob.minimum + 2.0)
                                               : KnobValue(knob.minimum + (knob.maximum - knob.minimum) / 7.0);
        const Result<Scenario> changed = withKnob(scenario, knob.id, value, boardPresets());
        ASSERT_TRUE(changed.has_value()) << knob.id;
        scenario = *changed;
        EXPECT_EQ(reread(project), project) << knob.id;
    }
}

TEST(ProjectFile, HoldsOnlyPresetIdsAndKnobsThatDiffer)
{
    Project project = sampleProject();
    std::string text = writeProject(project, boardPresets());
    EXPECT_THAT(text, HasSubstr("hardware.system: hgx-h100-8"));
    EXPECT_THAT(text, testing::Not(HasSubstr("memory_bandwidth")));
    project.configurations[0] = *withKnob(project.configurations[0], "hardware.memory_bandwidth", 4.5, boardPresets());
    EXPECT_THAT(writeProject(project, boardPresets()), HasSubstr("hardware.memory_bandwidth: 4.5\n"));
}

TEST(ProjectFile, NamesOfAnyTextSurvive)
{
    for (const char* name :
         {"", "plain", "with: colon", "\"quoted\" # not a comment", "8 × H100 · ä", "~", "[1, 2]", "null"}) {
        Project project = sampleProject();
        project.configurations[0].name = name;
        EXPECT_EQ(reread(project), project) << name;
    }
}

TEST(ProjectFile, EmbedsNetworksThatNoPresetHolds)
{
    Project project = sampleProject();
    Network imported = samples::gptOss120b();
    imported.id = "my-model";
    imported.name = "Mine: of 2026";
    project.configurations[0].network = imported;
    project.configurations[1].network = imported;
    EXPECT_THAT(writeProject(project, boardPresets()), HasSubstr("my-model: |"));
    EXPECT_EQ(reread(project), project);

    imported.id = project.configurations[2].network.id;   // hides a preset of another content
    project.configurations[0].network = imported;
    const Project read = reread(project);
    EXPECT_EQ(read.configurations[0].network.layers, imported.layers);
    EXPECT_EQ(read.configurations[2], project.configurations[2]);
}

TEST(ProjectFile, MistakesAreSaidWithTheirPlaceAndWhatWouldBeRight)
{
    const std::string good = writeProject(sampleProject(), boardPresets());
    struct Case
    {
        std::string from, to, where, right;
    };
    const std::vector<Case> cases{
        {"version: 1", "version: 2", "board.yaml:2:10", "reads version 1"},
        {"version: 1", "edition: 1", "board.yaml:2:1", "version: 1"},
        {"baseline: C", "baseline: E", "board.yaml:3:11", "from A to D"},
        {"baseline: C", "base: C", "board.yaml:3:1", "baseline"},
        {"configurations:", "columns:", "board.yaml:4:1", "configurations"},
        {"    knobs:", "    nobs:", "board.yaml:6:5", "name and knobs"},
        {"hardware.system: hgx-h100-8", "hardware.system: abacus", "board.yaml:7:24", "hgx-h100-8"},
        {"hardware.system: hgx-h100-8", "hardware.sistem: hgx-h100-8", "board.yaml:7:7", "hardware.system"},
        {"load.concurrency: 64", "load.concurrency: 0", "", "from 1 to 65536"},
        {"load.concurrency: 64", "load.concurrency: sixty", "", "from 1 to 65536"},
        {"load.concurrency: 64", "load.concurrency: [64]", "", "a single value"},
        {"precision.kv: fp8", "precision.kv: fp7", "", "bf16, fp8, int8"},
        {"precision.kv: fp8", "precision.kv: .nan", "", "bf16, fp8, int8"},
        {"  - name", "  * name", "board.yaml:5:4", ""},
    };
    for (const Case& one : cases) {
        const Result<Project> read = readProject(replaced(good, one.from, one.to), "board.yaml", boardPresets());
        ASSERT_FALSE(read.has_value()) << one.to;
        EXPECT_THAT(read.error().text(), testing::StartsWith(one.where)) << one.to;
        EXPECT_THAT(read.error().text(), HasSubstr(one.right));
        EXPECT_GT(read.error().line, 0);
        EXPECT_GT(read.error().column, 0);
    }
}

TEST(ProjectFile, MistakesInAnEmbeddedNetworkAreFoundInTheFile)
{
    Project project = sampleProject();
    project.configurations[0].network.id = "mine";
    project.configurations[0].network.hidden += 128;
    const std::string text = writeProject(project, boardPresets());
    const std::string faulty = replaced(text, "    hidden: ", "    hiden: ");
    const auto lineOf = [&](std::size_t at) {
        return 1 + std::count(faulty.begin(), faulty.begin() + std::ptrdiff_t(at), '\n');
    };
    const Result<Project> read = readProject(faulty, "board.yaml", boardPresets());
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().line, lineOf(faulty.find("hiden"))) << read.error().text() << "\n" << faulty;
    EXPECT_EQ(read.error().column, 5);
}

TEST(ProjectFile, TakesOneToEightConfigurations)
{
    Project project = sampleProject();
    project.configurations.resize(1);
    project.baseline = 0;
    EXPECT_EQ(reread(project), project);
    project.configurations.resize(8, project.configurations[0]);
    EXPECT_EQ(reread(project), project);
    project.configurations.resize(9, project.configurations[0]);
    EXPECT_THAT(readProject(writeProject(project, boardPresets()), "board.yaml", boardPresets()).error().text(),
                HasSubstr("1 to 8"));
    EXPECT_FALSE(readProject("version: 1\nconfigurations: []\n", "board.yaml", boardPresets()));
}

TEST(ProjectFile, SavesWholeAndAFailedSaveLeavesTheOldFile)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ridgepoint_project_test";
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / "board.yaml";
    ASSERT_TRUE(saveProject(sampleProject(), file, boardPresets()));
    EXPECT_EQ(*loadProject(file, boardPresets()), sampleProject());
    EXPECT_FALSE(saveProject(sampleProject(), folder / "missing" / "board.yaml", boardPresets()));
    EXPECT_EQ(*loadProject(file, boardPresets()), sampleProject());
    EXPECT_FALSE(loadProject(folder / "none.yaml", boardPresets()));
    std::filesystem::remove_all(folder);
}
