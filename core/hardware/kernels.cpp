// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernels.h"

namespace ridgepoint {

KernelFamily idealKernels()
{
    const MatmulKernel matmul{.tiles = TileFamily::none, .launch = {}, .compute = 1, .memory = 1, .coreLoad = 1,
                              .splitReduction = {}, .overlap = fullOverlap, .wave = {}, .waveStrictness = 0,
                              .quantize = 1};
    const DecodeKernel decode{.launch = {}, .memory = 1, .coreStream = 0, .compute = 0, .overlap = fullOverlap,
                              .item = {}, .split = {}, .reduce = {}, .query = 1, .unequal = {}, .windowed = {},
                              .groupTile = 1};
    const PrefillKernel prefill{.launch = {}, .compute = 1, .headDimHalf = 0, .memory = 1, .overlap = fullOverlap,
                                .tileRow = {}, .write = 1, .unequal = {}, .windowed = {}, .minimumTile = 0};
    const MixtureKernel mixture{.launch = {}, .compute = 1, .memory = 1, .coreStream = 0, .overlap = fullOverlap,
                                .activation = 1, .perExpert = {}, .wave = {}, .manyChoices = {}, .perChoice = {},
                                .perScore = {}, .sorting = {}, .rowTile = 0};
    const LatentKernel latent{.launch = {}, .memory = 1, .compute = 1, .overlap = fullOverlap, .tile = {}, .quantize = 0,
                              .rowTile = 0};
    const RooflineKernel roofline{.launch = {}, .memory = 1, .compute = 1, .overlap = fullOverlap};

    KernelFamily family;
    family.id = "ideal";
    family.name = "Data sheet";
    family.matmulBf16 = family.matmulFp8 = family.matmulFp8Block = family.matmulFp4 = family.matmulWeightOnly = matmul;
    family.decodeBf16 = family.decodeFp8 = decode;
    family.prefillBf16 = family.prefillFp8 = family.prefillEncoder = prefill;
    family.mixtureBf16 = family.mixtureFp8 = family.mixtureFp8Block = family.mixtureFp4 = mixture;
    family.mixtureWeightOnly = family.mixtureMxfp4 = family.mixtureFp4LowLatency = mixture;
    family.latentDecode = family.latentDecodeFp8 = decode;
    family.latentPrefill = family.latentPrefillFp8 = prefill;
    family.latentQuery = family.latentOutput = latent;
    family.linearChunks = family.indexScores = roofline;
    family.stream = {.launch = {}, .memory = 1};
    const CollectiveKernel collective{.fixed = {}, .perDevice = {}, .bandwidth = 1, .growth = 1, .overlap = 1};
    family.allReduce = family.allGather = family.reduceScatter = family.allToAll = family.send = collective;
    family.allReduceDirect.exists = false;
    const ExchangeKernel exchange{.fixed = {}, .perDoubling = {}, .perExpert = {}, .linkBandwidth = 1, .networkBandwidth = 1,
                                  .unitRate = 0, .overlap = 1};
    family.dispatch = family.combine = exchange;
    family.dispatchLowLatency.exists = family.combineLowLatency.exists = false;
    return family;
}

} // namespace ridgepoint
