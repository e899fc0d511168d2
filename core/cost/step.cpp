// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/step.h"

namespace ridgepoint {

namespace {

/// Kernels an engine launches for an operator outside a captured graph.
double launches(const Op& op)
{
    switch (op.kind) {
    case OpKind::matmul: return op.quantizesInput ? 2.0 : 1.0;
    case OpKind::mixture: return 5.0;
    case OpKind::stream: return op.id == OpId::norms ? 2.0 : 1.0;   // two instances a layer stand for four kernels
    default: return 1.0;
    }
}

} // namespace

StepCost stepCost(const std::vector<Op>& ops, const System& system, const KernelFamily& kernels)
{
    StepCost step;
    step.ops.reserve(ops.size());
    for (const Op& op : ops) {
        const KernelCost one = opCost(op, system, kernels);
        const bool communicates = op.kind == OpKind::allReduce || op.kind == OpKind::send;
        OpTime& entry = step.ops.emplace_back();
        entry.op = op;
        entry.time = one.time * op.count;
        if (one.fit) {
            entry.origin = one.fit->origin;
            entry.spread = one.fit->spread;
        }
        step.weightBytes += op.weightBytes * op.count;
        step.kvBytes += op.kvBytes * op.count;
        step.flops += op.flops * op.count;
        if (communicates) {
            entry.communication = entry.time;
            step.parts[Cause::communication] += entry.time;
            continue;
        }
        step.kernels += launches(op) * op.count;
        entry.launch = one.launch * op.count;
        entry.compute = one.compute * op.count;
        entry.memory = one.memory * op.count;
        const Seconds body = (one.time - one.launch) * op.count;
        const Seconds moved = body * (1.0 - one.computeShare);
        const double bytes = (op.weightBytes + op.kvBytes + op.activationBytes).value;
        step.parts[Cause::host] += entry.launch;
        step.parts[Cause::compute] += body - moved;
        if (bytes <= 0.0) {
            step.parts[Cause::activations] += moved;
        } else {
            const Seconds weights = moved * (op.weightBytes.value / bytes);
            const Seconds cache = moved * (op.kvBytes.value / bytes);
            step.parts[Cause::weights] += weights;
            step.parts[Cause::kvCache] += cache;
            step.parts[Cause::activations] += moved - weights - cache;
        }
    }
    return step;
}

} // namespace ridgepoint
