// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/methods.h"

#include <array>

namespace ridgepoint {
namespace {

constexpr std::string_view fittedBands =
    "80 % bands: in 8 cases of 10 the true value is expected inside. They come from measurements that the constants were not fitted on, "
    "widened where the device, the network or the load is unlike what was measured.";

constexpr std::array table{
    Method{"roofline",
           "Each dot is one operator of a step, its area the share of time it takes. The slanted line is what the memory can deliver, the flat one "
           "the dense peak. A dot on the slant waits for memory, one on the flat part for arithmetic; the distance below the roof is what is lost. "
           "Arrows join the same operator of two configurations.",
           "attainable = min(peak, intensity × bandwidth)\nintensity = operations / bytes of device memory\nattained = operations / time of the operator",
           "Bytes are those that must cross the device memory once: reuse between operators in caches is not counted. Communication has no dot.",
           "None: time of an operator is the prediction of its kernel; its error is part of the band of TPOT and TTFT.",
           "williams2009,opsData"},
    Method{"breakdown",
           "Where the mean time of an output token goes, cause by cause; the parts add up to TPOT.",
           "TPOT = weights + KV cache + compute + activations + communication + launch and host + bubble + prefill share\n"
           "time of an operator = launch + (compute^p + memory^p)^(1/p), given to the cause that is longer\n"
           "prefill share = time in which a decoding request waits for steps that read the prompts of others",
           "Percentiles, the client's network and the tokeniser.",
           fittedBands, "opsData,e2eData"},
    Method{"ledger",
           "What fills the memory of the fullest device; free parts of the KV pool and what the engine leaves alone are drawn light.",
           "weights = sharded bytes / TP + replicated bytes + rotary table\n"
           "KV cache = requests × tokens × layers × 2 × KV heads / TP × head size × bytes\n"
           "activations = larger of sampling (sequences × vocabulary) and a forward step (tokens × width)\n"
           "KV pool = fraction × device memory − weights − runtime − activations − graphs (vLLM; other engines have their own rule)",
           "Fragmentation, other processes on the device, encoders of images where their size is not known.",
           "“Tight” stands within 3 % of the device or within what the parts are known to.", "fieldMemory"},
    Method{"frontier",
           "Each point is a number of requests in flight, from 1 to 512: more of them give more output of a device and a longer TPOT. The large mark is "
           "the configuration as it stands.",
           "output per device = requests running × steps a second × tokens a step / devices\n"
           "TPOT = (last token − first token) / (output tokens − 1), in the steady state of the engine's scheduler",
           "Bursts: the load is steady. Beyond the requests that the memory holds, others only wait.",
           fittedBands, "e2eData"},
    Method{"tornado",
           "Each row is one number of the configuration, the one that moves the result most at the top. The light end is what the result becomes when "
           "the number is a tenth smaller, the dark end when it is a tenth larger; the line is the result as it stands.",
           "low, high = result of the whole model with that number alone at 0.9 and 1.1 times its value; whole numbers move by one at least\n"
           "change for one percent more = ln(high / low) / ln(1.1 / 0.9)",
           "Numbers that move together; a change that the plan cannot follow, such as TP 9.",
           "None: both ends rest on the same constants, whose error cancels for the most part.", "e2eData"},
    Method{"waterfall",
           "The first bar is the baseline, the last one the configuration looked into; between them each knob that differs is changed in turn.",
           "step = result with this knob changed too − result before it; the steps add up to the whole difference",
           "What knobs do together is given to the one that is changed later: in another order the steps share the difference differently.",
           "None of the steps; the two ends have the bands that the board shows.", "e2eData"},
    Method{"odds",
           "How often each configuration comes first, second and so on when everything that is not known varies: the darkest part is the first place.",
           "ln result = ln prediction + engine error + device error + queueing error, each drawn from its spread\n"
           "errors that two configurations have in common (same device, same engine and network) are drawn once for both; 2,000 draws, seed 1",
           "Errors of the inputs, such as prices or lengths of requests.",
           fittedBands, "e2eData"},
    Method{"map",
           "Each cell is the whole model at one pair of values; bright is much. Grey hatching breaks a limit, red hatching lacks memory, crossed cells cannot "
           "run. The framed cell is the configuration as it stands.",
           "cell = result of the configuration with the two knobs at these values, everything else as it stands",
           "Values between the cells. TPOT is without the first token here, whatever the board shows.",
           "Each cell has the band that the board shows for it; put it on the board to see it.", "e2eData"},
    Method{"memory_log",
           "The memory of one device as predicted, above the same device as the engine's start-up log names it.",
           "The bar of the log holds what its lines say: weights, runtime, activations, KV pool and graphs of the fullest rank",
           "What the log does not name stays together as one part.",
           "A line agrees within 2 % or 0.05 GiB and is close within 10 % or 0.3 GiB.", "fieldMemory"},
};

} // namespace

std::span<const Method> methods()
{
    return table;
}

const Method* findMethod(std::string_view figure)
{
    for (const Method& method : table)
        if (method.figure == figure)
            return &method;
    return nullptr;
}

} // namespace ridgepoint
