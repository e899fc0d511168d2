// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/hardware/device.h"
#include "core/workload/lowering.h"

#include <optional>

namespace ridgepoint {

/// Constants of the roofline of a saturated server. All were fitted together on 158 published maximum throughputs of 15
/// devices and 11 networks of 2024-08 to 2025-12 (MLPerf Inference v4.1 and v5.1, TensorRT-LLM 1.x tables; fieldSpeed);
/// behind each the range it takes when one device is left out.
struct OfflineConstants
{
    double compute = 0.684;          ///< fraction of the peak of dense products
    double memory = 0.90;            ///< fraction of memory bandwidth; not fitted
    double experts = 0.617;          ///< further fraction of the peak in expert products
    double expertMemory = 0.608;     ///< further fraction of the bandwidth at which experts are read
    double unfusedExperts = 0.418;   ///< further fraction where 4-bit experts are unpacked to 16 bit on the way
    double attention = 0.501;        ///< fraction of the 16-bit peak of attention
    double links = 0.378;            ///< fraction of the one-way link bandwidth
    double fourBit = 0.75;           ///< of the 4-bit peak that counts, and at most twice the 8-bit one
    Seconds layer{107.7e-6};          ///< of a layer and step
    Seconds expertLayer{18.6e-6};    ///< of a layer with experts, times the root of the sequences of a device
    Seconds step{6.8e-3};            ///< scheduling and sampling of a step
    Seconds sequence{3.29e-6};      ///< the same of each sequence in it
    double pool = 0.90;              ///< of memory that weights and cache may fill; not fitted
    double slots = 2048;             ///< sequences of a rank at most, the default of TensorRT-LLM; not fitted
    double early = 0.872;            ///< share of the speed that software of 2024 reached
    double amd = 0.664;              ///< share of the peaks on AMD devices
    double generic = 0.868;          ///< share of the peaks of engines that are not written for one vendor
    double served = 0.93;            ///< share of the offline throughput under arrivals at random, without a limit of latency
    // Eight of ten measurements lie between these multiples of the prediction, device left out.
    double low = 0.67, high = 1.25;
    double lowExperts = 0.70, highExperts = 1.30;
    bool operator==(const OfflineConstants&) const = default;
};

/// A server that always has more requests than fit.
struct OfflineLoad
{
    double inputTokens = 1000, outputTokens = 1000;
    int devices = 1;                 ///< of one replica
    int stages = 1;                  ///< pipeline
    bool attentionData = false;      ///< each device attends to its own sequences and shares the experts; else tensor parallel
    bool early = false;              ///< software of 2024
    bool generic = false;            ///< an engine that is not written for one vendor, such as vLLM
    bool arrivals = false;           ///< requests arrive at random, so that the server is not always full
    std::optional<Seconds> tokenLimit{};  ///< most a token may take in the mean
};

struct OfflineThroughput
{
    Frequency output;                ///< tokens a second of the replica
    double sequences = 0;            ///< in flight
    Seconds step;                    ///< one token for each
    Seconds prompt;                  ///< of one request, with all devices at work
    bool fits = false;               ///< whether weights and at least one request do
};

/// Highest throughput of one replica by a roofline over whole steps.
///
///     B      = (pool n M - weights)/cache of a request at its mean length, at most slots a rank
///     t_d(B) = sqrt( (sum of F/(P e))^2 + (weights/(W e_m) + cache/(W e_m))^2 )/n + L l + L_x l_x sqrt(B/n) + t_s + B t_q + B bytes/link
///     t_p    = F(prompt)/(n P e) + I bytes/link
///     rate   = O/(t_p + O t_d/B)
///
/// Under a limit of the time between tokens, B is the largest for which B/rate keeps it.
///
/// network   FLOPs, weights and cache as lowered, so windows, latent attention and experts are in them
/// device    peaks P of the arithmetic in use [FLOP/s], W [B/s], M [B], links [B/s one way]; host link where there are none
/// ignores   which kernels a device has: one efficiency for all, so devices without any operator measurement compare fairly
/// source    fieldSpeed section 4, with attention, experts and host time apart
[[nodiscard]] OfflineThroughput offlineThroughput(const Network& network, const ResolvedPrecision& precision,
                                                  const Device& device, const OfflineLoad& load,
                                                  const OfflineConstants& constants = {});

} // namespace ridgepoint
