// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/basis.h"

#include "core/base/unit_text.h"
#include "core/insight/sentence.h"
#include "core/serving/local_runtime.h"

#include <fmt/format.h>

namespace ridgepoint {
namespace {

// Parts below this are not worth a word.
constexpr double smallestPart = 0.01;
// An engine with kernels of its own has one rate a device family: its operators say nothing apart.
bool hasOwnKernels(const Scenario& s)
{
    return runtimeFor(s.engine, s.system.device) != nullptr;
}

std::string bandChange(const Report& report)
{
    if (!report.tpotSpread)
        return " The band is not known.";
    const Spread& spread = *report.tpotSpread;
    Spread measured = spread;
    measured.transfer = 0;
    const std::string whole = spreadText(spread.total()), own = spreadText(measured.total());
    return whole == own ? fmt::format(" The 80\u00a0% band of TPOT is {}.", whole)
                        : fmt::format(" This widens the 80\u00a0% band of TPOT from {} to {}.", own, whole);
}

} // namespace

Basis basisOf(const std::vector<OpTime>& ops)
{
    Basis basis;
    Seconds total;
    for (const OpTime& one : ops)
        total += one.time;
    if (total.value <= 0.0)
        return basis;
    for (const OpTime& one : ops)
        (one.origin == KernelOrigin::measured ? basis.measured
         : one.origin == KernelOrigin::family ? basis.family
                                              : basis.general) += one.time / total;
    return basis;
}

std::string basisBadge(const Report& report)
{
    const std::string name(nameOf(report.provenance));
    if (report.provenance != Provenance::calibrated || report.decodeOps.empty())
        return name;
    const double measured = basisOf(report.decodeOps).measured;
    return measured >= nearlyAll ? name : fmt::format("{} {}", name, percentText(measured));
}

std::string basisText(const Evaluated& column, const std::vector<OpTime>& ops)
{
    const Provenance provenance = column.report.provenance;
    if (ops.empty() || provenance == Provenance::dataSheet || hasOwnKernels(column.scenario))
        return "";
    const Basis basis = basisOf(ops);
    const std::string& device = column.scenario.system.device.name;
    std::vector<std::string> parts;
    const auto add = [&](double share, const std::string& what) {
        if (share >= smallestPart)
            parts.push_back(fmt::format("{} {} {}", percentText(share), parts.empty() ? "of the time rests on" : "on", what));
    };
    add(basis.measured, "kernels measured on " + device);
    add(basis.family, "kernels of its family");
    add(basis.general, "medians of all measured devices");
    return listed(parts);
}

std::string basisText(const Evaluated& column)
{
    const auto& [scenario, report, load] = column;
    const std::string& device = scenario.system.device.name;
    const std::string parts = basisText(column, report.decodeOps);
    const std::string shares = parts.empty() ? "" : fmt::format(" Of a decode step, {}.", parts);
    switch (report.provenance) {
    case Provenance::calibrated:
        return fmt::format("Kernels were measured on {} itself.", device) + shares + bandChange(report);
    case Provenance::familyDefault:
        return (hasOwnKernels(scenario)
                    ? fmt::format("{} has rates of its own, fitted to speed reports of devices like {}.", scenario.engine.name, device)
                    : fmt::format("{} was not measured; its times come from its family, scaled by its data sheet.", device) + shares) +
               bandChange(report);
    case Provenance::generalDefault:
        return fmt::format("No device of the family of {} was measured; its times come from all measured devices, scaled by "
                           "its data sheet.", device) + bandChange(report);
    case Provenance::dataSheet: return "Rates of the data sheet, without any loss: a bound that no real system reaches.";
    case Provenance::unknown: break;
    }
    return "Where the times come from is not known.";
}

} // namespace ridgepoint
