// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/library_facts.h"

#include "core/base/unit_text.h"
#include "core/insight/quality.h"
#include "core/workload/parameters.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ridgepoint::app {

namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }
QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }
QString tr(const char* source) { return QCoreApplication::translate("Library", source); }

/// A whole number with its thousands apart.
std::string countText(double value) { return QLocale(QLocale::English).toString(qlonglong(std::llround(value))).toStdString(); }

QString joined(const std::vector<std::string>& words)
{
    QStringList list;
    for (const std::string& word : words)
        list << text(word);
    return list.join(QLatin1Char(' '));
}

const Source* sourceOf(const Presets& presets, const std::string& key)
{
    const auto found = presets.sources.find(key);
    return found == presets.sources.end() ? nullptr : &found->second;
}

QString sourceLine(const Source& source)
{
    QString line = text(source.title);
    if (!source.date.empty())
        line += QStringLiteral(", ") + text(source.date);
    if (!source.url.empty())
        line += QLatin1Char('\n') + text(source.url);
    return line;
}

/// Adds facts with the source of each, and lists every source once.
class Facts
{
public:
    Facts(const Presets& presets, LibraryDetail& detail, const std::map<std::string, std::string>& sources,
          const std::map<std::string, std::string>& notes = {}, const std::vector<std::string>& unverified = {})
        : m_presets(presets), m_detail(detail), m_sources(sources), m_notes(notes),
          m_unverified(unverified.begin(), unverified.end())
    {
    }

    /// keys: names the fact may have in the source table, the closest first, such as "fp8" or just "peak"
    void add(const QString& name, const std::string& value, std::initializer_list<const char*> keys = {})
    {
        LibraryFact fact{.name = name, .value = text(value)};
        for (const char* key : keys) {
            const auto note = m_notes.find(key);
            if (note != m_notes.end() && fact.hover.isEmpty())
                fact.hover = text(note->second);
        }
        for (const char* key : keys) {
            const auto found = m_sources.find(key);
            if (found == m_sources.end())
                continue;
            if (const Source* source = sourceOf(m_presets, found->second)) {
                fact.grade = text(source->grade);
                fact.hover = sourceLine(*source) + (fact.hover.isEmpty() ? QString() : QLatin1Char('\n') + fact.hover);
            }
            break;
        }
        if (std::any_of(keys.begin(), keys.end(), [&](const char* key) { return m_unverified.contains(key); })) {
            fact.value += tr(", unverified");
            fact.grade = QStringLiteral("C");
        }
        m_detail.facts.push_back(fact);
    }

    void listSources()
    {
        std::set<std::string> seen;
        for (const auto& [fact, key] : m_sources)
            if (const Source* source = sourceOf(m_presets, key); source && seen.insert(key).second)
                m_detail.sources.push_back(sourceLine(*source));
    }

private:
    const Presets& m_presets;
    LibraryDetail& m_detail;
    std::map<std::string, std::string> m_sources, m_notes;
    std::set<std::string> m_unverified;
};

void deviceFacts(const Presets& presets, const Device& device, LibraryDetail& detail, const Definitions& definitions)
{
    detail.title = text(device.name);
    detail.subtitle = text(device.vendor);
    Facts facts(presets, detail, device.sources, device.notes, device.unverified);
    const auto peak = [&](const char* name, const std::optional<FlopRate>& rate, const char* key) {
        if (rate)
            facts.add(tr("%1 dense").arg(QLatin1String(name)), operationRateText(*rate, definitions), {key, "peak"});
    };
    peak("FP4", device.peak.fp4, "fp4");
    peak("FP8", device.peak.fp8, "fp8");
    peak("INT8", device.peak.int8, "int8");
    peak("BF16", device.peak.bf16, "bf16");
    peak("FP16 in 16 bit", device.peak.fp16Accumulate, "fp16_accumulate");
    peak("FP32", device.peak.fp32, "fp32");
    facts.add(device.memoryKind.empty() ? tr("Memory bandwidth") : text(device.memoryKind), bandwidthText(device.memoryBandwidth),
              {"memory_bandwidth"});
    if (device.memoryCapacity.value > 0)
        facts.add(tr("Sold as"), soldBytesText(device.memoryCapacity), {"memory_capacity"});
    if (device.memoryVisible.value > 0)
        facts.add(tr("Usable"), memoryText(device.memoryVisible, definitions), {"memory_visible"});
    if (device.linkBandwidth.value > 0)
        facts.add(definitions.linksBothWays ? tr("Link, both ways") : tr("Link, one way"), linkText(device.linkBandwidth, definitions), {"link_bandwidth"});
    if (device.hostLinkBandwidth.value > 0)
        facts.add(definitions.linksBothWays ? tr("Host link, both ways") : tr("Host link, one way"), linkText(device.hostLinkBandwidth, definitions), {"host_link_bandwidth"});
    facts.add(tr("Units"), countText(device.computeUnits), {"compute_units"});
    if (device.boardPower)
        facts.add(tr("Board power"), countText(device.boardPower->value) + "\u00a0W", {"board_power"});
    facts.add(tr("Kernel times"), device.kernels.fitted ? device.kernels.name : device.kernels.name + " (not measured)");
    facts.listSources();
}

void systemFacts(const Presets& presets, const System& system, LibraryDetail& detail, const Definitions& definitions)
{
    detail.title = text(system.name);
    detail.subtitle = text(system.device.name);
    Facts facts(presets, detail, system.sources);
    const char* topologies[] = {"none", "switched", "full mesh", "torus", "host bus"};
    facts.add(tr("Devices of a node"), countText(system.devicesPerNode), {"devices_per_node", "node", "devices"});
    facts.add(tr("Nodes at most"), countText(system.maximumNodes), {"maximum_nodes", "nodes"});
    facts.add(tr("Links"), topologies[std::size_t(system.topology)], {"topology", "links"});
    if (system.devicesPerNode > 1)
        facts.add(definitions.linksBothWays ? tr("Between all, both ways") : tr("Between all, one way"), linkText(groupBandwidth(system, system.devicesPerNode), definitions), {"link", "topology"});
    if (system.networkBandwidth.value > 0)
        facts.add(tr("Network per device"), bandwidthText(system.networkBandwidth), {"network_bandwidth", "network"});
    facts.add(tr("Memory, all"), soldBytesText(system.device.memoryCapacity * double(system.devicesPerNode)));
    facts.listSources();
    Facts(presets, detail, system.device.sources).listSources();
}

void networkFacts(const Presets& presets, const Network& network, LibraryDetail& detail)
{
    detail.title = text(network.name);
    detail.subtitle = text(network.architecture);
    std::map<std::string, std::string> sources{{"all", network.source}};
    for (const QualityFact& fact : network.quality)
        sources.emplace(fact.source, fact.source);
    Facts facts(presets, detail, sources);
    facts.add(tr("Layers"), countText(network.layerCount()), {"all"});
    facts.add(tr("Hidden size"), countText(network.hidden), {"all"});
    facts.add(tr("Vocabulary"), countText(network.vocabulary), {"all"});
    facts.add(tr("Positions"), countText(network.maximumContext), {"all"});
    for (const LayerGroup& group : network.layers) {
        const Attention& a = group.attention;
        const QString count = QStringLiteral("%1 × ").arg(group.count);
        const std::string attention = a.kind == AttentionKind::latent   ? "latent, rank " + std::to_string(a.kvRank)
                                      : a.kind == AttentionKind::linear ? "linear, " + std::to_string(a.linearValueHeads) + " heads"
                                      : std::to_string(a.heads) + " / " + std::to_string(a.kvHeads) + " heads"
                                            + (a.window > 0 ? ", window " + std::to_string(a.window) : "");
        facts.add(count + tr("attention"), attention, {"all"});
        const FeedForward& f = group.feedForward;
        facts.add(count + tr("feed-forward"),
                  f.isNone()      ? std::string("none")
                  : f.isMixture() ? std::to_string(f.expertsPerToken) + " of " + std::to_string(f.experts) + " experts"
                                  : countText(f.width) + " wide", {"all"});
    }
    facts.add(tr("Stored as"), std::string(nameOf(network.checkpointFormat)), {"all"});
    if (!network.leftOut.empty())
        facts.add(tr("Left out"), joined(network.leftOut).toStdString());
    for (const QualityFact& fact : network.quality)   // what other formats were found to do to its answers
        facts.add(tr("%1, %2").arg(text(nameOf(fact.weights)), text(fact.benchmark)), lossText(kept(fact)), {fact.source.c_str()});
    facts.listSources();
    if (detail.sources.empty() && !network.source.empty())
        detail.sources.push_back(text(network.source));
}

void engineFacts(const Presets& presets, const EngineProfile& engine, LibraryDetail& detail)
{
    detail.title = text(engine.name);
    detail.subtitle = text(engine.version);
    const std::map<std::string, std::string> sources{{"all", engine.source}};
    Facts facts(presets, detail, sources);
    const char* policies[] = {"ideal", "budget", "static pool", "share of free memory", "whole context"};
    const char* formings[] = {"chunks share a step", "whole, share a step", "alone, decoding waits"};
    facts.add(tr("Host time per step"), secondsText(engine.hostPerStep), {"all"});
    facts.add(tr("First token base"), secondsText(engine.firstTokenBase), {"all"});
    facts.add(tr("Memory policy"), policies[std::size_t(engine.memoryPolicy)], {"all"});
    facts.add(tr("Memory fraction"), numberText(engine.memoryFraction), {"all"});
    facts.add(tr("Sequences at most"), countText(engine.maximumSequences), {"all"});
    facts.add(tr("Tokens per step"), countText(engine.batchedTokens), {"all"});
    facts.add(tr("KV block"), countText(engine.blockTokens) + " tokens", {"all"});
    facts.add(tr("Prompts"), formings[std::size_t(engine.stepForming)], {"all"});
    facts.listSources();
}

void priceFacts(const Presets& presets, const Price& price, LibraryDetail& detail)
{
    detail.title = text(price.name);
    detail.subtitle = price.unverified ? tr("unverified") : QString();
    const std::map<std::string, std::string> sources{{"all", price.source}};
    Facts facts(presets, detail, sources);
    const Device* device = findDevice(presets, price.device);
    facts.add(tr("Device"), device ? device->name : price.device);
    facts.add(tr("Per device"), dollarsText(Dollars{price.perDevice.value * 3600}) + "/h", {"all"});
    if (!price.region.empty())
        facts.add(tr("Region"), price.region);
    facts.add(tr("Date"), price.date);
    if (price.unverified && !detail.facts.empty())
        for (LibraryFact& fact : detail.facts)
            if (!fact.grade.isEmpty())
                fact.grade = QStringLiteral("C");
    facts.listSources();
}

// --- the list ---------------------------------------------------------------------------------------------------------

/// Whether nobody vouches for a fact: it is listed so, or its source was not checked.
bool isUnverified(const Presets& presets, const Device& device, const char* fact)
{
    if (std::find(device.unverified.begin(), device.unverified.end(), fact) != device.unverified.end())
        return true;
    const auto key = device.sources.find(fact);
    const Source* source = key == device.sources.end() ? nullptr : sourceOf(presets, key->second);
    return source && source->grade.starts_with('C');
}

/// Vendor, and the family where one of it was measured; else what kind of device it is.
QStringList headingsOf(const Device& device)
{
    const QString vendor = device.vendor.empty() ? tr("Other") : text(device.vendor);
    QString family;
    if (device.kernels.fitted) {
        family = text(device.kernels.name);
        if (family.startsWith(vendor + QLatin1Char(' ')))
            family.remove(0, vendor.size() + 1);
    } else if (device.category == "cpu") {
        family = tr("Processors");
    } else if (device.category != "gpu") {
        family = tr("Accelerators");
    } else if (device.memoryKind.starts_with("HBM")) {
        family = tr("Data centre");
    } else {
        family = device.memoryKind.starts_with("GDDR") ? tr("Graphics cards") : tr("Shared memory");
    }
    return {vendor, family};
}

QString gibibytes(Bytes value) { return value.value > 0 ? text(numberText(value.value / gibi)) : QString(); }

LibraryEntry deviceEntry(const Presets& presets, const Device& device)
{
    LibraryEntry entry{.kind = LibraryKind::device, .id = text(device.id), .name = text(device.name), .headings = headingsOf(device),
                       .facts = {gibibytes(device.memoryVisible),
                                 device.memoryBandwidth.value > 0 ? text(numberText(device.memoryBandwidth.value / 1e12)) : QString()},
                       .words = joined(device.aliases) + QLatin1Char(' ') + text(device.category), .help = {}};
    entry.unverified = {isUnverified(presets, device, "memory_capacity") || isUnverified(presets, device, "memory_visible"),
                        isUnverified(presets, device, "memory_bandwidth")};
    QStringList facts;
    if (device.memoryVisible.value > 0)
        facts << tr("%1 usable of %2").arg(text(bytesText(device.memoryVisible)), text(soldBytesText(device.memoryCapacity)));
    if (device.memoryBandwidth.value > 0)
        facts << text(device.memoryKind) + QLatin1Char(' ') + text(bandwidthText(device.memoryBandwidth));
    entry.help = facts.join(QStringLiteral(", "));
    QStringList open;
    for (const std::string& fact : device.unverified)
        open << text(fact).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!open.isEmpty())
        entry.help += QLatin1Char('\n') + tr("Not verified: %1").arg(open.join(QStringLiteral(", ")));
    else if (entry.unverified[0] || entry.unverified[1])
        entry.help += QLatin1Char('\n') + tr("A source of these facts was not checked.");
    return entry;
}

LibraryEntry systemEntry(const Presets& presets, const System& system)
{
    const LibraryEntry device = deviceEntry(presets, system.device);
    LibraryEntry entry{.kind = LibraryKind::system, .id = text(system.id), .name = text(system.name), .headings = device.headings,
                       .facts = {QString::number(system.devicesPerNode), gibibytes(system.device.memoryVisible * double(system.devicesPerNode))},
                       .words = joined(system.aliases) + QLatin1Char(' ') + device.name + QLatin1Char(' ') + device.words,
                       .help = tr("%1 × %2, each %3").arg(system.devicesPerNode).arg(device.name, device.help)};
    entry.unverified[1] = device.unverified[0];
    return entry;
}

/// The letters a name begins with: "Qwen2.5 72B" and "Qwen3 8B" are of one family.
QString familyOf(const Network& network)
{
    const QString name = text(network.name);
    qsizetype end = 0;
    while (end < name.size() && name[end].isLetter())
        ++end;
    return name.left(end);
}

/// Those that more than one network is of.
std::set<QString> networkFamilies(const Presets& presets)
{
    std::map<QString, int> count;
    for (const Network& network : presets.networks)
        ++count[familyOf(network)];
    std::set<QString> families;
    for (const auto& [family, members] : count)
        if (members > 1 && !family.isEmpty())
            families.insert(family);
    return families;
}

LibraryEntry networkEntry(const Network& network, const std::set<QString>& families)
{
    const ParameterCount parameters = parameterCount(network);
    const QString family = familyOf(network);
    constexpr double billion = 1e9;
    LibraryEntry entry{.kind = LibraryKind::network, .id = text(network.id), .name = text(network.name),
                       .headings = {families.contains(family) ? family : tr("Others")},
                       .facts = {text(numberText(double(parameters.total) / billion)), text(nameOf(network.checkpointFormat))},
                       .words = joined(network.aliases) + QLatin1Char(' ') + text(network.architecture), .help = {}};
    entry.help = tr("%1 billion parameters").arg(entry.facts[0]);
    if (parameters.active < parameters.total)
        entry.help += tr(", %1 active").arg(text(numberText(double(parameters.active) / billion)));
    entry.help += tr(", stored as %1").arg(entry.facts[1]);
    return entry;
}

} // namespace

QString nameOf(LibraryKind kind)
{
    switch (kind) {
    case LibraryKind::device: return tr("Devices");
    case LibraryKind::system: return tr("Systems");
    case LibraryKind::network: return tr("Networks");
    case LibraryKind::engine: return tr("Engines");
    case LibraryKind::price: return tr("Prices");
    case LibraryKind::calibration: return tr("Calibrations");
    }
    return {};
}

QString iconOf(LibraryKind kind)
{
    const char* names[] = {"device", "system", "network", "engine", "price", "calibration"};
    return QLatin1String(names[std::size_t(kind)]);
}

QString knobOf(LibraryKind kind)
{
    switch (kind) {
    case LibraryKind::system: return QStringLiteral("hardware.system");
    case LibraryKind::network: return QStringLiteral("network.preset");
    case LibraryKind::engine: return QStringLiteral("engine.preset");
    case LibraryKind::price: return QStringLiteral("price.preset");
    default: return {};
    }
}

std::array<QString, 2> columnsOf(LibraryKind kind)
{
    switch (kind) {
    case LibraryKind::device: return {tr("GiB"), tr("TB/s")};
    case LibraryKind::system: return {tr("devices"), tr("GiB")};
    case LibraryKind::network: return {tr("billion"), tr("format")};
    case LibraryKind::price: return {QString(), tr("$/h")};
    case LibraryKind::engine:
    case LibraryKind::calibration: break;
    }
    return {};
}

std::vector<LibraryEntry> libraryEntries(const Presets& presets)
{
    std::vector<LibraryEntry> entries;
    for (const Device& device : presets.devices)
        entries.push_back(deviceEntry(presets, device));
    for (const System& system : presets.systems)
        entries.push_back(systemEntry(presets, system));
    const std::set<QString> families = networkFamilies(presets);
    for (const Network& network : presets.networks)
        entries.push_back(networkEntry(network, families));
    for (const EngineProfile& engine : presets.engines)
        entries.push_back({.kind = LibraryKind::engine, .id = text(engine.id), .name = text(engine.name),
                           .headings = {engine.idealKernels ? tr("Bounds") : engine.runtimes.empty() ? tr("Servers") : tr("Local engines")},
                           .facts = {}, .words = joined(engine.aliases) + QLatin1Char(' ') + text(engine.version), .help = text(engine.version)});
    for (const Price& price : presets.prices) {
        const Device* device = findDevice(presets, price.device);
        entries.push_back({.kind = LibraryKind::price, .id = text(price.id), .name = text(price.name),
                           .headings = {device ? text(device->vendor) : tr("Other")},
                           .facts = {QString(), text(numberText(price.perDevice.value * 3600))},
                           .words = text(price.device) + QLatin1Char(' ') + text(price.region),
                           .help = text(dollarsText(Dollars{price.perDevice.value * 3600})) + tr("/h per device, %1").arg(text(price.date)),
                           .unverified = {false, price.unverified}});
    }
    for (const CalibrationSummary& one : presets.calibrations)
        entries.push_back({.kind = LibraryKind::calibration, .id = text(one.id), .name = text(one.machine), .headings = {},
                           .facts = {}, .words = text(one.id) + QLatin1Char(' ') + text(one.date), .help = text(one.date)});
    for (LibraryEntry& entry : entries)
        entry.words += QLatin1Char(' ') + entry.headings.join(QLatin1Char(' ')) + QLatin1Char(' ') + entry.help;
    return entries;
}

std::vector<LibraryEntry> libraryEntries(const Presets& presets, const QString& knob)
{
    bool isTaken = false;
    for (int kind = 0; kind <= int(LibraryKind::calibration); ++kind)
        isTaken = isTaken || knobOf(LibraryKind(kind)) == knob;
    std::vector<LibraryEntry> entries = isTaken ? libraryEntries(presets) : std::vector<LibraryEntry>{};
    std::erase_if(entries, [&](const LibraryEntry& entry) { return knobOf(entry.kind) != knob; });
    return entries;
}

LibraryDetail libraryDetail(const Presets& presets, LibraryKind kind, const QString& id, const Definitions& definitions)
{
    LibraryDetail detail;
    const std::string key = id.toStdString();
    switch (kind) {
    case LibraryKind::device:
        if (const Device* device = findDevice(presets, key))
            deviceFacts(presets, *device, detail, definitions);
        break;
    case LibraryKind::system:
        if (const System* system = findSystem(presets, key))
            systemFacts(presets, *system, detail, definitions);
        break;
    case LibraryKind::network:
        if (const Network* network = findNetwork(presets, key))
            networkFacts(presets, *network, detail);
        break;
    case LibraryKind::engine:
        if (const EngineProfile* engine = findEngine(presets, key))
            engineFacts(presets, *engine, detail);
        break;
    case LibraryKind::price:
        if (const Price* price = findPrice(presets, key))
            priceFacts(presets, *price, detail);
        break;
    case LibraryKind::calibration:
        for (const CalibrationSummary& one : presets.calibrations)
            if (one.id == key) {
                detail.title = text(one.machine);
                detail.subtitle = text(one.id);
                detail.facts = {{tr("Samples"), QString::number(one.samples), {}, {}}, {tr("Date"), text(one.date), {}, {}}};
                detail.sources = {text(one.file)};
            }
        break;
    }
    return detail;
}

} // namespace ridgepoint::app
