// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/presets.h"

#include <algorithm>

namespace ridgepoint {

namespace {

/// Lower case without what people write in different ways: "HGX H100" and "hgx-h100" are the same.
std::string folded(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == ' ' || c == '-' || c == '_')
            continue;
        result += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    return result;
}

template <typename T, typename Is>
const T* firstThat(const std::vector<T>& values, const Is& is)
{
    const auto found = std::find_if(values.begin(), values.end(), is);
    return found == values.end() ? nullptr : &*found;
}

const std::vector<std::string>& aliasesOf(const Price&)
{
    static const std::vector<std::string> none;
    return none;
}

template <typename T>
const std::vector<std::string>& aliasesOf(const T& value)
{
    return value.aliases;
}

template <typename T>
const T* find(const std::vector<T>& values, std::string_view text)
{
    if (const T* same = firstThat(values, [&](const T& value) { return value.id == text; }))
        return same;
    const auto hasAlias = [&](const T& value) {
        const std::vector<std::string>& aliases = aliasesOf(value);
        return std::find(aliases.begin(), aliases.end(), text) != aliases.end();
    };
    if (const T* alias = firstThat(values, hasAlias))
        return alias;
    const std::string wanted = folded(text);
    if (wanted.empty())
        return nullptr;
    return firstThat(values, [&](const T& value) {
        const std::vector<std::string>& aliases = aliasesOf(value);
        return folded(value.name) == wanted || folded(value.id) == wanted ||
               std::any_of(aliases.begin(), aliases.end(), [&](const auto& alias) { return folded(alias) == wanted; });
    });
}

} // namespace

const Device* findDevice(const Presets& presets, std::string_view text)
{
    return find(presets.devices, text);
}

const System* findSystem(const Presets& presets, std::string_view text)
{
    return find(presets.systems, text);
}

const Network* findNetwork(const Presets& presets, std::string_view text)
{
    return find(presets.networks, text);
}

const EngineProfile* findEngine(const Presets& presets, std::string_view text)
{
    return find(presets.engines, text);
}

const Price* findPrice(const Presets& presets, std::string_view text)
{
    return find(presets.prices, text);
}

Presets withoutCalibrations(Presets presets)
{
    const auto reset = [&](Device& device) {
        for (const KernelFamily& family : presets.kernels)
            if (family.id == device.kernels.id)
                device.kernels = family;
    };
    for (Device& device : presets.devices)
        reset(device);
    for (System& system : presets.systems)
        reset(system.device);
    presets.deviceKernels.clear();
    return presets;
}

const Price* cheapestPrice(const Presets& presets, std::string_view deviceId)
{
    const Price* cheapest = nullptr;
    for (const Price& price : presets.prices) {
        if (price.device != deviceId || price.unverified)
            continue;
        if (!cheapest || price.perDevice < cheapest->perDevice)
            cheapest = &price;
    }
    return cheapest;
}

} // namespace ridgepoint
