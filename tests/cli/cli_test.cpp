// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const std::string source = RIDGEPOINT_SOURCE_DIR;
const std::string configs = source + "/tests/validation/data/model_configs/";

std::string textOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::string quoted(const std::string& argument)
{
    std::string text = "'";
    for (const char c : argument)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

struct Outcome
{
    int code = -1;
    std::string out, err;
};

/// Runs the program with presets of the source tree and a data folder of its own.
class Cli : public testing::Test
{
protected:
    Cli()
    {
        std::string pattern = (fs::temp_directory_path() / "ridgepoint-cli-XXXXXX").string();
        m_folder = mkdtemp(pattern.data());
    }
    ~Cli() override
    {
        std::error_code error;
        fs::remove_all(m_folder, error);
    }

    Outcome run(const std::vector<std::string>& arguments) const
    {
        std::string command = "cd " + quoted(m_folder) + " && XDG_DATA_HOME=" + quoted(m_folder + "/data") +
                              " RIDGEPOINT_PRESETS=" + quoted(source + "/presets") + " " + quoted(RIDGEPOINT_CLI);
        for (const std::string& argument : arguments)
            command += " " + quoted(argument);
        command += " >out 2>err </dev/null";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(m_folder + "/out"), textOf(m_folder + "/err")};
    }

    [[nodiscard]] const std::string& folder() const { return m_folder; }

    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder + "/" + name, std::ios::binary) << text;
    }

private:
    std::string m_folder;
};

/// The output equals what a person approved; what was received lies beside the test program otherwise.
void expectApproved(const std::string& name, const std::string& received)
{
    const std::string approved = textOf(source + "/tests/approved/" + name);
    if (received == approved)
        return;
    const std::string file = fs::absolute("received_" + name).string();
    std::ofstream(file, std::ios::binary) << received;
    ADD_FAILURE() << "output differs from tests/approved/" << name << "; when the change is right, copy " << file
                  << " over it";
}

TEST_F(Cli, EvaluatePrintsAReportForPeople)
{
    const Outcome result = run({"evaluate"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    for (const char* part : {"TPOT, mean", "Time of an output token (ms)", "Memory of the fullest device (GiB)",
                             "Visible memory", "Not modelled"})
        EXPECT_THAT(result.out, HasSubstr(part));
}

TEST_F(Cli, EvaluateHasTheDocumentedJsonKeys)
{
    const Outcome result = run({"evaluate", "--json", "--explain"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json report = json::parse(result.out);
    for (const char* key : {"name", "hardware", "scenario", "verdict", "short_by_bytes", "metrics", "breakdowns",
                            "footprint", "operators", "findings", "not_modelled", "provenance", "band", "parameters",
                            "active_parameters", "kv_bytes_per_token", "kv_format", "activation_format", "explanation"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_GT(report.at("metrics").at("tpot_ms").get<double>(), 0.0);
    EXPECT_EQ(report.at("parameters"), 70'553'706'496);
}

TEST_F(Cli, MemoryHoldsTheLedgerAgainstALog)
{
    write("vllm.log", "INFO Initializing a V1 LLM engine with config: model='m', max_seq_len=131072, tensor_parallel_size=1\n"
                      "INFO Model loading took 14.9889 GiB and 3.65 seconds\n"
                      "INFO Available KV cache memory: 51.38 GiB\nINFO GPU KV cache size: 420,864 tokens\n");
    const auto memory = [&](const std::string& cache, std::vector<std::string> more) {
        std::vector<std::string> arguments{"memory", "--log", "vllm.log", "--network", "llama-3.1-8b", "--set", "parallel.tp=1",
                                           "--set", "precision.weights=bf16", "--set", "precision.kv=" + cache};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    };
    const Outcome text = memory("fp8", {});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("KV cache: BF16 in place of FP8"));
    const json agreed = json::parse(memory("bf16", {"--json"}).out);
    EXPECT_TRUE(agreed["changes"].empty());
    for (const json& line : agreed["ledger"])
        EXPECT_NE(line["agreement"], "disagrees") << line["line"];
    write("vllm.log", "hello\n");
    const Outcome wrong = memory("fp8", {});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("GPU KV cache size"));
    EXPECT_TRUE(wrong.out.empty());
}

TEST_F(Cli, DefinitionsChangeLabelsWithNumbers)
{
    const Outcome other = run({"evaluate", "--define", "tpot=with-first", "--define", "memory=gb"});
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.out, HasSubstr("TPOT with the first token"));
    EXPECT_THAT(other.out, HasSubstr("(GB)"));
    EXPECT_THAT(other.out, testing::Not(HasSubstr("GiB")));
    const Outcome wrong = run({"evaluate", "--define", "peak=sparse"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("tpot, memory, arithmetic, links"));
}

TEST_F(Cli, KnobsAndShortcutsChangeTheConfiguration)
{
    const Outcome result =
        run({"evaluate", "--json", "--system", "hgx-h200-8", "--network", "llama-3.1-8b", "--engine", "ideal",
             "--price", "unknown", "--set", "parallel.tp=2", "--set", "load.concurrency=7"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json scenario = json::parse(result.out).at("scenario");
    EXPECT_EQ(scenario.at("hardware.system"), "hgx-h200-8");
    EXPECT_EQ(scenario.at("network.preset"), "llama-3.1-8b");
    EXPECT_EQ(scenario.at("engine.preset"), "ideal");
    EXPECT_EQ(scenario.at("parallel.tp"), 2);
    EXPECT_EQ(scenario.at("load.concurrency"), 7);
}

TEST_F(Cli, ANetworkCanBeAFile)
{
    const Outcome result =
        run({"evaluate", "--json", "--network", configs + "meta-llama--Meta-Llama-3.1-8B_config.json"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(json::parse(result.out).at("parameters"), 8'030'261'248);
}

TEST_F(Cli, WhatDoesNotFitEndsWithThreeAndHasNoNumbers)
{
    const Outcome result = run({"evaluate", "--json", "--network", "deepseek-r1", "--set", "parallel.tp=1"});
    EXPECT_EQ(result.code, 3);
    const json report = json::parse(result.out);
    EXPECT_EQ(report.at("verdict"), "does_not_fit");
    EXPECT_GT(report.at("short_by_bytes").get<double>(), 0.0);
    for (const auto& [id, value] : report.at("metrics").items())
        EXPECT_TRUE(value.is_null()) << id;
    EXPECT_EQ(run({"compare", "--column", "hgx-h100-8,parallel.tp=1", "--network", "deepseek-r1"}).code, 3);
}

TEST_F(Cli, CompareShowsTheSampleWithoutArguments)
{
    const Outcome result = run({"compare"});
    EXPECT_EQ(result.code, 0) << result.err;
    for (const char* part : {"(baseline)", "H200", "MI300X", "B200", "Inversions", "Rent", "Output per watt",
                             "Output per dollar", "per device", "Not modelled", "Numbers rest on"})
        EXPECT_THAT(result.out, HasSubstr(part));
}

TEST_F(Cli, CompareTakesColumnsAndABaseline)
{
    const Outcome result =
        run({"compare", "--json", "--column", "hgx-h100-8,parallel.tp=8", "--column",
             "hgx-h200-8,parallel.tp=4,name=ours", "--baseline", "2", "--set", "load.concurrency=32"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json comparison = json::parse(result.out);
    EXPECT_EQ(comparison.at("baseline"), 1);
    ASSERT_EQ(comparison.at("configurations").size(), 2u);
    const json& ours = comparison.at("configurations").at(1);
    EXPECT_EQ(ours.at("name"), "ours");
    EXPECT_EQ(ours.at("scenario").at("parallel.tp"), 4);
    EXPECT_EQ(ours.at("scenario").at("load.concurrency"), 32);
    EXPECT_EQ(ours.at("ratio_to_baseline").at("tpot_ms"), 1.0);
    EXPECT_TRUE(comparison.contains("inversions"));
    EXPECT_TRUE(comparison.contains("metrics"));
}

TEST_F(Cli, ANarrowTerminalGetsItsColumnsInParts)
{
    ::setenv("COLUMNS", "100", 1);
    const Outcome result = run({"compare"});
    ::unsetenv("COLUMNS");
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    int parts = 0;
    for (std::string line; std::getline(lines, line);) {
        parts += line.starts_with("TTFT, mean") ? 1 : 0;
        EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }), 100) << line;
    }
    EXPECT_GE(parts, 2);
    EXPECT_LE(parts, 4);
}

TEST_F(Cli, CompareWritesCsv)
{
    const Outcome result = run({"compare", "--csv"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, testing::StartsWith("kind,id,label,unit,"));
    EXPECT_THAT(result.out, HasSubstr("metric,tpot_ms,"));
}

TEST_F(Cli, FiguresNamesTheFilesItWrites)
{
    const Outcome result = run({"figures", "--out", "charts"});
    ASSERT_EQ(result.code, 0) << result.err;
    std::istringstream lines(result.out);
    int files = 0;
    for (std::string file; std::getline(lines, file); ++files) {
        const std::string text = textOf(folder() + "/" + file);
        EXPECT_FALSE(text.empty()) << file;
        EXPECT_TRUE(file.ends_with(".csv") || json::accept(text)) << file;
    }
    EXPECT_EQ(files, 18);   // eight figures and the comparison, in two forms
}

TEST_F(Cli, AFolderThatCannotBeWrittenEndsWithFour)
{
    write("plain", "a file where a folder should be");
    const Outcome result = run({"figures", "--out", "plain/charts", "--figure", "roofline"});
    EXPECT_EQ(result.code, 4);
    EXPECT_NE(result.err, "");
}

TEST_F(Cli, KnobsListsWhatCanBeSet)
{
    const std::string text = run({"knobs"}).out;
    const json list = json::parse(run({"knobs", "--json"}).out).at("knobs");
    EXPECT_GT(list.size(), 20u);
    for (const json& knob : list) {
        EXPECT_NE(text.find(knob.at("id").get<std::string>()), std::string::npos) << knob.at("id");
        for (const char* key :
             {"id", "group", "label", "unit", "kind", "minimum", "maximum", "whole", "scale", "choices", "help"})
            EXPECT_TRUE(knob.contains(key)) << key;
    }
}

TEST_F(Cli, PresetsListsEveryKindWithItsSource)
{
    const Outcome result = run({"presets", "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
    const json list = json::parse(result.out);
    EXPECT_TRUE(list.at("errors").empty());
    std::map<std::string, int> kinds;
    for (const json& preset : list.at("presets"))
        ++kinds[preset.at("kind").get<std::string>()];
    for (const char* kind : {"device", "system", "network", "engine", "price", "kernels"})
        EXPECT_GT(kinds[kind], 0) << kind;
    EXPECT_GE(kinds["network"], 10);
    EXPECT_GT(list.at("sources").size(), 10u);
}

TEST_F(Cli, PresetsNamesWhatItCannotLoad)
{
    fs::create_directories(folder() + "/mine/networks");
    write("mine/networks/broken.yaml", "name: Broken\nhiden: 12\n");
    const Outcome result = run({"presets", "--presets", "mine"});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("broken.yaml:2:1"));
    EXPECT_THAT(result.out, HasSubstr("llama-3.1-8b"));
}

TEST_F(Cli, ImportHasTheDocumentedJsonKeys)
{
    for (const std::string name : {"openai--gpt-oss-120b", "nvidia--GLM-5-NVFP4"}) {
        const Outcome result = run({"import", configs + name + "_config.json", "--json"});
        ASSERT_EQ(result.code, 0) << result.err;
        const json report = json::parse(result.out);
        for (const char* key : {"file",
                                "id",
                                "name",
                                "aliases",
                                "architecture",
                                "parameters",
                                "active_parameters",
                                "embedding_parameters",
                                "kv_bytes_per_token",
                                "kv_bytes_per_token_by_format",
                                "weight_bytes",
                                "layers",
                                "hidden",
                                "vocabulary",
                                "maximum_context",
                                "weight_format",
                                "activation_format",
                                "kv_format",
                                "left_out",
                                "findings",
                                "saved"})
            EXPECT_TRUE(report.contains(key)) << key;
    }
}

TEST_F(Cli, ImportPrintsWhatAPersonApproved)
{
    for (const std::string name : {"meta-llama--Meta-Llama-3.1-8B", "deepseek-ai--DeepSeek-R1", "nvidia--GLM-5-NVFP4",
                                   "Qwen--Qwen3.5-397B-A17B"}) {
        expectApproved("import_" + name + ".txt", run({"import", configs + name + "_config.json"}).out);
        expectApproved("import_" + name + ".yaml", run({"import", configs + name + "_config.json", "--yaml"}).out);
    }
}

TEST_F(Cli, ASavedImportIsAPreset)
{
    const Outcome saved = run({"import", configs + "meta-llama--Meta-Llama-3.1-8B_config.json", "--save", "--id",
                               "mine", "--name", "My own", "--alias", "our-8b"});
    ASSERT_EQ(saved.code, 0) << saved.err;
    EXPECT_TRUE(fs::exists(folder() + "/data/ridgepoint/presets/networks/mine.yaml"));
    const Outcome result = run({"evaluate", "--json", "--network", "our-8b"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(json::parse(result.out).at("scenario").at("network.preset"), "mine");
}

TEST_F(Cli, MistakesEndWithTwoAndSayWhatWouldBeRight)
{
    write("broken.json", "{\"architectures\": [\n");
    write("huge.json", "{\"hidden_size\": 1e999}");
    write("notes.md", "a text");
    write("unknown.json", R"({"architectures": ["FooForCausalLM"], "hash_layers": 3})");
    struct Mistake
    {
        std::vector<std::string> arguments;
        std::string says;
    };
    for (const Mistake& mistake :
         {Mistake{{}, "subcommand"},
          {{"frobnicate"}, "frobnicate"},
          {{"evaluate", "--frobnicate"}, "--frobnicate"},
          {{"evaluate", "--json", "--csv"}, "--json"},
          {{"evaluate", "--set", "load.concurrency"}, "knob=value"},
          {{"evaluate", "--set", "load.concurency=4"}, "load.concurrency"},
          {{"evaluate", "--set", "load.concurrency=many"}, "whole numbers from 1"},
          {{"evaluate", "--set", "load.concurrency=1e9"}, "65536"},
          {{"evaluate", "--set", "load.concurrency=nan"}, "number"},
          {{"evaluate", "--set", "precision.kv=fp2"}, "fp8"},
          {{"evaluate", "--network", "gpt-17"}, "llama-3.3-70b"},
          {{"evaluate", "--network", "broken.json"}, "broken.json:2:1"},
          {{"evaluate", "nowhere.yaml"}, "nowhere.yaml"},
          {{"compare", "--column", "hgx-h100-9"}, "hgx-h100-8"},
          {{"compare", "--baseline", "9"}, "from 1 to 4"},
          {{"figures", "--figure", "pie"}, "roofline"},
          {{"import"}, "file"},
          {{"import", "nowhere.json"}, "nowhere.json"},
          {{"import", "broken.json"}, "broken.json:2:1"},
          {{"import", "unknown.json"}, "fields not understood: hash_layers"},
          {{"import", configs + "zai-org--GLM-5_config.json", "--id", "../up"}, "lower-case"},
          {{"import", configs + "zai-org--GLM-5_config.json", "--save", "--alias", ""}, "not empty"},
          {{"import", configs + "zai-org--GLM-5_config.json", "--save", "--alias", "llama-3.1-8b"}, "is taken"},
          {{"compare", "--baseline", "-1"}, "from 1, and not \"-1\""},
          {{"compare", "--baseline", "0"}, "from 1"},
          {{"compare", "--baseline", ""}, "from 1"},
          {{"compare", "--baseline", "x"}, "from 1"},
          {{"evaluate", "--system", ""}, "not empty"},
          {{"evaluate", "--network", ""}, "not empty"},
          {{"evaluate", "--price", ""}, "not empty"},
          {{"figures", "--out", ""}, "not empty"},
          {{"evaluate", "--presets", "/nonexistent"}, "needs a folder"},
          {{"compare", "--presets", ""}, "needs a folder"},
          {{"figures", "--presets", "broken.json"}, "needs a folder"},
          {{"evaluate", "--network", "nosuch.json"}, "there is no such file"},
          {{"evaluate", "--network", "."}, "is a folder"},
          {{"evaluate", "--network", "notes.md"}, "neither a .json nor a .yaml"},
          {{"evaluate", "--set", "Parallel.TP=2"}, "did you mean \"parallel.tp\"?"},
          {{"evaluate", "--set", "tp=2"}, "did you mean \"parallel.tp\"?"},
          {{"evaluate", "--set", "foo=1"}, "`ridgepoint-cli knobs` lists them"},
          {{"evaluate", "--set", "hardware.peak_bf16=1e9"}, "1000000000 does not apply; it takes numbers from 0.1 to "
                                                            "100000 TFLOP/s"},
          {{"evaluate", "--set", "load.concurrency=-1"}, "-1 does not apply"},
          {{"import", "huge.json"}, "number overflow"}}) {
        const Outcome result = run(mistake.arguments);
        EXPECT_TRUE(result.err.starts_with("ridgepoint-cli: ")) << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_THAT(result.err, testing::Not(HasSubstr("json.exception")));
        EXPECT_EQ(result.code, 2) << mistake.says;
        EXPECT_EQ(result.out, "") << mistake.says;
        EXPECT_THAT(result.err, HasSubstr(mistake.says));
    }
}

TEST_F(Cli, OutputThatCannotBeWrittenEndsWithFour)
{
    ASSERT_TRUE(fs::exists("/dev/full")) << "every Linux has it";
    const std::string command = "RIDGEPOINT_PRESETS=" + quoted(source + "/presets") + " " + quoted(RIDGEPOINT_CLI) +
                                " evaluate >/dev/full 2>" + quoted(folder() + "/err");
    const int status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 4);
    EXPECT_THAT(textOf(folder() + "/err"), HasSubstr("cannot be written"));
}

TEST_F(Cli, NamesOfOthersNeitherColourTheTerminalNorBreakTheTable)
{
    const Outcome result = run({"compare", "--column", "hgx-h100-8,name=a\nb\x1b[31m\xc2\x9b", "--column",
                                "hgx-h200-8,name=\u6bd4\u8f03"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::Not(HasSubstr("\x1b")));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(result.out, HasSubstr("A · a b [31m"));
}

TEST_F(Cli, WhatDoesNotFitShowsWhatTakesTheMemory)
{
    const Outcome result = run({"evaluate", "--set", "parallel.tp=1"});
    EXPECT_EQ(result.code, 3);
    for (const char* part : {"Memory of the fullest device (GiB)", "  Weights ", "KV cache of one request"})
        EXPECT_THAT(result.out, HasSubstr(part));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("–")));
}

TEST_F(Cli, LongTimesAndOneTokenReadWell)
{
    const Outcome result = run({"evaluate", "--engine", "ideal", "--system", "rtx-4090-2-pcie", "--network",
                                "llama-3.1-8b", "--set", "load.input_tokens=1", "--set", "load.output_tokens=130000",
                                "--set", "load.concurrency=65536"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, testing::ContainsRegex("TTFT, mean +[0-9.]+.*(days|h)"));
    EXPECT_THAT(result.out, HasSubstr("1 token in, 130,000 out"));
    EXPECT_THAT(result.out, HasSubstr("Ideal, no engine"));
    EXPECT_THAT(result.out, HasSubstr("Reading the prompt"));
}

TEST_F(Cli, AnUnknownCapacityIsNotZero)
{
    const std::string text = run({"presets"}).out;
    EXPECT_THAT(text, HasSubstr("capacity not set"));
    EXPECT_THAT(text, testing::Not(HasSubstr(" 0\u00a0GB")));
}

TEST_F(Cli, HelpIsNoMistake)
{
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--help"}, {"evaluate", "--help"}, {"compare", "--help"}, {"import", "--help"},
          {"--version"}}) {
        const Outcome result = run(arguments);
        EXPECT_EQ(result.code, 0);
        EXPECT_THAT(result.out, HasSubstr("ridgepoint-cli"));
    }
}

TEST_F(Cli, SweepGivesEveryCombinationAndSaysWhatIsLeftOut)
{
    const Outcome result = run({"sweep", "--vary", "load.concurrency=1..1024", "--vary", "precision.kv=bf16,fp8", "--limit",
                                "ttft_ms<=800", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json out = json::parse(result.out);
    const json& counts = out.at("counts");
    EXPECT_EQ(out.at("points").size(), 22U);
    EXPECT_EQ(counts.at("points"), 22);
    EXPECT_GT(counts.at("breaks_limit").at("ttft_ms").get<int>(), 0);
    for (const json& point : out.at("points")) {
        const bool allowed = point.at("outcome") == "allowed";
        EXPECT_EQ(allowed, point.at("metrics").at("ttft_ms").get<double>() <= 800.0);
    }
}

TEST_F(Cli, SweepAgreesWithEvaluateAndWritesEveryMetric)
{
    ASSERT_EQ(run({"sweep", "--vary", "parallel.tp=4,8", "--vary", "load.concurrency=16", "--out", "all.csv"}).code, 0);
    const Outcome one = run({"evaluate", "--json", "--set", "parallel.tp=4", "--set", "load.concurrency=16"});
    const json metrics = json::parse(one.out).at("metrics");
    std::stringstream lines(textOf(folder() + "/all.csv"));
    std::string header, first;
    std::getline(lines, header);
    std::getline(lines, first);
    std::stringstream names(header), cells(first);
    std::string name, cell;
    int compared = 0;
    while (std::getline(names, name, ',') && std::getline(cells, cell, ','))
        if (metrics.contains(name) && metrics.at(name).is_number()) {
            EXPECT_NEAR(std::stod(cell) / metrics.at(name).get<double>(), 1.0, 1e-8) << name;
            ++compared;
        }
    EXPECT_GT(compared, 15);
}

TEST_F(Cli, OptimizePutsTheBestFirstWithinTheLimits)
{
    const Outcome result = run({"optimize", "--objective", "tpot_ms", "--limit", "output_tokens_per_s>=1000", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    double before = 0;
    const json out = json::parse(result.out);
    EXPECT_EQ(out.at("points").size(), 10U);
    for (const json& point : out.at("points")) {
        EXPECT_GE(point.at("metrics").at("tpot_ms").get<double>(), before);
        EXPECT_GE(point.at("metrics").at("output_tokens_per_s").get<double>(), 1000.0);
        before = point.at("metrics").at("tpot_ms").get<double>();
    }
    EXPECT_EQ(run({"optimize", "--limit", "tpot_ms<=0.001"}).code, 3);
}

TEST_F(Cli, SizeMultipliesOut)
{
    const Outcome result = run({"size", "--rate", "50", "--limit", "ttft_ms<=2000", "--limit", "tpot_ms<=40", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json out = json::parse(result.out);
    for (const json& option : out.at("options")) {
        if (!option.at("works").get<bool>())
            continue;
        EXPECT_EQ(option.at("devices").get<int>(),
                  option.at("replicas").get<int>() * option.at("devices_per_replica").get<int>());
        EXPECT_EQ(option.at("replicas").get<int>(), option.at("replicas_for_load").get<int>() +
                                                        option.at("replicas_for_headroom").get<int>() +
                                                        option.at("replicas_for_failures").get<int>());
        EXPECT_LE(option.at("tpot_ms").get<double>(), 40.0);
    }
    EXPECT_EQ(run({"size", "--rate", "50", "--limit", "tpot_ms<=0.001"}).code, 3);
    EXPECT_EQ(run({"size"}).code, 2);
    EXPECT_EQ(run({"size", "--rate", "-1"}).code, 2);
}

TEST_F(Cli, DiffSharesOutTheWholeDifference)
{
    const Outcome result = run({"diff", "--metric", "cost_per_million_output_all_in", "--break-even",
                                "price.per_device_hour", "--first-only", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json out = json::parse(result.out);
    double sum = 0;
    for (const json& step : out.at("contributions"))
        sum += step.at("change").get<double>();
    EXPECT_NEAR(sum, out.at("to").get<double>() - out.at("from").get<double>(), 1e-9);
    EXPECT_EQ(out.at("break_even").size(), 1U);
    EXPECT_EQ(run({"diff", "--column", "hgx-h100-8"}).code, 2);
    EXPECT_EQ(run({"diff", "--break-even", "network.preset"}).code, 2);
}

TEST_F(Cli, SensitivityListsTheFarthestFirst)
{
    const Outcome result = run({"sensitivity", "--metric", "tpot_ms", "--share", "0.2", "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json out = json::parse(result.out);
    ASSERT_GT(out.at("swings").size(), 3U);
    EXPECT_EQ(out.at("swings").at(0).at("knob"), "load.concurrency");
}

TEST_F(Cli, SweepsSayWhatIsWrongWithAnArgument)
{
    const std::pair<std::vector<std::string>, std::string> cases[] = {
        {{"sweep"}, "--vary"},
        {{"sweep", "--vary", "load.concurrency=9..1"}, "smaller number first"},
        {{"sweep", "--vary", "load.concurency=1"}, "load.concurrency"},
        {{"sweep", "--vary", "load.concurrency=1", "--metric", "speed"}, "tpot_ms"},
        {{"sweep", "--vary", "load.concurrency=1", "--limit", "speed<=1"}, "tpot_ms"},
        {{"sweep", "--vary", "load.concurrency=1", "--vary", "load.concurrency=2"}, "twice"},
        {{"sweep", "--vary", "load.concurrency=1", "--pareto", "cost"}, "tpot_ms"},
        {{"optimize", "--objective", "best"}, "tpot_ms"},
        {{"optimize", "--top", "0"}, "--top"},
        {{"diff", "--metric", "speed"}, "tpot_ms"},
        {{"diff", "--order", "speed"}, "speed"},
        {{"sensitivity", "--share", "2"}, "--share"},
        {{"size", "--rate", "50", "--on", "h1000"}, "h1000"},
        {{"size", "--rate", "50", "--headroom", "1"}, "--headroom"},
    };
    for (const auto& [arguments, part] : cases) {
        const Outcome result = run(arguments);
        EXPECT_EQ(result.code, 2) << arguments.back();
        EXPECT_THAT(result.err, HasSubstr(part)) << arguments.back();
        EXPECT_EQ(result.out, "");
    }
    EXPECT_EQ(run({"sweep", "--vary", "load.concurrency=1", "--out", "/proc/none/x.csv"}).code, 4);
}

} // namespace
