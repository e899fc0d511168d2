// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/speed_row.h"

#include <array>
#include <initializer_list>

namespace ridgepoint {

namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool anyOf(std::string_view text, std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
        if (text == part)
            return true;
    return false;
}

struct Rule
{
    std::string_view reason;
    bool (*holdsFor)(const SpeedRow& row, std::string_view scenario, std::string_view hardware);
};

bool wide(const SpeedRow& row) { return row.weights == Format::bf16; }

constexpr std::array rules{
    Rule{"several machines, or a device with its host",
         [](const SpeedRow&, std::string_view, std::string_view hardware) {
             return holds(hardware, "luster") || holds(hardware, "GPU/CPU");
         }},
    Rule{"a card other than NVIDIA's on a single-board computer",
         [](const SpeedRow& row, std::string_view, std::string_view) { return row.weakHost && row.device->vendor != "NVIDIA"; }},
    Rule{"memory that is swapped",
         [](const SpeedRow& row, std::string_view, std::string_view) { return row.device->id == "apple-m1-7"; }},
    Rule{"at odds with later reports of the device",
         [](const SpeedRow& row, std::string_view, std::string_view) {
             return row.device->id == "apple-m1-max" && row.old && row.network->id == "llama-3-70b";
         }},
    Rule{"16-bit prompts far below the same chip in other form",
         [](const SpeedRow& row, std::string_view, std::string_view) {
             return row.kind == SpeedKind::prompt && row.engineId == "llama.cpp" && wide(row) &&
                    (anyOf(row.device->id, {"a100-sxm-80gb", "l40s"}) || (row.device->id == "rtx-5000-ada" && row.devices == 4));
         }},
    Rule{"several cards far below the same chip in other form",
         [](const SpeedRow& row, std::string_view, std::string_view) {
             return row.kind == SpeedKind::decode && row.engineId == "llama.cpp" && row.device->id == "a100-sxm-80gb" && row.devices == 4;
         }},
    Rule{"three speeds of one card and network in one table",
         [](const SpeedRow& row, std::string_view, std::string_view) {
             return row.engineId == "llama.cpp" && row.device->id == "rtx-4090" && row.network->id == "llama-3.2-3b";
         }},
    Rule{"split in a way that is not stated",
         [](const SpeedRow& row, std::string_view scenario, std::string_view) {
             return scenario == "single-batch decode" && row.engineId == "llama.cpp" &&
                    anyOf(row.device->id, {"a10g", "a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie-80gb"}) &&
                    row.devices > (wide(row) ? 1 : 2);
         }},
    Rule{"the speed counts the prompt, or the framework is what is slow",
         [](const SpeedRow& row, std::string_view scenario, std::string_view) {
             return holds(scenario, "prompt+") || row.engineId == "transformers" || holds(row.engineName, "bnb");
         }},
    Rule{"devices of two kinds",
         [](const SpeedRow&, std::string_view, std::string_view hardware) {
             return holds(hardware, "MI300X") && holds(hardware, "MI325X");
         }},
    Rule{"a quotient of one user", [](const SpeedRow& row, std::string_view, std::string_view) { return holds(row.engineName, "USD-Code"); }}};

} // namespace

std::string_view whySetAside(const SpeedRow& row, std::string_view scenario, std::string_view hardware)
{
    if (!row.device || !row.network)
        return {};
    for (const Rule& rule : rules)
        if (rule.holdsFor(row, scenario, hardware))
            return rule.reason;
    return {};
}

} // namespace ridgepoint
