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
                    return {rescaled(*kernel, *place, m_device), false};
        for (const OperatorCalibration* place : m_places)
            if (place)
                for (const MeasuredKernel& kernel : place->kernels)
                    if (kernel.slot == slot)
                        return {rescaled(kernel, *place, m_device), true};
        const std::optional<AnyKernel> nearest = kernelOf(m_device.kernels, slot);
        return {nearest.value_or(AnyKernel(StreamKernel{})), true};
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
    prediction.value = time * 1e6;
    prediction.low80 = *prediction.value * fit.low * (found.standsIn ? standInLow : 1.0);
    prediction.high80 = *prediction.value * fit.high * (found.standsIn ? standInHigh : 1.0);
    prediction.provenance = provenanceOf(fit.origin);
    if (found.standsIn)
        prediction.reason = "another implementation stands in";
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
    }
    return predictions;
}

} // namespace ridgepoint
