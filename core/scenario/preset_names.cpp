// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/preset_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace ridgepoint {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <typename Table>
bool isIn(const Table& table, std::string_view word)
{
    return std::find(table.begin(), table.end(), word) != table.end();
}

// --- words that do not change what a network or a device is ----------------------------------------------------------

constexpr std::array storageWords{std::string_view("awq"), std::string_view("gptq"), std::string_view("marlin"),
    std::string_view("int4"), std::string_view("int8"), std::string_view("4bit"), std::string_view("8bit"), std::string_view("w4a16"),
    std::string_view("w8a8"), std::string_view("w8a16"), std::string_view("g128"), std::string_view("fp8"), std::string_view("fp16"),
    std::string_view("bf16"), std::string_view("f16"), std::string_view("fp4"), std::string_view("nvfp4"), std::string_view("mxfp4"),
    std::string_view("nf4"), std::string_view("bnb"), std::string_view("bitsandbytes"), std::string_view("dynamic"),
    std::string_view("kv"), std::string_view("autoround"), std::string_view("gguf"), std::string_view("exl2"),
    std::string_view("mlx"), std::string_view("qat"), std::string_view("quantized"), std::string_view("quantised"),
    std::string_view("safetensors"), std::string_view("imatrix"), std::string_view("smoothquant"), std::string_view("loaded"),
    std::string_view("bit"), std::string_view("block"), std::string_view("static"), std::string_view("ud"),
    std::string_view("xl"), std::string_view("half"), std::string_view("bfp8")};

constexpr std::array tuningWords{std::string_view("instruct"), std::string_view("chat"), std::string_view("hf"),
    std::string_view("it"), std::string_view("base"), std::string_view("class"), std::string_view("text"),
    std::string_view("thinking"), std::string_view("abliterated"), std::string_view("uncensored"), std::string_view("sft"),
    std::string_view("dpo"), std::string_view("rlhf"), std::string_view("pt"), std::string_view("model"),
    std::string_view("models"), std::string_view("like"), std::string_view("128k"), std::string_view("4k"),
    std::string_view("8k"), std::string_view("32k"), std::string_view("instruction"), std::string_view("tuned"),
    std::string_view("mtp"), std::string_view("lora"), std::string_view("finetuned"), std::string_view("terminus"),
    std::string_view("preview"), std::string_view("official"), std::string_view("turbo"), std::string_view("size")};

constexpr std::array ownerWords{std::string_view("meta"), std::string_view("unsloth"), std::string_view("bartowski"),
    std::string_view("opensourcerelease"), std::string_view("nvidia"), std::string_view("redhatai"), std::string_view("neuralmagic"),
    std::string_view("thebloke"), std::string_view("casperhansen"), std::string_view("ubergarm"), std::string_view("openai"),
    std::string_view("google"), std::string_view("mistralai"), std::string_view("microsoft"), std::string_view("ibm"),
    std::string_view("lmsys"), std::string_view("tiiuae"), std::string_view("moonshotai"), std::string_view("anon8231489123")};

// These make another network of the same shape out of one: dropped last, and only when one network is left.
constexpr std::array purposeWords{std::string_view("coder"), std::string_view("code"), std::string_view("math"),
    std::string_view("reasoning"), std::string_view("guard"), std::string_view("reward")};

constexpr std::array vendorWords{std::string_view("nvidia"), std::string_view("geforce"), std::string_view("tesla"),
    std::string_view("quadro"), std::string_view("amd"), std::string_view("instinct"), std::string_view("intel"),
    std::string_view("apple"), std::string_view("radeon"), std::string_view("gpu"), std::string_view("gpus"),
    std::string_view("card"), std::string_view("cards"), std::string_view("class"), std::string_view("generation"), std::string_view("habana"),
    std::string_view("huawei"), std::string_view("google"), std::string_view("aws"), std::string_view("unified"),
    std::string_view("visible"), std::string_view("tensor"), std::string_view("core")};

constexpr std::array formWords{std::string_view("sxm"), std::string_view("sxm2"), std::string_view("sxm3"),
    std::string_view("sxm4"), std::string_view("sxm5"), std::string_view("sxm6"), std::string_view("pcie"),
    std::string_view("hbm2"), std::string_view("hbm2e"), std::string_view("hbm3"), std::string_view("hbm3e"), std::string_view("oam"),
    std::string_view("blackwell"), std::string_view("ada"), std::string_view("ampere"), std::string_view("hopper"),
    std::string_view("edition"), std::string_view("server"), std::string_view("workstation"), std::string_view("max-q"),
    std::string_view("maxq"), std::string_view("wsl"), std::string_view("ecc"), std::string_view("jetson"), std::string_view("agx")};

/// "q4_k_m", "iq4_xs", "q8_0", "q4", "tq1_0".
bool isGgufWord(std::string_view word)
{
    const std::size_t q = word.find('q');
    if (q == std::string_view::npos || q > 1 || q + 1 >= word.size() || !isDigit(word[q + 1]))
        return false;
    if (q == 1 && word[0] != 'i' && word[0] != 't')
        return false;
    return word.size() == q + 2 || word[q + 2] == '_';
}

/// "0324", "2507", "20250324": year and month, month and day, or all three.
bool isDateWord(std::string_view word)
{
    return (word.size() == 4 || word.size() == 6 || word.size() == 8) && std::all_of(word.begin(), word.end(), isDigit);
}

/// "v1", "v0.3".
bool isVersionWord(std::string_view word)
{
    return word.size() > 1 && word[0] == 'v' && isDigit(word[1]) &&
           std::all_of(word.begin() + 1, word.end(), [](char c) { return isDigit(c) || c == '.'; });
}

/// "7b", "1.3b", "671b", "0.5b".
bool isSizeWord(std::string_view word)
{
    return word.size() > 1 && isDigit(word[0]) && (word.back() == 'b' || word.back() == 'm') &&
           std::all_of(word.begin(), word.end() - 1, [](char c) { return isDigit(c) || c == '.'; });
}

/// "80gb", "24g", "141gib".
bool isMemoryWord(std::string_view word)
{
    std::size_t end = 0;
    while (end < word.size() && (isDigit(word[end]) || word[end] == '.'))
        ++end;
    const std::string_view unit = word.substr(end);
    return end > 0 && (unit == "gb" || unit == "g" || unit == "gib");
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += word;
    return text;
}

template <typename Is>
void drop(std::vector<std::string>& words, const Is& is)
{
    std::vector<std::string> kept;
    for (const std::string& word : words)
        if (!is(word))
            kept.push_back(word);
    if (!kept.empty())
        words = std::move(kept);
}

/// "meta-llama/Llama-2-7b-hf" without its owner; "A100/A800" and "Qwen3.6/3.8" have none.
std::string_view withoutOwner(std::string_view text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || slash + 1 >= text.size() || !isLetter(text[slash + 1]))
        return text;
    const std::string_view owner = text.substr(0, slash);
    if (owner.find(' ') != std::string_view::npos || owner.empty() || (isDigit(owner.back()) && text[slash + 1] == owner[0]))
        return text;
    return text.substr(slash + 1);
}

constexpr std::size_t networkSteps = 6;

/// What is left of a network's name after `step` steps of taking away. Each step holds those before it.
std::string networkKey(std::string_view text, std::size_t step)
{
    const std::string plain = withoutRemarks(text);
    std::vector<std::string> words = wordsOf(step >= 1 ? withoutOwner(plain) : std::string_view(plain));
    if (step >= 2)
        drop(words, [](const std::string& w) { return isIn(storageWords, w) || isGgufWord(w); });
    if (step >= 3)
        drop(words, [](const std::string& w) { return isIn(tuningWords, w) || isIn(ownerWords, w) || isDateWord(w); });
    if (step >= 4)
        drop(words, isVersionWord);
    if (step >= 5)
        drop(words, [](const std::string& w) { return isIn(purposeWords, w); });
    return joined(words);
}

constexpr std::size_t deviceSteps = 4;

std::string deviceKey(std::string_view text, std::size_t step)
{
    std::vector<std::string> words = wordsOf(withoutRemarks(text));
    if (step >= 1)
        drop(words, [](const std::string& w) { return isIn(vendorWords, w); });
    if (step >= 2)
        drop(words, isMemoryWord);
    if (step >= 3)
        drop(words, [](const std::string& w) { return isIn(formWords, w) || w.rfind("sm_", 0) == 0 || w == "sm120"; });
    return joined(words);
}

template <typename T, typename Index, typename Key>
std::vector<Index> indexed(const std::vector<T>& values, std::size_t steps, const Key& key)
{
    std::vector<Index> indexes(steps);
    for (std::size_t step = 0; step < steps; ++step)
        for (const T& value : values) {
            std::vector<std::string> names = value.aliases;
            names.push_back(value.id);
            names.push_back(value.name);
            for (const std::string& name : names) {
                auto& found = indexes[step][key(name, step)];
                if (std::find(found.begin(), found.end(), &value) == found.end())
                    found.push_back(&value);
            }
        }
    return indexes;
}

/// The one network of several that keeps the shape: a quantised checkpoint beside the plain one gives way to it.
const Network* plainOf(const std::vector<const Network*>& networks)
{
    const Network* plain = nullptr;
    for (const Network* network : networks)
        if (network->checkpointFormat == Format::bf16) {
            if (plain)
                return nullptr;
            plain = network;
        }
    return networks.size() == 1 ? networks.front() : plain;
}

bool memoryAgrees(const Device& device, double label)
{
    constexpr double sameShare = 0.1;   // 80 GB cards are called 80 GB, 81920 MiB and 79.2 GiB
    return label <= 0.0 || std::abs(device.memoryCapacity.value / 1e9 - label) <= sameShare * label ||
           std::abs(device.memoryCapacity.value / gibi - label) <= sameShare * label;
}

} // namespace

std::string withoutRemarks(std::string_view text)
{
    std::string plain;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // U+2010 to U+2015 are dashes, U+00A0 a space.
        if (text.substr(i, 2) == "\xe2\x80" && i + 2 < text.size() && static_cast<unsigned char>(text[i + 2]) >= 0x90 &&
            static_cast<unsigned char>(text[i + 2]) <= 0x95) {
            plain += depth == 0 ? "-" : "";
            i += 2;
            continue;
        }
        if (text.substr(i, 2) == "\xc2\xa0") {
            plain += ' ';
            ++i;
            continue;
        }
        const char c = text[i];
        if (c == '(' || c == '[')
            ++depth;
        else if (c == ')' || c == ']')
            depth = std::max(0, depth - 1);
        else if (depth == 0 && static_cast<unsigned char>(c) >= 0x20)
            plain += c;
    }
    // A log that ran into the name begins after a wide gap.
    if (const std::size_t gap = plain.find("   "); gap != std::string::npos && gap > 0)
        plain.resize(gap);
    while (!plain.empty() && plain.back() == ' ')
        plain.pop_back();
    return plain;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < lower.size(); ++i) {
        const char c = lower[i];
        const bool ggufPart = c == '_' && isGgufWord(words.back() + "_");
        if (c == ' ' || c == '-' || c == '/' || c == ',' || c == ':' || c == '+' || (c == '_' && !ggufPart && words.back() != "sm")) {
            // "Q4_K - Medium": the mix belongs to the format.
            if (!words.back().empty())
                words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    if (words.back().empty())
        words.pop_back();
    // "80 GB" and "7 B" are one word each.
    for (std::size_t i = 1; i < words.size(); ++i)
        if ((words[i] == "gb" || words[i] == "gib" || words[i] == "b") && isDigit(words[i - 1][0]) && isDigit(words[i - 1].back())) {
            words[i - 1] += words[i];
            words.erase(words.begin() + std::ptrdiff_t(i));
        }
    return words;
}

double labelledMemory(std::string_view text)
{
    for (const std::string& word : wordsOf(withoutRemarks(text)))
        if (isMemoryWord(word))
            return std::strtod(word.c_str(), nullptr);
    return 0.0;
}

PresetNames::PresetNames(const Presets& presets)
    : m_presets(presets),
      m_networks(indexed<Network, Index<Network>>(presets.networks, networkSteps, networkKey)),
      m_devices(indexed<Device, Index<Device>>(presets.devices, deviceSteps, deviceKey))
{
}

const Network* PresetNames::network(std::string_view text) const
{
    if (const Network* same = findNetwork(m_presets, text))
        return same;
    for (std::size_t step = 0; step < networkSteps; ++step) {
        // The text loses more than the presets: an alias may itself hold what is noise elsewhere.
        for (std::size_t other = 0; other <= step; ++other) {
            const auto found = m_networks[other].find(networkKey(text, step));
            if (found == m_networks[other].end() || found->first.empty())
                continue;
            if (const Network* network = plainOf(found->second))
                return network;
        }
    }
    // "DeepSeek-R1 671B", "phi-1.5 1.3 B": the size may stand behind a name that says it all.
    std::vector<std::string> words = wordsOf(withoutOwner(withoutRemarks(text)));
    const std::size_t before = words.size();
    drop(words, isSizeWord);
    if (words.size() == before)
        return nullptr;
    std::string shorter;
    for (const std::string& word : words)
        shorter += (shorter.empty() ? "" : " ") + word;
    return network(shorter);
}

const Device* PresetNames::device(std::string_view text) const
{
    if (const Device* same = findDevice(m_presets, text))
        return same;
    // "A100/A800-80GB class": either of them.
    const double label = labelledMemory(text);
    std::vector<std::string> texts{std::string(text)};
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos && text.find('(') > slash)
        texts = {std::string(text), std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
    for (const std::string& one : texts)
        for (std::size_t step = 0; step < deviceSteps; ++step)
            for (std::size_t other = 0; other <= step; ++other) {
                const auto found = m_devices[other].find(deviceKey(one, step));
                if (found == m_devices[other].end() || found->first.empty())
                    continue;
                std::vector<const Device*> fitting;
                for (const Device* device : found->second)
                    if (memoryAgrees(*device, label))
                        fitting.push_back(device);
                if (fitting.size() == 1)
                    return fitting.front();
            }
    return nullptr;
}

} // namespace ridgepoint
