// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/yaml_plain.h"

#include "core/io/text_file.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ridgepoint {
namespace {

bool isSame(const YamlNode& a, const YamlNode& b)
{
    const auto same = [](const YamlNode& x, const YamlNode& y) { return isSame(x, y); };
    return a.kind == b.kind && a.text == b.text && a.line == b.line && a.column == b.column &&
           std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same) &&
           std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), same);
}

std::vector<std::string> shippedTexts()
{
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(RIDGEPOINT_SOURCE_DIR "/presets"))
        if (entry.path().extension() == ".yaml")
            texts.push_back(*readTextFile(entry.path()));
    return texts;
}

/// What differs between the two parsers; nothing when the plain one passes or both agree.
std::string difference(const std::string& text)
{
    const std::optional<YamlNode> plain = parsePlainYaml(text);
    if (!plain)
        return "";
    const Result<YamlNode> general = parseGeneralYaml(text, "x.yaml");
    if (!general)
        return "refused by the general parser: " + general.error().text();
    return isSame(*plain, *general) ? "" : "another tree";
}

TEST(YamlPlain, ReadsEveryShippedFileAsTheGeneralParserDoes)
{
    const std::vector<std::string> texts = shippedTexts();
    EXPECT_GT(texts.size(), 300u);
    for (const std::string& text : texts) {
        EXPECT_TRUE(parsePlainYaml(text)) << text.substr(0, 200);
        EXPECT_EQ(difference(text), "") << text.substr(0, 200);
    }
}

TEST(YamlPlain, ReadsWhatPresetsAreWrittenIn)
{
    for (const char* text : {"a: b\n", "# c\n\na: b  # d\nc: e\n", "a: {b: 1, c: [2, \"3, 4\"]}\n",
                             "a: [\n  1,\n  2]\n",
                             "a:\n  b:\n    c: d\n  e: f\n", "a:\n  - b: 1\n    c: 2\n  - b: 3\n", "a: {}\nb: []\n",
                             "a: \"\"\n",
                             "a: -5\nb: x#y\nc: 8 × 2\n",
                             "a: \"b\n  c\"\nd: {e: \"\n  1 2  \n   3\"}\n",
                             "a:\n  - {b: 1}\n  - {c: 2,\n     d: 3}\n  - [4]\n  - e: 5\n",
                             "ключ: {значение: 8 × 2, b: c}\n", "a: b"}) {
        EXPECT_TRUE(parsePlainYaml(text)) << text;
        EXPECT_EQ(difference(text), "") << text;
    }
}

TEST(YamlPlain, LeavesTheRestToTheGeneralParser)
{
    for (const char* text : {"", "a\n", "- a\n", "a: &b c\n", "a: *b\n", "a: !t b\n", "a: |\n  b\n", "a: >\n  b\n",
                             "a: 'b'\n",
                             "a: \"b\\n\"\n", "a: b\n  c\n", "a: b: c\n", "a: ~\n", "a: null\n", "a:\n",
                             "a: {b, c}\n", "a: {b: 1\n",
                             "a: [1, 2\nb: 3]\n", "a: b\na: c\n", "---\na: b\n", "a: b\n...\n", "%YAML 1.2\n",
                             "? a\n: b\n",
                             "a: {b: c,}\n", "a: {b: 1 # c\n  }\n", "a: [b: c]\n", "a: \"b\nc\"\n",
                             "a: \"b\n\n  c\"\n", "a: {\"b\n  c\": d}\n",
                             " a: b\n", "a: b\n c: d\n",
                             "a:\n  - b\n", "a: @b\n", "a: b\r\n", "\"a\": b\n", "a: {b: {c: d}} e\n"})
        EXPECT_FALSE(parsePlainYaml(text)) << text;
}

TEST(YamlPlain, NeverReadsAnythingElseThanTheGeneralParser)
{
    const std::vector<std::string> texts = shippedTexts();
    const std::string pieces = " :,#{}[]\"-\n'&*!|>?a1~";
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return std::size_t(random() % n); };
    int read = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = texts[below(texts.size())].substr(0, 2000);
        for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
            case 0: text[at] = pieces[below(pieces.size())]; break;
            case 1: text.insert(at, 1, pieces[below(pieces.size())]); break;
            case 2: text.erase(at, 1 + below(3)); break;
            default: text.insert(at, text.substr(below(text.size()), below(30))); break;
            }
        }
        read += parsePlainYaml(text) ? 1 : 0;
        const std::string what = difference(text);
        // A character cut in two is refused before either parser sees it.
        ASSERT_TRUE(what.empty() || what.find("UTF-8") != std::string::npos) << what << "\n" << text;
    }
    EXPECT_GT(read, 500) << "or nothing was compared";
}

} // namespace
} // namespace ridgepoint
