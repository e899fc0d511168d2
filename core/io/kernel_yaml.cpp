// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/kernel_yaml.h"

#include "core/hardware/kernel_constants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace ridgepoint {

namespace {

constexpr std::array tileFamilies{std::pair{std::string_view("none"), TileFamily::none},
                                  std::pair{std::string_view("min16"), TileFamily::min16},
                                  std::pair{std::string_view("min64"), TileFamily::min64},
                                  std::pair{std::string_view("min128"), TileFamily::min128},
                                  std::pair{std::string_view("m64n128"), TileFamily::m64n128},
                                  std::pair{std::string_view("m128n64"), TileFamily::m128n64}};

constexpr double mostResidual = 3.0;
constexpr double residualDigits = 1000.0;   ///< a residual is written in thousandths
constexpr int mostKnots = 64;

template <typename Kernel>
concept HasTiles = requires(Kernel kernel) { kernel.tiles; };
template <typename Kernel>
concept HasResidual = requires(Kernel kernel) { kernel.residual; };
template <typename Kernel>
concept MayLack = requires(Kernel kernel) { kernel.exists; };

/// Numbers with spaces between them. A list of its own would make a YAML value of each: a grid has hundreds.
std::vector<double> numbers(YamlFields& fields, std::string_view key, YamlFields::Range range)
{
    const std::string text = fields.text(key, {});
    std::vector<double> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        double value = 0.0;
        const auto [next, code] = std::from_chars(at, end, value);
        if (code != std::errc() || !(value >= range.minimum) || !(value <= range.maximum) || (next != end && *next != ' ')) {
            fields.refuse(key, fmt::format("{} holds \"{}\"; it must be numbers from {} to {} with spaces between them", key,
                                           text.substr(std::size_t(at - text.data()), 12), range.minimum, range.maximum));
            return {};
        }
        values.push_back(value);
        at = next;
    }
    return values;
}

SharedResidual readResidual(YamlFields& fields)
{
    auto grid = std::make_shared<ResidualGrid>();
    constexpr std::array names{std::string_view("first"), std::string_view("second"), std::string_view("third")};
    std::size_t size = 1;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::vector<double> axis = numbers(fields, names[i], {-64.0, 64.0});
        if (axis.empty())
            continue;
        if (axis.size() != 3 || axis[1] <= 0.0 || axis[2] < 1.0 || axis[2] > mostKnots || axis[2] != std::floor(axis[2])) {
            fields.refuse(names[i], fmt::format("{} must be log2 of the first knot, the distance of knots above 0 and their number up to {}",
                                                names[i], mostKnots));
            return {};
        }
        grid->axes[i] = {.low = axis[0], .step = axis[1], .knots = int(axis[2])};
        size *= std::size_t(axis[2]);
    }
    grid->values = numbers(fields, "values", {-mostResidual * residualDigits, mostResidual * residualDigits});
    if (fields.failed())
        return {};
    if (grid->values.size() != size) {
        fields.refuse("values", fmt::format("values has {} entries; the axes need {}", grid->values.size(), size));
        return {};
    }
    for (double& value : grid->values)
        value /= residualDigits;
    return {std::move(grid)};
}

constexpr std::size_t pointSize = std::tuple_size_v<MeasuredDomain::Point>;
constexpr std::size_t regionSize = 2 * pointSize + 2;   ///< lower corner, upper corner, low, high

void readDomain(YamlFields& fields, MeasuredDomain& domain)
{
    const std::vector<double> regions = numbers(fields, "regions", {-1e3, 1e3});
    if (fields.failed())
        return;
    if (regions.empty() || regions.size() % regionSize != 0) {
        fields.refuse("regions", fmt::format("regions has {} numbers; it must be {} for each region", regions.size(), regionSize));
        return;
    }
    for (std::size_t at = 0; at < regions.size(); at += regionSize) {
        MeasuredDomain::Region region;
        for (std::size_t axis = 0; axis < pointSize; ++axis) {
            region.from[axis] = regions[at + axis];
            region.to[axis] = regions[at + pointSize + axis];
        }
        region.band = {regions[at + 2 * pointSize], regions[at + 2 * pointSize + 1]};
        if (!(region.band.low > 0.0 && region.band.low <= 1.0 && region.band.high >= 1.0)) {
            fields.refuse("regions", "the band of a region must begin between 0 and 1 and end at 1 or above");
            return;
        }
        domain.regions.push_back(region);
    }
    domain.from = domain.regions.front().from;
    domain.to = domain.regions.front().to;
    for (const MeasuredDomain::Region& region : domain.regions)
        for (std::size_t axis = 0; axis < pointSize; ++axis) {
            domain.from[axis] = std::min(domain.from[axis], region.from[axis]);
            domain.to[axis] = std::max(domain.to[axis], region.to[axis]);
        }
}

void readFit(YamlFields& fields, KernelFit& fit)
{
    fit.rows = fields.integer("rows", {0, 1e9}, fit.rows);
    fit.median = fields.number("median_error", {0.0, 1e6}, fit.median);
    fit.mean = fields.number("mean_error", {0.0, 1e6}, fit.mean);
    fit.spread = fields.number("spread", {0.0, 10.0}, fit.spread);
    fit.low = fields.number("low", {1e-4, 1.0}, fit.low);
    fit.high = fields.number("high", {1.0, 1e4}, fit.high);
}

template <typename Kernel>
void readKernel(YamlFields& fields, Kernel& kernel)
{
    if constexpr (HasTiles<Kernel>)
        kernel.tiles = fields.choice("tiles", tileFamilies, kernel.tiles);
    if constexpr (MayLack<Kernel>)
        kernel.exists = fields.boolean("exists", kernel.exists);
    for (const KernelConstant<Kernel>& constant : kernelConstants<Kernel>()) {
        const YamlFields::Range range{constant.low, constant.high};
        if (constant.time)
            kernel.*constant.time = fields.quantity(constant.name, parseSeconds, range, kernel.*constant.time);
        else
            kernel.*constant.number = fields.number(constant.name, range, kernel.*constant.number);
    }
    readFit(fields, kernel.fit);
    if constexpr (HasResidual<Kernel>)
        fields.map("residual", false, [&](YamlFields& inner) { kernel.residual = readResidual(inner); });
}

std::string fourDigits(double value)
{
    return fmt::format("{:.4g}", value);
}

/// Appends "key: value" entries and breaks lines before the limit.
class Entries
{
public:
    explicit Entries(std::string start) : m_text(std::move(start)), m_line(m_text.size()) {}

    void add(const std::string& entry)
    {
        if (!m_first)
            m_text += ',';
        if (!m_first && m_line + entry.size() + 2 > 110) {
            m_text += "\n  ";
            m_line = 2;
        } else if (!m_first) {
            m_text += ' ';
        }
        m_text += entry;
        m_line += entry.size() + 2;
        m_first = false;
    }

    std::string finish(std::string_view end) && { return std::move(m_text.append(end)); }

private:
    std::string m_text;
    std::size_t m_line;
    bool m_first = true;
};

std::string writeResidual(const ResidualGrid& grid)
{
    std::string values;
    std::size_t line = 0;
    for (const double value : grid.values) {
        const std::string text = fmt::format("{}", std::lround(value * residualDigits));
        const bool fits = line + text.size() < 110;
        values += values.empty() ? "" : fits ? " " : "\n    ";
        line = (fits ? line : 4) + text.size() + 1;
        values += text;
    }
    std::string axes;
    constexpr std::array names{"first", "second", "third"};
    for (std::size_t i = 0; i < names.size(); ++i)
        axes += fmt::format("{}: {} {} {}, ", names[i], fourDigits(grid.axes[i].low), fourDigits(grid.axes[i].step),
                            grid.axes[i].knots);
    return fmt::format("residual: {{{}values: \"\n    {}\"}}", axes, values);
}

std::string writeDomain(const MeasuredDomain& domain)
{
    std::string text = "domain: {regions: \"";
    for (const MeasuredDomain::Region& region : domain.regions) {
        text += "\n   ";
        for (const MeasuredDomain::Point& corner : {region.from, region.to})
            for (const double value : corner)
                text += fmt::format(" {}", fourDigits(value));
        text += fmt::format(" {} {}", fourDigits(region.band.low), fourDigits(region.band.high));
    }
    return text + "\"}";
}

template <typename Kernel>
void writeKernel(const Kernel& kernel, Entries& out)
{
    if constexpr (HasTiles<Kernel>)
        for (const auto& [name, family] : tileFamilies)
            if (family == kernel.tiles)
                out.add(fmt::format("tiles: {}", name));
    if constexpr (MayLack<Kernel>)
        out.add(fmt::format("exists: {}", kernel.exists));
    for (const KernelConstant<Kernel>& constant : kernelConstants<Kernel>()) {
        const double value = constant.get(kernel);
        out.add(constant.time ? fmt::format("{}: {} us", constant.name, fourDigits(value * 1e6))
                              : fmt::format("{}: {}", constant.name, fourDigits(value)));
    }
    const KernelFit& fit = kernel.fit;
    if (fit.rows > 0)
        out.add(fmt::format("rows: {}, median_error: {}, mean_error: {}, spread: {}, low: {}, high: {}", fit.rows,
                            fourDigits(fit.median), fourDigits(fit.mean), fourDigits(fit.spread), fourDigits(fit.low),
                            fourDigits(fit.high)));
    if constexpr (HasResidual<Kernel>)
        if (kernel.residual.grid)
            out.add(writeResidual(*kernel.residual.grid));
}

} // namespace

std::vector<MeasuredKernel> readKernels(const YamlNode& root, YamlFields& fields, const KernelFamily& base)
{
    std::vector<MeasuredKernel> kernels;
    const auto read = [&](std::string_view key, std::string_view slot, std::string_view implementation) {
        const std::optional<AnyKernel> start = kernelOf(base, slot);
        if (!start)
            return;
        fields.map(key, false, [&](YamlFields& inner) {
            MeasuredKernel& measured =
                kernels.emplace_back(MeasuredKernel{std::string(slot), std::string(implementation), *start, {}});
            fitOf(measured.kernel) = {};
            std::visit([&](auto& kernel) { readKernel(inner, kernel); }, measured.kernel);
            inner.map("domain", false, [&](YamlFields& domain) { readDomain(domain, measured.domain); });
        });
    };
    for (const KernelSlot& slot : kernelSlots())
        read(slot.name, slot.name, {});
    for (const YamlNode& key : root.keys) {
        const std::size_t at = key.text.find('@');
        if (at != std::string::npos && at + 1 < key.text.size())
            read(key.text, std::string_view(key.text).substr(0, at), std::string_view(key.text).substr(at + 1));
    }
    return kernels;
}

std::string writeKernels(const std::vector<MeasuredKernel>& kernels)
{
    std::string text;
    for (const MeasuredKernel& measured : kernels) {
        Entries entries(fmt::format("\n{}{}{}: {{", measured.slot, measured.implementation.empty() ? "" : "@",
                                    measured.implementation));
        std::visit([&](const auto& kernel) { writeKernel(kernel, entries); }, measured.kernel);
        if (!measured.domain.regions.empty())
            entries.add(writeDomain(measured.domain));
        text += std::move(entries).finish("}\n");
    }
    return text;
}

} // namespace ridgepoint
