// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/step_pricer.h"

#include <utility>

namespace ridgepoint {

StepPricer stepPricer(const Network& network, const ResolvedPrecision& precision, const Split& split,
                      const System& system, const KernelFamily& kernels, const EngineProfile& engine)
{
    std::vector<Op> ops;
    return [&network, &precision, &split, &system, &kernels, &engine, ops](const StepShape& shape) mutable {
        ops.clear();
        ops.reserve(48);   // a copy of this pricer begins without room
        lowerStep(network, precision, split, shape, ops);
        StepCost cost = stepCost(ops, system, kernels);
        cost.parts[Cause::host] += engine.hostPerStep;
        if (shape.prefillTokens > 0.0)
            cost.parts[Cause::host] += engine.hostPerPrefillKernel * cost.kernels;
        return cost;
    };
}

StepPricer withSpeculation(StepPricer pricer, const Speculation& speculation)
{
    if (speculation.draftTokens <= 0)
        return pricer;
    return [pricer = std::move(pricer), speculation](const StepShape& shape) {
        if (shape.decodeSequences <= 0.0)
            return pricer(shape);
        StepShape verify = shape;
        verify.decodeQueries = speculation.draftTokens + 1.0;
        verify.headTokens = shape.headTokens + shape.decodeSequences * speculation.draftTokens;
        if (shape.groupTokens > 0.0)
            verify.groupTokens = shape.groupTokens + (shape.groupTokens - shape.prefillTokens) * speculation.draftTokens;
        StepCost cost = pricer(verify);
        StepShape plain = shape;
        plain.prefillTokens = plain.prefillSequences = plain.prefillContext = 0.0;
        plain.headTokens = shape.decodeSequences;
        plain.groupTokens = 0.0;
        cost.parts += pricer(plain).parts * (speculation.draftShare * speculation.draftTokens);
        return cost;
    };
}

StepTimer timerOf(StepPricer pricer)
{
    return [pricer = std::move(pricer)](const StepShape& shape) { return pricer(shape).parts.total(); };
}

} // namespace ridgepoint
