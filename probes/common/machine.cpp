// SPDX-License-Identifier: GPL-3.0-or-later
#include "probes/common/machine.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sched.h>
#include <set>
#include <sstream>
#include <system_error>

namespace ridgepoint::probe {
namespace {

std::string firstLine(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// The number that a text starts with; 0 when there is none.
std::size_t leadingNumber(const std::string& text)
{
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// "48K" or "2M", as the kernel writes cache sizes.
std::size_t cacheBytes(const std::string& text)
{
    const std::size_t number = leadingNumber(text);
    if (text.ends_with('K'))
        return number << 10;
    return text.ends_with('M') ? number << 20 : number;
}

/// The value behind "key : value" or "key: value" in a file of such lines.
std::string valueOf(const std::filesystem::path& file, const std::string& key)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key))
            continue;
        const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
        return start == std::string::npos ? std::string() : line.substr(start);
    }
    return {};
}

std::filesystem::path cpuFolder(int cpu)
{
    return fmt::format("/sys/devices/system/cpu/cpu{}", cpu);
}

std::vector<int> allowedProcessors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> allowed;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(std::size_t(cpu), &set))
                allowed.push_back(cpu);
        }
    }
    return allowed.empty() ? std::vector<int>{0} : allowed;
}

/// Whole processors that a container's time quota amounts to; 0 without a quota.
int quotaProcessors()
{
    std::istringstream line(firstLine("/sys/fs/cgroup/cpu.max"));
    double quota = 0;
    double period = 0;
    if (!(line >> quota >> period) || period <= 0)
        return 0;
    return std::max(1, int(std::floor(quota / period)));
}

/// Two hardware threads of one core share what is measured here, so one of each core is used.
std::vector<int> usableCores()
{
    std::vector<int> cores;
    std::set<std::string> seen;
    for (const int cpu : allowedProcessors()) {
        const std::string siblings = firstLine(cpuFolder(cpu) / "topology/thread_siblings_list");
        if (siblings.empty() || seen.insert(siblings).second)
            cores.push_back(cpu);
    }
    const int quota = quotaProcessors();
    if (quota > 0 && std::size_t(quota) < cores.size())
        cores.resize(std::size_t(quota));
    return cores;
}

void readCaches(Machine& machine)
{
    std::size_t highest = 0;
    std::set<std::string> instances;
    for (const int cpu : machine.cores) {
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(cpuFolder(cpu) / "cache", ignored)) {
            const std::string type = firstLine(entry.path() / "type");
            const std::size_t level = leadingNumber(firstLine(entry.path() / "level"));
            const std::size_t size = cacheBytes(firstLine(entry.path() / "size"));
            if (level == 0 || type == "Instruction")
                continue;
            if (level == 1)
                machine.level1 = size;
            if (level == 2)
                machine.level2 = size;
            if (level > highest) {
                highest = level;
                instances.clear();
                machine.lastLevel = 0;
            }
            if (level == highest && instances.insert(firstLine(entry.path() / "shared_cpu_list")).second)
                machine.lastLevel += size;
        }
    }
}

std::size_t availableMemory()
{
    std::size_t bytes = leadingNumber(valueOf("/proc/meminfo", "MemAvailable")) << 10;
    const std::size_t limit = leadingNumber(firstLine("/sys/fs/cgroup/memory.max"));
    const std::size_t used = leadingNumber(firstLine("/sys/fs/cgroup/memory.current"));
    if (limit > 0)
        bytes = std::min(bytes, limit > used ? limit - used : 0);
    return bytes;
}

std::string cacheText(std::size_t bytes)
{
    return bytes == 0 ? "unknown" : bytesText({double(bytes)});
}

} // namespace

Machine describeMachine()
{
    Machine machine;
    machine.processor = valueOf("/proc/cpuinfo", "model name");
    if (machine.processor.empty())
        machine.processor = "unknown processor";
    machine.cores = usableCores();
    readCaches(machine);
    machine.memory = availableMemory();
    machine.governor = firstLine(cpuFolder(machine.cores.front()) / "cpufreq/scaling_governor");
    return machine;
}

std::string machineText(const Machine& machine)
{
    return fmt::format("{} {}, L1 {}, L2 {}, last level {}, clock governor {}", machine.cores.size(),
                       machine.cores.size() == 1 ? "core" : "cores", cacheText(machine.level1),
                       cacheText(machine.level2), cacheText(machine.lastLevel),
                       machine.governor.empty() ? "unknown" : machine.governor);
}

std::string currentDate()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    gmtime_r(&now, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                       utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::string calibrationId(const Machine& machine, const std::string& date)
{
    std::string name = machine.processor;
    for (const std::string_view mark : {"(R)", "(TM)", "(r)", "(tm)"}) {
        for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark))
            name.erase(at, mark.size());
    }
    std::string id;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            id += char(std::tolower(static_cast<unsigned char>(c)));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    if (!id.empty() && id.back() != '-')
        id += '-';
    std::string digits;
    for (const char c : date) {
        if (c >= '0' && c <= '9')
            digits += c;
        else if (c == 'T')
            digits += '-';
    }
    return fmt::format("{}{}c-{}", id, machine.cores.size(), digits);
}

} // namespace ridgepoint::probe
