// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/kernel_constants.h"

#include <array>

namespace ridgepoint {

namespace {

using enum FitScale;

// Fractions above one are what a benchmark reaches whose operands lie in a cache; models of inference are bounded by the
// data sheet whatever a constant says.
constexpr double least = 1e-4;
constexpr double most = 1.3;
constexpr double mostTime = 10e-3;
constexpr double mostExponent = 64.0;

template <typename Kernel>
constexpr KernelConstant<Kernel> fraction(std::string_view name, double Kernel::*member, FractionOf of, double fitLow,
                                          double fitHigh)
{
    return {.name = name, .number = member, .low = least, .high = most, .scale = logarithmic, .fitLow = fitLow,
            .fitHigh = fitHigh, .of = of};
}

template <typename Kernel>
constexpr KernelConstant<Kernel> time(std::string_view name, Seconds Kernel::*member, double fitLow, double fitHigh,
                                      FitScale scale = logarithmic)
{
    return {.name = name, .time = member, .low = 0.0, .high = mostTime, .scale = scale, .fitLow = fitLow,
            .fitHigh = fitHigh, .of = FractionOf::nothing};
}

template <typename Kernel>
constexpr KernelConstant<Kernel> number(std::string_view name, double Kernel::*member, double low, double high,
                                        FitScale scale, double fitLow, double fitHigh,
                                        FractionOf of = FractionOf::nothing)
{
    return {.name = name, .number = member, .low = low, .high = high, .scale = scale, .fitLow = fitLow,
            .fitHigh = fitHigh, .of = of};
}

template <typename Kernel>
constexpr KernelConstant<Kernel> exponent(double Kernel::*member, double fitHigh)
{
    return number<Kernel>("overlap", member, 1.0, mostExponent, logarithmic, 1.0, fitHigh);
}

using M = MatmulKernel;
constexpr std::array matmul{
    time("launch", &M::launch, 0.3e-6, 2e-3),
    fraction("compute", &M::compute, FractionOf::peak, 1e-4, 1.2),
    fraction("memory", &M::memory, FractionOf::memory, 0.01, 1.15),
    number("core_load", &M::coreLoad, 1e-4, 100.0, logarithmic, 1e-3, 50.0, FractionOf::widePeak),
    time("split_reduction", &M::splitReduction, 0.01e-6, 60e-6),
    exponent(&M::overlap, 12.0),
    time("wave", &M::wave, 1e-9, 10e-6),
    number("wave_strictness", &M::waveStrictness, 0.0, 1.0, linear, 0.01, 1.0),
    number("quantize", &M::quantize, least, 5.0, logarithmic, 0.1, 5.0, FractionOf::memory),
    number("cache_bandwidth", &M::cacheBandwidth, 0.1, 100.0, logarithmic, 0.3, 20.0),
    number("cache_share", &M::cacheShare, 0.01, 10.0, logarithmic, 0.05, 4.0),
};

using D = DecodeKernel;
constexpr std::array decode{
    time("launch", &D::launch, 0.3e-6, 300e-6),
    fraction("memory", &D::memory, FractionOf::memory, 0.1, 1.0),
    number("core_stream", &D::coreStream, 0.0, 100.0, logarithmic, 0.01, 8.0, FractionOf::memory),
    number("compute", &D::compute, 0.0, most, logarithmic, 0.005, 1.0, FractionOf::widePeak),
    exponent(&D::overlap, 12.0),
    time("item", &D::item, 0.01e-6, 30e-6),
    number("resident", &D::resident, 0.05, 64.0, logarithmic, 0.2, 4.0),
    number("parts", &D::parts, 1.0, 1024.0, logarithmic, 1.0, 256.0),
    number("balance", &D::spread, 1.0, mostExponent, logarithmic, 1.0, 12.0),
    time("split", &D::split, 0.01e-6, 60e-6),
    time("reduce", &D::reduce, 0.01e-6, 60e-6),
    number("query", &D::query, 0.0, 100.0, logarithmic, 0.05, 20.0),
    time("unequal", &D::unequal, 0.01e-6, 60e-6),
    time("windowed", &D::windowed, 0.01e-6, 20e-6),
    number("group_tile", &D::groupTile, 1.0, 1024.0, fixed, 1.0, 1024.0),
    number("context_tile", &D::contextTile, 1.0, 1024.0, fixed, 1.0, 1024.0),
    number("plain_below", &D::plainBelow, 0.0, 1024.0, fixed, 0.0, 1024.0),
    number("plain_stream", &D::plainStream, least, 100.0, logarithmic, 0.05, 10.0, FractionOf::memory),
    time("plain_item", &D::plainItem, 0.01e-6, 20e-6),
    number("cache_bandwidth", &D::cacheBandwidth, 0.1, 100.0, logarithmic, 0.5, 20.0),
    number("cache_share", &D::cacheShare, 0.01, 10.0, logarithmic, 0.05, 4.0),
};

using P = PrefillKernel;
constexpr std::array prefill{
    time("launch", &P::launch, 0.3e-6, 300e-6),
    fraction("compute", &P::compute, FractionOf::peak, 0.02, 1.0),
    number("head_dim_half", &P::headDimHalf, 0.0, 1024.0, logarithmic, 0.1, 400.0),
    fraction("memory", &P::memory, FractionOf::memory, 0.1, 1.0),
    exponent(&P::overlap, 12.0),
    time("tile_row", &P::tileRow, 1e-9, 30e-6),
    number("balance", &P::spread, 1.0, mostExponent, logarithmic, 1.0, 12.0),
    number("write", &P::write, 0.0, 100.0, logarithmic, 0.05, 10.0),
    time("unequal", &P::unequal, 0.01e-6, 60e-6),
    time("windowed", &P::windowed, 0.01e-6, 20e-6),
    number("query_tile", &P::queryTile, 1.0, 1024.0, fixed, 1.0, 1024.0),
    number("minimum_tile", &P::minimumTile, 0.0, 1024.0, fixed, 0.0, 1024.0),
    number("packs", &P::packs, 0.0, 1.0, fixed, 0.0, 1.0),
    number("window_saves", &P::windowSaves, 0.0, 1.0, fixed, 0.0, 1.0),
    number("cache_bandwidth", &P::cacheBandwidth, 0.1, 100.0, logarithmic, 0.5, 20.0),
    number("cache_share", &P::cacheShare, 0.01, 10.0, logarithmic, 0.05, 4.0),
};

using X = MixtureKernel;
constexpr std::array mixture{
    time("launch", &X::launch, 1e-6, 300e-6),
    fraction("compute", &X::compute, FractionOf::peak, 0.02, 1.0),
    fraction("memory", &X::memory, FractionOf::memory, 0.1, 1.0),
    number("core_stream", &X::coreStream, 0.0, 100.0, logarithmic, 0.02, 10.0, FractionOf::memory),
    exponent(&X::overlap, 12.0),
    number("balance", &X::spread, 1.0, mostExponent, logarithmic, 1.0, 12.0),
    number("activation", &X::activation, 0.0, 100.0, logarithmic, 0.05, 20.0),
    time("per_expert", &X::perExpert, 1e-10, 5e-6),
    time("wave", &X::wave, 1e-9, 20e-6),
    time("many_choices", &X::manyChoices, 0.01e-6, 60e-6),
    time("per_choice", &X::perChoice, 1e-13, 10e-9),
    time("per_score", &X::perScore, 1e-13, 10e-9),
    time("sorting", &X::sorting, 1e-9, 80e-6),
    number("sorting_tokens", &X::sortingTokens, 1.0, 1e6, logarithmic, 1.0, 1000.0),
    number("row_tile", &X::rowTile, 0.0, 1024.0, fixed, 0.0, 1024.0),
    number("largest_tile", &X::largestTile, 1.0, 1024.0, fixed, 1.0, 1024.0),
    number("cache_bandwidth", &X::cacheBandwidth, 0.1, 100.0, logarithmic, 0.5, 20.0),
    number("cache_share", &X::cacheShare, 0.01, 10.0, logarithmic, 0.02, 4.0),
};

using L = LatentKernel;
constexpr std::array latent{
    time("launch", &L::launch, 0.3e-6, 300e-6),
    fraction("memory", &L::memory, FractionOf::memory, 0.05, 1.0),
    fraction("compute", &L::compute, FractionOf::widePeak, 0.02, 1.0),
    exponent(&L::overlap, 12.0),
    time("tile", &L::tile, 1e-9, 20e-6),
    number("quantize", &L::quantize, 0.0, 100.0, logarithmic, 0.01, 10.0),
    number("row_tile", &L::rowTile, 0.0, 1024.0, fixed, 0.0, 1024.0),
    number("cache_bandwidth", &L::cacheBandwidth, 0.1, 100.0, logarithmic, 0.5, 20.0),
    number("cache_share", &L::cacheShare, 0.01, 10.0, logarithmic, 0.05, 4.0),
};

using R = RooflineKernel;
constexpr std::array roofline{
    time("launch", &R::launch, 0.3e-6, 300e-6),
    fraction("memory", &R::memory, FractionOf::memory, 0.05, 1.2),
    fraction("compute", &R::compute, FractionOf::peak, 0.02, 1.2),
    exponent(&R::overlap, 12.0),
};

using S = StreamKernel;
constexpr std::array stream{
    time("launch", &S::launch, 0.1e-6, 2e-3),
    fraction("memory", &S::memory, FractionOf::memory, 0.005, 1.2),
    number("cache_bandwidth", &S::cacheBandwidth, 0.1, 100.0, logarithmic, 0.5, 20.0),
    number("cache_share", &S::cacheShare, 0.01, 10.0, logarithmic, 0.05, 4.0),
};

using C = CollectiveKernel;
constexpr std::array collective{
    time("fixed", &C::fixed, 0.1e-6, 300e-6),
    time("per_device", &C::perDevice, 1e-9, 30e-6),
    fraction("bandwidth", &C::bandwidth, FractionOf::link, 0.005, 1.2),
    number("growth", &C::growth, 0.1, 4.0, logarithmic, 0.2, 2.0),
    number("overlap", &C::overlap, 0.3, mostExponent, logarithmic, 0.5, 6.0),
};

using E = ExchangeKernel;
constexpr std::array exchange{
    time("fixed", &E::fixed, 0.5e-6, 300e-6),
    time("per_doubling", &E::perDoubling, 1e-8, 300e-6),
    time("per_expert", &E::perExpert, 1e-10, 1e-6),
    fraction("link_bandwidth", &E::linkBandwidth, FractionOf::link, 0.02, 1.2),
    fraction("network_bandwidth", &E::networkBandwidth, FractionOf::nothing, 0.02, 1.2),
    number("unit_rate", &E::unitRate, 0.0, 100.0, logarithmic, 1e-3, 5.0, FractionOf::link),
    exponent(&E::overlap, 8.0),
};

} // namespace

template <> std::span<const KernelConstant<MatmulKernel>> kernelConstants() { return matmul; }
template <> std::span<const KernelConstant<DecodeKernel>> kernelConstants() { return decode; }
template <> std::span<const KernelConstant<PrefillKernel>> kernelConstants() { return prefill; }
template <> std::span<const KernelConstant<MixtureKernel>> kernelConstants() { return mixture; }
template <> std::span<const KernelConstant<LatentKernel>> kernelConstants() { return latent; }
template <> std::span<const KernelConstant<RooflineKernel>> kernelConstants() { return roofline; }
template <> std::span<const KernelConstant<StreamKernel>> kernelConstants() { return stream; }
template <> std::span<const KernelConstant<CollectiveKernel>> kernelConstants() { return collective; }
template <> std::span<const KernelConstant<ExchangeKernel>> kernelConstants() { return exchange; }

} // namespace ridgepoint
