// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/operators.h"

#include "core/calibration/operator_row.h"

#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

/// Another library, or another way of timing, stands in for the one of the row.
constexpr double standInLow = 0.6;
constexpr double standInHigh = 1.7;

struct Found
{
    AnyKernel kernel;
    const MeasuredDomain* domain = nullptr;   ///< null: nothing of it was measured
    bool standsIn = false;
};

const OperatorCalibration* kernelsOf(const std::vector<OperatorCalibration>& all, std::string_view id)
{
    for (const OperatorCalibration& one : all)
        if (one.device == id)
            return &one;
    return nullptr;
}

/// Where a kernel may come from, best first.
class KernelSearch
{
public:
    KernelSearch(const Presets& presets, const Device& device, bool calibrated)
        : m_device(device)
    {
        if (calibrated)
            m_places.push_back(kernelsOf(presets.deviceKernels, device.id));
        m_places.push_back(kernelsOf(presets.familyKernels, device.kernels.id));
        m_places.push_back(kernelsOf(presets.familyKernels, "default"));
    }

    [[nodiscard]] Found of(const std::string& slot, const std::string& implementation) const
    {
        const std::string plain = implementation.substr(0, implementation.find('.'));   // without the mode of the device
        for (const std::string& name : {implementation, plain})
            for (const OperatorCalibration* place : m_places)
                if (const MeasuredKernel* kernel = place ? find(*place, slot, name) : nullptr)
                    return {rescaled(*kernel, *place, m_device), &kernel->domain, false};
        for (const OperatorCalibration* place : m_places)
            if (place)
                for (const MeasuredKernel& kernel : place->kernels)
                    if (kernel.slot == slot)
                        return {rescaled(kernel, *place, m_device), &kernel.domain, true};
        const std::optional<AnyKernel> nearest = kernelOf(m_device.kernels, slot);
        return {nearest.value_or(AnyKernel(StreamKernel{})), nullptr, true};
    }

private:
    const Device& m_device;
    std::vector<const OperatorCalibration*> m_places;
};

std::string provenanceOf(KernelOrigin origin)
{
    switch (origin) {
    case KernelOrigin::measured: return "calibrated";
    case KernelOrigin::family: return "family_default";
    case KernelOrigin::general: break;
    }
    return "general_default";
}

Prediction predict(const OperatorRow& row, const Presets& presets, bool calibrated)
{
    Prediction prediction;
    prediction.quantity = "latency";
    prediction.unit = "us";
    prediction.groups = row.groups;
    if (row.measured)
        prediction.measured = row.measured->value * 1e6;
    if (!row.problem.empty() || !row.device || !row.predict) {
        prediction.reason = row.problem.empty() ? "the row cannot be read" : row.problem;
        return prediction;
    }
    const Found found = KernelSearch(presets, *row.device, calibrated).of(row.slot, row.implementation);
    const double time = row.predict(found.kernel, *row.device);
    if (!(time > 0.0) || !std::isfinite(time)) {
        prediction.reason = "the shape is outside what the model covers";
        return prediction;
    }
    const KernelFit& fit = fitOf(found.kernel);
    ErrorBand band{fit.low, fit.high};
    prediction.value = time * 1e6;
    prediction.provenance = provenanceOf(fit.origin);
    if (found.domain && !found.domain->regions.empty()) {
        const MeasuredDomain::Point point = domainPoint(row.shape, row.regime);
        band = bandAt(*found.domain, band, point);
        if (doublingsOutside(*found.domain, point) > nearlyInside) {
            prediction.provenance = "extrapolated";
            prediction.reason = "outside the measured range";
        }
    }
    if (found.standsIn)
        prediction.reason = "another implementation stands in";
    prediction.low80 = *prediction.value * band.low * (found.standsIn ? standInLow : 1.0);
    prediction.high80 = *prediction.value * band.high * (found.standsIn ? standInHigh : 1.0);
    return prediction;
}

} // namespace

Result<std::vector<Prediction>> predictOperators(const CsvTable& table, const Presets& presets,
                                                 const ValidationOptions& options)
{
    const Result<const OperatorTable*> kind = operatorTableOf(table, options.table);
    if (!kind)
        return fail(kind.error());
    std::vector<Prediction> predictions;
    for (const OperatorRow& row : (*kind)->rows(table, presets)) {
        Prediction& one = predictions.emplace_back(predict(row, presets, options.calibration));
        one.id = table.has("id") ? std::string(table.text(row.row, "id")) : fmt::format("{}", row.row + 1);
        one.groups.emplace(one.groups.begin(), "table", (*kind)->id);
        if (!one.value)
            one.where = fmt::format("{}:{}", table.file, table.lines[row.row]);
    }
    return predictions;
}

} // namespace ridgepoint
