// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/glossary.h"

#include "core/figures/catalog.h"
#include "core/figures/methods.h"
#include "core/scenario/knobs.h"
#include "core/scenario/metrics.h"
#include "tests/support/samples.h"

#include <gmock/gmock.h>
#include <set>

using namespace ridgepoint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::vector<std::string> namesIn(std::string_view text)
{
    std::vector<std::string> names;
    for (const TermUse& use : termsIn(text))
        names.emplace_back(text.substr(use.from, use.to - use.from));
    return names;
}

/// Words of two capitals or more, such as "TTFT" and "BF16", that are no unit.
std::set<std::string> abbreviationsIn(std::string_view text)
{
    static const std::set<std::string> notTerms{"TB", "MB", "PFLOP", "TFLOP", "TOP", "GPU", "GPUs", "API"};
    std::set<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        int capitals = 0;
        while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])))
            capitals += std::isupper(static_cast<unsigned char>(text[end++])) != 0;
        const std::string word(text.substr(at, end - at));
        if (capitals >= 2 && !notTerms.contains(word))
            found.insert(word);
        at = end + 1;
    }
    return found;
}

TEST(Glossary, TermsAreTold)
{
    std::set<std::string_view> ids;
    for (const Term& term : glossary()) {
        EXPECT_TRUE(ids.insert(term.id).second) << term.id;
        EXPECT_TRUE(term.text.ends_with('.')) << term.id;
        EXPECT_FALSE(term.name.empty());
        EXPECT_FALSE(termsIn(term.words.empty() ? term.name : term.words).empty()) << term.id << " is not found by its own words";
    }
    ASSERT_NE(findTerm("ttft"), nullptr);
    EXPECT_EQ(findTerm("nothing"), nullptr);
}

TEST(Glossary, FindsWholeWordsTheLongestFirst)
{
    EXPECT_THAT(namesIn("TTFT is 239 ms; the KV cache of 64 tokens"), ElementsAre("TTFT", "KV cache", "tokens"));
    EXPECT_THAT(namesIn("Prefill share, prefix caching"), ElementsAre("Prefill", "prefix caching"));
    EXPECT_THAT(namesIn("attp, HTTP, tpot, GiBs"), ElementsAre()) << "abbreviations by their capitals, words whole";
    EXPECT_THAT(namesIn(""), ElementsAre());
    EXPECT_EQ(explainedTerms("TTFT and TTFT"), "TTFT: " + std::string(findTerm("ttft")->text));
}

TEST(Glossary, ExplainsEveryAbbreviationOfTheBoard)
{
    const auto check = [](std::string_view text, std::string_view where) {
        std::string terms;
        for (const std::string& name : namesIn(text))
            terms += " " + name;
        for (const std::string& word : abbreviationsIn(text))
            EXPECT_THAT(terms, HasSubstr(word)) << where << ": " << text;
    };
    for (const Metric& metric : metrics())
        check(std::string(metric.label) + ". " + std::string(metric.help), metric.id);
    for (const Knob& knob : knobs())
        check(std::string(knob.label) + ". " + std::string(knob.help), knob.id);
    for (const FigureEntry& entry : figureCatalog())
        check(std::string(entry.title) + ". " + std::string(entry.help), entry.id);
}

TEST(Glossary, EveryMetricKnobAndFigureHasHelp)
{
    for (const Metric& metric : metrics())
        EXPECT_TRUE(metric.help.ends_with('.')) << metric.id;
    for (const Knob& knob : knobs())
        EXPECT_TRUE(knob.help.ends_with('.')) << knob.id;
    for (const FigureEntry& entry : figureCatalog())
        EXPECT_TRUE(entry.help.ends_with('.')) << entry.id;
}

TEST(Methods, NameFormulasLimitsAndSourcesThatExist)
{
    const Presets& presets = samples::shippedPresets();
    for (const FigureEntry& entry : figureCatalog())
        EXPECT_NE(findMethod(entry.id), nullptr) << entry.id;
    for (const Method& method : methods()) {
        for (const std::string_view text : {method.reads, method.formula, method.leftOut, method.bands})
            EXPECT_FALSE(text.empty()) << method.figure;
        std::string_view keys = method.sources;
        while (!keys.empty()) {
            const std::size_t comma = std::min(keys.find(','), keys.size());
            EXPECT_TRUE(presets.sources.contains(std::string(keys.substr(0, comma)))) << method.figure << ": " << keys;
            keys.remove_prefix(std::min(comma + 1, keys.size()));
        }
    }
}

} // namespace
