// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/preset_library.h"
#include "core/io/preset_yaml.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgepoint {
namespace {

using testing::HasSubstr;

const std::string goodDevice = R"(name: Part
category: gpu
aliases: [P1, P2]
peak: {bf16: 100 TFLOP/s}
memory: {kind: HBM3, bandwidth: 3 TB/s, capacity: 80 GB}
compute_units: 100
kernels: family
sources: {peak: known}
)";
const std::string goodSystem = R"(name: Node
device: part
devices_per_node: 8
maximum_nodes: 2
topology: switched
network_bandwidth: 50 GB/s
)";
const std::string goodEngine = R"(name: Engine
version: 1.0, 2026-11
host_per_step: 0.2 ms
memory_policy: budget
memory_fraction: 0.9
maximum_sequences: 256
source: known
)";
const std::string goodPrice = R"(name: Cloud
device: part
per_device: $6.88/h
date: "2026"
source: known
)";
const std::string goodNetwork = R"(name: Network
hidden: 4096
vocabulary: 32000
maximum_context: 8192
layers:
  - count: 32
    attention: {kind: grouped, heads: 32, kv_heads: 8, head_dim: 128}
    feed_forward: {width: 14336}
)";
const std::string goodKernels = R"(name: Family
fitted: true
source: known
matmul_bf16: {tiles: min64, launch: 1.8 us, compute: 0.78}
)";
const std::string goodSources = R"(known:
  title: A page
  url: "https://example.org"
  date: "2026"
  grade: A
)";

/// The error of reading a file of the kind, or none.
std::optional<Error> errorOf(const std::string& kind, const std::string& text)
{
    static const std::map<std::string, Source> sources{{"known", Source{}}};
    static const std::vector<KernelFamily> kernels{[] {
        KernelFamily family;
        family.id = "family";
        return family;
    }()};
    static const std::vector<Device> devices{[] {
        Device device;
        device.id = "part";
        return device;
    }()};
    const PresetContext context{.sources = &sources, .devices = devices, .kernels = kernels};
    const auto error = [](const auto& result) {
        return result ? std::optional<Error>() : std::optional(result.error());
    };
    const std::string file = kind + ".yaml";
    if (kind == "device")
        return error(readDevice(text, file, context));
    if (kind == "system")
        return error(readSystem(text, file, context));
    if (kind == "engine")
        return error(readEngine(text, file, context));
    if (kind == "price")
        return error(readPrice(text, file, context));
    if (kind == "network")
        return error(readNetwork(text, file));
    if (kind == "kernels")
        return error(readKernelFamily(text, file, context));
    return error(readSources(text, file));
}

std::string goodText(const std::string& kind)
{
    const std::map<std::string, std::string> texts{{"device", goodDevice},   {"system", goodSystem},
                                                   {"engine", goodEngine},   {"price", goodPrice},
                                                   {"network", goodNetwork}, {"kernels", goodKernels},
                                                   {"sources", goodSources}};
    return texts.at(kind);
}

/// The good file of a kind with one passage replaced; the mistake stands at `line` and `column`.
struct Mistake
{
    const char* kind;
    const char* from;
    const char* to;
    int line;
    int column;
    const char* right;      ///< part of the message that says what would be right
};

void PrintTo(const Mistake& mistake, std::ostream* stream)
{
    *stream << mistake.kind << ": " << mistake.from << " -> " << mistake.to;
}

class YamlMistake : public testing::TestWithParam<Mistake>
{
};

TEST_P(YamlMistake, IsToldWithItsPlaceAndWhatWouldBeRight)
{
    const Mistake& mistake = GetParam();
    std::string text = goodText(mistake.kind);
    ASSERT_FALSE(errorOf(mistake.kind, text)) << errorOf(mistake.kind, text)->text();
    const std::size_t at = text.find(mistake.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, std::string(mistake.from).size(), mistake.to);
    const std::optional<Error> error = errorOf(mistake.kind, text);
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->file, std::string(mistake.kind) + ".yaml");
    EXPECT_EQ(error->line, mistake.line) << error->text();
    EXPECT_EQ(error->column, mistake.column) << error->text();
    EXPECT_THAT(error->message, HasSubstr(mistake.right));
}

constexpr Mistake mistakes[] = {
    // wrong or missing unit, sign, size and type of a value
    {"device", "3 TB/s", "3", 5, 33, "needs a unit (B/s, kB/s, MB/s, GB/s, TB/s), such as 3.35 TB/s"},
    {"device", "3 TB/s", "3 TB", 5, 33, "write one of B/s"},
    {"device", "3 TB/s", "-3 TB/s", 5, 33, "it must be 0 or more"},
    {"device", "3 TB/s", "nan TB/s", 5, 33, "write a number like 3.35 TB/s"},
    {"device", "3 TB/s", "inf TB/s", 5, 33, "write a number like 3.35 TB/s"},
    {"device", "3 TB/s", "1e400 TB/s", 5, 33, "write it like 3.35 TB/s"},
    {"device", "3 TB/s", "1e9 TB/s", 5, 33, "it must be from 1.00 MB/s to 1,000 TB/s"},
    {"device", "3 TB/s", "0 TB/s", 5, 33, "it must be from 1.00 MB/s to 1,000 TB/s"},
    {"device", "3 TB/s", "[3 TB/s]", 5, 33, "it needs a single value"},
    {"device", "3 TB/s", "~", 5, 33, "it needs a single value"},
    {"device", "80 GB", "eighty", 5, 51, "write it like 80 GB"},
    {"device", "80 GB", "80 GB, visible: 90 GB", 5, 67, "must not exceed the capacity of 80 GB"},
    {"device", "100\n", "1.5\n", 6, 16, "it must be a whole number"},
    {"device", "100\n", "0\n", 6, 16, "it must be from 1 to 100000"},
    {"device", "100\n", "99999999999999999999\n", 6, 16, "it must be from 1 to 100000"},
    {"device", "[P1, P2]", "P1", 3, 10, "it needs a list, such as [one, two]"},
    {"device", "[P1, P2]", "[P1, {a: b}]", 3, 15, "each must be a text"},
    {"device", "{bf16: 100 TFLOP/s}", "100 TFLOP/s", 4, 7, "it needs a mapping"},
    {"device", "{bf16: 100 TFLOP/s}", "{fp8: 100 TFLOP/s}", 4, 7, "give at least one, such as bf16"},
    {"device", "{peak: known}", "[known]", 8, 10, "it needs a mapping, such as {key: text}"},
    {"engine", "0.2 ms", "0.2", 3, 16, "needs a unit (s, ms, us, ns, min, h)"},
    {"engine", "0.9", "1.1", 5, 18, "it must be from 0.01 to 1"},
    {"engine", "0.9", "0.9 GB", 5, 18, "is not a plain number; leave out \"GB\""},
    {"engine", "256", "many", 6, 20, "it must be a whole number"},
    {"price", "$6.88/h", "6.88", 3, 13, "such as $6.88/h"},
    {"price", "$6.88/h", "$-6.88/h", 3, 13, "it must be 0 or more"},
    {"price", "$6.88/h", "$1e30/h", 3, 13, "it must be from"},
    {"price", "\"2026\"", "\"\"", 4, 7, "write a text"},
    {"kernels", "fitted: true", "fitted: yes", 2, 9, "it must be true or false"},
    {"kernels", "0.78", "1.4", 4, 54, "it must be from 0.0001 to 1.3"},
    {"kernels", "1.8 us", "1.8 s", 4, 37, "it must be from 0 s to 10.0 ms"},
    // names that are not known
    {"device", "gpu", "gqu", 2, 11, "it must be gpu, tpu, asic or cpu; did you mean \"gpu\"?"},
    {"device", "category", "catgory", 2, 1, "did you mean \"category\"?"},
    {"device", "kind", "typ", 5, 10, "it can be kind, bandwidth, capacity or visible"},
    {"device", "family", "famly", 7, 10, "did you mean \"family\"?"},
    {"device", "known", "unknown", 8, 10, "add it there"},
    {"system", "part", "prt", 2, 9, "did you mean \"part\"?"},
    {"system", "switched", "star", 5, 11, "it must be none, switched, full_mesh, torus or pcie"},
    {"system", "switched", "none", 5, 11, "it must be switched, full_mesh, torus or pcie"},
    {"system", "network_bandwidth: 50 GB/s\n", "", 4, 16, "network_bandwidth, such as 50 GB/s"},
    {"engine", "budget", "budge", 4, 16, "did you mean \"budget\"?"},
    {"engine", "source: known", "source: other", 7, 9, "add it there"},
    {"price", "device: part", "device: other", 2, 9, "it can be part"},
    {"kernels", "min64", "min32", 4, 22, "it must be none, min16, min64, min128, m64n128 or m128n64"},
    {"kernels", "matmul_bf16", "matmul_bf61", 4, 1, "did you mean \"matmul_bf16\"?"},
    {"network", "kind: grouped", "kind: sparse", 7, 23, "it must be grouped, latent or linear"},
    {"network", "heads: 32", "heads: 32, kv_rank: 512", 7, 43, "is not known here"},
    {"network", "8192", "8192\nprecision: {kv: fp7}", 5, 17, "it must be fp32, bf16, fp8"},
    {"sources", "grade: A", "grade: D", 5, 10, "it must be A, B or C"},
    {"sources", "https://example.org", "ftp://example.org", 3, 8, "it must start with https://"},
    // what is missing or does not go together
    {"device", "name: Part\n", "", 1, 1, "add a line \"name: …\""},
    {"device", "bandwidth: 3 TB/s, ", "", 5, 9, "add a line \"bandwidth: …\""},
    {"network", "hidden: 4096\n", "", 1, 1, "add a line \"hidden: …\""},
    {"network", "kv_heads: 8, ", "", 7, 16, "add a line \"kv_heads: …\""},
    {"network", "kv_heads: 8", "kv_heads: 5", 7, 53, "it must divide the 32 heads"},
    {"network", "width: 14336", "width: 14336, experts: 8", 8, 27, "set one of the two above 0"},
    {"network", "width: 14336", "experts: 8, experts_per_token: 9, expert_width: 64", 8, 51, "from 1 to the 8 experts"},
    {"network", "width: 14336", "experts: 8, experts_per_token: 2", 8, 19, "the width of one expert"},
    {"network", "- count: 32", "- count: 0", 6, 12, "it must be from 1 to 10000"},
    {"price", "source: known", "source:", 5, 1, "it needs a single value"},
    // the text itself
    {"device", "category: gpu", "name: Again", 2, 1, "keep one of the two"},
    {"device", "category: gpu", "\tcategory: gpu", 2, 1, "use spaces"},
    {"device", "category: gpu", "category: g\xffpu", 2, 12, "save the file as UTF-8"},
    {"device", "category: gpu", "category: g\xc0\xafpu", 2, 12, "save the file as UTF-8"},
    {"device", "category: gpu", "category: g\x01pu", 2, 12, "this must be a text file"},
    {"device", "name: Part", "\xef\xbb\xbfname: Part", 1, 1, "save it as UTF-8 without one"},
    {"device", "name: Part", "name: Part\n---\nname: Other", 3, 1, "keep one document in a file"},
    {"device", "category: gpu", "category: &a [*a]", 2, 11, "write the value out"},
    {"device", "category: gpu", "category: &a gpu", 2, 11, "write the value out"},
    {"device", "category: gpu", "category: *a", 2, 11, "check indentation"},
    {"device", "category: gpu", "category: !!str gpu", 2, 11, "leave the tag out"},
    {"device", "category: gpu", "? [a, b]\n: gpu", 2, 3, "a key must be plain text"},
    {"device", "category: gpu", "~: gpu", 2, 1, "a key is missing before the colon"},
    {"device", "{bf16: 100 TFLOP/s}", "{bf16: 100 TFLOP/s", 5, 7, "check indentation, colons, quotes and brackets"},
    {"device", "name: Part", "name: \"Part", 1, 7, "add the closing one"},
    {"device", "name: Part", "name: 'Part", 1, 7, "add the closing one"},
    {"device", "{kind: HBM3, bandwidth: 3 TB/s", "{kind: größe, bandwidth: 3 TB", 5, 34, "write one of B/s"},
};

INSTANTIATE_TEST_SUITE_P(All, YamlMistake, testing::ValuesIn(mistakes));

std::string repeated(const std::string& text, int times)
{
    std::string result;
    for (int i = 0; i < times; ++i)
        result += text;
    return result;
}

TEST(YamlBadInput, HostileTextEndsInAnError)
{
    std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
    for (char name = 'b'; name < 'k'; ++name)
        bomb += fmt::format("{0}: &{0} [{1}]\n", name, repeated(fmt::format("*{},", char(name - 1)), 9));
    std::string indented;
    for (int depth = 0; depth < 500; ++depth)
        indented += repeated(" ", depth) + "a:\n";
    struct Case
    {
        std::string text;
        const char* part;
    };
    for (const Case& c : {Case{"", "the file is empty"},
                          {"# nothing\n", "the file is empty"},
                          {"---\n...\n", "empty"},
                          {"just text", "the file needs keys and values"},
                          {"- a\n- b\n", "the file needs keys and values"},
                          {bomb, "write the value out"},
                          {"a: " + repeated("[", 100'000), ""},
                          {"a: " + repeated("[", 1000) + repeated("]", 1000), "the nesting is too deep"},
                          {"a: " + repeated("{a: ", 100'000), "the nesting is too deep"},
                          {repeated("- ", 100'000) + "a", "the nesting is too deep"},
                          {repeated("? ", 100'000) + "a", "a key must be plain text"},
                          {indented, "the nesting is too deep"},
                          {"a: [" + repeated("x,", 300'000) + "]", "at most 200000 values"},
                          {"a: " + std::string(2'000'000, 'x'), "at most 1024 KiB"},
                          {std::string("name: a\0b", 9), "this must be a text file"},
                          {std::string("\x7f"
                                       "ELF\x02\x01\x01\0\0\0",
                                       10),
                           "this must be a text file"},
                          {"\xff\xfe"
                           "n\0",
                           "save it as UTF-8"},
                          {"%YAML 9.9\n---\na: b\n", ""},
                          {repeated("a", 5000) + ": b", ""}}) {
        for (const char* kind : {"device", "system", "engine", "price", "network", "kernels", "sources"}) {
            const std::optional<Error> error = errorOf(kind, c.text);
            ASSERT_TRUE(error) << kind << ": " << c.text.substr(0, 60);
            EXPECT_GT(error->line, 0);
            EXPECT_GT(error->column, 0);
            EXPECT_THAT(error->message, HasSubstr(c.part)) << kind << ": " << c.text.substr(0, 60);
        }
    }
}

TEST(YamlBadInput, AFileCutAnywhereIsAnErrorWithAPlaceOrAWholeValue)
{
    for (const char* kind : {"device", "system", "engine", "price", "network", "kernels", "sources"}) {
        const std::string text = goodText(kind);
        int errors = 0;
        for (std::size_t length = 0; length < text.size(); ++length) {
            const std::optional<Error> error = errorOf(kind, text.substr(0, length));
            if (!error)
                continue;   // optional lines at the end may be missing, and a cut number is still a number
            ++errors;
            EXPECT_GT(error->line, 0) << kind << " " << length;
            EXPECT_GT(error->column, 0) << kind << " " << length;
            EXPECT_FALSE(error->message.empty());
        }
        EXPECT_GT(errors, int(text.size()) / 2) << kind;
    }
}

TEST(YamlBadInput, AnErrorReadsAsPlaceAndSentence)
{
    std::string text = goodDevice;
    text.replace(text.find("3 TB/s"), 6, "3.35");
    EXPECT_EQ(errorOf("device", text)->text(),
              "device.yaml:5:33: bandwidth: \"3.35\" needs a unit (B/s, kB/s, MB/s, GB/s, TB/s), such as 3.35 TB/s");
}

} // namespace
} // namespace ridgepoint
